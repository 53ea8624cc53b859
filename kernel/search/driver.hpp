// A search from the first look to the move: memory, threads, clock and vetting around the tree.
//
// It knows neither Python nor files, throws nothing, and can be built without threads (PUNCT_THREADS=0), so that the
// same search runs in WebAssembly. What goes wrong comes back as a Status.
#pragma once

#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>

#include "search/pace.hpp"

#ifndef PUNCT_THREADS
#define PUNCT_THREADS 1
#endif

namespace punct::search {

inline constexpr int most_threads = PUNCT_THREADS ? 256 : 1;

// A position with the hashes of those it came from, for repetition.
struct Start {
  Position position;
  std::vector<uint64_t> history;
  std::size_t last_add = 0;  // what stood before it cannot stand again: there are more pieces now

  // Plays a move; false, with nothing changed, if it is not legal.
  bool play(Move m);
  // The positions that can stand again.
  std::vector<uint64_t> since_add() const;
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
  GameOver,   // nothing to play
  NoLimit,    // it would never end
  NoMemory,   // not even the smallest tree could be had, or memory ran out on the way
  NoThreads,  // fewer could be started than were asked for
};

// One search at a time: all at once with run(), or in slices with begin(), advance() and end(), which find the same.
class Search {
 public:
  // Is told what was found so far, on the thread that called run(); false ends the search.
  using Watcher = std::function<bool(const Report&)>;

  Settings settings;

  // `bytes`: the most a tree may take; nothing is taken before it is needed.
  explicit Search(std::size_t bytes);
  ~Search();

  // Takes all of it at once: half of it, or half of that, where the machine refuses. Returns the bytes that were had; 0
  // if none.
  std::size_t reserve();
  std::size_t bytes() const { return most_nodes_ * sizeof(Node); }

  // Forgets the last tree, which a search limited by time alone otherwise goes on with if its position is found there.
  void forget() { last_.reset(); }

  // Thinks until a limit is reached, it is stopped, or there is nothing more to find.
  Status run(const Start& start, const Request& request, const Watcher& watch, Report& out);

  // The same in slices, on one thread. Done: it is under way, until end().
  Status begin(const Start& start, const Request& request);
  // Goes on for about so many seconds; true when it is over.
  bool advance(double seconds);
  Report report();
  // The best so far, though it may not be over.
  Status end(Report& out);

  // Ends the search under way; from any thread.
  void stop() { stopped_ = true; }

 private:
  struct Run;

  struct Free {
    void operator()(Node* memory) const { std::free(memory); }
  };

  bool keeps_tree(const Limits& limits) const { return !limits.nodes && limits.seconds > 0.0; }
  std::optional<Tree> tree_for(const Start& start, const Settings& seeded);
  std::size_t capacity_for(uint64_t nodes) const;
  std::size_t take(std::size_t nodes);

  std::size_t most_nodes_;
  std::unique_ptr<Node, Free> memory_;
  std::size_t taken_ = 0;
  std::atomic<bool> stopped_ = false;
  std::unique_ptr<Run> run_;
  std::optional<Tree> last_;  // of a search by time: the next may begin below its root
};

}  // namespace punct::search
