// Groups of adjoining dots of one colour, and how far from each side of the board they reach.
#pragma once

#include "connection.hpp"
#include "position.hpp"

namespace punct {

// The groups in a set of showing dots, numbered from 0 by their lowest space.
struct Groups {
  static constexpr uint8_t none = 255;
  std::array<uint8_t, space_count> label;  // the group of each space; `none` where the colour does not show
  std::array<uint8_t, space_count> size;   // by group: how many dots
  std::array<uint8_t, space_count> sides;  // by group: the sides it touches, bits 0..5 (opposite ones: 0|1, 2|3, 4|5)
  int count = 0;
};

Groups groups_of(const Bits& showing);

// By side s: every space whose dot, if it were of this colour, would be joined to side s. That is the side itself, all
// groups that touch it, and all spaces next to these (the spaces under the groups' own dots included).
struct Reach {
  Bits side[6];

  // The sides joined by a dot on this space, as bits 0..5.
  uint8_t through(Space s) const {
    uint8_t sides = 0;
    for (int i = 0; i < 6; ++i) sides = static_cast<uint8_t>(sides | side[i].test(board.bit[s]) << i);
    return sides;
  }
};

// The dots joined to a side.
inline Bits joined_to_side(int side, const Bits& showing) { return flood(board.side[side], showing); }

inline Bits reach_of_joined(int side, const Bits& joined) { return board.side[side] | (grown(joined) & board.board); }

inline Reach reach_of(const Bits& showing) {
  Reach r;
  for (int s = 0; s < 6; ++s) r.side[s] = reach_of_joined(s, joined_to_side(s, showing));
  return r;
}

}  // namespace punct
