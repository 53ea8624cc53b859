// Every legal move.
//
// All generation is one walk over "landings": for an orientation (and, for a move, a piece lifted from its space) the
// set of spaces on which the PÜNCT may come to rest, found for the whole board at once. Listing, counting, picking at
// random, masks for learning and the search for wins are all visitors of that walk.
#pragma once

#include <utility>

#include "position.hpp"

namespace punct {

// More than any position can have: every placement added, and all 18 pieces of a player free.
inline constexpr int max_moves = placements_on_board + set_size * heading_count * 49;

// May a piece rest on these floors (of PÜNCT, dot 1, dot 2)? Flat, or a proper bridge (E3, E4). Says nothing about
// owners.
inline constexpr bool rests(Kind k, const int (&floors)[3]) {
  const int middle = punct_in_middle(k) ? 0 : 1;
  const int end = punct_in_middle(k) ? 1 : 0;
  if (floors[end] != floors[2]) return false;
  if (floors[middle] == floors[2]) return true;
  return k != T && floors[middle] < floors[2];
}

// The spaces a player may add to: empty and, where the rules say so, outside the central hexagon (E1, G).
inline Bits open_to_adds(const Position& p, Colour c) {
  const bool centre_closed = p.rules() == Standard || (c == White && p.placed(White) == 0);
  return centre_closed ? without(p.floor(0), board.centre) : p.floor(0);
}

// The floors, as seen while one piece is lifted.
struct Floors {
  int highest;
  Bits own;                   // where the player's colour shows
  Bits at[max_level + 1];     // spaces at exactly this level
  Bits up_to[max_level + 1];  // spaces at this level or lower
};

// With none lifted.
inline void floors_of(const Position& p, Colour c, Floors& floors) {
  floors.highest = p.highest();
  floors.own = p.showing(c);
  Bits sum;
  for (int v = 0; v <= floors.highest; ++v) {
    floors.at[v] = p.floor(v);
    sum |= p.floor(v);
    floors.up_to[v] = sum;
  }
}

template <int Orientation>
inline constexpr Bits add_landings(const Bits& open) {
  constexpr Shape s = shapes[Orientation];
  return open & ahead<s.offset[1]>(open) & ahead<s.offset[2]>(open);
}

// Where a lifted piece may rest above the board: ends on one height, the middle no higher (lower makes it a bridge; a
// triangle has no middle), and a dot of the player's own beneath the PÜNCT.
template <int Orientation>
inline Bits raised_landings(const Floors& f) {
  constexpr Shape s = shapes[Orientation];
  Bits r;
  for (int v = 1; v <= f.highest; ++v) {
    const Bits& at = f.at[v];
    if constexpr (s.kind == T)
      r |= at & ahead<s.offset[1]>(at) & ahead<s.offset[2]>(at);
    else if constexpr (punct_in_middle(s.kind))
      r |= f.up_to[v] & ahead<s.offset[1]>(at) & ahead<s.offset[2]>(at);
    else
      r |= at & ahead<s.offset[1]>(f.up_to[v]) & ahead<s.offset[2]>(at);
  }
  return r & f.own;
}

namespace detail {

template <Kind K, class F, int... H>
inline void adds_of_kind(const Bits& open, F& f, std::integer_sequence<int, H...>) {
  (f(first_orientation[K] + H, add_landings<first_orientation[K] + H>(open)), ...);
}

template <int Orientation, class F>
inline void shifts_of_orientation(const Floors& floors, const Bits& line, int id, int here, int here_bit, F& f) {
  Bits ground = add_landings<Orientation>(floors.at[0]) & line;
  Bits raised = raised_landings<Orientation>(floors) & line;
  if (Orientation == here) {  // the same space with the same heading is not a move
    ground.clear(here_bit);
    raised.clear(here_bit);
  }
  f(id, Orientation, ground, raised);
}

template <Kind K, class F, int... H>
inline void shifts_of_kind(const Floors& floors, const Bits& line, int id, int here, int here_bit, F& f,
                           std::integer_sequence<int, H...>) {
  (shifts_of_orientation<first_orientation[K] + H>(floors, line, id, here, here_bit, f), ...);
}

}  // namespace detail

// f(orientation, spaces) for every orientation of every kind the player has in the set.
template <class F>
inline void each_add(const Position& p, Colour c, F&& f) {
  const Bits open = open_to_adds(p, c);
  using Six = std::make_integer_sequence<int, 6>;
  if (p.in_set(c, T)) detail::adds_of_kind<T>(open, f, Six{});
  if (p.in_set(c, C)) detail::adds_of_kind<C>(open, f, std::make_integer_sequence<int, 3>{});
  if (p.in_set(c, E)) detail::adds_of_kind<E>(open, f, Six{});
  if (p.in_set(c, M)) detail::adds_of_kind<M>(open, f, Six{});
  if (p.in_set(c, L)) detail::adds_of_kind<L>(open, f, Six{});
  if (p.in_set(c, R)) detail::adds_of_kind<R>(open, f, Six{});
}

// The same by a loop, for rare calls: the unrolled code is many times as long.
template <class F>
inline void each_add_by_loop(const Position& p, Colour c, F&& f) {
  const Bits open = open_to_adds(p, c);
  for (int o = 0; o < orientation_count; ++o)
    if (p.in_set(c, shapes[o].kind)) f(o, open & ahead(open, shapes[o].offset[1]) & ahead(open, shapes[o].offset[2]));
}

// Calls g(id, floors) for every free piece of the player, the floors being those with the piece lifted.
template <class G>
inline void each_lifted(const Position& p, Colour c, G&& g) {
  Floors floors;
  floors_of(p, c, floors);
  for (int id = c * set_size; id < (c + 1) * set_size; ++id) {
    if (!p.is_free(id)) continue;
    const Piece& piece = p.piece(id);
    const Dots& dots = placements[piece.placement];
    // Flipping twice restores the floors for the next piece.
    const auto flip = [&] {
      for (int i = 0; i < 3; ++i) {
        const int bit = board.bit[dots.space[i]];
        const int below = piece.under[i];
        const int v = below == no_piece ? 0 : p.piece(below).level;
        floors.at[piece.level].flip(bit);
        floors.at[v].flip(bit);
        for (int u = v; u < piece.level; ++u) floors.up_to[u].flip(bit);
        if (below == no_piece || Position::owner(below) != c) floors.own.flip(bit);
      }
    };
    flip();
    g(id, static_cast<const Floors&>(floors));
    flip();
  }
}

// f(id, orientation, ground, raised) for every orientation of one lifted piece: where its PÜNCT may go to at board
// level, and above it.
template <class F>
inline void each_landing(const Position& p, int id, const Floors& floors, F&& f) {
  const Placement at = p.piece(id).placement;
  const Bits& line = board.line[punct_of(at)];
  const int here = placement_parts.orientation[at];
  const int bit = board.bit[punct_of(at)];
  using Six = std::make_integer_sequence<int, 6>;
  switch (Position::kind(id)) {
    case T: detail::shifts_of_kind<T>(floors, line, id, here, bit, f, Six{}); break;
    case C: detail::shifts_of_kind<C>(floors, line, id, here, bit, f, std::make_integer_sequence<int, 3>{}); break;
    case E: detail::shifts_of_kind<E>(floors, line, id, here, bit, f, Six{}); break;
    case M: detail::shifts_of_kind<M>(floors, line, id, here, bit, f, Six{}); break;
    case L: detail::shifts_of_kind<L>(floors, line, id, here, bit, f, Six{}); break;
    case R: detail::shifts_of_kind<R>(floors, line, id, here, bit, f, Six{}); break;
  }
}

// f(id, orientation, ground, raised) for every free piece of the player.
template <class F>
inline void each_shift(const Position& p, Colour c, F&& f) {
  each_lifted(p, c, [&](int id, const Floors& floors) { each_landing(p, id, floors, f); });
}

// The packed moves for one landing differ only in the space, which is added to this.
inline constexpr Move add_landing_base(int orientation) {
  return add_base + static_cast<Move>(orientation * space_count);
}
inline Move shift_landing_base(const Position& p, int id, int orientation) {
  return (Move{punct_of(p.piece(id).placement)} << from_shift) + static_cast<Move>(orientation * space_count);
}

// The walk over all landings, compiled once and shared by its visitors: unrolled it is long, and the page's kernel must
// be small.
struct LandingVisitor {
  virtual void add(int orientation, const Bits& spaces) = 0;
  virtual void shift(int id, int orientation, const Bits& spaces) = 0;  // all calls for one piece in a row

 protected:
  ~LandingVisitor() = default;
};
void visit_landings(const Position& p, Colour c, LandingVisitor& visitor);

// A list the caller owns; about 40 kB, so keep one per ply rather than one per call where that matters.
struct MoveList {
  Move move[max_moves];
  int count = 0;

  void add(Move base, const Bits& spaces) {
    Move* out = move + count;
    for (int i = 0; i < Bits::words; ++i)
      for (uint64_t x = spaces.w[i]; x; x &= x - 1) *out++ = base + board.space[i * 64 + lowest_bit(x)];
    count = static_cast<int>(out - move);
  }
  const Move* begin() const { return move; }
  const Move* end() const { return move + count; }
};

// All moves of a player as if it were that player's move, whether or not the game is decided. Adds first, in order of
// placement; then moves by piece.
void list_moves(const Position& p, Colour c, MoveList& out);
int count_moves(const Position& p, Colour c);

// The same for the player to move; none once the game is over.
void list_moves(const Position& p, MoveList& out);
int count_moves(const Position& p);

// The player to move has some move (the game being otherwise undecided).
bool has_move(const Position& p);

// Is this number a legal move here? Any number may be passed. False once the game is over.
bool is_legal(const Position& p, Move m);

}  // namespace punct
