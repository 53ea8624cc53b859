// All that differs between compilers (GCC, Clang, clang-cl, MSVC) and processors. The rest of core, search and view is
// plain C++20, and a test finds anything else (tests/kernel/test_portability.py).
#pragma once

#include <bit>
#include <cstdint>

#if defined(__x86_64__) || defined(_M_X64)
#define PUNCT_X86_64 1
#include <emmintrin.h>
#if defined(__GNUC__) || defined(__clang__)
#include <cpuid.h>
#else
#include <intrin.h>
#endif
#else
#define PUNCT_X86_64 0
#endif

#if defined(__GNUC__) || defined(__clang__)
#define PUNCT_NOINLINE __attribute__((noinline))
#else
#define PUNCT_NOINLINE __declspec(noinline)
#pragma fp_contract(off)  // as -ffp-contract=off: a sum must be rounded alike on every machine
#endif

namespace punct {

// The number of the lowest bit that is set; there must be one, which saves a check.
inline int lowest_bit(uint64_t x) {
#if defined(__GNUC__) || defined(__clang__)
  return __builtin_ctzll(x);
#else
  return std::countr_zero(x);
#endif
}

// Two words that are handled together, in one register. PUNCT_TWO_WORDS chooses for tests how: 1 the vectors of GCC and
// Clang, for all processors; 2 SSE2, for MSVC; 3 without either.
#ifndef PUNCT_TWO_WORDS
#if defined(__GNUC__) || defined(__clang__)
#define PUNCT_TWO_WORDS 1
#else
#define PUNCT_TWO_WORDS (PUNCT_X86_64 ? 2 : 3)
#endif
#endif

#if PUNCT_TWO_WORDS == 1
using TwoWords = uint64_t __attribute__((vector_size(16)));
inline uint64_t first_of(TwoWords pair) { return pair[0]; }
inline uint64_t second_of(TwoWords pair) { return pair[1]; }
inline TwoWords without(TwoWords a, TwoWords b) { return a & ~b; }
#elif PUNCT_TWO_WORDS == 2
struct TwoWords {
  __m128i words;

  TwoWords() = default;
  TwoWords(__m128i both) : words(both) {}
  TwoWords(uint64_t first, uint64_t second)
      : words(_mm_set_epi64x(static_cast<int64_t>(second), static_cast<int64_t>(first))) {}

  friend uint64_t first_of(TwoWords pair) { return static_cast<uint64_t>(_mm_cvtsi128_si64(pair.words)); }
  friend uint64_t second_of(TwoWords pair) { return first_of(TwoWords(_mm_unpackhi_epi64(pair.words, pair.words))); }
  friend TwoWords operator&(TwoWords a, TwoWords b) { return _mm_and_si128(a.words, b.words); }
  friend TwoWords operator|(TwoWords a, TwoWords b) { return _mm_or_si128(a.words, b.words); }
  friend TwoWords operator<<(TwoWords a, int n) { return _mm_slli_epi64(a.words, n); }
  friend TwoWords operator>>(TwoWords a, int n) { return _mm_srli_epi64(a.words, n); }
  friend TwoWords without(TwoWords a, TwoWords b) { return _mm_andnot_si128(b.words, a.words); }
};
#else
struct TwoWords {
  uint64_t word[2];

  friend uint64_t first_of(TwoWords pair) { return pair.word[0]; }
  friend uint64_t second_of(TwoWords pair) { return pair.word[1]; }
  friend TwoWords operator&(TwoWords a, TwoWords b) { return {a.word[0] & b.word[0], a.word[1] & b.word[1]}; }
  friend TwoWords operator|(TwoWords a, TwoWords b) { return {a.word[0] | b.word[0], a.word[1] | b.word[1]}; }
  friend TwoWords operator<<(TwoWords a, int n) { return {a.word[0] << n, a.word[1] << n}; }
  friend TwoWords operator>>(TwoWords a, int n) { return {a.word[0] >> n, a.word[1] >> n}; }
  friend TwoWords without(TwoWords a, TwoWords b) { return {a.word[0] & ~b.word[0], a.word[1] & ~b.word[1]}; }
};
#endif

// Tells the processor that this thread only waits for another.
inline void pause_processor() {
#if PUNCT_X86_64
  _mm_pause();
#endif
}

#if PUNCT_X86_64
// Whether processor and operating system have AVX2.
inline bool has_avx2() {
#if defined(__GNUC__) || defined(__clang__)
  const auto ask = [](unsigned leaf, unsigned (&r)[4]) {
    return __get_cpuid_count(leaf, 0, &r[0], &r[1], &r[2], &r[3]) != 0;
  };
  const auto saved_registers = [] {
    unsigned low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
  };
#else
  const auto ask = [](unsigned leaf, unsigned (&r)[4]) {
    int registers[4];
    __cpuid(registers, 0);
    if (static_cast<unsigned>(registers[0]) < leaf) return false;
    __cpuidex(registers, static_cast<int>(leaf), 0);
    for (int i = 0; i < 4; ++i) r[i] = static_cast<unsigned>(registers[i]);
    return true;
  };
  const auto saved_registers = [] { return static_cast<unsigned>(_xgetbv(0)); };
#endif
  constexpr unsigned osxsave = 1u << 27, avx = 1u << 28, avx2 = 1u << 5, both_halves = 6;
  unsigned r[4];  // eax, ebx, ecx, edx
  if (!ask(1, r) || (r[2] & (osxsave | avx)) != (osxsave | avx)) return false;
  return (saved_registers() & both_halves) == both_halves && ask(7, r) && (r[1] & avx2);
}
#endif

}  // namespace punct
