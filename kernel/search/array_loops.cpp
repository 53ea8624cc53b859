#include "search/array_loops.hpp"

#if PUNCT_AVX2
#include <cstdlib>
#include <cstring>

#include "core/compiler.hpp"

namespace punct::search {
namespace {

// PUNCT_INSTRUCTIONS=baseline is for tests, which compare the two.
const ArrayLoops* choose() {
  const char* const wanted = std::getenv("PUNCT_INSTRUCTIONS");
  return has_avx2() && !(wanted && std::strcmp(wanted, "baseline") == 0) ? &avx2_loops : &baseline_loops;
}

}  // namespace

const ArrayLoops* const array_loops = choose();

}  // namespace punct::search
#endif
