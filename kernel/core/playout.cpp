#include "playout.hpp"

namespace punct {
namespace {

// Several landings and the number of moves in all of them.
struct LandingPool {
  struct Landing {
    Move base;
    int count;
    Bits spaces;
  };
  Landing landing[set_size * heading_count + orientation_count];
  int landings = 0;
  int moves = 0;

  void add(Move base, const Bits& spaces) {
    const int n = spaces.count();
    if (!n) return;
    landing[landings++] = {base, n, spaces};
    moves += n;
  }

  Move at(int index) const {
    const Landing* l = landing;
    while (index >= l->count) index -= l++->count;
    for (int i = 0;; ++i) {
      uint64_t x = l->spaces.w[i];
      const int n = count_bits(x);
      if (index >= n) {
        index -= n;
        continue;
      }
      while (index--) x &= x - 1;
      return l->base + board.space[i * 64 + lowest_bit(x)];
    }
  }
};

}  // namespace

bool is_bridge(const Position& p, Move m) {
  if (is_add(m)) return false;
  const Placement to = placement_of(m);
  const Dots& dots = placements[to];
  const int id = p.moving_piece(m);
  const Piece& piece = p.piece(id);
  int floors[3];
  for (int i = 0; i < 3; ++i) {
    int top = p.top(dots.space[i]);
    for (int j = 0; j < 3; ++j)
      if (top == id && placements[piece.placement].space[j] == dots.space[i]) top = piece.under[j];
    floors[i] = p.piece(top).level;
  }
  return floors[0] != floors[1] || floors[1] != floors[2];
}

Move random_move(const Position& p, Random& random, const Preference& preference) {
  if (p.decided()) return no_move;
  const Colour c = p.to_move();
  LandingPool adds, ground, raised;
  each_add(p, c, [&](int orientation, const Bits& spaces) { adds.add(add_landing_base(orientation), spaces); });
  each_shift(p, c, [&](int id, int orientation, const Bits& low, const Bits& high) {
    const Move base = shift_landing_base(p, id, orientation);
    ground.add(base, low);
    raised.add(base, high);
  });
  const int moves = adds.moves + ground.moves + raised.moves;
  if (!moves) return no_move;
  if (raised.moves && random.below(100) < preference.raised) {
    Move m = raised.at(random.below(raised.moves));
    // Bridges are few among jumps: draw several times for one.
    if (random.below(100) < preference.bridge)
      for (int tries = 0; tries < 32 && !is_bridge(p, m); ++tries) m = raised.at(random.below(raised.moves));
    return m;
  }
  const int shifts = ground.moves + raised.moves;
  int n = shifts && random.below(100) < preference.moved ? adds.moves + random.below(shifts) : random.below(moves);
  if (n < adds.moves) return adds.at(n);
  n -= adds.moves;
  if (n < ground.moves) return ground.at(n);
  return raised.at(n - ground.moves);
}

int play_random_game(Position& p, Random& random, const Preference& preference, int limit, std::vector<Move>* moves) {
  int played = 0;
  for (; played < limit; ++played) {
    const Move m = random_move(p, random, preference);
    if (m == no_move) break;
    Undo undo;
    p.make(m, undo);
    if (moves) moves->push_back(m);
  }
  return played;
}

}  // namespace punct
