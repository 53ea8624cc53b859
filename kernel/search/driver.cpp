#include "search/driver.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <optional>

#include "core/compiler.hpp"
#include "search/blunder_check.hpp"

#if PUNCT_THREADS
#include <mutex>
#include <thread>
#endif

// Without exceptions, running out of memory ends the program; with them it ends the search.
#if defined(__cpp_exceptions)
#define PUNCT_TRY try
#define PUNCT_CATCH(what) catch (const what&)
#else
#define PUNCT_TRY if constexpr (true)
#define PUNCT_CATCH(what) else
#endif

namespace punct::search {
namespace {

using Clock = TimeManager::Clock;

constexpr std::size_t min_nodes = 4096;

#if PUNCT_THREADS
// Spins before it blocks: the tree is locked for a microsecond or two, and sleeping and waking takes longer.
class TreeMutex {
 public:
  void lock() {
    constexpr int tries = 400;
    for (int i = 0; i < tries; ++i) {
      if (mutex_.try_lock()) return;
      pause_processor();
    }
    mutex_.lock();
  }
  void unlock() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};
using TreeLock = std::lock_guard<TreeMutex>;
#else
struct TreeMutex {};
struct TreeLock {
  explicit TreeLock(TreeMutex&) {}
};
#endif

// A node takes about as long as this many tries of a forced search.
constexpr int64_t tries_per_node = 15;

// The budget of the forced search from the root, before the first visit: about a tenth of the work of a long search,
// more of a short one, where a forced win is the best thing to find.
int64_t forced_budget_for(const Limits& limits) {
  const double expected = expected_nodes(limits);
  return static_cast<int64_t>(limits.seconds > 0.0 ? expected : expected + std::min(4.0 * expected, 12000.0));
}

// The blunder check pays off from this many nodes on.
constexpr double min_checked_nodes = 400.0;

uint64_t max_visits_for(const Limits& limits, const Settings& settings) {
  return std::min(limits.nodes ? limits.nodes : settings.max_visits, settings.max_visits);
}

// The seconds to reserve for checking the move that is the best at the end.
double blunder_check_seconds(const Limits& limits) {
  constexpr double seconds_per_try = 3e-6;
  return seconds_per_try * static_cast<double>(BlunderCheck::tries_for(expected_nodes(limits)));
}

#if PUNCT_THREADS
// Threads that the destructor joins.
class HelperThreads {
 public:
  ~HelperThreads() {
    for (std::thread& t : threads_) t.join();
  }

  // Starts `count` threads; false if not all could be started.
  template <class Work>
  bool start(int count, const Work& work) {
    PUNCT_TRY {
      threads_.reserve(static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i) threads_.emplace_back(work);
      return true;
    }
    PUNCT_CATCH(std::exception) { return false; }
  }

 private:
  std::vector<std::thread> threads_;
};
#else
struct HelperThreads {
  template <class Work>
  bool start(int count, const Work&) {
    return count == 0;
  }
};
#endif

// Reports nothing.
constexpr auto no_tick = [] {};

}  // namespace

bool SearchRoot::play(Move m) {
  if (!is_legal(position, m)) return false;
  history.push_back(position.hash());
  if (is_add(m)) last_add = history.size();
  Undo undo;
  position.make(m, undo);
  return true;
}

std::vector<uint64_t> SearchRoot::repeatable_history() const {
  return {history.begin() + static_cast<std::ptrdiff_t>(last_add), history.end()};
}

// How long a call may run before it returns to its caller.
class Slice {
 public:
  static Slice endless() { return {}; }
  static Slice of(double seconds) {
    Slice slice;
    slice.until_ = Clock::now() + duration_of(seconds);
    return slice;
  }
  bool over() const { return until_ && Clock::now() >= *until_; }

 private:
  std::optional<Clock::time_point> until_;
};

// The state of one search, which its threads share.
struct Search::Run {
  Tree tree;
  const Position root;
  const Limits limits;
  const int variations;
  const bool only_root;  // a single visit, of the root itself
  const std::atomic<bool>& stopped;
  TreeMutex mutex;  // guards the tree and the members below
  TimeManager time_manager;
  Status status = Status::Done;

