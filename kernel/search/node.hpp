// The nodes of a tree, side by side in one stretch of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/move.hpp"

namespace punct::search {

// One move and what is known of the position after it.
struct Node {
  double total = 0.0;  // sum of values for the player who made the move
  Move move = no_move;
  float prior = 0.0f;
  uint32_t visits = 0;
  uint32_t first = 0;  // its children lie side by side
  uint16_t count = 0;
  int16_t proven =
      0;  // for the player to move: won (+) or lost (-), in one ply less than the number says; 0 not proven
  uint16_t virtual_loss = 0;  // threads on their way below it; there can be more of them than a byte counts
  uint8_t widened = 0;        // how often all candidates turned out lost and more were asked for
  bool evaluated : 1 = false;
  bool complete : 1 = false;  // its children are all the moves that do not lose at once
  bool drawn : 1 = false;     // the game ends here in a draw
  uint8_t looks : 2 = 0;      // how often a win by threats was looked for

  // What one visit saw. A sum of floats, though kept in a double, as long as that is exact enough: what a search of so
  // many nodes finds stays what it was. Beyond, a float would take in less and less of each value, and in the end
  // nothing.
  void add(float seen) {
    constexpr uint32_t few = 1 << 14;
    total += static_cast<double>(seen);
    if (++visits <= few) total = static_cast<double>(static_cast<float>(total));
  }
  // The mean value over so many visits.
  float mean(float over) const { return static_cast<float>(total) / over; }
  float value() const { return visits ? mean(static_cast<float>(visits)) : 0.0f; }
};
static_assert(sizeof(Node) == 32);

// Makes room in a tree: the nodes from a new root on move together at the front, as far as they are worth keeping. A
// block is the children of a node; it lies behind the node, for it came later.
class Compaction {
 public:
  // `size`: nodes in use. The children of nodes with fewer visits are dropped, unless somebody is on the way below.
  Compaction(std::span<Node> nodes, uint32_t root, uint32_t least_visits);

  std::size_t size() const { return size_; }  // nodes in use now
  uint32_t moved(uint32_t node) const;        // where a node is now that was kept

 private:
  struct Block {
    uint32_t first, now, owner;
    uint16_t count;
  };

  std::vector<Block> blocks_;  // in the order in which they lie
  uint32_t root_;
  std::size_t size_ = 1;
};

// How many visits a node must have for its children to be kept, so that about so many nodes are.
uint32_t visits_to_keep(std::span<const Node> nodes, std::size_t wanted);

}  // namespace punct::search
