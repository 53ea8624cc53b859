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
  distances_from_side(side, PriceSets(prices), out);
}

PriceSets::PriceSets(const Prices& prices) {
  uint8_t slot[max_price + 1];
  for (uint8_t& i : slot) i = unreachable;
  for (int s = 0; s < space_count; ++s) {
    const uint8_t price = prices[s];
    if (price > max_price) continue;
    if (slot[price] == unreachable) {
      slot[price] = static_cast<uint8_t>(count);
      set[count++].price = price;
    }
    set[slot[price]].spaces.set(board.bit[s]);
    usable.set(board.bit[s]);
  }
}

void distances_from_side(int side, const PriceSets& prices, DistanceMap& out) {
  // Dijkstra, a whole ring of spaces at a time. A space's price does not depend on where one comes from, so the first
  // neighbour to be settled is the best one: every space is queued once, with its final distance.
  constexpr int ring = max_price + 1;
  Bits queue[ring];
  uint64_t waiting = 0;  // which of the ring's sets are not empty
  out.fill(unreachable);
  Bits fresh = prices.usable & board.side[side];
  Bits left = without(prices.usable, fresh);
  for (int d = 0; d < unreachable;) {
    // Spaces just seen from distance d wait at d plus their price.
    for (int i = 0; i < prices.count; ++i) {
      const Bits here = fresh & prices.set[i].spaces;
      if (here.none()) continue;
      const int at = (d + prices.set[i].price) % ring;
      queue[at] |= here;
      waiting |= uint64_t{1} << at;
    }
    if (!waiting) return;
    // The next distance at which anything waits: turn the ring so that d comes first.
    const int start = d % ring;
    const uint64_t turned = start ? waiting >> start | waiting << (ring - start) : waiting;
    d += lowest_bit(turned);
    if (d >= unreachable) return;
    const int now = d % ring;
    const Bits settled = queue[now];
    queue[now] = {};
    waiting &= ~(uint64_t{1} << now);
    settled.each([&](int bit) { out[board.space[bit]] = static_cast<uint8_t>(d); });
    fresh = grown(settled) & left;
    left = without(left, fresh);
  }
}

PairDistances pair_distances(int pair, const Prices& prices) { return pair_distances(pair, PriceSets(prices)); }

PairDistances pair_distances(int pair, const PriceSets& prices) {
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
