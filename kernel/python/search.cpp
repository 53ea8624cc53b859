// The search for Python: punct._kernel.Searcher, and what tuning needs of the evaluation.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "bindings.hpp"
#include "core/text.hpp"
#include "search/tree.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace punct::bindings {
namespace {

using Clock = std::chrono::steady_clock;

Position read_open(std::string_view text) {
  Position p;
  if (!read_position(text, p)) throw std::invalid_argument("not a position: " + std::string(text.substr(0, 80)));
  return p;
}

template <size_t Count>
std::array<float, Count> read_weights(const std::vector<float>& given) {
  std::array<float, Count> weights;
  if (given.size() != Count)
    throw std::invalid_argument("there must be " + std::to_string(Count) + " weights, not " +
                                std::to_string(given.size()));
  for (const float w : given)
    if (!(w > -1e6f && w < 1e6f)) throw std::invalid_argument("a weight is not a finite number of sensible size");
  std::copy(given.begin(), given.end(), weights.begin());
  return weights;
}

double expected_nodes(uint64_t nodes, double seconds) {
  constexpr double nodes_per_second = 25000.0;
  const double most = nodes ? static_cast<double>(nodes) : 1e9;
  return seconds > 0.0 ? std::min(most, seconds * nodes_per_second) : most;
}

// How many turns may be tried in looking for forced wins first: a tenth of the work or so in a long search, more in a short
// one, where a forced win is the best one can hope to see. A node takes about as long as ten tries.
long tries_for(uint64_t nodes, double seconds) {
  const double expected = expected_nodes(nodes, seconds);
  return static_cast<long>(expected + std::min(seconds > 0.0 ? expected : 4.0 * expected, 8000.0));
}

// How many turns may be tried each time the best one is vetted: a twentieth of the work in all.
long vetting_for(uint64_t nodes, double seconds) {
  constexpr double least_nodes = 1000.0;
  const double expected = expected_nodes(nodes, seconds);
  return expected < least_nodes ? 0 : static_cast<long>(300.0 + std::min(expected / 8.0, 20000.0));
}

class Searcher {
 public:
  explicit Searcher(int hash_mb) {
    if (hash_mb < 1 || hash_mb > 65536) throw std::invalid_argument("hash_mb must be from 1 to 65536");
    most_nodes_ = static_cast<size_t>(hash_mb) * 1024 * 1024 / sizeof(search::Node);
  }

  void set_weights(const std::vector<float>& weights) {
    settings_.weights = read_weights<search::feature::count>(weights);
  }
  void set_taste(const std::vector<float>& taste) {
    settings_.taste = read_weights<search::turn_feature::count>(taste);
  }
  void stop() { stopped_ = true; }

