#include "search/driver.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <optional>

#include "search/vetting.hpp"

#if PUNCT_THREADS
#include <mutex>
#include <thread>
#endif

// Where exceptions are not to be had, running out of memory ends the program; elsewhere it ends the search.
#if defined(__cpp_exceptions)
#define PUNCT_TRY try
#define PUNCT_CATCH(what) catch (const what&)
#else
#define PUNCT_TRY if constexpr (true)
#define PUNCT_CATCH(what) else
#endif

namespace punct::search {
namespace {

using Clock = Pace::Clock;

constexpr std::size_t least_nodes = 4096;

#if PUNCT_THREADS
// Held for a microsecond or two: going to sleep for it, and being woken, takes longer than to ask again.
class Lock {
 public:
  void lock() {
    constexpr int tries = 400;
    for (int i = 0; i < tries; ++i) {
      if (mutex_.try_lock()) return;
      pause();
    }
    mutex_.lock();
  }
  void unlock() { mutex_.unlock(); }

 private:
  static void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  }

  std::mutex mutex_;
};
using Hold = std::lock_guard<Lock>;
#else
struct Lock {};
struct Hold {
  explicit Hold(Lock&) {}
};
#endif

// A node takes about as long as so many tries.
constexpr long tries_per_node = 15;

// How many moves may be tried in looking for forced wins first: a tenth of the work or so in a long search, more in a
// short one, where a forced win is the best one can hope to see.
long tries_for(const Limits& limits) {
  const double expected = expected_nodes(limits);
  return static_cast<long>(limits.seconds > 0.0 ? expected : expected + std::min(4.0 * expected, 12000.0));
}

// Vetting pays from here on.
constexpr double shortest_vetted = 400.0;

uint64_t visits_for(const Limits& limits, const Settings& settings) {
  return std::min(limits.nodes ? limits.nodes : settings.most_visits, settings.most_visits);
}

// Seconds: the move that is the best at the end must be vetted, too.
double kept_for_vetting(const Limits& limits) {
  constexpr double seconds_per_try = 3e-6;
  return seconds_per_try * static_cast<double>(Vetting::tries_for(expected_nodes(limits)));
}

#if PUNCT_THREADS
// Threads that are waited for, whatever happens.
class Helpers {
 public:
  ~Helpers() {
    for (std::thread& t : threads_) t.join();
  }

  // Starts so many; false if not all could be.
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
struct Helpers {
  template <class Work>
  bool start(int count, const Work&) {
    return count == 0;
  }
};
#endif

// Tells nobody how a search goes on.
constexpr auto quiet = [] {};

}  // namespace

bool Start::play(Move m) {
  if (!is_legal(position, m)) return false;
  history.push_back(position.hash());
  if (is_add(m)) last_add = history.size();
  Undo undo;
  position.make(m, undo);
  return true;
}

std::vector<uint64_t> Start::since_add() const {
  return {history.begin() + static_cast<std::ptrdiff_t>(last_add), history.end()};
}

// How long work may go on before somebody else has a turn.
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

// One search under way: what its threads share.
struct Search::Run {
  Tree tree;
  const Position root;
  const Limits limits;
  const int variations;
  const bool only_root;  // is visited
  const std::atomic<bool>& stopped;
  Lock lock;  // of the tree and of what follows
  Pace pace;
  Status status = Status::Done;

  // Of the thread that leads: what it is in the middle of.
  std::optional<ForcedSearch> forced;  // from the root: before the first visit, and a little at a time later on
  long allowed = 0;                    // tries for that
  bool looked = false;                 // for a forced win
  Vetting vetting;
  Visit visit;
  bool evaluated = false;  // the visit waits to be backed up
  bool looking = false;    // for a win from the root is gone on with
  bool visited = false;    // all that there shall be
  long vetted_before = 0;  // tries, when these had been made
  uint64_t visits_before = 0;

  Run(const Start& from, Tree&& begun, const Request& request, const std::atomic<bool>& stop)
      : tree(std::move(begun)),
        root(from.position),
        limits(request.limits),
        variations(request.variations),
        only_root(limits.nodes == 1),
        stopped(stop),
        pace(limits, visits_for(limits, tree.settings()), kept_for_vetting(limits)),
        allowed(tries_for(limits)),
        vetting(expected_nodes(limits) >= shortest_vetted),
        visit(from.position) {
    if (!tree.finished()) forced = tree.look_for_forced_win(allowed);
  }

  // Whether the best move can be played as it is: vetted, and not merely what was left after all others were refuted.
  bool is_content() const {
    const Standing standing = tree.standing();
    return standing.only || tree.doubtful() == no_move ||
           (vetting.is_content(tree) && uint64_t{standing.first} * 16 >= tree.visits());
  }

  // There must be something to play, and it must have been looked at; a single visit looks at nothing but the root.
  bool has_move() const { return only_root ? tree.has_candidates() : tree.has_move(); }

