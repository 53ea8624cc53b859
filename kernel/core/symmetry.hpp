// The twelve symmetries of the board. They map legal play to legal play: six rotations, and six reflections, under
// which L and R swap.
#pragma once

#include <string>

#include "position.hpp"

namespace punct {

inline constexpr int symmetry_count =
    12;  // 0..5: rotated by that many sixths clockwise; 6..11: mirrored left to right first, then rotated

struct Symmetry {
  std::array<std::array<Space, space_count>, symmetry_count> space{};
  std::array<std::array<uint8_t, orientation_count>, symmetry_count> orientation{};
  std::array<std::array<uint8_t, 6>, symmetry_count> side{};
  std::array<uint8_t, symmetry_count> inverse{};
};

const Symmetry& symmetries();

Placement transformed(Placement p, int symmetry);
Move transformed(Move m, int symmetry);
// The transformed position. It has no history.
Position transformed(const Position& p, int symmetry);

// A key that a position shares with its images: the least of their twelve hashes, and which symmetries (a bit for each)
// lead to the image that has it. There are several where the position is its own image.
struct CanonicalKey {
  uint64_t key = 0;
  unsigned symmetries = 0;
};
CanonicalKey canonical_key_of(const Position& p);
// The least of a move's images under these symmetries: moves that are each other's images become one.
Move canonical_move(Move m, unsigned symmetries);

// The alphabetically first of a position's twelve images, and the symmetry that leads there.
struct Canonical {
  std::string text;
  int symmetry;
};
Canonical canonical(const Position& p);

}  // namespace punct
