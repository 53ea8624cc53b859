// A set of spaces as one long row of bits.
//
// Columns lie one after the other, 17 bits each: bit = column * 17 + (row - 1), column a = 0, row 1 = 0. A step on the
// board is then a fixed distance along the row of bits (n = +1, se = +17, ne = +18), so a whole-board question such as
// "where are all three dots of this piece on empty spaces" is a few shifts and ANDs. 17 is enough: the hexagon's
// slanted edges leave at least two unused bits between the top of a column and the bottom of the next, and no dot of a
// piece lies further from its PÜNCT than two steps, so a shift never carries a dot from one edge of the board onto
// another (pieces.hpp checks this for every placement when it is compiled).
#pragma once

#include <cstdint>

#include "compiler.hpp"

namespace punct {

inline constexpr int column_stride = 17;

inline constexpr int count_bits(uint64_t x) {
  // Written out, because the portable build may not assume a popcount instruction.
  x = x - ((x >> 1) & 0x5555555555555555ULL);
  x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
  return static_cast<int>((x * 0x0101010101010101ULL) >> 56);
}

struct Bits {
  static constexpr int words = 5;  // 17 columns of 17 bits: 289 of 320
  uint64_t w[words]{};

  constexpr bool test(int bit) const { return (w[bit >> 6] >> (bit & 63)) & 1; }
  constexpr void set(int bit) { w[bit >> 6] |= uint64_t{1} << (bit & 63); }
  constexpr void clear(int bit) { w[bit >> 6] &= ~(uint64_t{1} << (bit & 63)); }
  constexpr void flip(int bit) { w[bit >> 6] ^= uint64_t{1} << (bit & 63); }

  constexpr bool any() const { return (w[0] | w[1] | w[2] | w[3] | w[4]) != 0; }
  constexpr bool none() const { return !any(); }
  constexpr int count() const {
    return count_bits(w[0]) + count_bits(w[1]) + count_bits(w[2]) + count_bits(w[3]) + count_bits(w[4]);
  }
  constexpr bool operator==(const Bits&) const = default;

  constexpr Bits& operator&=(const Bits& o) {
    for (int i = 0; i < words; ++i) w[i] &= o.w[i];
    return *this;
  }
  constexpr Bits& operator|=(const Bits& o) {
    for (int i = 0; i < words; ++i) w[i] |= o.w[i];
    return *this;
  }
  constexpr Bits& operator^=(const Bits& o) {
    for (int i = 0; i < words; ++i) w[i] ^= o.w[i];
    return *this;
  }
  friend constexpr Bits operator&(Bits a, const Bits& b) { return a &= b; }
  friend constexpr Bits operator|(Bits a, const Bits& b) { return a |= b; }
  friend constexpr Bits operator^(Bits a, const Bits& b) { return a ^= b; }
  // In a, but not in b.
  friend constexpr Bits without(Bits a, const Bits& b) {
    for (int i = 0; i < words; ++i) a.w[i] &= ~b.w[i];
    return a;
  }

  // Calls f(bit) for each member, lowest first.
  template <class F>
  void each(F&& f) const {
    for (int i = 0; i < words; ++i)
      for (uint64_t x = w[i]; x; x &= x - 1) f(i * 64 + lowest_bit(x));
  }
};

inline constexpr bool meets(const Bits& a, const Bits& b) {
  return ((a.w[0] & b.w[0]) | (a.w[1] & b.w[1]) | (a.w[2] & b.w[2]) | (a.w[3] & b.w[3]) | (a.w[4] & b.w[4])) != 0;
}

// The bits p for which p + Distance is in the set: "what lies Distance ahead of me is in b". A Set, here and in
// grown() and flood(), is Bits or BitsPair (bits_pair.hpp).
template <int Distance, class Set>
constexpr Set ahead(const Set& b) {
  static_assert(Distance > -64 && Distance < 64);
  if constexpr (Distance == 0) return b;
  constexpr int last = Set::words - 1;
  Set r;
  if constexpr (Distance > 0) {
    for (int i = 0; i < last; ++i) r.w[i] = (b.w[i] >> Distance) | (b.w[i + 1] << (64 - Distance));
    r.w[last] = b.w[last] >> Distance;
  } else if constexpr (Distance < 0) {
    r.w[0] = b.w[0] << -Distance;
    for (int i = 1; i <= last; ++i) r.w[i] = (b.w[i] << -Distance) | (b.w[i - 1] >> (64 + Distance));
  }
  return r;
}

// The same for a distance known only at run time: slower, but compiled once for all of them.
inline Bits ahead(const Bits& b, int distance) {
  Bits r;
  for (int i = 0; i < Bits::words; ++i) {
    if (distance == 0)
      r.w[i] = b.w[i];
    else if (distance > 0)
      r.w[i] = (b.w[i] >> distance) | (i + 1 < Bits::words ? b.w[i + 1] << (64 - distance) : 0);
    else
      r.w[i] = (b.w[i] << -distance) | (i > 0 ? b.w[i - 1] >> (64 + distance) : 0);
  }
  return r;
}

// The set with all neighbours of its members; may hold bits off the board, so intersect it with something.
// {0, +1} and then {0, +17} together make n, ne and se; the same again, 18 lower, are sw, s, nw and the members.
template <class Set>
inline constexpr Set grown(const Set& b) {
  const Set up = b | ahead<-1>(b);
  const Set square = up | ahead<-column_stride>(up);
  return square | ahead<column_stride + 1>(square);
}

// All members of `within` joined to `seed` by steps inside `within` (the seed's members outside it are dropped).
template <class Set>
inline Set flood(const Set& seed, const Set& within) {
  Set reached = seed & within;
  for (Set edge = reached; edge.any(); reached |= edge) edge = without(grown(edge) & within, reached);
  return reached;
}

}  // namespace punct
