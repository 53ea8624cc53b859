#include "search/paths.hpp"

namespace punct::search {
namespace {

// Spreads from one side until the other is reached, and `widest_slack` further; returns the distance between the two.
int spread(const Terrain& t, const Bits& from, const Bits& to, Bits (&layer)[farthest + 1], int until) {
  Bits pending[farthest + Terrain::dearest + 2] = {};
  pending[0] = from & t.own;
  for (int c = 1; c <= Terrain::dearest; ++c) pending[c] = from & t.cost[c];
  Bits reached;
  int distance = farthest;
  for (int k = 0; k <= farthest; ++k) {
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
      for (int c = 1; c <= Terrain::dearest; ++c) pending[k + c] |= beyond & t.cost[c];
      if (distance == farthest && meets(fresh, to)) {
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

Terrain terrain_of(const Position& p, Colour c) {
  Terrain t;
  t.own = p.showing(c);
  const Bits& theirs = p.showing(other(c));
  const Bits& empty = p.floor(0);
  if (p.rules() == Standard) {
    t.cost[1] = without(empty, board.centre);
    t.cost[2] = empty & board.centre;
  } else {
    t.cost[1] = empty;
  }
  t.cost[3] = theirs & p.floor(1);
  if (p.highest() > 1) {
    t.cost[4] = theirs & p.floor(2);
    t.cost[5] = without(without(theirs, t.cost[3]), t.cost[4]);
  }
  return t;
}

void find_paths(const Position& p, Colour c, Paths& out) {
  out.terrain = terrain_of(p, c);
  for (int i = 0; i < side_pairs; ++i) {
    Axis& a = out.axis[i];
    a.distance = spread(out.terrain, board.side[2 * i], board.side[2 * i + 1], a.from_near, farthest);
    const int until = a.distance + widest_slack;
    for (int k = until + 1; k <= farthest; ++k) a.from_near[k] = Bits{};
    spread(out.terrain, board.side[2 * i + 1], board.side[2 * i], a.from_far, until < farthest ? until : farthest);
    for (int k = until + 1; k <= farthest; ++k) a.from_far[k] = Bits{};
    find_ways(out.terrain, a);
    out.order[i] = static_cast<uint8_t>(i);
  }
  for (int i = 1; i < side_pairs; ++i)
    for (int j = i; j > 0 && out.distance(j) < out.distance(j - 1); --j) std::swap(out.order[j], out.order[j - 1]);
}

}  // namespace punct::search
