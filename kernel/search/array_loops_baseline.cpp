#include "search/array_loops_code.hpp"

namespace punct::search {

const ArrayLoops baseline_loops = loops::compiled("baseline");

}  // namespace punct::search
