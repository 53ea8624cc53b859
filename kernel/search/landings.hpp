// The score of every landing of every piece, in plain arrays that compilers vectorise.
#pragma once

#include "search/side_distances.hpp"

namespace punct::search {

class Landings {
 public:
  // Arrays by bit, as in SideDistances.
  static constexpr int places = SideDistances::places, length = SideDistances::length;
  // Of every 32nd place the highest score is kept.
  static constexpr int columns = 32;
  static_assert(places % columns == 0);

  // What a landing is made of: the values of its three dots and of its PÜNCT by bit, and of each step that shortens the
  // distance on a pair of sides. `dot` is `off_board` off the board.
  struct Values {
    float dot[length], punct[places];
    float step[side_pairs];
  };
  static constexpr float off_board = -1e9f;

  // Computes the score of every placement that fits the board.
  void fill(const Values& values, const SideDistances& distances);

  // By orientation and the bit of the PÜNCT's space.
  const float* scores(int orientation) const { return score_[orientation]; }
  // Those of the PÜNCT's spaces whose score plus `bonus` reaches the threshold, and possibly some others.
  Bits spaces_reaching(int orientation, const Bits& spaces, float bonus, float threshold) const;

 private:
  float score_[orientation_count][places];
  float column_max_[orientation_count][columns];  // of the places from this one on, 32 apart
};

}  // namespace punct::search
