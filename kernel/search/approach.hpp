// How much nearer to a connection a piece brings a player, wherever it comes to rest, without putting it there.
#pragma once

#include "core/distance.hpp"

namespace punct::search {

// The three dots of a piece without saying which is the PÜNCT: all 33 orientations make only eleven such trios.
struct Trio {
  int middle, last;  // how far they lie from the first in a Bits

  constexpr bool operator==(const Trio&) const = default;
};
inline constexpr int trio_count = 11;

struct Trios {
  std::array<Trio, trio_count> trio{};
  std::array<uint8_t, orientation_count> of{};    // by orientation
  std::array<int8_t, orientation_count> first{};  // where its first dot lies, seen from the PÜNCT
};
inline constexpr Trios make_trios() {
  Trios t;
  int count = 0;
  for (std::size_t o = 0; o < orientation_count; ++o) {
    int offset[3] = {0, shapes[o].offset[1], shapes[o].offset[2]};
    std::sort(offset, offset + 3);
    const Trio trio = {offset[1] - offset[0], offset[2] - offset[0]};
    const auto known = std::find(t.trio.begin(), t.trio.begin() + count, trio);
    if (known == t.trio.begin() + count) t.trio[static_cast<std::size_t>(count++)] = trio;
    t.of[o] = static_cast<uint8_t>(known - t.trio.begin());
    t.first[o] = static_cast<int8_t>(offset[0]);
  }
  return t;
}
inline constexpr Trios trios = make_trios();

// What it costs to come to each space from either side of each pair, the space itself not counted: near 0..2, far 3..5,
// by rank.
struct Approach {
  static constexpr int bits = 288;   // no space has a higher bit
  static constexpr int beyond = 48;  // nor a dot one further ahead
  static_assert((bits - 1 + beyond) / 64 >= Bits::words - 1);

  uint8_t cost[2 * side_pairs][bits + beyond];  // by bit
  int distance[side_pairs];                     // by rank

  explicit Approach(const Paths& paths) {
    for (int rank = 0; rank < side_pairs; ++rank) {
      const Axis& a = paths.axis[paths.order[rank]];
      distance[rank] = a.distance;
      const auto note = [&](uint8_t* row, const Bits& layer, int k) {
        layer.each([&](int bit) { row[bit] = static_cast<uint8_t>(k); });
      };
      uint8_t *near = cost[rank], *far = cost[rank + side_pairs];
      std::fill_n(near, bits + beyond, static_cast<uint8_t>(a.distance + widest_slack + 1));
      std::fill_n(far, bits + beyond, static_cast<uint8_t>(a.distance + widest_slack + 1));
      const Bits near_within = a.within.first(), far_within = a.within.second();
      for (int k = 0; k <= std::min(a.distance + widest_slack, farthest); ++k) {
        note(near, a.beside[k].first() & near_within, k);
        note(far, a.beside[k].second() & far_within, k);
      }
    }
  }

  // How many steps nearer the player is on the pair of this rank, once a piece lies there: from the cheapest approach to
  // any of its dots from one side, and from the other.
  int nearer(const Dots& dots, int rank) const {
    const auto least = [&](const uint8_t* row) {
      return std::min({row[board.bit[dots.space[0]]], row[board.bit[dots.space[1]]], row[board.bit[dots.space[2]]]});
    };
    return std::max(0, distance[rank] - least(cost[rank]) - least(cost[rank + side_pairs]));
  }
};

// The same for all placements at once, by trio, rank and the bit of the first dot.
struct Nearer {
  uint8_t steps[trio_count][side_pairs][Approach::bits];

  explicit Nearer(const Approach& approach) {
    for (int t = 0; t < trio_count; ++t)
      for (int rank = 0; rank < side_pairs; ++rank)
        fill(approach.cost[rank], approach.cost[rank + side_pairs], static_cast<uint8_t>(approach.distance[rank]),
             trios.trio[static_cast<std::size_t>(t)], steps[t][rank]);
  }

 private:
  // Plain bytes in plain rows: what compilers make one instruction for many of.
  static void fill(const uint8_t* near, const uint8_t* far, uint8_t distance, Trio trio, uint8_t* __restrict out) {
    const auto less = [](uint8_t a, uint8_t b) { return a < b ? a : b; };
    for (int i = 0; i < Approach::bits; ++i) {
      const uint8_t from_near = less(less(near[i], near[i + trio.middle]), near[i + trio.last]);
      const uint8_t from_far = less(less(far[i], far[i + trio.middle]), far[i + trio.last]);
      out[i] = static_cast<uint8_t>(distance - less(distance, static_cast<uint8_t>(from_near + from_far)));
    }
  }
};

}  // namespace punct::search
