// Two sets of spaces side by side, for work that is the same on both: the words of both sets are interleaved, so that
// vector instructions handle both sets at once.
#pragma once

#include "bits.hpp"

namespace punct {

// Not zeroed by default: distance.hpp has long arrays of them of which only the beginning is used.
struct BitsPair {
  static constexpr int words = Bits::words;
  TwoWords w[words];

  static BitsPair of(const Bits& first, const Bits& second) {
    BitsPair t;
    for (int i = 0; i < words; ++i) t.w[i] = TwoWords{first.w[i], second.w[i]};
    return t;
  }
  static BitsPair none() { return of(Bits{}, Bits{}); }

  Bits first() const {
    Bits b;
    for (int i = 0; i < words; ++i) b.w[i] = first_of(w[i]);
    return b;
  }
  Bits second() const {
    Bits b;
    for (int i = 0; i < words; ++i) b.w[i] = second_of(w[i]);
    return b;
  }

  // Either has a member.
  bool any() const {
    const TwoWords all = w[0] | w[1] | w[2] | w[3] | w[4];
    return (first_of(all) | second_of(all)) != 0;
  }

  BitsPair& operator&=(const BitsPair& o) {
    for (int i = 0; i < words; ++i) w[i] = w[i] & o.w[i];
    return *this;
  }
  BitsPair& operator|=(const BitsPair& o) {
    for (int i = 0; i < words; ++i) w[i] = w[i] | o.w[i];
    return *this;
  }
  friend BitsPair operator&(BitsPair a, const BitsPair& b) { return a &= b; }
  friend BitsPair operator|(BitsPair a, const BitsPair& b) { return a |= b; }
  friend BitsPair without(BitsPair a, const BitsPair& b) {
    for (int i = 0; i < words; ++i) a.w[i] = without(a.w[i], b.w[i]);
    return a;
  }
};

}  // namespace punct
