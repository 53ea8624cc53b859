// The search for Python: punct._kernel.Searcher; and functions of the evaluation for tuning and tests.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>

#include "bindings.hpp"
#include "calls.hpp"
#include "core/text.hpp"
#include "search/array_loops.hpp"
#include "search/driver.hpp"
#include "search/greedy.hpp"
#include "search/levels.hpp"
#include "search/repetition.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace punct::bindings {
namespace {

template <size_t Count>
std::array<float, Count> read_weights(const std::vector<float>& values) {
  std::array<float, Count> weights;
  if (values.size() != Count)
    throw std::invalid_argument("there must be " + std::to_string(Count) + " weights, not " +
                                std::to_string(values.size()));
  for (const float w : values)
    if (!(w > -1e6f && w < 1e6f)) throw std::invalid_argument("a weight is not a finite number of sensible size");
  std::copy(values.begin(), values.end(), weights.begin());
  return weights;
}

// The position after these moves, with the history that the search needs for repetition.
search::SearchRoot search_root_from(std::string_view text, const std::vector<std::string>& moves) {
  search::SearchRoot root{position_from(text), {}};
  for (const std::string& move : moves) root.play(legal_move_from(move, root.position));
  return root;
}

nb::dict to_dict(const search::Variation& variation) {
  nb::list pv;
  for (const Move m : variation.moves) pv.append(text_of(m));
  nb::dict out;
  out["move"] = text_of(variation.move);
  out["score"] = variation.score();
  out["visits"] = variation.visits;
  out["proven"] = variation.proven;
  out["pv"] = pv;
  return out;
}

nb::dict to_dict(const search::Report& report) {
  nb::list variations;
  for (const search::Variation& variation : report.variations) variations.append(to_dict(variation));
  const search::Variation* best = report.variations.empty() ? nullptr : &report.variations.front();
  nb::dict out;
  out["move"] = best ? nb::cast(text_of(best->move)) : nb::none();
  out["score"] = best ? best->score() : 0.5;
  out["proven"] = best ? best->proven : 0;
  out["nodes"] = report.nodes;
  out["depth"] = report.depth;
  out["seconds"] = report.seconds;
  out["variations"] = variations;
  return out;
}

struct ThreadError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Wraps the search: converts arguments and results, and releases the GIL in between.
class Searcher {
 public:
  explicit Searcher(int hash_mb) : search_(bytes_of(hash_mb)) {}

  void set_weights(const std::vector<float>& evaluation, const std::vector<float>& prior) {
    const auto read_evaluation = read_weights<search::feature::count>(evaluation);
    search_.settings.prior = read_weights<search::move_feature::count>(prior);
    search_.settings.evaluation = read_evaluation;
  }
  void set_network(const SharedNetwork* shared) { search_.settings.network = shared ? shared->network : nullptr; }
  double reserve() {
    const size_t bytes = search_.reserve();
    if (!bytes) throw std::bad_alloc();
    return static_cast<double>(bytes) / megabyte;
  }
  double megabytes() const { return static_cast<double>(search_.bytes()) / megabyte; }
  void stop() { search_.stop(); }

  nb::dict search(std::string_view position, const std::vector<std::string>& moves, uint64_t nodes, double seconds,
                  double target, int variations, uint64_t seed, int threads, std::optional<nb::callable> on_info,
                  double info_every) {
    const search::SearchRoot root = search_root_from(position, moves);
    if (variations < 1) throw std::invalid_argument("variations must be at least 1");
    if (threads < 1 || threads > search::max_threads) throw std::invalid_argument("threads must be from 1 to 256");
    const search::Request request{{nodes, seconds, target}, seed, threads, variations, info_every};
    std::exception_ptr exception;
    const auto on_progress = [&](const search::Report& so_far) {
      nb::gil_scoped_acquire locked;
      try {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (on_info) (*on_info)(to_dict(so_far));
      } catch (...) {
        exception = std::current_exception();
      }
      return !exception;
    };
    search::Report report;
    search::Status status;
    {
      nb::gil_scoped_release unlocked;
      status = search_.run(root, request, on_progress, report);
    }
    if (exception) std::rethrow_exception(exception);
    switch (status) {
      case search::Status::Done: break;
      case search::Status::GameOver: throw std::invalid_argument("the game is over in this position");
      case search::Status::NoLimit: throw std::invalid_argument("give a number of nodes or of seconds to search");
      case search::Status::NoMemory: throw std::bad_alloc();
      case search::Status::NoThreads:
        throw ThreadError("not all of " + std::to_string(threads) + " threads could be started");
    }
    return to_dict(report);
  }

