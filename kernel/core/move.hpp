// A move in 32 bits.
//
//   bits  0..12  where the piece comes to rest: the placement (pieces.hpp), orientation * 211 + the PÜNCT's new space
//   bits 13..20  the PÜNCT's old space, or 255 when the piece is added from the player's set
//   bits 21..31  zero
//
// The orientation holds kind and heading, so a packed move names the kind of the piece that moves too. The owner is
// the player to move.
#pragma once

#include "pieces.hpp"

namespace punct {

using Move = uint32_t;

inline constexpr int from_shift = 13;
inline constexpr uint32_t placement_mask = (1u << from_shift) - 1;
inline constexpr Move no_move = 0xffffffff;
inline constexpr Move add_base = Move{no_space} << from_shift;

inline constexpr Move make_add(Placement to) { return add_base | to; }
inline constexpr Move make_move(Space from, Placement to) { return Move{from} << from_shift | to; }

inline constexpr Placement placement_of(Move m) { return static_cast<Placement>(m & placement_mask); }
inline constexpr Space from_of(Move m) { return static_cast<Space>(m >> from_shift); }
inline constexpr bool is_add(Move m) { return from_of(m) == no_space; }

// True for numbers that could be a move somewhere: known placement on the board, known source on the same line, no
// stray bits.
inline bool is_well_formed(Move m) {
  if (m >> 21) return false;
  const Placement to = placement_of(m);
  if (to >= placement_count || !placements[to].on_board()) return false;
  const Space from = from_of(m);
  if (from == no_space) return true;
  return from < space_count && board.line[from].test(board.bit[punct_of(to)]);
}

}  // namespace punct
