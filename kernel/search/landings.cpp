#include "search/landings.hpp"

#include <algorithm>
#include <array>

#include "search/array_loops.hpp"

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

static_assert(ArrayLoops::places == Landings::places && ArrayLoops::length == Landings::length &&
              ArrayLoops::columns == Landings::columns && ArrayLoops::pairs == side_pairs);

}  // namespace

void Landings::fill(const Values& values, const SideDistances& distances) {
  float row[margin + places];
  std::fill_n(row, margin, off_board);
  for (const Trio& trio : trios.trio) {
    array_loops->fill_trio(values.dot, values.step, distances.cost, distances.distance, trio.middle, trio.last,
                           row + margin);
    for (const int o : trio.orientation)
      array_loops->fill_orientation(row + margin - trios.first[static_cast<std::size_t>(o)], values.punct, score_[o],
                                    column_max_[o]);
  }
}

Bits Landings::spaces_reaching(int orientation, const Bits& spaces, float bonus, float threshold) const {
  const uint32_t column = array_loops->find_columns(column_max_[orientation], bonus, threshold);
  const uint64_t both = uint64_t{column} << columns | column;
  Bits out;
  for (int i = 0; i < Bits::words; ++i) out.w[i] = spaces.w[i] & both;
  return out;
}

}  // namespace punct::search