  // Used by the leading thread only.
  std::optional<ForcedSearch> forced;  // from the root: before the first visit, resumed as the search gets longer
  int64_t forced_budget = 0;
  bool root_searched = false;  // by `forced`, before the first visit
  BlunderCheck blunder_check;
  Visit visit;
  bool has_evaluated = false;      // the visit is evaluated and not yet backed up
  bool is_searching_root = false;  // `forced` is being resumed
  bool visits_done = false;        // only the check of the final move is left
  int64_t checked_before = 0;      // tries of the blunder check when the visits were done
  uint64_t visits_before = 0;      // and the visits

  Run(const SearchRoot& start, Tree&& start_tree, const Request& request, const std::atomic<bool>& stop)
      : tree(std::move(start_tree)),
        root(start.position),
        limits(request.limits),
        variations(request.variations),
        only_root(limits.nodes == 1),
        stopped(stop),
        time_manager(limits, max_visits_for(limits, tree.settings()), blunder_check_seconds(limits)),
        forced_budget(forced_budget_for(limits)),
        blunder_check(expected_nodes(limits) >= min_checked_nodes),
        visit(start.position) {
    if (!tree.finished()) forced = tree.root_forced_search(forced_budget);
  }

  // Whether the best move can be played: checked, and not merely left over after all others were refuted.
  bool is_settled() const {
    const RootStats stats = tree.root_stats();
    return stats.is_only_move || tree.move_to_check() == no_move ||
           (blunder_check.is_satisfied(tree) && uint64_t{stats.best_visits} * 16 >= tree.visits());
  }

  // Whether there is a move to play that was visited; a single visit only expands the root.
  bool has_move() const { return only_root ? tree.has_candidates() : tree.has_move(); }

  bool is_over() const {
    if (status != Status::Done) return true;
    if (!has_move()) return false;
    return stopped || tree.finished() || time_manager.out_of_visits(tree) || time_manager.out_of_time() ||
           (time_manager.may_stop() && is_settled());
  }

  // Runs a forced search, given as a function that tries a number of moves; false if the slice ends first. Stopping
  // the search ends it at once.
  template <class Try>
  bool run_forced(const Slice& slice, Try&& try_some) {
    constexpr int64_t tries = 100;
    while (!try_some(tries)) {
      if (stopped || time_manager.out_of_time()) break;
      if (slice.over()) return false;
    }
    return true;
  }

  // Searches for a win by threats from the root; resets `forced` when a larger budget would not help.
  bool search_root(const Slice& slice) {
    if (!run_forced(slice, [&](int64_t tries) { return forced->advance(tries); })) return false;
    const TreeLock locked(mutex);
    tree.apply_forced_win(forced->result());
    if (forced->exhausted()) forced.reset();
    return true;
  }

  // Does so before the first visit.
  bool search_root_first(const Slice& slice) {
    if (!root_searched && forced && !search_root(slice)) return false;
    return root_searched = true;
  }

  // Whether that search has a larger budget now that the main search is longer.
  bool is_root_search_due() {
    constexpr uint64_t between = 256;
    if (!forced || tree.visits() % between) return false;
    const int64_t budget = forced_budget_for(limits) + static_cast<int64_t>(std::min<uint64_t>(tree.visits(), 200000));
    if (budget <= forced_budget) return false;
    forced->set_budget(forced_budget = budget);
    return true;
  }

  // Makes visits until the search is over, on a helper thread.
  void run_helper() {
    PUNCT_TRY {
      Visit own(root);
      for (int n = 0;; ++n) {
        {
          const TreeLock locked(mutex);
          if (n > 0) tree.back_up(own);
          if (is_over()) return;
          tree.select(own, !time_manager.is_closing());
        }
        tree.evaluate(own);
      }
    }
    PUNCT_CATCH(std::bad_alloc) { fail(Status::NoMemory); }
  }

