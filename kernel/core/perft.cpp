#include "perft.hpp"

#include <memory>

#include "generate.hpp"

namespace punct {
namespace {

uint64_t walk(Position& p, int depth, PerftTable* table) {
  if (depth <= 0) return 1;
  if (depth == 1) return static_cast<uint64_t>(count_turns(p));
  if (table)
    if (const uint64_t* known = table->find(p.hash(), depth)) return *known;
  const auto turns = std::make_unique<TurnList>();
  list_turns(p, *turns);
  uint64_t n = 0;
  for (const Move m : *turns) {
    Undo undo;
    p.make(m, undo);
    n += walk(p, depth - 1, table);
    p.unmake(m, undo);
  }
  if (table) table->store(p.hash(), depth, n);
  return n;
}

}  // namespace

uint64_t perft(Position& p, int depth) { return walk(p, depth, nullptr); }
uint64_t perft(Position& p, int depth, PerftTable& table) { return walk(p, depth, &table); }

}  // namespace punct
