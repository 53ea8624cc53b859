// How much nearer to a connection a piece would bring a player on any landing, without making the move.
#pragma once

#include "core/distance.hpp"

namespace punct::search {

// The cost of reaching each space from either side of each pair, its own cost not counted: near sides 0..2, far sides
// 3..5, by rank.
struct SideDistances {
  // Arrays by bit: no space has a bit beyond `places`, and no dot of a piece that begins there one beyond `length`.
  static constexpr int places = 288, length = places + 48;
  static_assert(board.bit[space_count - 1] < places);

  uint8_t cost[2 * side_pairs][length];
  int distance[side_pairs];  // by rank

  explicit SideDistances(const Paths& paths) {
    for (int rank = 0; rank < side_pairs; ++rank) {
      const Axis& a = paths.axis[paths.order[rank]];
      distance[rank] = a.distance;
      const auto fill = [&](uint8_t* row, const Bits& layer, int k) {
        layer.each([&](int bit) { row[bit] = static_cast<uint8_t>(k); });
      };
      uint8_t *near = cost[rank], *far = cost[rank + side_pairs];
      std::fill_n(near, length, static_cast<uint8_t>(a.distance + max_slack + 1));
      std::fill_n(far, length, static_cast<uint8_t>(a.distance + max_slack + 1));
      const int last = std::min(a.distance + max_slack, max_distance);
      BitsPair within = BitsPair::none();
      for (int k = 0; k <= last; ++k) within |= a.reached[k];
      for (int k = 0; k <= last; ++k) {
        const BitsPair layer = a.beside[k] & within;
        fill(near, layer.first(), k);
        fill(far, layer.second(), k);
      }
    }
  }

  // By how much a piece with these dots shortens the player's distance on the pair of this rank: the cheapest path to
  // any of its dots from one side, and from the other.
  int gain(const Dots& dots, int rank) const {
    const auto least = [&](const uint8_t* row) {
      return std::min({row[board.bit[dots.space[0]]], row[board.bit[dots.space[1]]], row[board.bit[dots.space[2]]]});
    };
    return std::max(0, distance[rank] - least(cost[rank]) - least(cost[rank + side_pairs]));
  }
};

}  // namespace punct::search
