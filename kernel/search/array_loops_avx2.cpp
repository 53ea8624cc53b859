// Compiled for AVX2 (CMakeLists.txt); empty in builds without a second version.
#include "search/array_loops.hpp"

#if PUNCT_AVX2
#include "search/array_loops_code.hpp"

namespace punct::search {

const ArrayLoops avx2_loops = loops::compiled("avx2");

}  // namespace punct::search
#endif
