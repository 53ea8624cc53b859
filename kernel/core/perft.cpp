#include "perft.hpp"

#include <memory>

#include "generate.hpp"

namespace punct {

uint64_t perft(Position& p, int depth, PerftTable* table, void (*tick)()) {
  if (depth <= 0) return 1;
  if (depth == 1) return static_cast<uint64_t>(count_moves(p));
  if (table)
    if (const uint64_t* count = table->find(p.hash(), depth)) return *count;
  if (tick) tick();
  const auto moves = std::make_unique<MoveList>();
  list_moves(p, *moves);
  uint64_t n = 0;
  for (const Move m : *moves) {
    Undo undo;
    p.make(m, undo);
    n += perft(p, depth - 1, table, tick);
    p.unmake(m, undo);
  }
  if (table) table->store(p.hash(), depth, n);
  return n;
}

}  // namespace punct
