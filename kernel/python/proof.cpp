// Proofs of short wins, opened to Python: punct.analysis.Prover.
#include "core/proof.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>

#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace punct::bindings {
namespace {

constexpr long usual_slice = 20000;  // tries between two looks whether somebody wants it to end
constexpr long endless = std::numeric_limits<long>::max();

// One proof at a time, for they share a memory; Python runs on meanwhile. What a budget does not suffice for is
// nothing.
class Prover {
 public:
  explicit Prover(int memory_bits) : memory_(memory_bits) {}

  std::optional<std::vector<std::pair<Move, int>>> wins(const Track& track, int turns, int most, long budget,
                                                        long slice) {
    Proof proof(track.position, Proof::Mover::Attacker, checked(turns), most, memory_);
    if (!run(proof, budget, slice)) return std::nullopt;
    std::vector<std::pair<Move, int>> found;
    for (const WinningTurn& win : proof.wins()) found.emplace_back(win.move, win.turns);
    return found;
  }

  std::optional<std::tuple<bool, std::optional<Move>, int>> answer(const Track& track, int turns, long budget,
                                                                   long slice) {
    Proof proof(track.position, Proof::Mover::Defender, checked(turns), 1, memory_);
    if (!run(proof, budget, slice)) return std::nullopt;
    const auto [lost, move, left] = proof.reply();
    return std::tuple(lost, move == no_move ? std::nullopt : std::optional(move), left);
  }

  std::optional<std::vector<Move>> line(const Track& track, int turns, long budget, long slice) {
    ProvenLine line(track.position, Proof::Mover::Attacker, checked(turns), memory_);
    if (!run(line, budget, slice)) return std::nullopt;
    return line.moves();
  }

 private:
  static int checked(int turns) {
    if (turns < 1 || turns > Proof::most_turns) throw nb::value_error("turns must be from 1 to 16");
    return turns;
  }

  template <class Question>
  bool run(Question& question, long budget, long slice) {
    bool done = false;
    while (!done && question.tries() < budget) {
      {
        nb::gil_scoped_release unlocked;
        const std::lock_guard alone(mutex_);
        done = question.go_on(std::min(slice, budget - question.tries()));
      }
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    return done;
  }

  std::mutex mutex_;
  ProofMemory memory_;
};

}  // namespace

void bind_proof(nb::module_& m) {
  m.def("wins_at_once", [](const Track& track) { return wins_at_once(track.position); }, "track"_a);
  m.def(
      "holding_turns", [](const Track& track, int most) { return defences(track.position, most); }, "track"_a,
      "most"_a = max_moves);
  m.def(
      "wins_by_count",
      [](const Track& track, int colour) { return wins_by_count(track.position, colour_from(colour)); }, "track"_a,
      "colour"_a);
  m.def(
      "approaches",
      [](const Track& track) -> std::optional<std::vector<Move>> {
        const auto found = std::make_unique<Approaches>();
        if (!find_approaches(track.position, track.position.to_move(), *found)) return std::nullopt;
        return std::vector<Move>(found->moves.begin(), found->moves.end());
      },
      "track"_a);
  m.attr("MOST_TURNS") = Proof::most_turns;
  nb::class_<Prover>(m, "Prover")
      .def(nb::init<int>(), "memory_bits"_a = 18)
      .def("wins", &Prover::wins, "track"_a, "turns"_a, "most"_a = max_moves, "budget"_a = endless,
           "slice"_a = usual_slice)
      .def("answer", &Prover::answer, "track"_a, "turns"_a, "budget"_a = endless, "slice"_a = usual_slice)
      .def("line", &Prover::line, "track"_a, "turns"_a, "budget"_a = endless, "slice"_a = usual_slice);
}

}  // namespace punct::bindings
