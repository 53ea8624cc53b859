#include "distance.hpp"

namespace punct {

Prices prices_of(const Position& p, Colour c, const PriceList& list) {
  Prices prices;
  for (int s = 0; s < space_count; ++s) {
    const Space space = static_cast<Space>(s);
    const int top = p.top(space);
    if (top == no_piece) {
      const bool closed = p.rules() == Standard && board.centre.test(board.bit[s]);
      prices[s] = closed ? list.empty_centre : list.empty;
    } else if (Position::owner(top) == c) {
      prices[s] = 0;
    } else {
      const int price = list.opponent + list.per_level * (p.height(space) - 1);
      prices[s] = static_cast<uint8_t>(price > max_price ? max_price : price);
    }
  }
  return prices;
}

void distances_from_side(int side, const Prices& prices, DistanceMap& out) {
  // Dijkstra with a ring of buckets. A space's price does not depend on where one comes from, so the first neighbour to be settled is
  // the best one: every space is queued once and nothing is ever improved.
  constexpr int ring = max_price + 1;
  Space head[ring], next[space_count];
  for (Space& h : head) h = no_space;
  out.fill(unreachable);
  bool seen[space_count] = {};
  int waiting = 0;
  const auto queue = [&](Space s, int distance) {
    seen[s] = true;
    if (prices[s] > max_price || distance >= unreachable) return;
    out[s] = static_cast<uint8_t>(distance);
    next[s] = head[distance % ring];
    head[distance % ring] = s;
    ++waiting;
  };
  board.side[side].each([&](int bit) { queue(board.space[bit], prices[board.space[bit]]); });
  for (int d = 0; waiting; ++d)
    while (head[d % ring] != no_space) {  // a free neighbour joins the same bucket, so look again
      const Space s = head[d % ring];
      head[d % ring] = next[s];
      --waiting;
      for (const Space n : board.neighbour[s])
        if (n != no_space && !seen[n]) queue(n, d + prices[n]);
    }
}

PairDistances pair_distances(int pair, const Prices& prices) {
  PairDistances r;
  distances_from_side(2 * pair, prices, r.from_first);
  distances_from_side(2 * pair + 1, prices, r.from_second);
  r.shortest = unreachable;
  board.side[2 * pair + 1].each([&](int bit) {
    const uint8_t d = r.from_first[board.space[bit]];
    if (d < r.shortest) r.shortest = d;
  });
  return r;
}

}  // namespace punct
