// What every landing of every piece brings, in rows of plain numbers: what compilers make one instruction for many of.
#pragma once

#include "search/approach.hpp"

namespace punct::search {

class Landings {
 public:
  // Rows by bit, as in Approach.
  static constexpr int places = Approach::places, length = Approach::length;

  // What one landing brings: three dots, of which one is the PÜNCT, and steps nearer on each pair of sides. `dot` is
  // `nowhere` off the board.
  struct Worth {
    float dot[length], punct[places];
    float step[side_pairs];
  };
  static constexpr float nowhere = -1e9f;

  // Reckons all of them, wherever a piece could lie at all.
  void fill(const Worth& worth, const Approach& approach);

  // By orientation and the bit of the PÜNCT's space.
  const float* of(int orientation) const { return score_[orientation]; }
  // Of these spaces of the PÜNCT all that come to `least` with `more` added, and some others.
  Bits reaching(int orientation, const Bits& spaces, float more, float least) const;

 private:
  static constexpr int columns = 32;
  static_assert(places % columns == 0);

  float score_[orientation_count][places];
  float highest_[orientation_count][columns];  // of each 32nd place from here on
};

}  // namespace punct::search
