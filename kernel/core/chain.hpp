// A shortest chain of showing dots from side to side.
#pragma once

#include "board.hpp"

namespace punct {

struct Chain {
  Space space[space_count];
  int count = 0;

  const Space* begin() const { return space; }
  const Space* end() const { return space + count; }
};

// Returns a shortest chain within the set that joins two opposite sides, in order from side to side; empty if there is
// none. Of several shortest chains it is the one that the library returns.
Chain shortest_chain(const Bits& showing);

}  // namespace punct
