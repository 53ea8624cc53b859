// The loops over long arrays that a search spends most of its time in. On x86-64 they are compiled twice, for any
// processor and for those with AVX2, and chosen when the program starts. Both give the same results: integers do
// anyway, and each float is computed by the same operations in either.
//
// array_loops_code.hpp, which both are compiled from, includes this file and no other of ours, and this file has no
// code: a function that both versions shared would be compiled for AVX2 in one of them, and the linker might keep that
// one for all.
#pragma once

#include <cstdint>

// Set by CMakeLists.txt where array_loops_avx2.cpp is compiled for AVX2.
#ifndef PUNCT_AVX2
#define PUNCT_AVX2 0
#endif

namespace punct::search {

struct ArrayLoops {
  // The lengths of the arrays; those whose names they have are checked to be equal.
  static constexpr int hidden = 128, handcrafted = 99, space_units = 32, maps = 3, spaces = 211;  // Network
  static constexpr int max_unit = 256;                                                            // 2 × Network::one
  static constexpr int places = 288, length = places + 48, pairs = 3, columns = 32;               // Landings

  const char* instructions;  // what they are compiled for: "baseline" or "avx2"

  // Adds up the rows that are present and the bias, and clamps the sums to 0..max_unit. The sums wrap around on
  // overflow, which no trained network comes near.
  void (*add_rows)(const int8_t (*rows)[hidden], const int16_t* bias, const uint16_t* present, int count, int16_t* out);
  // Each row's dot product with the units.
  void (*multiply)(const int16_t (*rows)[hidden], int count, const int16_t* units, int32_t* out);
  // Adds each row's dot product with the features.
  void (*add_handcrafted)(const int16_t (*rows)[handcrafted], int count, const int16_t* features, int32_t* out);
  // Clamps the units of each space, and adds to each map the dot product of them and the map's readout weights.
  void (*add_readout)(int16_t (*units)[space_units], const int16_t* readout, int32_t* out);

  // By the bit of the first dot: the score of three dots, without the PÜNCT's value. The other two dots lie `middle`
  // and `last` ahead of the first. `cost` and `distance` are those of SideDistances, `dot` and `step` those of
  // Landings::Values.
  void (*fill_trio)(const float* dot, const float* step, const uint8_t (*cost)[length], const int* distance, int middle,
                    int last, float* out);
  // Adds the PÜNCT's values, and finds the highest sum of every 32nd place.
  void (*fill_orientation)(const float* trio, const float* punct, float* out, float* column_max);
  // By column, a bit: whether its highest sum plus the bonus reaches the threshold.
  uint32_t (*find_columns)(const float* column_max, float bonus, float threshold);
};

extern const ArrayLoops baseline_loops;
#if PUNCT_AVX2
extern const ArrayLoops avx2_loops;
extern const ArrayLoops* const array_loops;  // those for this machine
#else
inline constexpr const ArrayLoops* array_loops = &baseline_loops;
#endif

}  // namespace punct::search