  nb::dict search(std::string_view text, uint64_t nodes, double seconds, int lines, uint64_t seed, int threads,
                  const std::vector<std::string>& history, std::optional<nb::callable> on_info, double info_every) {
    const Position root = read_open(text);
    if (root.outcome() != Outcome::Open) throw std::invalid_argument("the game is over in this position");
    if (!nodes && !(seconds > 0.0)) throw std::invalid_argument("give a number of nodes or of seconds to search");
    if (lines < 1) throw std::invalid_argument("lines must be at least 1");
    if (threads < 1 || threads > 256) throw std::invalid_argument("threads must be from 1 to 256");
    std::vector<uint64_t> hashes;
    for (const std::string& before : history) hashes.push_back(read_open(before).hash());

    stopped_ = false;
    Run run{search::Tree(root, settings_for(seed), std::move(hashes), capacity(nodes)),
            {},
            nodes,
            Clock::now(),
            {},
            vetting_for(nodes, seconds)};
    if (seconds > 0.0) {
      // What is done after the last step must fit in, too.
      constexpr double seconds_per_try = 4e-6;
      const double kept = std::min(seconds / 2.0, seconds_per_try * static_cast<double>(run.vetting) * Run::last_vets);
      run.until = run.start + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(std::min(seconds - kept, 1e7)));
    }
    {
      nb::gil_scoped_release unlocked;
      run.tree.look_for_forced_win(tries_for(nodes, seconds));
      std::vector<std::thread> helpers;
      for (int i = 1; i < threads; ++i) helpers.emplace_back([&] { work(run, root, false, [] {}); });
      auto next_info =
          run.start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(info_every));
      std::exception_ptr failed;
      work(run, root, true, [&] {
        const auto now = Clock::now();
        if (now < next_info || failed) return;
        next_info = now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(info_every));
        nb::gil_scoped_acquire locked;
        try {
          if (PyErr_CheckSignals() != 0) throw nb::python_error();
          if (on_info) (*on_info)(report(run, lines));
        } catch (...) {
          failed = std::current_exception();
          stopped_ = true;
        }
      });
      for (std::thread& t : helpers) t.join();
      if (!stopped_) run.vet_last();
      if (failed) {
        nb::gil_scoped_acquire locked;
        std::rethrow_exception(failed);
      }
    }
    return report(run, lines);
  }

 private:
  struct Run {
    search::Tree tree;
    std::mutex lock;
    uint64_t nodes;
    Clock::time_point start;
    std::optional<Clock::time_point> until;
    long vetting = 0;  // turns that may be tried to refute the best one; 0 in searches too short for it
    static constexpr int last_vets = 3;
    int next_vet = 1;  // in quarters of the search

    // At every quarter of the search: does the best turn so far lose to threats? Better to know while there is time left.
    void vet() {
      if (!vetting || next_vet > 3) return;
      const bool due = nodes ? tree.steps() * 4 >= nodes * static_cast<uint64_t>(next_vet)
                             : Clock::now() >= start + (*until - start) / 4 * next_vet;
      if (!due) return;
      ++next_vet;
      tree.best_is_refuted(vetting);
    }

    // And once more before it is played; then the next best, a few times.
    void vet_last() {
      for (int i = 0; vetting && i < last_vets && !tree.finished() && tree.best_is_refuted(vetting); ++i) continue;
    }
  };

  // Room for what the search can need, and not more than asked for.
  size_t capacity(uint64_t nodes) const {
    const size_t least = 4096;
    if (!nodes) return std::max(least, most_nodes_);
    const uint64_t wanted = std::min<uint64_t>(nodes, most_nodes_) * static_cast<uint64_t>(settings_.width) + least;
    return static_cast<size_t>(std::min<uint64_t>(std::max(least, most_nodes_), wanted));
  }

  search::Settings settings_for(uint64_t seed) const {
    search::Settings settings = settings_;
    settings.seed = seed;
    return settings;
  }

  template <class Tick>
  void work(Run& run, const Position& root, bool leads, Tick&& tick) {
    search::Errand errand(root);
    for (int n = 0;; ++n) {
      {
        const std::lock_guard<std::mutex> held(run.lock);
        if (n > 0) run.tree.settle(errand);
        const bool looked = run.tree.has_candidates();  // there must be something to play
        if (looked && (stopped_ || run.tree.finished() || (run.nodes && run.tree.steps() >= run.nodes))) return;
        if (looked && run.until && Clock::now() >= *run.until) return;
        if (leads) run.vet();
        run.tree.descend(errand);
      }
      run.tree.examine(errand);
      if (n % 32 == 31) tick();
    }
  }

  nb::dict report(Run& run, int most) const {
    const std::lock_guard<std::mutex> held(run.lock);
    nb::list lines;
    const std::vector<search::Line> found = run.tree.lines(most);
    for (const search::Line& line : found) {
      nb::list pv;
      for (const Move m : line.moves) pv.append(text_of(m));
      nb::dict entry;
      entry["move"] = text_of(line.move);
      entry["score"] = score_of(line);
      entry["visits"] = line.visits;
      entry["proven"] = line.proven;
      entry["pv"] = pv;
      lines.append(entry);
    }
    nb::dict out;
    out["move"] = found.empty() ? nb::object(nb::none()) : nb::object(lines[0]["move"]);
    out["score"] = found.empty() ? 0.5 : score_of(found.front());
    out["proven"] = found.empty() ? 0 : found.front().proven;
    out["nodes"] = run.tree.steps();
    out["depth"] = run.tree.depth();
    out["seconds"] = std::chrono::duration<double>(Clock::now() - run.start).count();
    out["lines"] = lines;
    return out;
  }

  static double score_of(const search::Line& line) {
    return line.proven ? (line.proven > 0 ? 1.0 : 0.0) : static_cast<double>(line.value);
  }

  search::Settings settings_;
  size_t most_nodes_;
  std::atomic<bool> stopped_ = false;
};

