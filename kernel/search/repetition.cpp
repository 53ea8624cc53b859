#include "search/repetition.hpp"

#include <algorithm>

namespace punct::search {
namespace {

// The level at which a piece would come to rest after this move: one above the highest floor, were it lifted.
int level_after(const Position& p, const Piece& piece, Move m) {
  const Dots &from = placements[piece.placement], &to = placements[placement_of(m)];
  int highest = 0;
  for (const Space s : to.space) {
    int floor = p.height(s);
    for (int i = 0; i < 3; ++i)
      if (from.space[i] == s) floor = p.piece(piece.under[i]).level;
    highest = std::max(highest, floor);
  }
  return highest + 1;
}

}  // namespace

std::vector<Move> moves_back_to(const Position& p, std::span<const uint64_t> hashes) {
  std::vector<Move> out;
  if (hashes.empty()) return out;
  Position passed = p;
  passed.pass();
  thread_local MoveList moves;
  list_moves(p, moves);
  for (const Move m : moves) {
    if (is_add(m)) continue;  // there were fewer pieces before
    const int id = p.moving_piece(m);
    const Piece& piece = p.piece(id);
    const uint64_t after = passed.hash() ^ piece_key(id, piece.placement, piece.level) ^
                           piece_key(id, placement_of(m), level_after(p, piece, m));
    if (std::find(hashes.begin(), hashes.end(), after) != hashes.end()) out.push_back(m);
  }
  return out;
}

}  // namespace punct::search
