#include "refusal.hpp"

#include "generate.hpp"
#include "track.hpp"

namespace punct {
namespace {

using Maybe = std::optional<Refusal>;

// Whether nothing but the middle of a bridge lies above a space.
bool is_hollow(const Position& p, Space s) {
  int id = p.top(s);
  for (int below = id; below != no_piece; below = piece_below(p, id, s)) id = below;
  return p.piece(id).level > 1;
}

// Why a new piece may not lie on all of these spaces of the board.
Maybe closed(const Position& p, const Space* spaces, int count) {
  Refusal occupied(Reason::SpaceTaken);
  bool hollow = true;
  for (int i = 0; i < count; ++i)
    if (p.top(spaces[i]) != no_piece) {
      occupied.add(spaces[i]);
      hollow = hollow && is_hollow(p, spaces[i]);
    }
  if (occupied.count) {
    if (hollow) occupied.reason = Reason::SpaceUnderBridge;
    return occupied;
  }
  const Bits open = open_to_adds(p, p.to_move());
  Refusal inside(p.rules() == Standard ? Reason::AddedInCentre : Reason::FirstPieceInCentre);
  for (int i = 0; i < count; ++i)
    if (!open.test(board.bit[spaces[i]])) inside.add(spaces[i]);
  return inside.count ? Maybe(inside) : std::nullopt;
}

Maybe refuse_add(const Position& p, const ParsedMove& m) {
  const Kind k = static_cast<Kind>(m.kind);
  if (!p.in_set(p.to_move(), k)) return Refusal(Reason::NotInSet);
  const Dots& dots = placements[placement_of(orientation_of(k, m.heading), m.to)];
  const Maybe refusal = dots.on_board() ? closed(p, dots.space, 3) : Maybe(Refusal(Reason::OffBoard));
  if (!refusal) return refusal;
  // A space that is closed to the PÜNCT stays so with every heading.
  const Maybe always = closed(p, &m.to, 1);
  return !always || always->reason == refusal->reason ? refusal : always;
}

// What a space shows once a free piece is lifted.
int floor_below(const Position& p, Space s, int lifted) {
  const int top = p.top(s);
  return top == lifted ? piece_below(p, lifted, s) : top;
}

// Why a piece whose PÜNCT may go there cannot rest with this heading.
Maybe refuse_landing(const Position& p, int id, const ParsedMove& m) {
  const Kind k = Position::kind(id);
  const Dots& dots = placements[placement_of(orientation_of(k, m.heading), m.to)];
  if (!dots.on_board()) return Refusal(Reason::MovedOffBoard);
  int heights[3];
  for (int i = 0; i < 3; ++i) heights[i] = p.piece(floor_below(p, dots.space[i], id)).level;
  if (rests(k, heights)) {
    const bool above = heights[1] || heights[2];
    return above && !heights[0] ? Maybe(Refusal(Reason::PunctOverEmpty, m.to)) : std::nullopt;
  }
  const int middle = k == T ? -1 : punct_in_middle(k) ? 0 : 1;
  const int end = middle == 0 ? 1 : 0;
  if (middle >= 0 && heights[end] == heights[2]) return Refusal(Reason::Uneven, dots.space[middle]);
  // The player put the PÜNCT there on purpose: what does not fit are the ends that are not level with it.
  Refusal refusal(k == T ? Reason::TriangleBridge : Reason::EndsNotLevel);
  for (int i = 0; i < 3; ++i)
    if (i != middle && heights[i] != heights[0]) refusal.add(dots.space[i]);
  return refusal;
}

Maybe refuse_shift(const Position& p, const ParsedMove& m) {
  const Colour turn = p.to_move();
  const int top = p.top(m.from);
  if (top == no_piece) return Refusal(Reason::NoPiece, m.from);
  // A covered PÜNCT of one's own is what the player means, before anything that lies on it.
  int id = top;
  while (id != no_piece && (punct_of(p.piece(id).placement) != m.from || Position::owner(id) != turn))
    id = piece_below(p, id, m.from);
  if (id == no_piece)
    return Refusal(Position::owner(top) == turn ? Reason::NotItsPunct : Reason::OpponentsPiece, m.from);
  const Kind k = Position::kind(id);
  if (m.kind >= 0 && m.kind != k) return Refusal(Reason::OtherKind, m.from);
  const Placement lies = p.piece(id).placement;
  if (!p.is_free(id)) {
    const std::array<uint8_t, 3> above = pieces_above(p, id);
    Refusal covered(Reason::Covered);
    bool hollow = true;
    for (int i = 0; i < 3; ++i) {
      if (above[i] == no_piece) continue;
      const Space s = placements[lies].space[i];
      covered.add(s);
      const Kind over = Position::kind(above[i]);
      const Dots& its = placements[p.piece(above[i]).placement];
      hollow = hollow && over != T && its.space[punct_in_middle(over) ? 0 : 1] == s && lies_as_bridge(p, above[i]);
    }
    if (hollow) covered.reason = Reason::UnderBridge;
    return covered;
  }
  if (!board.line[m.from].test(board.bit[m.to])) return Refusal(Reason::NotInLine);
  const int below = floor_below(p, m.to, id);
  if (below != no_piece && Position::owner(below) != turn) return Refusal(Reason::PunctOnOpponent, m.to);
  if (m.from == m.to && placement_of(orientation_of(k, m.heading), m.to) == lies) return Refusal(Reason::NoChange);
  return refuse_landing(p, id, m);
}

}  // namespace

std::optional<Refusal> refuse(const Position& p, const ParsedMove& m) {
  if (p.outcome() != Outcome::Open) return Refusal(Reason::GameOver);
  return m.is_add() ? refuse_add(p, m) : refuse_shift(p, m);
}

}  // namespace punct