 private:
  static constexpr double megabyte = 1024.0 * 1024.0;

  static size_t bytes_of(int hash_mb) {
    if (hash_mb < 1 || hash_mb > 65536) throw std::invalid_argument("hash_mb must be from 1 to 65536");
    return static_cast<size_t>(hash_mb) * 1024 * 1024;
  }

  search::Search search_;
};

std::vector<float> features(std::string_view text) {
  const Position p = position_from(text);
  search::PathAnalysis analysis;
  search::analyse_paths(p, analysis);
  search::Features x;
  search::features_of(p, analysis, x);
  return {x.begin(), x.end()};
}

std::vector<std::vector<float>> move_features(std::string_view text, const std::vector<std::string>& moves) {
  const Position p = position_from(text);
  search::PathAnalysis analysis;
  search::analyse_paths(p, analysis);
  std::vector<std::vector<float>> out;
  for (const std::string& move : moves) {
    const search::MoveFeatures x = search::features_of(p, analysis, legal_move_from(move, p));
    out.emplace_back(x.begin(), x.end());
  }
  return out;
}

// The candidates of a position with their priors: for tests and for tuning.
std::vector<std::pair<std::string, float>> candidates(std::string_view text, int max_count,
                                                      const SharedNetwork* shared) {
  const Position p = position_from(text);
  search::PathAnalysis analysis;
  search::analyse_paths(p, analysis);
  search::Policy policy(search::default_prior_weights);
  if (shared) {
    search::Network::Activations activations;
    shared->network->forward(p, analysis, activations);
    shared->network->policy(p, analysis, activations, policy);
  }
  std::vector<search::Candidate> chosen;
  search::choose_candidates(p, analysis, nullptr, max_count, policy, chosen);
  std::vector<std::pair<std::string, float>> out;
  for (const search::Candidate& c : chosen) out.emplace_back(text_of(c.move), c.prior);
  return out;
}

// The greedy view (search/greedy.hpp): the moves, the distance each leaves its player, and whether it touches.
std::tuple<std::vector<Move>, std::vector<int>, std::vector<bool>> greedy_moves(const Track& track, bool adds_only) {
  std::tuple<std::vector<Move>, std::vector<int>, std::vector<bool>> out;
  for (const search::GreedyMove& move : search::greedy_moves(track.position, adds_only)) {
    std::get<0>(out).push_back(move.move);
    std::get<1>(out).push_back(move.distance);
    std::get<2>(out).push_back(move.touching);
  }
  return out;
}

int nearest_distance(const Track& track, int colour) {
  return search::nearest_distance(track.position, colour_from(colour));
}

// The levels' fields in the order of search/levels.hpp.
nb::list levels() {
  nb::list out;
  for (const search::Level& l : search::levels)
    out.append(nb::make_tuple(l.number, l.description, l.nodes, l.seconds, l.candidates, l.temperature, l.greedy_chance,
                              l.greedy_temperature, l.miss_threat_chance, l.miss_win_chance));
  return out;
}

// The move that a level plays, given searched moves as (move, score, proven), the best first.
std::string choose_move_as(int number, uint64_t seed, std::string_view text,
                           const std::vector<std::tuple<std::string, double, int>>& options) {
  if (number < 1 || number > static_cast<int>(search::levels.size())) throw std::invalid_argument("no such level");
  if (options.empty()) throw std::invalid_argument("nothing to choose from");
  const Position p = position_from(text);
  std::vector<search::ScoredMove> scored;
  for (const auto& [move, score, proven] : options) scored.push_back({legal_move_from(move, p), score, proven});
  return text_of(search::choose_move_as(search::levels[static_cast<size_t>(number - 1)], seed, p, scored));
}

// The moves that may stop the opponent's threats to win at once; nothing if there is no such threat. For tests, which
// compare it with a brute-force list: the search never tries a move that it leaves out.
std::optional<std::vector<std::string>> defences(std::string_view text) {
  const Position p = position_from(text);
  const search::Defence defence(p);
  if (!defence.needed()) return std::nullopt;
  const auto moves = std::make_unique<MoveList>();
  list_moves(p, *moves);
  std::vector<std::string> holding;
  for (const Move m : *moves)
    if (defence.may_hold(p, m)) holding.push_back(text_of(m));
  return holding;
}

// A win by threats for the player to move, found within this many tries: the first move, in how many plies it wins, and
// whether more tries would not change that. For tests, which compare it with proofs.
std::tuple<std::optional<std::string>, int, bool> forced_win(std::string_view text, int64_t tries) {
  const Position p = position_from(text);
  search::ForcedSearch forced(p, search::default_prior_weights, tries);
  constexpr int64_t slice = 1000;
  while (!forced.advance(slice)) poll_signals();
  const search::ForcedWin& win = forced.result();
  std::optional<std::string> move;
  if (win.plies) move = text_of(win.move);
  return {move, win.plies, forced.exhausted()};
}

// The moves that lead back to one of these positions, given by their hashes. For tests.
std::vector<std::string> moves_back_to(std::string_view text, const std::vector<uint64_t>& hashes) {
  std::vector<std::string> out;
  for (const Move m : search::moves_back_to(position_from(text), hashes)) out.push_back(text_of(m));
  return out;
}

}  // namespace

