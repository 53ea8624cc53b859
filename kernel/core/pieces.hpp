// The six kinds of piece, their 33 orientations, and the table of all placements.
//
// An orientation is a kind with a heading; kind C has three, the others six. A placement is an orientation with the
// PÜNCT's space: placement = orientation * 211 + space. Placements whose dots leave the board keep their number but
// have no dots.
#pragma once

#include "board.hpp"

namespace punct {

enum Colour : uint8_t { White, Black };
inline constexpr Colour other(Colour c) { return static_cast<Colour>(c ^ 1); }

enum Kind : uint8_t { T, C, E, M, L, R };
inline constexpr int kind_count = 6;
inline constexpr const char kind_text[] = "TCEMLR";
inline constexpr int set_size = 18;                             // pieces per player
inline constexpr uint8_t set_count[6] = {6, 2, 4, 2, 2, 2};     // of each kind
inline constexpr uint8_t set_first[6] = {0, 6, 8, 12, 14, 16};  // where a kind's pieces begin within a player's 18
inline constexpr int piece_count = 2 * set_size;

inline constexpr int orientation_count = 33;
inline constexpr uint8_t first_orientation[7] = {0, 6, 9, 15, 21, 27, 33};
inline constexpr int headings_of(Kind k) { return k == C ? 3 : 6; }

using Placement = uint16_t;
inline constexpr int placement_count = orientation_count * space_count;  // 6963: 13 bits
inline constexpr Placement no_placement = 0x1fff;

// C reads the same both ways, so its opposite headings are one orientation.
inline constexpr int orientation_of(Kind k, int heading) {
  return first_orientation[k] + (k == C ? heading % 3 : heading);
}

// The headings of the steps from the PÜNCT to dot 1, and from there (or, where the PÜNCT is in the middle or it is a
// triangle, from the PÜNCT) to dot 2. The middle dot of a bridge is dot 1 for E, L, R and the PÜNCT itself for C, M; T
// has none.
inline constexpr bool punct_in_middle(Kind k) { return k == C || k == M; }

struct Shape {
  Kind kind;
  uint8_t heading;
  int8_t columns[3], rows[3];  // of the dots, seen from the PÜNCT
  int8_t offset[3];            // the same as distances in a Bits
};

inline constexpr std::array<Shape, orientation_count> make_shapes() {
  std::array<Shape, orientation_count> shapes{};
  for (int k = 0; k < kind_count; ++k)
    for (int h = 0; h < headings_of(static_cast<Kind>(k)); ++h) {
      Shape& s = shapes[first_orientation[k] + h];
      s.kind = static_cast<Kind>(k);
      s.heading = static_cast<uint8_t>(h);
      // Dot 2 as the sum of up to two steps.
      int first = -1, second = -1;
      switch (s.kind) {
        case T: second = (h + 1) % 6; break;
        case C: second = (h + 3) % 6; break;
        case E: first = h, second = h; break;
        case M: second = (h + 2) % 6; break;
        case L: first = h, second = (h + 5) % 6; break;
        case R: first = h, second = (h + 1) % 6; break;
      }
      s.columns[1] = static_cast<int8_t>(column_step[h]);
      s.rows[1] = static_cast<int8_t>(row_step[h]);
      s.columns[2] = static_cast<int8_t>((first < 0 ? 0 : column_step[first]) + column_step[second]);
      s.rows[2] = static_cast<int8_t>((first < 0 ? 0 : row_step[first]) + row_step[second]);
      for (int d = 1; d < 3; ++d) s.offset[d] = static_cast<int8_t>(s.columns[d] * column_stride + s.rows[d]);
    }
  return shapes;
}
inline constexpr std::array<Shape, orientation_count> shapes = make_shapes();

// The three spaces of a placement, the PÜNCT's first; all no_space when it does not fit the board.
struct Dots {
  Space space[3];
  bool on_board() const { return space[0] != no_space; }
};

inline constexpr std::array<Dots, placement_count> make_placements() {
  std::array<Dots, placement_count> table{};
  for (int o = 0; o < orientation_count; ++o)
    for (int s = 0; s < space_count; ++s) {
      Dots& p = table[o * space_count + s];
      const Shape& shape = shapes[o];
      const int one = space_at(board.column[s] + shape.columns[1], board.row[s] + shape.rows[1]);
      const int two = space_at(board.column[s] + shape.columns[2], board.row[s] + shape.rows[2]);
      const bool fits = one >= 0 && two >= 0;
      p.space[0] = fits ? static_cast<Space>(s) : no_space;
      p.space[1] = fits ? static_cast<Space>(one) : no_space;
      p.space[2] = fits ? static_cast<Space>(two) : no_space;
    }
  return table;
}
inline constexpr std::array<Dots, placement_count> placements = make_placements();

// What bits.hpp promises: a dot reached by distance alone is on the board exactly when it is on the board by column and
// row.
inline constexpr bool distances_are_sound() {
  for (int o = 0; o < orientation_count; ++o)
    for (int s = 0; s < space_count; ++s)
      for (int d = 1; d < 3; ++d) {
        const int bit = board.bit[s] + shapes[o].offset[d];
        const int by_distance = bit >= 0 && bit < Bits::words * 64 && board.board.test(bit) ? board.space[bit] : -1;
        if (by_distance != space_at(board.column[s] + shapes[o].columns[d], board.row[s] + shapes[o].rows[d]))
          return false;
      }
  return true;
}
static_assert(distances_are_sound());

struct PlacementTables {
  std::array<uint8_t, placement_count> orientation{};
  std::array<Space, placement_count> space{};
};
inline constexpr PlacementTables make_placement_tables() {
  PlacementTables t;
  for (int p = 0; p < placement_count; ++p) {
    t.orientation[p] = static_cast<uint8_t>(p / space_count);
    t.space[p] = static_cast<Space>(p % space_count);
  }
  return t;
}
inline constexpr PlacementTables placement_parts = make_placement_tables();

inline constexpr Placement placement_of(int orientation, Space s) {
  return static_cast<Placement>(orientation * space_count + s);
}
inline Kind kind_of(Placement p) { return shapes[placement_parts.orientation[p]].kind; }
inline int heading_of(Placement p) { return shapes[placement_parts.orientation[p]].heading; }
inline Space punct_of(Placement p) { return placement_parts.space[p]; }

inline constexpr int make_placements_on_board() {
  int n = 0;
  for (const Dots& d : placements) n += d.space[0] != no_space;
  return n;
}
inline constexpr int placements_on_board = make_placements_on_board();

}  // namespace punct