std::vector<float> features(std::string_view text) {
  const Position p = read_open(text);
  search::Insight insight;
  search::look_at(p, insight);
  search::Features x;
  search::features_of(p, insight, x);
  return {x.begin(), x.end()};
}

std::vector<std::vector<float>> turn_features(std::string_view text, const std::vector<std::string>& turns) {
  const Position p = read_open(text);
  search::Insight insight;
  search::look_at(p, insight);
  std::vector<std::vector<float>> found;
  for (const std::string& turn : turns) {
    Move m;
    if (!read_move(turn, p, m) || !is_legal(p, m))
      throw std::invalid_argument("not a legal turn here: " + turn.substr(0, 40));
    const search::TurnFeatures x = search::features_of(p, insight, m);
    found.emplace_back(x.begin(), x.end());
  }
  return found;
}

// The candidates at the root as choose() ranks them, with their shares: for tests and for tuning.
std::vector<std::pair<std::string, float>> candidates(std::string_view text, int most) {
  const Position p = read_open(text);
  search::Insight insight;
  search::look_at(p, insight);
  std::vector<search::Candidate> chosen;
  search::choose(p, insight, nullptr, most, search::default_taste, chosen);
  std::vector<std::pair<std::string, float>> found;
  for (const search::Candidate& c : chosen) found.emplace_back(text_of(c.move), c.score);
  return found;
}

// The turns that may stop the opponent's threats to win at once; nothing if there is no such threat.
std::optional<std::vector<std::string>> defences(std::string_view text) {
  const Position p = read_open(text);
  const search::Defence defence(p);
  if (!defence.needed()) return std::nullopt;
  const auto turns = std::make_unique<TurnList>();
  list_turns(p, *turns);
  std::vector<std::string> holding;
  for (const Move m : *turns)
    if (defence.may_hold(p, m)) holding.push_back(text_of(m));
  return holding;
}

}  // namespace

void bind_search(nb::module_& m) {
  nb::class_<Searcher>(m, "Searcher")
      .def(nb::init<int>(), "hash_mb"_a = 256)
      .def("search", &Searcher::search, "position"_a, nb::kw_only(), "nodes"_a = 0, "seconds"_a = 0.0, "lines"_a = 1,
           "seed"_a = 0, "threads"_a = 1, "history"_a = std::vector<std::string>(), "on_info"_a = nb::none(),
           "info_every"_a = 0.1)
      .def("stop", &Searcher::stop)
      .def("set_weights", &Searcher::set_weights, "weights"_a)
      .def("set_taste", &Searcher::set_taste, "taste"_a);
  m.def("features", &features, "position"_a);
  m.def("turn_features", &turn_features, "position"_a, "turns"_a);
  m.def("candidates", &candidates, "position"_a, "most"_a);
  m.def("defences", &defences, "position"_a);
  m.def("default_taste", [] { return std::vector<float>(search::default_taste.begin(), search::default_taste.end()); });
  m.def("default_weights",
        [] { return std::vector<float>(search::default_weights.begin(), search::default_weights.end()); });
}

}  // namespace punct::bindings
