#include "search/threats.hpp"

namespace punct::search {

Defence::Defence(const Position& p) : carriers_(p), count_threat_(wins_by_count(p, other(p.to_move()))) {}

bool Defence::may_hold(const Position& p, Move m) const {
  const Colour me = p.to_move();
  const auto is_behind = [&] {
    return p.rules() == Standard && p.centre_count(me) - p.centre_count(other(me)) + centre_gain(p, m) < 0;
  };
  if (is_add(m) && p.placed(me) == set_size - 1) return !is_behind();  // ends the game here and now
  return carriers_.all_disturbed(p, m) && !(count_threat_ && is_behind());
}

int centre_gain(const Position& p, Move m) {
  const Colour me = p.to_move();
  // Each space in the centre counts +1 mine, -1 theirs; compare before and after wherever the move touches.
  const auto worth = [&](int id) { return id == no_piece ? 0 : Position::owner(id) == me ? 1 : -1; };
  int gain = 0;
  const Dots& to = placements[placement_of(m)];
  if (!is_add(m)) {
    const Piece& piece = p.piece(p.moving_piece(m));
    const Dots& from = placements[piece.placement];
    for (int i = 0; i < 3; ++i) {
      const Space s = from.space[i];
      if (!board.centre.test(board.bit[s])) continue;
      const bool covered_again = s == to.space[0] || s == to.space[1] || s == to.space[2];
      if (!covered_again) gain += worth(piece.under[i]) - 1;
    }
    for (const Space s : to.space) {
      const bool own_spot = s == from.space[0] || s == from.space[1] || s == from.space[2];
      if (board.centre.test(board.bit[s]) && !own_spot) gain += 1 - worth(p.top(s));
    }
    return gain;
  }
  for (const Space s : to.space)
    if (board.centre.test(board.bit[s])) gain += 1 - worth(p.top(s));
  return gain;
}

}  // namespace punct::search
