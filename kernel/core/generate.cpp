#include "generate.hpp"

namespace punct {

void visit_landings(const Position& p, Colour c, LandingVisitor& visitor) {
  each_add(p, c, [&](int orientation, const Bits& spaces) { visitor.add(orientation, spaces); });
  each_shift(p, c, [&](int id, int orientation, const Bits& ground, const Bits& raised) {
    visitor.shift(id, orientation, ground | raised);
  });
}

void list_moves(const Position& p, Colour c, MoveList& out) {
  struct Lister final : LandingVisitor {
    const Position& position;
    MoveList& list;

    Lister(const Position& from, MoveList& to) : position(from), list(to) {}
    void add(int orientation, const Bits& spaces) override { list.add(add_landing_base(orientation), spaces); }
    void shift(int id, int orientation, const Bits& spaces) override {
      list.add(shift_landing_base(position, id, orientation), spaces);
    }
  };
  out.count = 0;
  Lister lister(p, out);
  visit_landings(p, c, lister);
}

int count_moves(const Position& p, Colour c) {
  int n = 0;
  each_add(p, c, [&](int, const Bits& spaces) { n += spaces.count(); });
  each_shift(p, c, [&](int, int, const Bits& ground, const Bits& raised) { n += (ground | raised).count(); });
  return n;
}

void list_moves(const Position& p, MoveList& out) {
  out.count = 0;
  if (!p.decided()) list_moves(p, p.to_move(), out);
}

int count_moves(const Position& p) { return p.decided() ? 0 : count_moves(p, p.to_move()); }

bool has_move(const Position& p) {
  const Colour c = p.to_move();
  const Bits open = open_to_adds(p, c);
  // Nearly always some piece left in the set fits at once; one orientation per kind is tried before the whole walk.
  if (p.in_set(c, T) && add_landings<first_orientation[T]>(open).any()) return true;
  if (p.in_set(c, E) && add_landings<first_orientation[E]>(open).any()) return true;
  if (p.in_set(c, C) && add_landings<first_orientation[C]>(open).any()) return true;
  if (p.in_set(c, M) && add_landings<first_orientation[M]>(open).any()) return true;
  if (p.in_set(c, L) && add_landings<first_orientation[L]>(open).any()) return true;
  if (p.in_set(c, R) && add_landings<first_orientation[R]>(open).any()) return true;
  MoveList list;
  list_moves(p, c, list);
  return list.count > 0;
}

bool is_legal(const Position& p, Move m) {
  if (!is_well_formed(m) || p.decided()) return false;
  const Colour c = p.to_move();
  const Placement to = placement_of(m);
  const Dots& dots = placements[to];
  const Kind k = kind_of(to);
  if (is_add(m)) {
    if (!p.in_set(c, k)) return false;
    const Bits open = open_to_adds(p, c);
    return open.test(board.bit[dots.space[0]]) && open.test(board.bit[dots.space[1]]) &&
           open.test(board.bit[dots.space[2]]);
  }
  const int id = p.top(from_of(m));
  if (id == no_piece || Position::owner(id) != c || Position::kind(id) != k || !p.is_free(id)) return false;
  const Piece& piece = p.piece(id);
  if (punct_of(piece.placement) != from_of(m) || piece.placement == to) return false;
  int floors[3], top[3];
  for (int i = 0; i < 3; ++i) {
    top[i] = p.top(dots.space[i]);
    if (top[i] == id) {  // look through the lifted piece
      for (int j = 0; j < 3; ++j)
        if (placements[piece.placement].space[j] == dots.space[i]) top[i] = piece.under[j];
    }
    floors[i] = p.piece(top[i]).level;
  }
  if (!rests(k, floors)) return false;
  // Above the board the PÜNCT needs a dot of its own colour beneath it.
  const bool above = floors[0] || floors[1] || floors[2];
  return !above || (top[0] != no_piece && Position::owner(top[0]) == c);
}

}  // namespace punct
