// The board: 211 spaces, numbered 0..210 by column, then row; directions, sides, the central hexagon, lines.
#pragma once

#include <array>
#include <cstdint>

#include "bits.hpp"

namespace punct {

using Space = uint8_t;
inline constexpr int space_count = 211;
inline constexpr Space no_space = 255;

// Directions, clockwise from straight up. Also the headings of pieces.
enum Heading : uint8_t { N, NE, SE, S, SW, NW };
inline constexpr int heading_count = 6;
inline constexpr int column_step[6] = {0, 1, 1, 0, -1, -1};
inline constexpr int row_step[6] = {1, 1, 0, -1, -1, 0};
inline constexpr int bit_step[6] = {1, 18, 17, -1, -18, -17};
inline constexpr const char* heading_text[6] = {"n", "ne", "se", "s", "sw", "nw"};

// Column a..q as 0..16, row 1..17 as 0..16.
inline constexpr bool on_board(int column, int row) {
  const int q = column - 8, r = row - 8, d = q - r;
  const int aq = q < 0 ? -q : q, ar = r < 0 ? -r : r, ad = d < 0 ? -d : d;
  if (aq > 8 || ar > 8 || ad > 8) return false;
  return (aq == 8) + (ar == 8) + (ad == 8) < 2;
}

struct BoardTables {
  std::array<uint8_t, space_count> column{};                  // 0..16
  std::array<uint8_t, space_count> row{};                     // 0..16
  std::array<uint16_t, space_count> bit{};                    // where the space lies in a Bits
  std::array<uint8_t, Bits::words * 64> space{};              // and back; no_space where there is none
  std::array<std::array<Space, 6>, space_count> neighbour{};  // by heading; no_space off the board
  std::array<Bits, space_count> line{};                       // the space itself and all on its six rays (E2)
  std::array<uint8_t, space_count> sides{};                   // bit s: the space lies on side s
  Bits board{};
  Bits centre{};               // the central hexagon
  std::array<Bits, 6> side{};  // sides 0|1, 2|3, 4|5 are opposite
};

inline constexpr int side_pairs = 3;

// The two sides of each pair in the library's order, by which boards are shown and chains begin.
inline constexpr int shown_sides[side_pairs][2] = {{0, 1}, {2, 3}, {5, 4}};

inline constexpr BoardTables make_board_tables() {
  BoardTables t;
  for (auto& s : t.space) s = no_space;
  int n = 0;
  for (int c = 0; c < 17; ++c)
    for (int r = 0; r < 17; ++r)
      if (on_board(c, r)) {
        const int bit = c * column_stride + r;
        t.column[n] = static_cast<uint8_t>(c);
        t.row[n] = static_cast<uint8_t>(r);
        t.bit[n] = static_cast<uint16_t>(bit);
        t.space[bit] = static_cast<Space>(n);
        t.board.set(bit);
        const int q = c - 8, rr = r - 8, d = q - rr;
        if (q >= -2 && q <= 2 && rr >= -2 && rr <= 2 && d >= -2 && d <= 2) t.centre.set(bit);
        const bool on[6] = {q == -8, q == 8, rr == -8, rr == 8, d == 8, d == -8};
        for (int s = 0; s < 6; ++s)
          if (on[s]) {
            t.side[s].set(bit);
            t.sides[n] = static_cast<uint8_t>(t.sides[n] | 1 << s);
          }
        ++n;
      }
  for (int s = 0; s < space_count; ++s) {
    t.line[s].set(t.bit[s]);
    for (int h = 0; h < 6; ++h) {
      int c = t.column[s] + column_step[h], r = t.row[s] + row_step[h];
      const bool beside = c >= 0 && c < 17 && r >= 0 && r < 17 && on_board(c, r);
      t.neighbour[s][h] = beside ? t.space[c * column_stride + r] : no_space;
      // A line ends at the edge: it does not go on beyond a missing corner.
      for (; c >= 0 && c < 17 && r >= 0 && r < 17 && on_board(c, r); c += column_step[h], r += row_step[h])
        t.line[s].set(c * column_stride + r);
    }
  }
  return t;
}

inline constexpr BoardTables board = make_board_tables();
static_assert(board.board.count() == space_count && board.centre.count() == 19);

// -1 when there is no such space. Column and row as 0..16.
inline constexpr int space_at(int column, int row) {
  if (column < 0 || column > 16 || row < 0 || row > 16 || !on_board(column, row)) return -1;
  return board.space[column * column_stride + row];
}

inline Bits bits_of(Space s) {
  Bits b;
  b.set(board.bit[s]);
  return b;
}

}  // namespace punct
