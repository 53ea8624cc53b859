// How much nearer to a connection a piece brings a player, wherever it comes to rest, without putting it there.
#pragma once

#include "core/distance.hpp"

namespace punct::search {

// Eight small numbers taken through a minimum together; compilers have an instruction for it, and a loop where there is
// none.
using Eight = uint8_t __attribute__((vector_size(8)));

inline Eight least(Eight a, Eight b) { return a < b ? a : b; }

// What it costs to come to each space from either side of each pair, the space itself not counted: near 0..2, far 3..5,
// by rank.
struct Approach {
  Eight space[space_count];
  int distance[side_pairs];  // by rank

  explicit Approach(const Paths& paths) {
    uint8_t cost[space_count] = {};
    for (int c = 1; c <= Terrain::dearest; ++c)
      paths.terrain.cost[c].each([&](int bit) { cost[board.space[bit]] = static_cast<uint8_t>(c); });
    Eight beyond = {};
    for (int rank = 0; rank < side_pairs; ++rank) {
      distance[rank] = paths.distance(rank);
      beyond[rank] = beyond[rank + 3] = static_cast<uint8_t>(distance[rank] + widest_slack + 1);
    }
    std::fill_n(space, space_count, beyond);
    for (int rank = 0; rank < side_pairs; ++rank) {
      const Axis& a = paths.axis[paths.order[rank]];
      const int most = std::min(a.distance + widest_slack, farthest);
      const auto note = [&](const Bits& layer, int slot, int k) {
        layer.each([&](int bit) {
          const Space s = board.space[bit];
          space[s][slot] = static_cast<uint8_t>(k - cost[s]);
        });
      };
      for (int k = 0; k <= most; ++k) {
        note(a.from_near[k], rank, k);
        note(a.from_far[k], rank + 3, k);
      }
    }
  }

  // The cheapest approach to any dot of a piece that lies there.
  Eight reach(const Dots& dots) const {
    return least(least(space[dots.space[0]], space[dots.space[1]]), space[dots.space[2]]);
  }

  // How many steps nearer on the pair of this rank, once a piece with this reach stands there.
  int nearer(Eight reach, int rank) const { return std::max(0, distance[rank] - reach[rank] - reach[rank + 3]); }
};

}  // namespace punct::search
