#include "distance.hpp"

namespace punct {
namespace {

// A terrain duplicated for both sides of a pair, which are spread from together: only the costs that occur.
template <int MaxCost>
struct PairTerrain {
  struct Layer {
    int cost;
    BitsPair spaces;
  };
  BitsPair own;
  Layer layers[MaxCost];
  int count = 0;

  explicit PairTerrain(const CostTerrain<MaxCost>& t) : own(BitsPair::of(t.own, t.own)) {
    for (int c = 1; c <= MaxCost; ++c)
      if (t.cost[c].any()) layers[count++] = {c, BitsPair::of(t.cost[c], t.cost[c])};
  }
};

// Spreads from two sides at once until the first of them reaches the other, and `max_slack` further, or as far as
// `until`; returns the distance between the two. Only the first is checked: the second is as far from the first as the
// first from it. `beside` and `reached` as in Axis.
template <int MaxCost, int MaxDistance>
int spread(const PairTerrain<MaxCost>& t, const BitsPair& from, const Bits& to, BitsPair (&beside)[MaxDistance + 1],
           BitsPair (&reached)[MaxDistance + 1], int until) {
  BitsPair visited = from;  // the spaces whose cost to reach is known
  int distance = MaxDistance;
  for (int k = 0; k <= MaxDistance; ++k) {
    // A space that was reached from beside for less is entered once its cost is paid; own spaces are free.
    BitsPair reachable = k ? BitsPair::none() : from;
    BitsPair fresh = reachable & t.own;
    for (int i = 0; i < t.count && t.layers[i].cost <= k; ++i)
      fresh |= beside[k - t.layers[i].cost] & t.layers[i].spaces;
    for (BitsPair edge = fresh; edge.any();) {
      const BitsPair next = without(grown(edge), visited);
      visited |= next;
      reachable |= next;
      edge = next & t.own;
      fresh |= edge;
    }
    beside[k] = reachable;
    reached[k] = fresh;
    if (distance == MaxDistance && meets(fresh.first(), to)) {
      distance = k;
      until = k + max_slack;
    }
    if (k >= until) break;
  }
  return distance;
}

// A space lies on a path of some cost when the near half, its own cost counted, and the far half, its own cost not
// counted again, add up to it.
void find_path_spaces(Axis& a) {
  static_assert(max_slack == 1);
  a.on_path[0] = a.on_path[1] = Bits{};
  if (a.distance >= max_distance) return;
  for (int k = 0; k <= a.distance; ++k) {
    const Bits near = a.from_near(k);
    a.on_path[0] |= near & a.beside[a.distance - k].second();
    a.on_path[1] |= near & a.beside[a.distance + 1 - k].second();
  }
  a.on_path[1] |= a.from_near(a.distance + 1) & a.beside[0].second();
}

}  // namespace

void find_paths(const Terrain& terrain, Paths& out) {
  out.terrain = terrain;
  const PairTerrain<Terrain::max_cost> both(terrain);
  for (int i = 0; i < side_pairs; ++i) {
    Axis& a = out.axis[i];
    const Bits &near = board.side[2 * i], &far = board.side[2 * i + 1];
    a.distance =
        spread<Terrain::max_cost, max_distance>(both, BitsPair::of(near, far), far, a.beside, a.reached, max_distance);
    find_path_spaces(a);
    out.order[i] = static_cast<uint8_t>(i);
  }
  for (int i = 1; i < side_pairs; ++i)
    for (int j = i; j > 0 && out.distance(j) < out.distance(j - 1); --j) std::swap(out.order[j], out.order[j - 1]);
}

DistanceMap distances_from_side(const Position& p, Colour c, int side, const SpaceCosts& costs) {
  constexpr int last = unreachable - 1;
  const auto floor = [&](int level) -> const Bits& { return p.floor(level); };
  const CostTerrain<max_space_cost> terrain(p.showing(c), floor, p.highest(), p.rules(), costs);
  BitsPair beside[last + 1], reached[last + 1];
  const BitsPair from = BitsPair::of(board.side[side], Bits{});
  spread<max_space_cost, last>(PairTerrain<max_space_cost>(terrain), from, Bits{}, beside, reached, last);
  DistanceMap map;
  map.fill(unreachable);
  for (int k = 0; k <= last; ++k)
    reached[k].first().each([&](int bit) { map[board.space[bit]] = static_cast<uint8_t>(k); });
  return map;
}

}  // namespace punct
