// The opening moves of games, with positions and moves that are each other's images under a symmetry made one.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string_view>
#include <tuple>

#include "batch.hpp"
#include "core/symmetry.hpp"
#include "core/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace punct::bindings {
namespace {

struct OpeningMoves {
  std::vector<int64_t> key;    // by move: of the position
  std::vector<int32_t> move;   // by move
  std::vector<int32_t> count;  // by game: of moves
};

// Adds the first moves of one game, each with the position it was played in. A position that recurs counts once. False,
// with nothing added, if the start is no position or one of these moves is not legal.
bool add_game(std::string_view start, std::string_view moves, int max_plies, OpeningMoves& out) {
  Position p;
  if (!read_position(start, p)) return false;
  const size_t before = out.key.size();
  bool is_legal_game = true;
  for (int ply = 0; ply < max_plies; ++ply) {
    const size_t begin = moves.find_first_not_of(' ');
    if (begin == std::string_view::npos) break;
    moves.remove_prefix(begin);
    const size_t end = std::min(moves.find(' '), moves.size());
    Move m;
    is_legal_game = p.outcome() == Outcome::Open && read_move(moves.substr(0, end), p, m) && is_legal(p, m);
    if (!is_legal_game) break;
    moves.remove_prefix(end);
    const CanonicalKey position_key = canonical_key_of(p);
    const int64_t key = static_cast<int64_t>(position_key.key);
    if (std::find(out.key.begin() + static_cast<std::ptrdiff_t>(before), out.key.end(), key) == out.key.end()) {
      out.key.push_back(key);
      out.move.push_back(static_cast<int32_t>(canonical_move(m, position_key.symmetries)));
    }
    Undo undo;
    p.make(m, undo);
  }
  if (!is_legal_game) {
    out.key.resize(before);
    out.move.resize(before);
    return false;
  }
  out.count.push_back(static_cast<int32_t>(out.key.size() - before));
  return true;
}

nb::tuple opening_moves(const std::vector<std::tuple<std::string_view, std::string_view>>& games, int max_plies) {
  OpeningMoves out;
  {
    nb::gil_scoped_release release;
    for (const auto& [start, moves] : games) {
      poll_signals();
      if (!add_game(start, moves, max_plies, out)) out.count.push_back(-1);
    }
  }
  return nb::make_tuple(array_of(out.key), array_of(out.move), array_of(out.count));
}

// The position's key, and one of the symmetries that lead to the image that has it.
std::tuple<int64_t, int> canonical_key(const Track& l) {
  const CanonicalKey key = canonical_key_of(l.position);
  int symmetry = 0;
  while (!(key.symmetries >> symmetry & 1)) ++symmetry;
  return {static_cast<int64_t>(key.key), symmetry};
}

}  // namespace

void bind_openings(nb::module_& m) {
  m.def("opening_moves", &opening_moves, "games"_a, "max_plies"_a);
  m.def("canonical_key", &canonical_key, "track"_a);
}

}  // namespace punct::bindings
