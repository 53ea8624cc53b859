#include "track.hpp"

#include "generate.hpp"

namespace punct {

bool push(Track& track, Move m) {
  if (track.position.outcome() != Outcome::Open || !is_legal(track.position, m)) return false;
  Undo undo;
  track.position.make(m, undo);
  track.played.emplace_back(m, undo);
  return true;
}

std::optional<Move> pop(Track& track) {
  if (track.played.empty()) return std::nullopt;
  const auto [m, undo] = track.played.back();
  track.played.pop_back();
  track.position.unmake(m, undo);
  return m;
}

std::string piece_name(int id) {
  const Kind k = Position::kind(id);
  const int number = id % set_size - set_first[k];
  return {Position::owner(id) == White ? 'w' : 'b', kind_text[k], static_cast<char>('1' + number)};
}

bool lies_as_bridge(const Position& p, int id) {
  const Piece& piece = p.piece(id);
  for (const uint8_t below : piece.under)
    if (p.piece(below).level != piece.level - 1) return true;
  return false;
}

int piece_below(const Position& p, int id, Space s) {
  const Piece& piece = p.piece(id);
  const Dots& dots = placements[piece.placement];
  return piece.under[dots.space[0] == s ? 0 : dots.space[1] == s ? 1 : 2];
}

std::array<uint8_t, 3> pieces_above(const Position& p, int id) {
  std::array<uint8_t, 3> above;
  for (int i = 0; i < 3; ++i) {
    // Down from the top of the stack to this piece.
    const Space s = placements[p.piece(id).placement].space[i];
    above[i] = no_piece;
    for (int over = p.top(s); over != id; over = piece_below(p, over, s)) above[i] = static_cast<uint8_t>(over);
  }
  return above;
}

Manner manner_of(Move m, const Position& after) {
  if (is_add(m)) return Manner::Added;
  const Space to = punct_of(placement_of(m));
  const int id = after.top(to);
  if (lies_as_bridge(after, id)) return Manner::Bridged;
  if (from_of(m) == to) return Manner::Rotated;
  return after.piece(id).level > 1 ? Manner::Jumped : Manner::Moved;
}

std::vector<Space> spaces_between(Space from, Space to) {
  for (int h = 0; from != to && h < heading_count; ++h) {
    std::vector<Space> spaces{from};
    for (Space s = board.neighbour[from][h]; s != no_space; s = board.neighbour[s][h]) {
      spaces.push_back(s);
      if (s == to) return spaces;
    }
  }
  return {to};
}

}  // namespace punct
