#include "groups.hpp"

namespace punct {

Groups groups_of(const Bits& showing) {
  Groups g;
  g.label.fill(Groups::none);
  g.size.fill(0);
  g.sides.fill(0);
  Space stack[space_count];
  showing.each([&](int bit) {
    const Space start = board.space[bit];
    if (g.label[start] != Groups::none) return;
    const uint8_t label = static_cast<uint8_t>(g.count++);
    int n = 0;
    stack[n++] = start;
    g.label[start] = label;
    while (n) {
      const Space s = stack[--n];
      ++g.size[label];
      g.sides[label] = static_cast<uint8_t>(g.sides[label] | board.sides[s]);
      for (const Space next : board.neighbour[s])
        if (next != no_space && g.label[next] == Groups::none && showing.test(board.bit[next])) {
          g.label[next] = label;
          stack[n++] = next;
        }
    }
  });
  return g;
}

}  // namespace punct
