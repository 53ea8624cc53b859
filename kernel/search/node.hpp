// The nodes of a search tree, in one contiguous block of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/move.hpp"

namespace punct::search {

// A move and the statistics of the position after it.
struct Node {
  double total = 0.0;  // sum of values for the player who made the move
  Move move = no_move;
  float prior = 0.0f;
  uint32_t visits = 0;
  uint32_t first = 0;  // index of the first child; children are contiguous
  uint16_t count = 0;  // of children
  int16_t proven =
      0;  // for the player to move: won (+) or lost (-), in one ply less than the number says; 0 not proven
  uint16_t virtual_loss = 0;  // threads on a visit below it; there can be more than 255
  uint8_t widened = 0;        // how often more candidates were added because all were lost
  bool evaluated : 1 = false;
  bool complete : 1 = false;        // its children are all the moves that do not lose at once
  bool drawn : 1 = false;           // the game ends here in a draw
  uint8_t forced_searches : 2 = 0;  // how often a win by threats was searched for

  // Adds the value of one visit. The sum is rounded to a float while that is exact enough, so that searches of few
  // nodes give the same results as when it was kept in a float. With more visits a float would absorb less and less of
  // each value, and in the end nothing.
  void add(float visit_value) {
    constexpr uint32_t rounded_visits = 1 << 14;
    total += static_cast<double>(visit_value);
    if (++visits <= rounded_visits) total = static_cast<double>(static_cast<float>(total));
  }
  // The mean value over this many visits.
  float mean(float over) const { return static_cast<float>(total) / over; }
  float value() const { return visits ? mean(static_cast<float>(visits)) : 0.0f; }
};
static_assert(sizeof(Node) == 32);

// Frees memory in a tree: moves the nodes below a new root to the front, as far as they are worth keeping. A block is
// the children of a node; it lies behind the node, for it was added later.
class Compaction {
 public:
  // Drops the children of nodes with fewer visits, unless a visit is pending below them.
  Compaction(std::span<Node> nodes, uint32_t root, uint32_t min_visits);

  std::size_t size() const { return size_; }  // nodes in use now
  uint32_t moved(uint32_t node) const;        // the new index of a node that was kept

 private:
  struct Block {
    uint32_t first, moved_to, owner;
    uint16_t count;
  };

  std::vector<Block> blocks_;  // in memory order
  uint32_t root_;
  std::size_t size_ = 1;
};

// How many visits a node must have for its children to be kept, so that about `target` nodes remain.
uint32_t visits_to_keep(std::span<const Node> nodes, std::size_t target);

}  // namespace punct::search
