// How far a player is from joining each pair of opposite sides, and which spaces the cheapest ways run through.
//
// A way costs 0 for a space that shows the player's colour, 1 for an empty one (2 in the central hexagon when nothing
// can be added there) and more for the opponent's, the higher the dearer. Distances grow outwards one whole layer of
// spaces at a time, as sets of bits.
#pragma once

#include "core/position.hpp"

namespace punct::search {

// Beyond this a way is as good as none.
inline constexpr int farthest = 31;
// How much dearer than the cheapest a way may be and still be looked at.
inline constexpr int widest_slack = 1;

// What the spaces cost one player, as a set for each cost above 0; the player's own spaces are free.
struct Terrain {
  static constexpr int dearest = 5;
  Bits own;
  Bits cost[dearest + 1];  // cost[0] is unused
};

Terrain terrain_of(const Position& p, Colour c);

// One pair of sides for one player.
struct Axis {
  int distance = farthest;  // of the cheapest way; 0 is a connection
  Bits from_near[farthest + 1],
      from_far[farthest + 1];     // spaces by what it costs to reach them from either side, themselves included
  Bits on_way[widest_slack + 1];  // spaces on a way exactly this much dearer than the cheapest
};

// Everything about one player's ways.
struct Paths {
  Terrain terrain;
  Axis axis[side_pairs];
  uint8_t order[side_pairs];  // the pairs of sides, nearest first

  int distance(int rank) const { return axis[order[rank]].distance; }
};

void find_paths(const Position& p, Colour c, Paths& out);

}  // namespace punct::search
