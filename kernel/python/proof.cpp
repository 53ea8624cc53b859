// Proofs of short wins for Python: punct.analysis.Prover.
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
#include "calls.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace punct::bindings {
namespace {

constexpr int64_t default_slice = 20000;  // tries between two checks for signals
constexpr int64_t endless = std::numeric_limits<int64_t>::max();

// One proof at a time, for they share a cache; the GIL is released meanwhile. Functions return nothing if the budget is
// too small.
class Prover {
 public:
  explicit Prover(int cache_bits) : cache_(cache_bits) {}

  std::optional<std::vector<std::pair<Move, int>>> wins(const Track& track, int depth, int max_count, int64_t budget,
                                                        int64_t slice) {
    Proof proof(track.position, Proof::Mover::Attacker, checked(depth), max_count, cache_);
    if (!run(proof, budget, slice)) return std::nullopt;
    std::vector<std::pair<Move, int>> wins_with_depth;
    for (const WinningMove& win : proof.wins()) wins_with_depth.emplace_back(win.move, win.depth);
    return wins_with_depth;
  }

  std::optional<std::tuple<bool, std::optional<Move>, int>> answer(const Track& track, int depth, int64_t budget,
                                                                   int64_t slice) {
    Proof proof(track.position, Proof::Mover::Defender, checked(depth), 1, cache_);
    if (!run(proof, budget, slice)) return std::nullopt;
    const auto [lost, move, left] = proof.reply();
    return std::tuple(lost, move == no_move ? std::nullopt : std::optional(move), left);
  }

  std::optional<std::vector<Move>> variation(const Track& track, int depth, int64_t budget, int64_t slice) {
    ProvenVariation variation(track.position, Proof::Mover::Attacker, checked(depth), cache_);
    if (!run(variation, budget, slice)) return std::nullopt;
    return variation.moves();
  }

 private:
  static int checked(int depth) {
    if (depth < 1 || depth > Proof::max_depth) throw nb::value_error("the depth must be from 1 to 16");
    return depth;
  }

  template <class Proving>
  bool run(Proving& proof, int64_t budget, int64_t slice) {
    bool done = false;
    while (!done && proof.tries() < budget) {
      {
        nb::gil_scoped_release unlocked;
        const ForkGuard guard;
        const std::lock_guard lock(mutex_);
        done = proof.advance(std::min(slice, budget - proof.tries()));
      }
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    return done;
  }

  std::mutex mutex_;
  ProofCache cache_;
};

}  // namespace

void bind_proof(nb::module_& m) {
  m.def("wins_at_once", [](const Track& track) { return wins_at_once(track.position); }, "track"_a);
  m.def(
      "holding_moves", [](const Track& track, int max_count) { return defences(track.position, max_count); }, "track"_a,
      "max_count"_a = max_moves);
  m.def(
      "wins_by_count",
      [](const Track& track, int colour) { return wins_by_count(track.position, colour_from(colour)); }, "track"_a,
      "colour"_a);
  m.def(
      "approaches",
      [](const Track& track) -> std::optional<std::vector<Move>> {
        const auto approaches = std::make_unique<Approaches>();
        if (!find_approaches(track.position, track.position.to_move(), *approaches)) return std::nullopt;
        return std::vector<Move>(approaches->moves.begin(), approaches->moves.end());
      },
      "track"_a);
  m.attr("MAX_PROOF_DEPTH") = Proof::max_depth;
  nb::class_<Prover>(m, "Prover")
      .def(nb::init<int>(), "cache_bits"_a = 18)
      .def("wins", &Prover::wins, "track"_a, "depth"_a, "max_count"_a = max_moves, "budget"_a = endless,
           "slice"_a = default_slice)
      .def("answer", &Prover::answer, "track"_a, "depth"_a, "budget"_a = endless, "slice"_a = default_slice)
      .def("variation", &Prover::variation, "track"_a, "depth"_a, "budget"_a = endless, "slice"_a = default_slice);
}

}  // namespace punct::bindings