  bool is_over() const {
    if (status != Status::Done) return true;
    if (!has_move()) return false;
    return stopped || tree.finished() || pace.out_of_visits(tree) || pace.out_of_time() ||
           (pace.enough() && is_content());
  }

  // Looks for forced wins, at the root or after its best move, by a function that tries so many moves; false if the
  // slice is over first. Who stops it wants an answer now.
  template <class Try>
  bool look_closely(const Slice& slice, Try&& try_some) {
    constexpr long tries = 100;
    while (!try_some(tries)) {
      if (stopped || pace.out_of_time()) break;
      if (slice.over()) return false;
    }
    return true;
  }

  // A win by threats from the root; `forced` is gone when there is no more to find.
  bool look_for_win(const Slice& slice) {
    if (!look_closely(slice, [&](long tries) { return forced->go_on(tries); })) return false;
    const Hold held(lock);
    tree.take(forced->found());
    if (forced->exhausted()) forced.reset();
    return true;
  }

  // Before the first visit.
  bool look_first(const Slice& slice) {
    if (!looked && forced && !look_for_win(slice)) return false;
    return looked = true;
  }

  // Whether it is time to go on with that, as the search gets longer.
  bool look_is_due() {
    constexpr uint64_t between = 256;
    if (!forced || tree.visits() % between) return false;
    const long now = tries_for(limits) + static_cast<long>(std::min<uint64_t>(tree.visits(), 200000));
    if (now <= allowed) return false;
    forced->allow(allowed = now);
    return true;
  }

  // Visits until the search is over, with others.
  void help() {
    PUNCT_TRY {
      Visit own(root);
      for (int n = 0;; ++n) {
        {
          const Hold held(lock);
          if (n > 0) tree.back_up(own);
          if (is_over()) return;
          tree.select(own, !pace.closing());
        }
        tree.evaluate(own);
      }
    }
    PUNCT_CATCH(std::bad_alloc) { fail(Status::NoMemory); }
  }

  // The same, on the thread that leads: it also vets, while the others go on. `tick` is called now and then. Nothing is
  // locked meanwhile. False if the slice is over first.
  template <class Tick>
  bool lead(const Slice& slice, Tick&& tick) {
    PUNCT_TRY {
      for (int n = 1;; ++n) {
        if (looking && !look_for_win(slice)) return false;
        looking = false;
        if (vetting.under_way() && !vet(slice)) return false;
        {
          const Hold held(lock);
          if (evaluated) tree.back_up(visit);
          evaluated = false;
          if (is_over()) return visited = true;
          looking = !pace.closing() && look_is_due();
          if (n % 32 == 0) pace.look(tree);
          const bool closing = pace.closing();
          if (looking || vetting.begin(tree, closing)) continue;
          tree.select(visit, !closing);
        }
        tree.evaluate(visit);
        evaluated = true;
        if (n % 32 == 0) tick();
        if (slice.over()) return false;
      }
    }
    PUNCT_CATCH(std::bad_alloc) { fail(Status::NoMemory); }
    return visited = true;
  }

  // Goes on with vetting the move that it is at.
  bool vet(const Slice& slice) {
    if (!look_closely(slice, [&](long tries) { return vetting.go_on(tries); })) return false;
    const Hold held(lock);
    vetting.take(tree);
    return true;
  }

  void fail(Status why) {
    const Hold held(lock);
    status = why;
  }

  // When all visits have been made: what is going to be played must have been vetted, and so must be what comes in its
  // place, which is visited first. A search by nodes tries for this as much as it would have for a quarter more nodes.
  bool vet_last(const Slice& slice) {
    const long most = 4 * static_cast<long>(std::min<uint64_t>(visits_before, 1u << 20));
    const auto spent = [&] {
      return vetting.spent() - vetted_before + tries_per_node * static_cast<long>(tree.visits() - visits_before);
    };
    for (;;) {
      if (vetting.under_way() && !vet(slice)) return false;
      // Where all that was visited is refuted, the visits go on until there is a move again.
      if (!has_move() && !lead(slice, quiet)) return false;
      if (status != Status::Done || stopped || pace.out_of_time() || tree.finished() || spent() >= most) return true;
      if (!vetting.begin(tree, true)) return true;
    }
  }

  // All of it, from the first look to the last vetting; `visits` is told to make the visits. False if the slice is over
  // first.
  template <class Visits>
  bool go_on(const Slice& slice, Visits&& visits) {
    if (!look_first(slice)) return false;
    if (!visited) {
      if (!visits()) return false;
      vetted_before = vetting.spent();
      visits_before = tree.visits();
    }
    return status != Status::Done || vet_last(slice);
  }

  // What is left to do before the tree can be asked, when it is ended early.
  void settle() {
    vetting.drop();
    if (evaluated) tree.back_up(visit);
    evaluated = false;
    while (!has_move() && status == Status::Done) {
      tree.select(visit);
      tree.evaluate(visit);
      tree.back_up(visit);
    }
  }

