// Compiles a function over long arrays a second time for processors with wider registers, where the compiler can; the
// loader picks the version for the machine. Both give the same results: integers do anyway, and each float is computed
// by the same operations in either.
#pragma once

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__AVX2__)
#define PUNCT_SIMD_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define PUNCT_SIMD_CLONES
#endif
