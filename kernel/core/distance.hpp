// How far a player is from joining each pair of opposite sides, and which spaces the cheapest paths run through.
//
// A path costs what its spaces cost, both ends included; the player's own showing dots are free. Distances grow
// outwards from a side one whole layer of spaces at a time, as sets of bits.
#pragma once

#include <algorithm>

#include "bits_pair.hpp"
#include "generate.hpp"

namespace punct {

// What a space costs a player who wants to show there. The defaults are the costs of the search, the levels and the
// openings; callers may pass others.
struct SpaceCosts {
  int empty = 1;
  int closed = 2;     // empty in the central hexagon, where nothing can be added in the standard game
  int opponent = 3;   // a dot of the opponent's on the board
  int per_level = 1;  // more for each level above that
  int max_cost = 5;   // and never more than this
};

// The spaces by what they cost one player, as a set for each cost above 0.
template <int MaxCost>
struct CostTerrain {
  static constexpr int max_cost = MaxCost;
  Bits own;
  Bits cost[MaxCost + 1];  // cost[0] is unused

  // `own`: where the player shows. `floor(level)`: the spaces at exactly that level.
  template <class Floor>
  CostTerrain(const Bits& showing, Floor&& floor, int highest, Rules rules, const SpaceCosts& costs) : own(showing) {
    const Bits& empty = floor(0);
    if (rules == Standard) {
      cost[costs.empty] |= without(empty, board.centre);
      cost[costs.closed] |= empty & board.centre;
    } else {
      cost[costs.empty] |= empty;
    }
    for (int level = 1; level <= highest; ++level) {
      const int c = std::min(costs.opponent + costs.per_level * (level - 1), std::min(costs.max_cost, MaxCost));
      cost[c] |= without(floor(level), own);
    }
  }
  CostTerrain() = default;
};

// At the default costs.
using Terrain = CostTerrain<SpaceCosts{}.max_cost>;

inline Terrain terrain_of(const Position& p, Colour c) {
  const auto floor = [&](int level) -> const Bits& { return p.floor(level); };
  return {p.showing(c), floor, p.highest(), p.rules(), SpaceCosts{}};
}

// The same while one of the player's pieces is lifted.
inline Terrain terrain_of(const Floors& floors, Rules rules) {
  const auto floor = [&](int level) -> const Bits& { return floors.at[level]; };
  return {floors.own, floor, floors.highest, rules, SpaceCosts{}};
}

// A path of this cost or more counts as none.
inline constexpr int max_distance = 31;
// How much more than the cheapest a path may cost and still be considered.
inline constexpr int max_slack = 1;

// One pair of sides for one player. Each BitsPair holds a set seen from the near side, then the same from the far side.
struct Axis {
  int distance = max_distance;  // of the cheapest path; 0 is a connection
  // By cost, up to the distance plus the slack (entries beyond are not written): the spaces with this cost to reach,
  // their own cost not counted (`beside`) and counted (`reached`).
  BitsPair beside[max_distance + 1], reached[max_distance + 1];
  Bits on_path[max_slack + 1];  // spaces on a path that costs exactly this much more than the cheapest

  Bits from_near(int cost) const { return reached[cost].first(); }
};

// All of one player's paths.
struct Paths {
  Terrain terrain;
  Axis axis[side_pairs];
  uint8_t order[side_pairs];  // the pairs of sides, nearest first

  int distance(int rank) const { return axis[order[rank]].distance; }
};

void find_paths(const Terrain& terrain, Paths& out);
inline void find_paths(const Position& p, Colour c, Paths& out) { find_paths(terrain_of(p, c), out); }

// By space: the lowest cost of a path from any space of the side to this one; `unreachable` for 255 and more.
using DistanceMap = std::array<uint8_t, space_count>;
inline constexpr uint8_t unreachable = 255;
inline constexpr int max_space_cost = 63;

// All distances from a side, however far and at any costs (each from 1 to max_space_cost).
DistanceMap distances_from_side(const Position& p, Colour c, int side, const SpaceCosts& costs = {});

}  // namespace punct