  // The same on the leading thread, which also runs the blunder check while the helpers make visits. Calls `tick` now
  // and then, without the lock. False if the slice ends first.
  template <class Tick>
  bool run_leader(const Slice& slice, Tick&& tick) {
    PUNCT_TRY {
      for (int n = 1;; ++n) {
        if (is_searching_root && !search_root(slice)) return false;
        is_searching_root = false;
        if (blunder_check.is_running() && !run_blunder_check(slice)) return false;
        {
          const TreeLock locked(mutex);
          if (has_evaluated) tree.back_up(visit);
          has_evaluated = false;
          if (is_over()) return visits_done = true;
          is_searching_root = !time_manager.is_closing() && is_root_search_due();
          if (n % 32 == 0) time_manager.update(tree);
          const bool is_closing = time_manager.is_closing();
          if (is_searching_root || blunder_check.begin(tree, is_closing)) continue;
          tree.select(visit, !is_closing);
        }
        tree.evaluate(visit);
        has_evaluated = true;
        if (n % 32 == 0) tick();
        if (slice.over()) return false;
      }
    }
    PUNCT_CATCH(std::bad_alloc) { fail(Status::NoMemory); }
    return visits_done = true;
  }

  // Resumes the blunder check that is running.
  bool run_blunder_check(const Slice& slice) {
    if (!run_forced(slice, [&](int64_t tries) { return blunder_check.advance(tries); })) return false;
    const TreeLock locked(mutex);
    blunder_check.apply(tree);
    return true;
  }

  void fail(Status why) {
    const TreeLock locked(mutex);
    status = why;
  }

  // When all visits have been made: checks the move to be played, and any move that replaces it, which is visited
  // first. A search limited by nodes may spend a quarter more work on this.
  bool check_final_move(const Slice& slice) {
    const int64_t budget = 4 * static_cast<int64_t>(std::min<uint64_t>(visits_before, 1u << 20));
    const auto spent = [&] {
      return blunder_check.spent() - checked_before +
             tries_per_node * static_cast<int64_t>(tree.visits() - visits_before);
    };
    for (;;) {
      if (blunder_check.is_running() && !run_blunder_check(slice)) return false;
      // Where all visited moves are refuted, more visits are made until there is a move again.
      if (!has_move() && !run_leader(slice, no_tick)) return false;
      if (status != Status::Done || stopped || time_manager.out_of_time() || tree.finished() || spent() >= budget)
        return true;
      if (!blunder_check.begin(tree, true)) return true;
    }
  }

  // The whole search, from the forced search to the check of the final move; calls `visits` to make the visits. False
  // if the slice ends first.
  template <class Visits>
  bool advance(const Slice& slice, Visits&& visits) {
    if (!search_root_first(slice)) return false;
    if (!visits_done) {
      if (!visits()) return false;
      checked_before = blunder_check.spent();
      visits_before = tree.visits();
    }
    return status != Status::Done || check_final_move(slice);
  }

  // Completes a search that is ended early, so that the tree has a move.
  void finish() {
    blunder_check.cancel();
    if (has_evaluated) tree.back_up(visit);
    has_evaluated = false;
    while (!has_move() && status == Status::Done) {
      tree.select(visit);
      tree.evaluate(visit);
      tree.back_up(visit);
    }
  }

