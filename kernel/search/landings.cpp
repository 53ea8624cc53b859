#include "search/landings.hpp"

#include <cstring>

#include "search/simd_clones.hpp"

namespace punct::search {
namespace {

// The three dots of a piece regardless of which is the PÜNCT: the 33 orientations share eleven such trios, three each.
struct Trio {
  int middle, last;  // their distance from the first in a Bits
  int orientation[3];
};
inline constexpr std::size_t trio_count = orientation_count / 3;

struct Trios {
  std::array<Trio, trio_count> trio{};
  std::array<int, orientation_count> first{};  // the distance of the PÜNCT from the first dot
};
constexpr Trios make_trios() {
  Trios t;
  std::array<int, trio_count> count{};
  for (std::size_t o = 0; o < orientation_count; ++o) {
    int offset[3] = {0, shapes[o].offset[1], shapes[o].offset[2]};
    std::sort(offset, offset + 3);
    const int middle = offset[1] - offset[0], last = offset[2] - offset[0];
    std::size_t i = 0;
    while (count[i] && (t.trio[i].middle != middle || t.trio[i].last != last)) ++i;
    t.trio[i].middle = middle;
    t.trio[i].last = last;
    t.trio[i].orientation[count[i]++] = static_cast<int>(o);
    t.first[o] = -offset[0];
  }
  return t;
}
constexpr Trios trios = make_trios();

constexpr int places = Landings::places, margin = Landings::length - places;

// By the bit of the first dot: the trio's score without the PÜNCT's value.
PUNCT_SIMD_CLONES void fill_trio(const Landings::Values& values, const SideDistances& distances, int middle, int last,
                                 float* out) {
  uint8_t gains[side_pairs][places];
  for (int rank = 0; rank < side_pairs; ++rank) distances.list_gains(rank, middle, last, gains[rank]);
  const float *one = values.dot + middle, *two = values.dot + last;
  for (int i = 0; i < places; ++i)
    out[i] = values.dot[i] + one[i] + two[i] + values.step[0] * static_cast<float>(gains[0][i]) +
             values.step[1] * static_cast<float>(gains[1][i]) + values.step[2] * static_cast<float>(gains[2][i]);
}

PUNCT_SIMD_CLONES void fill_orientation(const float* trio, const float* punct, float* out, float* column_max,
                                        int columns) {
  for (int i = 0; i < places; ++i) out[i] = trio[i] + punct[i];
  std::memcpy(column_max, out, static_cast<std::size_t>(columns) * sizeof(float));
  for (int i = columns; i < places; i += columns)
    for (int c = 0; c < columns; ++c) column_max[c] = out[i + c] > column_max[c] ? out[i + c] : column_max[c];
}

}  // namespace

void Landings::fill(const Values& values, const SideDistances& distances) {
  float row[margin + places];
  std::fill_n(row, margin, off_board);
  for (const Trio& trio : trios.trio) {
    fill_trio(values, distances, trio.middle, trio.last, row + margin);
    for (const int o : trio.orientation)
      fill_orientation(row + margin - trios.first[static_cast<std::size_t>(o)], values.punct, score_[o], column_max_[o],
                       columns);
  }
}

Bits Landings::spaces_reaching(int orientation, const Bits& spaces, float bonus, float threshold) const {
  constexpr int lane = 4;
  using Floats = float __attribute__((vector_size(lane * sizeof(float))));
  using Whole = int32_t __attribute__((vector_size(lane * sizeof(int32_t))));
  const float* const column_max = column_max_[orientation];
  Whole hits = {};
  for (int c = 0; c < columns; c += lane) {
    Floats row;
    std::memcpy(&row, column_max + c, sizeof row);
    const Whole bit = {1, 2, 4, 8};
    hits |= (row + bonus >= threshold) & static_cast<Whole>(bit << c);
  }
  const uint32_t column = static_cast<uint32_t>(hits[0] | hits[1] | hits[2] | hits[3]);
  const uint64_t both = uint64_t{column} << columns | column;
  Bits out;
  for (int i = 0; i < Bits::words; ++i) out.w[i] = spaces.w[i] & both;
  return out;
}

}  // namespace punct::search
