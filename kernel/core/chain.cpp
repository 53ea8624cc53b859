#include "chain.hpp"

#include <algorithm>

namespace punct {
namespace {

// Breadth-first search from the near side until a space of the far one is reached.
Chain chain_between(const Bits& near, const Bits& far, const Bits& showing) {
  Space came_from[space_count], reached[space_count];
  int count = 0;
  Bits visited = near & showing;
  visited.each([&](int bit) {
    reached[count] = board.space[bit];
    came_from[reached[count++]] = no_space;
  });
  Chain chain;
  for (int i = 0; i < count; ++i) {
    const Space s = reached[i];
    if (far.test(board.bit[s])) {
      for (Space at = s; at != no_space; at = came_from[at]) chain.space[chain.count++] = at;
      std::reverse(chain.space, chain.space + chain.count);
      return chain;
    }
    for (const Space next : board.neighbour[s]) {
      if (next == no_space || !showing.test(board.bit[next]) || visited.test(board.bit[next])) continue;
      visited.set(board.bit[next]);
      came_from[next] = s;
      reached[count++] = next;
    }
  }
  return chain;
}

}  // namespace

Chain shortest_chain(const Bits& showing) {
  Chain best;
  for (const auto& [near, far] : shown_sides) {
    const Chain chain = chain_between(board.side[near], board.side[far], showing);
    if (chain.count && (!best.count || chain.count < best.count)) best = chain;
  }
  return best;
}

}  // namespace punct
