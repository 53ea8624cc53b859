// Two sets of spaces side by side, for work that is the same on both: each word of one lies beside that word of the
// other, and where the machine can it takes both at once.
#pragma once

#include "bits.hpp"

namespace punct {

using TwoWords = uint64_t __attribute__((vector_size(16)));

// Not cleared when it is made: there are long rows of them of which only the beginning is used.
struct Both {
  static constexpr int words = Bits::words;
  TwoWords w[words];

  static Both of(const Bits& first, const Bits& second) {
    Both t;
    for (int i = 0; i < words; ++i) t.w[i] = TwoWords{first.w[i], second.w[i]};
    return t;
  }
  static Both none() { return of(Bits{}, Bits{}); }

  template <int Which>
  Bits part() const {
    Bits b;
    for (int i = 0; i < words; ++i) b.w[i] = w[i][Which];
    return b;
  }
  Bits first() const { return part<0>(); }
  Bits second() const { return part<1>(); }

  // Either has a member.
  bool any() const {
    const TwoWords all = w[0] | w[1] | w[2] | w[3] | w[4];
    return (all[0] | all[1]) != 0;
  }

  Both& operator&=(const Both& o) {
    for (int i = 0; i < words; ++i) w[i] &= o.w[i];
    return *this;
  }
  Both& operator|=(const Both& o) {
    for (int i = 0; i < words; ++i) w[i] |= o.w[i];
    return *this;
  }
  friend Both operator&(Both a, const Both& b) { return a &= b; }
  friend Both operator|(Both a, const Both& b) { return a |= b; }
  friend Both without(Both a, const Both& b) {
    for (int i = 0; i < words; ++i) a.w[i] &= ~b.w[i];
    return a;
  }
};

}  // namespace punct
