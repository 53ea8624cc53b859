// The loops of array_loops.hpp, in plain C++ that compilers vectorise. Every function is local to the file that
// includes this one, and none calls a library.
#pragma once

#include "search/array_loops.hpp"

namespace punct::search::loops {
namespace {

using Loops = ArrayLoops;

void add_rows(const int8_t (*rows)[Loops::hidden], const int16_t* bias, const uint16_t* present, int count,
              int16_t* out) {
  // What fits the registers, in parts that GCC vectorises: one loop over the whole block it does not.
  constexpr int block = 64, part = 16;
  for (int first = 0; first < Loops::hidden; first += block) {
    uint16_t sum[block];
    for (int i = 0; i < block; ++i) sum[i] = static_cast<uint16_t>(bias[first + i]);
    const uint16_t *next = present, *const end = present + count;
    while (next != end) {
      const int8_t* const row = rows[*next++] + first;
      for (int begin = 0; begin < block; begin += part)
        for (int i = begin; i < begin + part; ++i) sum[i] = static_cast<uint16_t>(sum[i] + row[i]);
    }
    for (int i = 0; i < block; ++i) {
      const int16_t raw = static_cast<int16_t>(sum[i]), positive = raw < 0 ? int16_t{0} : raw;
      out[first + i] = positive > Loops::max_unit ? int16_t{Loops::max_unit} : positive;
    }
  }
}

template <int Count>
inline int32_t dot(const int16_t* a, const int16_t* b) {
  int32_t sum = 0;
  for (int i = 0; i < Count; ++i) sum += int32_t{a[i]} * int32_t{b[i]};
  return sum;
}

void multiply(const int16_t (*rows)[Loops::hidden], int count, const int16_t* units, int32_t* out) {
  for (int n = 0; n < count; ++n) out[n] = dot<Loops::hidden>(rows[n], units);
}

void add_handcrafted(const int16_t (*rows)[Loops::handcrafted], int count, const int16_t* features, int32_t* out) {
  for (int n = 0; n < count; ++n) out[n] += dot<Loops::handcrafted>(rows[n], features);
}

void add_readout(int16_t (*units)[Loops::space_units], const int16_t* readout, int32_t* out) {
  for (int s = 0; s < Loops::spaces; ++s) {
    int16_t* const here = units[s];
    for (int i = 0; i < Loops::space_units; ++i) {
      const int16_t positive = here[i] < 0 ? int16_t{0} : here[i];
      here[i] = positive > Loops::max_unit ? int16_t{Loops::max_unit} : positive;
    }
    for (int m = 0; m < Loops::maps; ++m)
      out[m * Loops::spaces + s] += dot<Loops::space_units>(here, readout + m * Loops::space_units);
  }
}

inline uint8_t less(uint8_t a, uint8_t b) { return a < b ? a : b; }

// SideDistances::gain for all places at once.
inline void list_gains(const uint8_t* from_near, const uint8_t* from_far, int distance, int middle, int last,
                       uint8_t* out) {
  const uint8_t all = static_cast<uint8_t>(distance);
  for (int i = 0; i < Loops::places; ++i) {
    const uint8_t one = less(less(from_near[i], from_near[i + middle]), from_near[i + last]);
    const uint8_t two = less(less(from_far[i], from_far[i + middle]), from_far[i + last]);
    out[i] = static_cast<uint8_t>(all - less(all, static_cast<uint8_t>(one + two)));
  }
}

void fill_trio(const float* dot, const float* step, const uint8_t (*cost)[Loops::length], const int* distance,
               int middle, int last, float* out) {
  uint8_t gains[Loops::pairs][Loops::places];
  for (int rank = 0; rank < Loops::pairs; ++rank)
    list_gains(cost[rank], cost[rank + Loops::pairs], distance[rank], middle, last, gains[rank]);
  const float *one = dot + middle, *two = dot + last;
  const float first = step[0], second = step[1], third = step[2];
  for (int i = 0; i < Loops::places; ++i)
    out[i] = dot[i] + one[i] + two[i] + first * static_cast<float>(gains[0][i]) +
             second * static_cast<float>(gains[1][i]) + third * static_cast<float>(gains[2][i]);
}

void fill_orientation(const float* trio, const float* punct, float* out, float* column_max) {
  for (int i = 0; i < Loops::places; ++i) out[i] = trio[i] + punct[i];
  float highest[Loops::columns];
  for (int c = 0; c < Loops::columns; ++c) highest[c] = out[c];
  for (int i = Loops::columns; i < Loops::places; i += Loops::columns)
    for (int c = 0; c < Loops::columns; ++c) highest[c] = out[i + c] > highest[c] ? out[i + c] : highest[c];
  for (int c = 0; c < Loops::columns; ++c) column_max[c] = highest[c];
}

struct ColumnBits {
  uint32_t bit[Loops::columns];
};
constexpr ColumnBits make_column_bits() {
  ColumnBits bits{};
  for (int c = 0; c < Loops::columns; ++c) bits.bit[c] = uint32_t{1} << c;
  return bits;
}
constexpr ColumnBits column_bits = make_column_bits();

uint32_t find_columns(const float* column_max, float bonus, float threshold) {
  uint32_t hits[Loops::columns];
  for (int c = 0; c < Loops::columns; ++c) hits[c] = column_max[c] + bonus >= threshold ? column_bits.bit[c] : 0;
  uint32_t all = 0;
  for (int c = 0; c < Loops::columns; ++c) all |= hits[c];
  return all;
}

constexpr ArrayLoops compiled(const char* instructions) {
  return {instructions, add_rows, multiply, add_handcrafted, add_readout, fill_trio, fill_orientation, find_columns};
}

}  // namespace
}  // namespace punct::search::loops