void bind_search(nb::module_& m) {
  m.attr("MAX_NODES") = search::max_visits;
  m.attr("INSTRUCTIONS") = search::array_loops->instructions;
  nb::exception<ThreadError>(m, "ThreadError", PyExc_RuntimeError);
  nb::class_<Searcher>(m, "Searcher")
      .def(nb::init<int>(), "hash_mb"_a = 256)
      .def("search", &Searcher::search, "position"_a, "moves"_a = std::vector<std::string>(), nb::kw_only(),
           "nodes"_a = 0, "seconds"_a = 0.0, "target"_a = 0.0, "variations"_a = 1, "seed"_a = 0, "threads"_a = 1,
           "on_info"_a = nb::none(), "info_every"_a = 0.1)
      .def("reserve", &Searcher::reserve)
      .def_prop_ro("megabytes", &Searcher::megabytes)
      .def("stop", &Searcher::stop)
      .def("set_weights", &Searcher::set_weights, "evaluation"_a, "prior"_a)
      .def("set_network", &Searcher::set_network, "network"_a.none());
  m.def("features", &features, "position"_a);
  m.def("move_features", &move_features, "position"_a, "moves"_a);
  m.def("candidates", &candidates, "position"_a, "max_count"_a, "network"_a = nb::none());
  m.def("defences", &defences, "position"_a);
  m.def("forced_win", &forced_win, "position"_a, "tries"_a);
  m.def("moves_back_to", &moves_back_to, "position"_a, "hashes"_a);
  m.def("levels", &levels);
  m.def("choose_move_as", &choose_move_as, "level"_a, "seed"_a, "position"_a, "options"_a);
  m.def("greedy_moves", &greedy_moves, "track"_a, "adds_only"_a = false);
  m.def("nearest_distance", &nearest_distance, "track"_a, "colour"_a);
  m.def("default_prior_weights",
        [] { return std::vector<float>(search::default_prior_weights.begin(), search::default_prior_weights.end()); });
  m.def("default_evaluation_weights", [] {
    return std::vector<float>(search::default_evaluation_weights.begin(), search::default_evaluation_weights.end());
  });
}

}  // namespace punct::bindings
