// A fixed number for every move, whatever the position: the action index that learning programs use.
//
//   0 .. 5930    adding: the placements that fit the board, in order of placement number
//   5931 ..      moving: 5931 + 6 * pair + heading, where a pair is (the PÜNCT's old space, its new space), the new
//                one on a line with the old or equal to it, in order of old space, then new space
//
// A move's action does not name the kind, which is that of the piece lying there. For kind C only headings 0, 1, 2 are
// ever legal.
#pragma once

#include "generate.hpp"

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

// The actions that add a kind, and those that move the piece whose PÜNCT is on a space.
struct ActionRange {
  int first, count;
};
ActionRange adds_of(Kind k);
ActionRange moves_from(Space from);

// Lists all legal actions: adds in order, then moves by piece. `out` must hold max_moves; returns how many there are.
// mark_actions() sets them in a mask of action_count, a byte or a bit each (the lowest of a byte first), and clears all
// others.
int list_actions(const Position& p, int32_t* out);
void mark_actions(const Position& p, bool* mask);
inline constexpr int action_bytes = (action_count + 7) / 8;
void mark_actions(const Position& p, uint8_t* bits);

}  // namespace punct
