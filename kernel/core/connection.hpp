// Is a set of showing dots joined from one side of the board to the opposite one? (F)
#pragma once

#include "board.hpp"

namespace punct {

// Which sides the set touches, as bits 0..5.
inline uint8_t sides_touched(const Bits& b) {
  uint8_t sides = 0;
  for (int s = 0; s < 6; ++s) sides = static_cast<uint8_t>(sides | meets(b, board.side[s]) << s);
  return sides;
}

// A set of sides holds two opposite ones.
inline constexpr bool opposite_sides(uint8_t sides) { return (sides & (sides >> 1) & 0b010101) != 0; }

// Some chain within the set joins opposite sides.
inline bool is_connected(const Bits& showing) {
  for (int pair = 0; pair < side_pairs; ++pair) {
    const Bits &a = board.side[2 * pair], &b = board.side[2 * pair + 1];
    if (meets(showing, a) && meets(showing, b) && meets(flood(a, showing), b)) return true;
  }
  return false;
}

// The chain that holds `seed` joins opposite sides. The seed must be one connected lot of spaces.
inline bool is_connected_through(const Bits& seed, const Bits& showing) {
  // Most positions have no dots on two opposite sides: no need to follow chains then.
  if (!opposite_sides(sides_touched(showing))) return false;
  return opposite_sides(sides_touched(flood(seed, showing)));
}

}  // namespace punct
