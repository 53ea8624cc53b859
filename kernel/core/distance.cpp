#include "distance.hpp"

namespace punct {
namespace {

// Spreads from one side until the other is reached, and `widest_slack` further, or as far as `until`; returns the
// distance between the two.
template <int Dearest, int Farthest>
int spread(const PricedTerrain<Dearest>& t, const Bits& from, const Bits& to, Bits (&layer)[Farthest + 1], int until) {
  Bits pending[Farthest + Dearest + 2] = {};
  pending[0] = from & t.own;
  for (int c = 1; c <= Dearest; ++c) pending[c] = from & t.cost[c];
  Bits reached;
  int distance = Farthest;
  for (int k = 0; k <= Farthest; ++k) {
    Bits fresh = without(pending[k], reached);
    if (fresh.any()) {
      reached |= fresh;
      for (Bits edge = fresh;;) {  // own spaces are free: the whole chain is reached at once
        edge = without(grown(edge) & t.own, reached);
        if (edge.none()) break;
        fresh |= edge;
        reached |= edge;
      }
      const Bits beyond = without(grown(fresh), reached);
      for (int c = 1; c <= Dearest; ++c) pending[k + c] |= beyond & t.cost[c];
      if (distance == Farthest && meets(fresh, to)) {
        distance = k;
        until = k + widest_slack;
      }
    }
    layer[k] = fresh;
    if (k >= until) break;
  }
  return distance;
}

void find_ways(const Terrain& t, Axis& a) {
  const int most = a.distance + widest_slack < farthest ? a.distance + widest_slack : farthest;
  for (Bits& b : a.on_way) b = Bits{};
  if (a.distance >= farthest) return;
  for (int slack = 0; slack <= widest_slack; ++slack) {
    // A space lies on a way of this cost when both halves, its own cost counted once, add up to it.
    const int cost = a.distance + slack;
    if (cost > most) break;
    Bits found;
    for (int k = 0; k <= cost; ++k) {
      if (a.from_near[k].none()) continue;
      found |= a.from_near[k] & t.own & a.from_far[cost - k];
      // The far half is at most `cost`, so no bound is asked for here; asked for all the same, the test made GCC 12
      // load under a mask where AVX2 is at hand, and load wrongly.
      for (int c = 1; c <= Terrain::dearest && c <= k; ++c)
        found |= a.from_near[k] & t.cost[c] & a.from_far[cost - k + c];
    }
    a.on_way[slack] = found;
  }
}

}  // namespace

void find_paths(const Terrain& terrain, Paths& out) {
  out.terrain = terrain;
  for (int i = 0; i < side_pairs; ++i) {
    Axis& a = out.axis[i];
    const Bits &near = board.side[2 * i], &far = board.side[2 * i + 1];
    a.distance = spread<Terrain::dearest, farthest>(out.terrain, near, far, a.from_near, farthest);
    const int until = a.distance + widest_slack;
    for (int k = until + 1; k <= farthest; ++k) a.from_near[k] = Bits{};
    spread<Terrain::dearest, farthest>(out.terrain, far, near, a.from_far, until < farthest ? until : farthest);
    for (int k = until + 1; k <= farthest; ++k) a.from_far[k] = Bits{};
    find_ways(out.terrain, a);
    out.order[i] = static_cast<uint8_t>(i);
  }
  for (int i = 1; i < side_pairs; ++i)
    for (int j = i; j > 0 && out.distance(j) < out.distance(j - 1); --j) std::swap(out.order[j], out.order[j - 1]);
}

DistanceMap distances_from_side(const Position& p, Colour c, int side, const Prices& prices) {
  constexpr int last = unreachable - 1;
  const auto floor = [&](int level) -> const Bits& { return p.floor(level); };
  const PricedTerrain<highest_price> terrain(p.showing(c), floor, p.highest(), p.rules(), prices);
  Bits layer[last + 1];
  spread<highest_price, last>(terrain, board.side[side], Bits{}, layer, last);
  DistanceMap map;
  map.fill(unreachable);
  for (int k = 0; k <= last; ++k) layer[k].each([&](int bit) { map[board.space[bit]] = static_cast<uint8_t>(k); });
  return map;
}

}  // namespace punct
