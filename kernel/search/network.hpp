// A small network, trained on the engine's own games, that gives a position's value and the policy for its moves.
//
//   dots ───────────────► 128 units ─┬─► 32 units ─┬─► winning chance
//   handcrafted features ────────────┘             ├─► the weights of the moves' features (candidates.hpp)
//   space_features.hpp ─► 32 units a space ────────┴─┬─► for every space: the value of a dot, a PÜNCT, or of leaving it
//                         128 units ─────────────────┘
//
// All arithmetic is in integers, so that the result is the same on every machine, and a move costs no more than with
// fixed weights: the network runs once per position, and a move's score is a sum of its outputs. The first layer is
// computed from scratch for each position. A best-first search jumps from leaf to leaf: an incremental update from one
// to the next would change more pieces than lie on the board.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "search/candidates.hpp"
#include "search/space_features.hpp"

namespace punct::search {

// The binary inputs of the first layer. "Own" is the player to move; own inputs stand before the opponent's.
namespace input {
inline constexpr int levels = 3;                                         // 1, 2, and all above
inline constexpr int showing = 0;                                        // 2 × levels × spaces: a dot shows
inline constexpr int beneath = showing + 2 * levels * space_count;       // 2 × spaces: a dot covered by the showing one
inline constexpr int punct = beneath + 2 * space_count;                  // 2 × (free, blocked) × kinds × spaces
inline constexpr int set = punct + 2 * 2 * kind_count * space_count;     // 2 × kinds × 7: the number left in the set
inline constexpr int basic = set + 2 * kind_count * (set_count[T] + 1);  // 1: the basic game
inline constexpr int count = basic + 1;
inline constexpr int max_present = 2 * 3 * piece_count + piece_count + 2 * kind_count + 1;  // at once
}  // namespace input

// Fills `out` with the inputs present and returns how many; the order is the same for equal positions.
int inputs_of(const Position& p, uint16_t (&out)[input::max_present]);

class Network {
 public:
  static constexpr int hidden = 128, second = 32, space_units = 32;
  static constexpr int handcrafted = feature::count;
  // Fixed point: a unit of the first layer or a handcrafted feature of 1 is `one`, a weight of 1 is `weight_one`.
  static constexpr int one = 128, weight_one = 1024, second_one = 1024;
  static constexpr int max_handcrafted = 20 * one;
  static constexpr int maps = 3;  // dot, PÜNCT, leaving

  // Reads a network from a file's bytes. Returns null, and why in `error`, if it is none, or damaged.
  static std::shared_ptr<const Network> read(std::span<const uint8_t> bytes, const char*& error);

  // The checksum at the end of a file, over all bytes before it.
  static uint64_t checksum(std::span<const uint8_t> bytes);

  // The units of both layers for one position.
  struct Activations {
    alignas(64) int16_t first[hidden];
    alignas(64) int16_t handcrafted[Network::handcrafted];
    int16_t second[Network::second];
  };
  void forward(const Position& p, const PathAnalysis& analysis, Activations& out) const;

  // The logarithm of the odds of the player to move.
  float value(const Activations& activations) const;
  // How the moves of the position are scored.
  void policy(const Position& p, const PathAnalysis& analysis, const Activations& activations, Policy& out) const;

 private:
  // In the order of the file.
  struct Weights {
    int8_t first[input::count][hidden];
    int16_t first_bias[hidden];
    int16_t second_first[second][hidden];
    int16_t second_handcrafted[second][handcrafted];
    int32_t second_bias[second];
    int16_t value_second[second];
    int16_t value_handcrafted[handcrafted];
    int32_t value_bias;
    int16_t move_second[move_feature::count][second];
    int32_t move_bias[move_feature::count];
    int16_t map_first[maps * space_count][hidden];
    int32_t map_bias[maps * space_count];
    int16_t space[space_feature::count][space_units];
    int16_t space_bias[space_units];
    int16_t readout_second[maps * space_units][second];
    int32_t readout_bias[maps * space_units];
  };
  template <class Field>
  static bool each_field(Weights& weights, Field&& field);

  Weights weights_;
};

// A handcrafted feature as an input of the network.
int16_t quantised(float feature);

}  // namespace punct::search