  Report report() {
    const Hold held(lock);
    return {tree.visits(), tree.depth(), pace.seconds(), tree.variations(variations)};
  }
};

Search::~Search() = default;

Search::Search(std::size_t bytes) : most_nodes_(std::max(least_nodes, bytes / sizeof(Node))) {}

std::size_t Search::take(std::size_t nodes) {
  for (;; nodes = std::max(least_nodes, nodes / 2)) {
    if (nodes <= taken_) return nodes;
    last_.reset();
    memory_.reset();  // the last tree is of no more use: better to have its room, too
    taken_ = 0;
    // Not initialised: a tree writes a node before it reads it, and the system gives pages only when they are written.
    memory_.reset(static_cast<Node*>(std::malloc(nodes * sizeof(Node))));
    if (memory_) return taken_ = nodes;
    if (nodes == least_nodes) return 0;
    most_nodes_ = std::max(least_nodes, nodes / 2);
  }
}

std::size_t Search::reserve() { return take(most_nodes_) * sizeof(Node); }

// Room for what the search can need, and not more than it may have.
std::size_t Search::capacity_for(uint64_t nodes) const {
  if (!nodes) return most_nodes_;
  const uint64_t wanted = std::min<uint64_t>(nodes, most_nodes_) * static_cast<uint64_t>(settings.width) + least_nodes;
  return static_cast<std::size_t>(std::min<uint64_t>(most_nodes_, wanted));
}

// The last tree from here on, if this position lies below its root.
std::optional<Tree> Search::tree_for(const Start& from, const Settings& seeded) {
  std::optional<Tree> tree = std::move(last_);
  last_.reset();
  if (!tree || tree->settings() != seeded) return std::nullopt;
  constexpr std::size_t farthest_back = 4;
  std::vector<uint64_t> way{from.position.hash()};
  for (std::size_t back = 0; way.back() != tree->root().hash(); ++back) {
    if (back == farthest_back || back == from.history.size()) return std::nullopt;
    way.push_back(from.history[from.history.size() - 1 - back]);
  }
  way.pop_back();
  std::reverse(way.begin(), way.end());
  if (!tree->go_to(from.position, way, from.since_add())) return std::nullopt;
  return tree;
}

Status Search::begin(const Start& from, const Request& request) {
  const Limits& limits = request.limits;
  run_.reset();
  if (from.position.outcome() != Outcome::Open) return Status::GameOver;
  if (!limits.nodes && !(limits.seconds > 0.0)) return Status::NoLimit;
  if (request.threads < 1 || request.threads > most_threads) return Status::NoThreads;
  stopped_ = false;
  PUNCT_TRY {
    Settings seeded = settings;
    seeded.seed = request.seed;
    if (!keeps_tree(limits)) last_.reset();
    const std::size_t nodes = take(capacity_for(limits.nodes));
    if (!nodes) return Status::NoMemory;
    std::optional<Tree> tree = tree_for(from, seeded);
    if (!tree) tree.emplace(from.position, seeded, from.since_add(), std::span<Node>(memory_.get(), nodes));
    run_ = std::make_unique<Run>(from, std::move(*tree), request, stopped_);
    return Status::Done;
  }
  PUNCT_CATCH(std::bad_alloc) { return Status::NoMemory; }
}

bool Search::advance(double seconds) {
  const Slice slice = Slice::of(seconds);
  PUNCT_TRY {
    return run_->go_on(slice, [&] { return run_->lead(slice, quiet); });
  }
  PUNCT_CATCH(std::bad_alloc) { run_->fail(Status::NoMemory); }
  return true;
}

Report Search::report() { return run_->report(); }

Status Search::end(Report& out) {
  PUNCT_TRY {
    run_->settle();
    const Status status = run_->status;
    if (status == Status::Done) out = run_->report();
    if (status == Status::Done && keeps_tree(run_->limits)) last_ = std::move(run_->tree);
    run_.reset();
    return status;
  }
  PUNCT_CATCH(std::bad_alloc) { return Status::NoMemory; }
}

Status Search::run(const Start& from, const Request& request, const Watcher& watch, Report& out) {
  const Status begun = begin(from, request);
  if (begun != Status::Done) return begun;
  PUNCT_TRY {
    Run& run = *run_;
    const Slice endless = Slice::endless();
    auto next_report = run.pace.start() + duration_of(request.report_every);
    const auto tick = [&] {
      const auto now = Clock::now();
      if (!watch || now < next_report) return;
      next_report = now + duration_of(request.report_every);
      if (!watch(run.report())) stopped_ = true;
    };
    run.go_on(endless, [&] {
      Helpers helpers;
      if (!helpers.start(request.threads - 1, [&] { run.help(); })) run.fail(Status::NoThreads);
      return run.lead(endless, tick);
    });
    return end(out);
  }
  PUNCT_CATCH(std::bad_alloc) {
    run_.reset();
    return Status::NoMemory;
  }
}

}  // namespace punct::search
