#include "search/landings.hpp"

#include <cstring>

#include "search/wide.hpp"

namespace punct::search {
namespace {

// The three dots of a piece without saying which is the PÜNCT: the 33 orientations make eleven such trios, three each.
struct Trio {
  int middle, last;  // how far they lie from the first in a Bits
  int orientation[3];
};
inline constexpr std::size_t trio_count = orientation_count / 3;

struct Trios {
  std::array<Trio, trio_count> trio{};
  std::array<int, orientation_count> first{};  // how far the PÜNCT lies from the first dot
};
constexpr Trios make_trios() {
  Trios t;
  std::array<int, trio_count> found{};
  for (std::size_t o = 0; o < orientation_count; ++o) {
    int offset[3] = {0, shapes[o].offset[1], shapes[o].offset[2]};
    std::sort(offset, offset + 3);
    const int middle = offset[1] - offset[0], last = offset[2] - offset[0];
    std::size_t i = 0;
    while (found[i] && (t.trio[i].middle != middle || t.trio[i].last != last)) ++i;
    t.trio[i].middle = middle;
    t.trio[i].last = last;
    t.trio[i].orientation[found[i]++] = static_cast<int>(o);
    t.first[o] = -offset[0];
  }
  return t;
}
constexpr Trios trios = make_trios();

constexpr int places = Landings::places, margin = Landings::length - places;

// By the bit of the first dot: what the trio brings, whichever of its dots is the PÜNCT.
PUNCT_WIDE void fill_trio(const Landings::Worth& worth, const Approach& approach, int middle, int last, float* out) {
  uint8_t nearer[side_pairs][places];
  for (int rank = 0; rank < side_pairs; ++rank) approach.list_nearer(rank, middle, last, nearer[rank]);
  const float *one = worth.dot + middle, *two = worth.dot + last;
  for (int i = 0; i < places; ++i)
    out[i] = worth.dot[i] + one[i] + two[i] + worth.step[0] * static_cast<float>(nearer[0][i]) +
             worth.step[1] * static_cast<float>(nearer[1][i]) + worth.step[2] * static_cast<float>(nearer[2][i]);
}

PUNCT_WIDE void fill_orientation(const float* trio, const float* punct, float* out, float* highest, int columns) {
  for (int i = 0; i < places; ++i) out[i] = trio[i] + punct[i];
  std::memcpy(highest, out, static_cast<std::size_t>(columns) * sizeof(float));
  for (int i = columns; i < places; i += columns)
    for (int c = 0; c < columns; ++c) highest[c] = out[i + c] > highest[c] ? out[i + c] : highest[c];
}

}  // namespace

void Landings::fill(const Worth& worth, const Approach& approach) {
  float row[margin + places];
  std::fill_n(row, margin, nowhere);
  for (const Trio& trio : trios.trio) {
    fill_trio(worth, approach, trio.middle, trio.last, row + margin);
    for (const int o : trio.orientation)
      fill_orientation(row + margin - trios.first[static_cast<std::size_t>(o)], worth.punct, score_[o], highest_[o],
                       columns);
  }
}

Bits Landings::reaching(int orientation, const Bits& spaces, float more, float least) const {
  constexpr int lane = 4;
  using Floats = float __attribute__((vector_size(lane * sizeof(float))));
  using Whole = int32_t __attribute__((vector_size(lane * sizeof(int32_t))));
  const float* const highest = highest_[orientation];
  Whole found = {};
  for (int c = 0; c < columns; c += lane) {
    Floats row;
    std::memcpy(&row, highest + c, sizeof row);
    const Whole bit = {1, 2, 4, 8};
    found |= (row + more >= least) & static_cast<Whole>(bit << c);
  }
  const uint32_t column = static_cast<uint32_t>(found[0] | found[1] | found[2] | found[3]);
  const uint64_t both = uint64_t{column} << columns | column;
  Bits out;
  for (int i = 0; i < Bits::words; ++i) out.w[i] = spaces.w[i] & both;
  return out;
}

}  // namespace punct::search
