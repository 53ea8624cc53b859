// How much is missing to a connection: cheapest ways from a side to every space, when each space has a price.
#pragma once

#include "position.hpp"

namespace punct {

inline constexpr uint8_t unreachable = 255;
inline constexpr int max_price = 63;

// What it costs to have one's own dot on each space: 0..max_price, or `unreachable` for a space that no way may use.
using Prices = std::array<uint8_t, space_count>;

struct PriceList {
  uint8_t empty = 2;
  uint8_t empty_centre = 3;  // nothing can be added there in the standard game; the basic game uses `empty`
  uint8_t opponent = 6;      // a dot of the opponent's at board level
  uint8_t per_level = 1;     // more for each level above that
};

// Own dots are free.
Prices prices_of(const Position& p, Colour c, const PriceList& list = {});

// The same prices sorted: for each price the spaces that have it. Worth making once when several maps are drawn from
// one list.
struct PriceSets {
  explicit PriceSets(const Prices& prices);

  struct Set {
    int price = 0;
    Bits spaces;
  };
  Set set[max_price + 1];
  int count = 0;
  Bits usable;
};

// By space: the lowest sum of prices over a way from any space of the side to this space, both ends included;
// `unreachable` (also for sums of 255 and more) if there is none.
using DistanceMap = std::array<uint8_t, space_count>;

void distances_from_side(int side, const Prices& prices, DistanceMap& out);
void distances_from_side(int side, const PriceSets& prices, DistanceMap& out);

// Both maps of one pair of opposite sides.
struct PairDistances {
  DistanceMap from_first, from_second;
  uint8_t shortest;  // the cheapest way from side to side; 0 means connected

  // The cheapest way from side to side through this space (its own price counted once).
  int through(Space s, const Prices& prices) const {
    if (from_first[s] == unreachable || from_second[s] == unreachable) return unreachable;
    return from_first[s] + from_second[s] - prices[s];
  }
};

PairDistances pair_distances(int pair, const Prices& prices);
PairDistances pair_distances(int pair, const PriceSets& prices);

}  // namespace punct
