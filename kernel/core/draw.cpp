#include "draw.hpp"

namespace punct {

int draw_action(const Position& p, Random& random, int attempts) {
  if (p.decided()) return -1;
  const Colour c = p.to_move();
  ActionRange range[kind_count + set_size];
  int ranges = 0, count = 0;
  const auto add_range = [&](ActionRange actions) {
    range[ranges++] = actions;
    count += actions.count;
  };
  for (int k = 0; k < kind_count; ++k)
    if (p.in_set(c, static_cast<Kind>(k))) add_range(adds_of(static_cast<Kind>(k)));
  for (int id = c * set_size; id < (c + 1) * set_size; ++id)
    if (p.is_free(id)) add_range(moves_from(punct_of(p.piece(id).placement)));

  for (; count && attempts > 0; --attempts) {
    int n = random.below(count);
    const ActionRange* hit = range;
    for (; n >= hit->count; ++hit) n -= hit->count;
    const int action = hit->first + n;
    const Move m = move_of_action(p, action);
    if (m != no_move && is_legal(p, m)) return action;
  }
  const Move m = random_move(p, random);
  return m == no_move ? -1 : action_of(m);
}

}  // namespace punct
