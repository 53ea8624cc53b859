// A fixed number for every move, whatever the position: the action index that learning programs use.
//
//   0 .. 5930    adding: the placements that fit the board, in order of placement number
//   5931 ..      moving: 5931 + 6 * pair + heading, where a pair is (the PÜNCT's old space, its new space), the new
//                one on a line with the old or equal to it, in order of old space, then new space
//
// A move's action does not name the kind, which is that of the piece lying there. For kind C only headings 0, 1, 2 are
// ever legal.
#pragma once

#include "position.hpp"

namespace punct {

inline constexpr int make_pair_count() {
  int n = 0;
  for (const Bits& line : board.line) n += line.count();
  return n;
}
inline constexpr int pair_count = make_pair_count();
inline constexpr int action_count = placements_on_board + pair_count * heading_count;

// The move must be well formed (move.hpp).
int action_of(Move m);

// The move with this number here, not necessarily a legal one; no_move for numbers out of range, moves of nothing, and
// placements that leave the board.
Move move_of_action(const Position& p, int64_t action);

}  // namespace punct
