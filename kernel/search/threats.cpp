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

}  // namespace punct::search
