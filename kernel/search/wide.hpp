// Functions over long rows of numbers, built a second time for processors with wider registers where the compiler can:
// the loader takes what the machine has. They come out alike, for whole numbers do anyway, and a float of a row is
// reckoned by the same steps in either.
#pragma once

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__AVX2__)
#define PUNCT_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define PUNCT_WIDE
#endif
