// The search for Python: punct._kernel.Searcher, and what tuning needs of the evaluation.
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
#include "core/text.hpp"
#include "search/driver.hpp"
#include "search/levels.hpp"
#include "search/repetition.hpp"
#include "search/sight.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace punct::bindings {
namespace {

Position read_open(std::string_view text) {
  Position p;
  if (!read_position(text, p)) throw std::invalid_argument("not a position: " + std::string(text.substr(0, 80)));
  return p;
}

Move read_legal(std::string_view text, const Position& p) {
  Move m;
  if (!read_move(text, p, m) || !is_legal(p, m))
    throw std::invalid_argument("not a legal move: " + std::string(text.substr(0, 40)) + " in " + text_of(p));
  return m;
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

// The position after some moves from a start, with the history that the search needs for repetition.
search::Start set_up(std::string_view text, const std::vector<std::string>& moves) {
  search::Start start{read_open(text), {}};
  for (const std::string& move : moves) start.play(read_legal(move, start.position));
  return start;
}

nb::dict dict_of(const search::Variation& variation) {
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

nb::dict dict_of(const search::Report& report) {
  nb::list variations;
  for (const search::Variation& variation : report.variations) variations.append(dict_of(variation));
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

// The search for Python: converts what comes in and goes out, and lets go of the interpreter in between.
class Searcher {
 public:
  explicit Searcher(int hash_mb) : search_(bytes_of(hash_mb)) {}

  void set_weights(const std::vector<float>& evaluation, const std::vector<float>& prior) {
    const auto read_evaluation = read_weights<search::feature::count>(evaluation);
    search_.settings.prior = read_weights<search::move_feature::count>(prior);
    search_.settings.evaluation = read_evaluation;
  }
  void set_network(const SharedNetwork* given) { search_.settings.network = given ? given->network : nullptr; }
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
    const search::Start start = set_up(position, moves);
    if (variations < 1) throw std::invalid_argument("variations must be at least 1");
    if (threads < 1 || threads > search::most_threads) throw std::invalid_argument("threads must be from 1 to 256");
    const search::Request request{{nodes, seconds, target}, seed, threads, variations, info_every};
    std::exception_ptr failed;
    const auto watch = [&](const search::Report& report) {
      nb::gil_scoped_acquire locked;
      try {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (on_info) (*on_info)(dict_of(report));
      } catch (...) {
        failed = std::current_exception();
      }
      return !failed;
    };
    search::Report found;
    search::Status status;
    {
      nb::gil_scoped_release unlocked;
      status = search_.run(start, request, watch, found);
    }
    if (failed) std::rethrow_exception(failed);
    switch (status) {
      case search::Status::Done: break;
      case search::Status::GameOver: throw std::invalid_argument("the game is over in this position");
      case search::Status::NoLimit: throw std::invalid_argument("give a number of nodes or of seconds to search");
      case search::Status::NoMemory: throw std::bad_alloc();
      case search::Status::NoThreads:
        throw ThreadError("not all of " + std::to_string(threads) + " threads could be started");
    }
    return dict_of(found);
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
  const Position p = read_open(text);
  search::Insight insight;
  search::look_at(p, insight);
  search::Features x;
  search::features_of(p, insight, x);
  return {x.begin(), x.end()};
}

std::vector<std::vector<float>> move_features(std::string_view text, const std::vector<std::string>& moves) {
  const Position p = read_open(text);
  search::Insight insight;
  search::look_at(p, insight);
  std::vector<std::vector<float>> found;
  for (const std::string& move : moves) {
    const search::MoveFeatures x = search::features_of(p, insight, read_legal(move, p));
    found.emplace_back(x.begin(), x.end());
  }
  return found;
}

// The candidates at the root as choose() ranks them, with their priors: for tests and for tuning.
std::vector<std::pair<std::string, float>> candidates(std::string_view text, int most, const SharedNetwork* shared) {
  const Position p = read_open(text);
  search::Insight insight;
  search::look_at(p, insight);
  search::Policy policy(search::default_prior_weights);
  if (shared) {
    search::Network::Thought thought;
    shared->network->think(p, insight, thought);
    shared->network->policy(p, insight, thought, policy);
  }
  std::vector<search::Candidate> chosen;
  search::choose(p, insight, nullptr, most, policy, chosen);
  std::vector<std::pair<std::string, float>> found;
  for (const search::Candidate& c : chosen) found.emplace_back(text_of(c.move), c.prior);
  return found;
}

// What a beginner sees (search/sight.hpp): the moves, how far each leaves its player, and whether it touches.
std::tuple<std::vector<Move>, std::vector<int>, std::vector<bool>> plans(const Track& track, bool adds_only) {
  std::tuple<std::vector<Move>, std::vector<int>, std::vector<bool>> found;
  for (const search::Plan& plan : search::plans_of(track.position, adds_only)) {
    std::get<0>(found).push_back(plan.move);
    std::get<1>(found).push_back(plan.to_go);
    std::get<2>(found).push_back(plan.touching);
  }
  return found;
}

int to_go(const Track& track, int colour) { return search::to_go(track.position, colour_from(colour)); }

// The levels' numbers, one after the other as in search/levels.hpp.
nb::list levels() {
  nb::list out;
  for (const search::Level& l : search::levels)
    out.append(nb::make_tuple(l.number, l.words, l.nodes, l.seconds, l.candidates, l.looseness, l.own_plan,
                              l.sloppiness, l.misses_threat, l.misses_win));
  return out;
}

// What a level plays of what it looked at: (move, score, proven), the best first.
std::string choose_as(int number, uint64_t seed, std::string_view text,
                      const std::vector<std::tuple<std::string, double, int>>& options) {
  if (number < 1 || number > static_cast<int>(search::levels.size())) throw std::invalid_argument("no such level");
  if (options.empty()) throw std::invalid_argument("nothing to choose from");
  const Position p = read_open(text);
  std::vector<search::Option> read;
  for (const auto& [move, score, proven] : options) read.push_back({read_legal(move, p), score, proven});
  return text_of(search::choose_as(search::levels[static_cast<size_t>(number - 1)], seed, p, read));
}

// The moves that may stop the opponent's threats to win at once; nothing if there is no such threat. For tests, which
// hold it to the plain way: a move that it leaves out is never tried.
std::optional<std::vector<std::string>> defences(std::string_view text) {
  const Position p = read_open(text);
  const search::Defence defence(p);
  if (!defence.needed()) return std::nullopt;
  const auto moves = std::make_unique<MoveList>();
  list_moves(p, *moves);
  std::vector<std::string> holding;
  for (const Move m : *moves)
    if (defence.may_hold(p, m)) holding.push_back(text_of(m));
  return holding;
}

// A win by threats for the player to move, found with so many tries: the first move, in how many plies it wins, and
// whether more tries would find no more. For tests, which hold it to proofs.
std::tuple<std::optional<std::string>, int, bool> forced_win(std::string_view text, long tries) {
  const Position p = read_open(text);
  search::ForcedSearch forced(p, search::default_prior_weights, tries);
  forced.go_on(tries);
  const search::ForcedWin& found = forced.found();
  std::optional<std::string> move;
  if (found.plies) move = text_of(found.move);
  return {move, found.plies, forced.exhausted()};
}

// The moves that lead back to one of some positions, told by their hashes. For tests.
std::vector<std::string> moves_back_to(std::string_view text, const std::vector<uint64_t>& seen) {
  std::vector<std::string> found;
  for (const Move m : search::moves_back_to(read_open(text), seen)) found.push_back(text_of(m));
  return found;
}

}  // namespace

void bind_search(nb::module_& m) {
  m.attr("MOST_NODES") = search::most_visits;
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
  m.def("candidates", &candidates, "position"_a, "most"_a, "network"_a = nb::none());
  m.def("defences", &defences, "position"_a);
  m.def("forced_win", &forced_win, "position"_a, "tries"_a);
  m.def("moves_back_to", &moves_back_to, "position"_a, "seen"_a);
  m.def("levels", &levels);
  m.def("choose_as", &choose_as, "level"_a, "seed"_a, "position"_a, "options"_a);
  m.def("plans", &plans, "track"_a, "adds_only"_a = false);
  m.def("to_go", &to_go, "track"_a, "colour"_a);
  m.def("default_prior_weights",
        [] { return std::vector<float>(search::default_prior_weights.begin(), search::default_prior_weights.end()); });
  m.def("default_evaluation_weights", [] {
    return std::vector<float>(search::default_evaluation_weights.begin(), search::default_evaluation_weights.end());
  });
}

}  // namespace punct::bindings
