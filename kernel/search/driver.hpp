// Runs a whole search: memory, threads, time manager and blunder check around the tree.
//
// It uses neither Python nor files, throws nothing, and can be built without threads (PUNCT_THREADS=0), so that the
// same search runs in WebAssembly. Errors are returned as a Status.
#pragma once

#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>

#include "search/time_manager.hpp"

#ifndef PUNCT_THREADS
#define PUNCT_THREADS 1
#endif

namespace punct::search {

inline constexpr int max_threads = PUNCT_THREADS ? 256 : 1;

// The position to search, with the hashes of the game's earlier positions, for repetition.
struct SearchRoot {
  Position position;
  std::vector<uint64_t> history;
  std::size_t last_add = 0;  // positions before it cannot occur again: there are more pieces now

  // Plays a move; false, with nothing changed, if it is not legal.
  bool play(Move m);
  // The part of the history that can occur again.
  std::vector<uint64_t> repeatable_history() const;
};

struct Request {
  Limits limits;
  uint64_t seed = 0;
  int threads = 1;
  int variations = 1;         // how many to report
  double report_every = 0.1;  // seconds
};

struct Report {
  uint64_t nodes = 0;
  int depth = 0;
  double seconds = 0.0;
  std::vector<Variation> variations;  // the best first; none only before the first visit
};

enum class Status : uint8_t {
  Done,
  GameOver,   // there is no move to play
  NoLimit,    // the search would never end
  NoMemory,   // not even the smallest tree could be allocated, or memory ran out during the search
  NoThreads,  // not all threads could be started
};

// One search at a time: in one call with run(), or in slices with begin(), advance() and end(), with the same result.
class Search {
 public:
  // Called with the report so far, on the thread that called run(); returning false ends the search.
  using ProgressCallback = std::function<bool(const Report&)>;

  Settings settings;

  // `bytes`: the memory limit of a tree; none is allocated before it is needed.
  explicit Search(std::size_t bytes);
  ~Search();

  // Allocates all of it now: half of it, or half of that, where the system refuses. Returns the bytes allocated; 0 if
  // none.
  std::size_t reserve();
  std::size_t bytes() const { return max_nodes_ * sizeof(Node); }

  // Searches until a limit is reached, it is stopped, or the result is proven.
  Status run(const SearchRoot& start, const Request& request, const ProgressCallback& on_progress, Report& out);

  // The same in slices, on one thread. Done means that it has begun; it lasts until end().
  Status begin(const SearchRoot& start, const Request& request);
  // Runs for about `seconds`; true when it is over.
  bool advance(double seconds);
  Report report();
  // Reports the best so far, whether it is over or not.
  Status end(Report& out);

  // Ends the running search; callable from any thread.
  void stop() { stopped_ = true; }

 private:
  struct Run;

  struct Free {
    void operator()(Node* memory) const { std::free(memory); }
  };

  bool reuses_tree(const Limits& limits) const { return !limits.nodes && limits.seconds > 0.0; }
  std::optional<Tree> tree_for(const SearchRoot& start, const Settings& seeded);
  std::size_t capacity_for(uint64_t nodes) const;
  std::size_t allocate(std::size_t nodes);

  std::size_t max_nodes_;
  std::unique_ptr<Node, Free> memory_;
  std::size_t allocated_ = 0;
  std::atomic<bool> stopped_ = false;
  std::unique_ptr<Run> run_;
  std::optional<Tree> last_tree_;  // of a search by time: the next one may reuse it
};

}  // namespace punct::search
