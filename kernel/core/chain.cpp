#include "chain.hpp"

#include <algorithm>

namespace punct {
namespace {

// From the near side outwards until a space of the far one is reached.
Chain chain_between(const Bits& near, const Bits& far, const Bits& showing) {
  Space came_from[space_count], reached[space_count];
  int count = 0;
  Bits seen = near & showing;
  seen.each([&](int bit) {
    reached[count] = board.space[bit];
    came_from[reached[count++]] = no_space;
  });
  Chain found;
  for (int i = 0; i < count; ++i) {
    const Space s = reached[i];
    if (far.test(board.bit[s])) {
      for (Space at = s; at != no_space; at = came_from[at]) found.space[found.count++] = at;
      std::reverse(found.space, found.space + found.count);
      return found;
    }
    for (const Space next : board.neighbour[s]) {
      if (next == no_space || !showing.test(board.bit[next]) || seen.test(board.bit[next])) continue;
      seen.set(board.bit[next]);
      came_from[next] = s;
      reached[count++] = next;
    }
  }
  return found;
}

}  // namespace

Chain shortest_chain(const Bits& showing) {
  Chain best;
  for (const auto& [near, far] : shown_sides) {
    const Chain found = chain_between(board.side[near], board.side[far], showing);
    if (found.count && (!best.count || found.count < best.count)) best = found;
  }
  return best;
}

}  // namespace punct
