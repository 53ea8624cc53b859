// How far a player is from joining each pair of opposite sides, and which spaces the cheapest ways run through.
//
// A way costs what its spaces cost, both ends included; the player's own showing dots are free. Distances grow outwards
// from a side one whole layer of spaces at a time, as sets of bits.
#pragma once

#include <algorithm>

#include "both.hpp"
#include "generate.hpp"

namespace punct {

// What a space costs whoever wants to show there. These are the prices of the search, the levels and the openings;
// others are for whoever asks with a list of their own.
struct Prices {
  int empty = 1;
  int closed = 2;     // empty in the central hexagon, where the standard game lets nobody add
  int opponent = 3;   // a dot of the opponent's on the board
  int per_level = 1;  // more for each level above that
  int dearest = 5;    // and never more than this
};

// The spaces by what they cost one player, as a set for each price above 0.
template <int Dearest>
struct PricedTerrain {
  static constexpr int dearest = Dearest;
  Bits own;
  Bits cost[Dearest + 1];  // cost[0] is unused

  // `own`: where the player shows. `floor(level)`: the spaces exactly so high.
  template <class Floor>
  PricedTerrain(const Bits& showing, Floor&& floor, int highest, Rules rules, const Prices& prices) : own(showing) {
    const Bits& empty = floor(0);
    if (rules == Standard) {
      cost[prices.empty] |= without(empty, board.centre);
      cost[prices.closed] |= empty & board.centre;
    } else {
      cost[prices.empty] |= empty;
    }
    for (int level = 1; level <= highest; ++level) {
      const int price = std::min(prices.opponent + prices.per_level * (level - 1), std::min(prices.dearest, Dearest));
      cost[price] |= without(floor(level), own);
    }
  }
  PricedTerrain() = default;
};

// At the usual prices.
using Terrain = PricedTerrain<Prices{}.dearest>;

inline Terrain terrain_of(const Position& p, Colour c) {
  const auto floor = [&](int level) -> const Bits& { return p.floor(level); };
  return {p.showing(c), floor, p.highest(), p.rules(), Prices{}};
}

// While one of the player's pieces is lifted.
inline Terrain terrain_of(const Floors& floors, Rules rules) {
  const auto floor = [&](int level) -> const Bits& { return floors.at[level]; };
  return {floors.own, floor, floors.highest, rules, Prices{}};
}

// Beyond this a way is as good as none.
inline constexpr int farthest = 31;
// How much dearer than the cheapest a way may be and still be looked at.
inline constexpr int widest_slack = 1;

// One pair of sides for one player. Both hold what is seen from the near side, and what is seen from the far one.
struct Axis {
  int distance = farthest;  // of the cheapest way; 0 is a connection
  // By cost, and no further than the distance and the widest slack (what lies beyond is never written): the spaces that
  // cost so much to come to, themselves not counted, and themselves included.
  Both beside[farthest + 1], reached[farthest + 1];
  Bits on_way[widest_slack + 1];  // spaces on a way exactly this much dearer than the cheapest

  Bits from_near(int cost) const { return reached[cost].first(); }
};

// Everything about one player's ways.
struct Paths {
  Terrain terrain;
  Axis axis[side_pairs];
  uint8_t order[side_pairs];  // the pairs of sides, nearest first

  int distance(int rank) const { return axis[order[rank]].distance; }
};

void find_paths(const Terrain& terrain, Paths& out);
inline void find_paths(const Position& p, Colour c, Paths& out) { find_paths(terrain_of(p, c), out); }

// By space: the lowest price of a way from any space of the side to this one; `unreachable` for 255 and more.
using DistanceMap = std::array<uint8_t, space_count>;
inline constexpr uint8_t unreachable = 255;
inline constexpr int highest_price = 63;

// All of a side's distances, however far and at whatever prices (each from 1 to highest_price).
DistanceMap distances_from_side(const Position& p, Colour c, int side, const Prices& prices = {});

}  // namespace punct
