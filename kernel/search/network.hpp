// A small network that has learned from the engine's own games what a position is worth and which moves deserve a look.
//
//   dots ─► 128 units ─┬─► 32 units ─┬─► winning chance
//   hand features ─────┘             ├─► the weights of the moves' features (candidates.hpp) in this position
//   spots (spots.hpp) ─► 32 units ───┴─┬─► for every space: what a dot, a PÜNCT, or leaving it brings a move
//           128 units ─────────────────┘
//
// Everything is reckoned in whole numbers, so that it comes out alike on every machine, and no move costs more than
// with fixed weights: the network speaks once a position, and a move's score is a sum of what it said. The first layer
// is summed anew for each position. A best-first search jumps from leaf to leaf: from one to the next there is more to
// take back and put down than lies on the board.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "search/candidates.hpp"
#include "search/spots.hpp"

namespace punct::search {

// What the first layer sees, each present or not. "Own" is the player to move; own stands before the opponent's.
namespace input {
inline constexpr int levels = 3;                                         // 1, 2, and all above
inline constexpr int showing = 0;                                        // 2 × levels × spaces: a dot shows
inline constexpr int beneath = showing + 2 * levels * space_count;       // 2 × spaces: and covers this one
inline constexpr int punct = beneath + 2 * space_count;                  // 2 × (free, blocked) × kinds × spaces
inline constexpr int set = punct + 2 * 2 * kind_count * space_count;     // 2 × kinds × 7: so many in the set
inline constexpr int basic = set + 2 * kind_count * (set_count[T] + 1);  // 1: the basic game
inline constexpr int count = basic + 1;
inline constexpr int most = 2 * 3 * piece_count + piece_count + 2 * kind_count + 1;  // present at once
}  // namespace input

// Fills `out` with those present and returns how many: pieces in any order, but always the same for one position.
int inputs_of(const Position& p, uint16_t (&out)[input::most]);

class Network {
 public:
  static constexpr int hidden = 128, second = 32, spots = 32;
  static constexpr int hand = feature::count;
  // Fixed point: a unit of the first layer or a hand feature of 1 is `one`, a weight of 1 is `weight_one`.
  static constexpr int one = 128, weight_one = 1024, second_one = 1024;
  static constexpr int most_hand = 20 * one;
  static constexpr int maps = 3;  // dot, PÜNCT, leaving

  // Reads a network from a file's bytes. Returns nothing, and why in `wrong`, if it is none, or damaged.
  static std::shared_ptr<const Network> read(std::span<const uint8_t> bytes, const char*& wrong);

  // What a file ends with: a sum over all that stands before it.
  static uint64_t checksum(std::span<const uint8_t> bytes);

  // What it thinks of one position: the units of both layers.
  struct Thought {
    alignas(64) int16_t first[hidden];
    alignas(64) int16_t hand[Network::hand];
    int16_t second[Network::second];
  };
  void think(const Position& p, const Insight& insight, Thought& out) const;

  // The logarithm of the odds of the player to move.
  float value(const Thought& thought) const;
  // How the moves of the position that was thought about are to be scored.
  void policy(const Position& p, const Insight& insight, const Thought& thought, Policy& out) const;

 private:
  // As they lie in a file, one after the other.
  struct Weights {
    int8_t first[input::count][hidden];
    int16_t first_bias[hidden];
    int16_t second_first[second][hidden];
    int16_t second_hand[second][hand];
    int32_t second_bias[second];
    int16_t value_second[second];
    int16_t value_hand[hand];
    int32_t value_bias;
    int16_t move_second[move_feature::count][second];
    int32_t move_bias[move_feature::count];
    int16_t map_first[maps * space_count][hidden];
    int32_t map_bias[maps * space_count];
    int16_t spot[spot::count][spots];
    int16_t spot_bias[spots];
    int16_t reading_second[maps * spots][second];
    int32_t reading_bias[maps * spots];
  };
  template <class Field>
  static bool each_field(Weights& weights, Field&& field);

  Weights weights_;
};

// A hand feature as the network takes it.
int16_t quantised(float feature);

}  // namespace punct::search