  Report report() {
    const TreeLock locked(mutex);
    return {tree.visits(), tree.depth(), time_manager.seconds(), tree.variations(variations)};
  }
};

Search::~Search() = default;

Search::Search(std::size_t bytes) : max_nodes_(std::max(min_nodes, bytes / sizeof(Node))) {}

std::size_t Search::allocate(std::size_t nodes) {
  for (;; nodes = std::max(min_nodes, nodes / 2)) {
    if (nodes <= allocated_) return nodes;
    last_tree_.reset();
    memory_.reset();  // first, so that its memory can be used again
    allocated_ = 0;
    // Not initialised: a tree writes a node before it reads it, and the system maps pages only when they are written.
    memory_.reset(static_cast<Node*>(std::malloc(nodes * sizeof(Node))));
    if (memory_) return allocated_ = nodes;
    if (nodes == min_nodes) return 0;
    max_nodes_ = std::max(min_nodes, nodes / 2);
  }
}

std::size_t Search::reserve() { return allocate(max_nodes_) * sizeof(Node); }

// The nodes that a search needs, within the memory it may have.
std::size_t Search::capacity_for(uint64_t nodes) const {
  if (!nodes) return max_nodes_;
  const uint64_t needed = std::min<uint64_t>(nodes, max_nodes_) * static_cast<uint64_t>(settings.width) + min_nodes;
  return static_cast<std::size_t>(std::min<uint64_t>(max_nodes_, needed));
}

// The last tree with this position as its root, if it is in there.
std::optional<Tree> Search::tree_for(const SearchRoot& start, const Settings& seeded) {
  std::optional<Tree> tree = std::move(last_tree_);
  last_tree_.reset();
  if (!tree || tree->settings() != seeded) return std::nullopt;
  constexpr std::size_t max_plies_back = 4;
  std::vector<uint64_t> hashes{start.position.hash()};
  for (std::size_t back = 0; hashes.back() != tree->root().hash(); ++back) {
    if (back == max_plies_back || back == start.history.size()) return std::nullopt;
    hashes.push_back(start.history[start.history.size() - 1 - back]);
  }
  hashes.pop_back();
  std::reverse(hashes.begin(), hashes.end());
  if (!tree->move_root(start.position, hashes, start.repeatable_history())) return std::nullopt;
  return tree;
}

Status Search::begin(const SearchRoot& start, const Request& request) {
  const Limits& limits = request.limits;
  run_.reset();
  if (start.position.outcome() != Outcome::Open) return Status::GameOver;
  if (!limits.nodes && !(limits.seconds > 0.0)) return Status::NoLimit;
  if (request.threads < 1 || request.threads > max_threads) return Status::NoThreads;
  stopped_ = false;
  PUNCT_TRY {
    Settings seeded = settings;
    seeded.seed = request.seed;
    if (!reuses_tree(limits)) last_tree_.reset();
    const std::size_t nodes = allocate(capacity_for(limits.nodes));
    if (!nodes) return Status::NoMemory;
    std::optional<Tree> tree = tree_for(start, seeded);
    if (!tree) tree.emplace(start.position, seeded, start.repeatable_history(), std::span<Node>(memory_.get(), nodes));
    run_ = std::make_unique<Run>(start, std::move(*tree), request, stopped_);
    return Status::Done;
  }
  PUNCT_CATCH(std::bad_alloc) { return Status::NoMemory; }
}

bool Search::advance(double seconds) {
  const Slice slice = Slice::of(seconds);
  PUNCT_TRY {
    return run_->advance(slice, [&] { return run_->run_leader(slice, no_tick); });
  }
  PUNCT_CATCH(std::bad_alloc) { run_->fail(Status::NoMemory); }
  return true;
}

Report Search::report() { return run_->report(); }

Status Search::end(Report& out) {
  PUNCT_TRY {
    run_->finish();
    const Status status = run_->status;
    if (status == Status::Done) out = run_->report();
    if (status == Status::Done && reuses_tree(run_->limits)) last_tree_ = std::move(run_->tree);
    run_.reset();
    return status;
  }
  PUNCT_CATCH(std::bad_alloc) { return Status::NoMemory; }
}

Status Search::run(const SearchRoot& start, const Request& request, const ProgressCallback& on_progress, Report& out) {
  const Status status = begin(start, request);
  if (status != Status::Done) return status;
  PUNCT_TRY {
    Run& run = *run_;
    const Slice endless = Slice::endless();
    auto next_report = run.time_manager.start() + duration_of(request.report_every);
    const auto tick = [&] {
      const auto now = Clock::now();
      if (!on_progress || now < next_report) return;
      next_report = now + duration_of(request.report_every);
      if (!on_progress(run.report())) stopped_ = true;
    };
    run.advance(endless, [&] {
      HelperThreads helpers;
      if (!helpers.start(request.threads - 1, [&] { run.run_helper(); })) run.fail(Status::NoThreads);
      return run.run_leader(endless, tick);
    });
    return end(out);
  }
  PUNCT_CATCH(std::bad_alloc) {
    run_.reset();
    return Status::NoMemory;
  }
}

}  // namespace punct::search
