#include "observe.hpp"

#include <cstring>

namespace punct {

void observe(const Position& p, Colour own, uint8_t* planes) {
  std::memset(planes, 0, static_cast<std::size_t>(plane_count) * plane_size);
  const auto plane = [&](int i) { return planes + i * plane_size; };
  for (int s = 0; s < space_count; ++s) {
    const Space space = static_cast<Space>(s);
    const int at = board.column[s] * 17 + board.row[s];
    plane(0)[at] = 1;
    if (board.centre.test(board.bit[s])) plane(1)[at] = 1;
    const int id = p.top(space);
    if (id == no_piece) continue;
    const Piece& piece = p.piece(id);
    const int player = Position::owner(id) != own;  // 0 own, 1 the other's
    plane(2)[at] = piece.level;
    plane(3 + player)[at] = 1;
    if (p.is_free(id)) plane(5 + player)[at] = 1;
    plane(7 + 6 * player + Position::kind(id))[at] = 1;
    if (punct_of(piece.placement) == s) plane(19 + 6 * player + heading_of(piece.placement))[at] = 1;
    for (int i = 0; i < 3; ++i)
      if (placements[piece.placement].space[i] == s && piece.under[i] != no_piece)
        plane(31 + (Position::owner(piece.under[i]) != own))[at] = 1;
  }
  for (int k = 0; k < kind_count; ++k) {
    std::memset(plane(33 + k), p.in_set(own, static_cast<Kind>(k)), plane_size);
    std::memset(plane(39 + k), p.in_set(other(own), static_cast<Kind>(k)), plane_size);
  }
  std::memset(plane(45), p.rules() == Standard, plane_size);
  std::memset(plane(46), own == White, plane_size);
}

}  // namespace punct
