// Counting the leaves of the game tree to a fixed depth: the standard check of a move generator. A decided position has
// no moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "position.hpp"

namespace punct {

// A table that lets a position reached in two ways be counted once.
class PerftTable {
 public:
  // 2^bits entries of 24 bytes.
  explicit PerftTable(int bits = 16) : entries_(std::size_t{1} << bits), mask_((std::size_t{1} << bits) - 1) {}

  // The count stored for this position and depth, or null.
  const uint64_t* find(uint64_t hash, int depth) const {
    const Entry& e = entries_[hash & mask_];
    return e.hash == hash && e.depth == depth ? &e.count : nullptr;
  }
  void store(uint64_t hash, int depth, uint64_t count) { entries_[hash & mask_] = {hash, count, depth}; }

 private:
  struct Entry {
    uint64_t hash = 0;
    uint64_t count = 0;
    int depth = -1;
  };
  std::vector<Entry> entries_;
  std::size_t mask_;
};

// The last ply is counted, not played. Depth 0 is 1. Calls `tick` every few milliseconds; if that throws, the position
// is left somewhere in the tree.
uint64_t perft(Position& p, int depth, PerftTable* table = nullptr, void (*tick)() = nullptr);

}  // namespace punct
