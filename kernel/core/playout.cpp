#include "playout.hpp"

namespace punct {
namespace {

// Some landings and how many turns they hold together.
struct Lot {
  struct Landing {
    Move base;
    int count;
    Bits spaces;
  };
  Landing landing[set_size * heading_count + orientation_count];
  int landings = 0;
  int turns = 0;

  void add(Move base, const Bits& spaces) {
    const int n = spaces.count();
    if (!n) return;
    landing[landings++] = {base, n, spaces};
    turns += n;
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

Move random_turn(const Position& p, Random& random, const Taste& taste) {
  if (p.decided()) return no_move;
  const Colour c = p.to_move();
  Lot adds, ground, raised;
  each_add(p, c, [&](int orientation, const Bits& spaces) { adds.add(add_landing_base(orientation), spaces); });
  each_move(p, c, [&](int id, int orientation, const Bits& low, const Bits& high) {
    const Move base = move_landing_base(p, id, orientation);
    ground.add(base, low);
    raised.add(base, high);
  });
  const int turns = adds.turns + ground.turns + raised.turns;
  if (!turns) return no_move;
  if (raised.turns && random.below(100) < taste.raised) {
    Move m = raised.at(random.below(raised.turns));
    // Bridges are few among jumps: look a while for one.
    if (random.below(100) < taste.bridge)
      for (int tries = 0; tries < 32 && !is_bridge(p, m); ++tries) m = raised.at(random.below(raised.turns));
    return m;
  }
  const int moves = ground.turns + raised.turns;
  int n = moves && random.below(100) < taste.moved ? adds.turns + random.below(moves) : random.below(turns);
  if (n < adds.turns) return adds.at(n);
  n -= adds.turns;
  if (n < ground.turns) return ground.at(n);
  return raised.at(n - ground.turns);
}

int play_random_game(Position& p, Random& random, const Taste& taste, int most, std::vector<Move>* turns) {
  int played = 0;
  for (; played < most; ++played) {
    const Move m = random_turn(p, random, taste);
    if (m == no_move) break;
    Undo undo;
    p.make(m, undo);
    if (turns) turns->push_back(m);
  }
  return played;
}

}  // namespace punct
