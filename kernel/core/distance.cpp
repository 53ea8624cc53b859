#include "distance.hpp"

namespace punct {
namespace {

// A terrain for both sides of a pair, which are spread from together: only the prices that are asked somewhere.
template <int Dearest>
struct TerrainForBoth {
  struct Priced {
    int price;
    Both spaces;
  };
  Both own;
  Priced priced[Dearest];
  int count = 0;

  explicit TerrainForBoth(const PricedTerrain<Dearest>& t) : own(Both::of(t.own, t.own)) {
    for (int c = 1; c <= Dearest; ++c)
      if (t.cost[c].any()) priced[count++] = {c, Both::of(t.cost[c], t.cost[c])};
  }
};

// Spreads from two sides at once until the first of them reaches the other, and `widest_slack` further, or as far as
// `until`; returns the distance between the two. The second needs no eye kept on it: it is as far from the first as
// the first from it. `beside` and `reached` as in Axis.
template <int Dearest, int Farthest>
int spread(const TerrainForBoth<Dearest>& t, const Both& from, const Bits& to, Both (&beside)[Farthest + 1],
           Both (&reached)[Farthest + 1], int until) {
  Both seen = from;  // of which it is known what it costs to come to them
  int distance = Farthest;
  for (int k = 0; k <= Farthest; ++k) {
    // Whoever came beside a space for less then pays its price now; own spaces are free.
    Both found = k ? Both::none() : from;
    Both fresh = found & t.own;
    for (int i = 0; i < t.count && t.priced[i].price <= k; ++i)
      fresh |= beside[k - t.priced[i].price] & t.priced[i].spaces;
    for (Both edge = fresh; edge.any();) {
      const Both next = without(grown(edge), seen);
      seen |= next;
      found |= next;
      edge = next & t.own;
      fresh |= edge;
    }
    beside[k] = found;
    reached[k] = fresh;
    if (distance == Farthest && meets(fresh.first(), to)) {
      distance = k;
      until = k + widest_slack;
    }
    if (k >= until) break;
  }
  return distance;
}

// A space lies on a way of some cost when the near half, its own cost counted, and the far half, its own cost not
// counted again, add up to it.
void find_ways(Axis& a) {
  static_assert(widest_slack == 1);
  a.on_way[0] = a.on_way[1] = Bits{};
  if (a.distance >= farthest) return;
  for (int k = 0; k <= a.distance; ++k) {
    const Bits near = a.from_near(k);
    a.on_way[0] |= near & a.beside[a.distance - k].second();
    a.on_way[1] |= near & a.beside[a.distance + 1 - k].second();
  }
  a.on_way[1] |= a.from_near(a.distance + 1) & a.beside[0].second();
}

}  // namespace

void find_paths(const Terrain& terrain, Paths& out) {
  out.terrain = terrain;
  const TerrainForBoth<Terrain::dearest> both(terrain);
  for (int i = 0; i < side_pairs; ++i) {
    Axis& a = out.axis[i];
    const Bits &near = board.side[2 * i], &far = board.side[2 * i + 1];
    a.distance = spread<Terrain::dearest, farthest>(both, Both::of(near, far), far, a.beside, a.reached, farthest);
    find_ways(a);
    out.order[i] = static_cast<uint8_t>(i);
  }
  for (int i = 1; i < side_pairs; ++i)
    for (int j = i; j > 0 && out.distance(j) < out.distance(j - 1); --j) std::swap(out.order[j], out.order[j - 1]);
}

DistanceMap distances_from_side(const Position& p, Colour c, int side, const Prices& prices) {
  constexpr int last = unreachable - 1;
  const auto floor = [&](int level) -> const Bits& { return p.floor(level); };
  const PricedTerrain<highest_price> terrain(p.showing(c), floor, p.highest(), p.rules(), prices);
  Both beside[last + 1], reached[last + 1];
  const Both from = Both::of(board.side[side], Bits{});
  spread<highest_price, last>(TerrainForBoth<highest_price>(terrain), from, Bits{}, beside, reached, last);
  DistanceMap map;
  map.fill(unreachable);
  for (int k = 0; k <= last; ++k)
    reached[k].first().each([&](int bit) { map[board.space[bit]] = static_cast<uint8_t>(k); });
  return map;
}

}  // namespace punct
