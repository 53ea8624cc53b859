#include "threats.hpp"

#include <algorithm>

namespace punct {
namespace {

// A shortest chain of showing dots from side to side (which there must be).
Bits carrying_chain(const Bits& showing) {
  Bits best;
  int best_length = space_count + 1;
  for (int pair = 0; pair < side_pairs; ++pair) {
    Bits layer[space_count];
    const Bits& goal = board.side[2 * pair + 1];
    int length = 0;
    layer[0] = board.side[2 * pair] & showing;
    Bits reached = layer[0];
    while (!meets(layer[length], goal)) {
      const Bits next = without(grown(layer[length]) & showing, reached);
      if (next.none() || length + 2 > best_length) break;
      reached |= next;
      layer[++length] = next;
    }
    if (!meets(layer[length], goal) || length >= best_length) continue;
    // Walk back, one space of each layer.
    best_length = length;
    best = Bits{};
    Bits at = layer[length] & goal;
    for (int i = length;; --i) {
      Bits one;
      for (int w = 0; w < Bits::words; ++w)
        if (at.w[w]) {
          one.w[w] = at.w[w] & (~at.w[w] + 1);
          break;
        }
      best |= one;
      if (i == 0) break;
      at = grown(one) & layer[i - 1];
    }
  }
  return best;
}

// How find_approaches() knows. Say a first piece comes to lie on M, and then a second on W, which completes a chain.
//
// If the second is the first one once more, the chain is one of W and dots that show now: W would make a chain, but may
// not be played, as there is no win now. So either the first piece lay in the way, or it has come to lie where it can go
// there from.
//
// If it is another, lifted from among the own dots unless it is added, then the chain is one of M, W and own dots
// without those of the lifted piece. If W is joined to both sides by these alone, it again would make a chain: it may be
// played now, because the first piece has landed there, has left from there, or lay on the second. Otherwise follow the
// chain from side to side. The first of M and W that it meets, and the last, are not the same one: W would be joined to
// both sides, or M, which was no win. Say that M is met first: it is joined to the near side, W to the far side and not
// to the near one. And somewhere the chain goes from M to W through own dots only, none of them joined to the near side:
// a dot of M adjoins W, or own dots that adjoin W. All that only becomes likelier if the dots of the lifted piece are
// counted too, but for one thing: with them W may be joined to the near side, so that it would make a chain. If it may
// not be played now, that is the case above. If it may, then the piece is torn from the chain it would complete: such
// pieces are looked at one by one, the others together.

// By side: the spaces that are joined to it; and those beside a second piece that is joined to the opposite side but not
// to this one, or beside own dots that are joined to the second piece.
struct Halves {
  Bits joined[6];
  Bits beside[6];

  explicit Halves(const Bits& own) {
    for (int s = 0; s < 6; ++s) joined[s] = reach_of_joined(s, joined_to_side(s, own));
    for (int s = 0; s < 6; ++s) {
      Bits second = without(joined[s ^ 1], joined[s]);  // its dots adjoin one another
      second = without(grown(second) & board.board, joined[s]);
      second = without(grown(second) & board.board, joined[s]);
      beside[s] = grown(second);
      beside[s] |= grown(flood(beside[s], own));
    }
  }
};

using ByOrientation = std::array<Bits, orientation_count>;

// Where a single piece would make a chain.
struct Gap {
  ByOrientation whole;          // its PÜNCT
  Bits lines[kind_count] = {};  // from where it is reached, if the floors are right as they are
  Bits uneven;                  // its dots, unless they lie on empty spaces: these are right whoever moves
};

template <int Orientation>
Bits any_dot_in(const Bits& b) {
  return b | ahead<shapes[Orientation].offset[1]>(b) | ahead<shapes[Orientation].offset[2]>(b);
}

// Adds the landings that may be a first piece's.
template <int Orientation>
void add_halves(const Halves& halves, Bits& found) {
  for (int s = 0; s < 6; ++s)
    found |= any_dot_in<Orientation>(halves.joined[s]) & any_dot_in<Orientation>(halves.beside[s]);
}

template <int Orientation>
void add_gap(const Halves& halves, const Floors& floors, Gap& gap) {
  constexpr Shape shape = shapes[Orientation];
  Bits& whole = gap.whole[Orientation];
  for (int pair = 0; pair < side_pairs; ++pair)
    whole |= any_dot_in<Orientation>(halves.joined[2 * pair]) & any_dot_in<Orientation>(halves.joined[2 * pair + 1]);
  whole &= add_landings<Orientation>(board.board);
  if (whole.none()) return;
  const Bits ground = add_landings<Orientation>(floors.at[0]);
  (whole & (ground | raised_landings<Orientation>(floors))).each([&](int bit) {
    gap.lines[shape.kind] |= board.line[board.space[bit]];
  });
  const Bits above = without(whole, ground);
  gap.uneven |= above | ahead<-shape.offset[1]>(above) | ahead<-shape.offset[2]>(above);
}

template <int... O>
void add_halves(const Halves& halves, ByOrientation& found, std::integer_sequence<int, O...>) {
  (add_halves<O>(halves, found[O]), ...);
}

template <int... O>
void add_gap(const Halves& halves, const Floors& floors, Gap& gap, std::integer_sequence<int, O...>) {
  (add_gap<O>(halves, floors, gap), ...);
}

using Orientations = std::make_integer_sequence<int, orientation_count>;

// The landings that have a dot in a set.
Bits touching(int orientation, const Bits& spaces, const Bits& set) {
  Bits found;
  if (set.none()) return found;
  spaces.each([&](int bit) {
    for (const Space s : placements[placement_of(orientation, board.space[bit])].space)
      if (set.test(board.bit[s])) found.set(bit);
  });
  return found;
}

}  // namespace

bool wins_by_count(const Position& p, Colour c) {
  if (p.rules() != Standard || p.placed(c) != set_size - 1 || p.centre_count(c) <= p.centre_count(other(c)))
    return false;
  bool can_add = false;
  each_add(p, c, [&](int, const Bits& spaces) { can_add |= spaces.any(); });
  return can_add;
}

int centre_gain(const Position& p, Move m) {
  const Colour me = p.to_move();
  // Each space in the centre counts +1 mine, -1 theirs; compare before and after wherever the move touches.
  const auto worth = [&](int id) { return id == no_piece ? 0 : Position::owner(id) == me ? 1 : -1; };
  int gain = 0;
  const Dots& to = placements[placement_of(m)];
  if (!is_add(m)) {
    const Piece& piece = p.piece(p.moving_piece(m));
    const Dots& from = placements[piece.placement];
    for (int i = 0; i < 3; ++i) {
      const Space s = from.space[i];
      if (!board.centre.test(board.bit[s])) continue;
      const bool covered_again = s == to.space[0] || s == to.space[1] || s == to.space[2];
      if (!covered_again) gain += worth(piece.under[i]) - 1;
    }
    for (const Space s : to.space) {
      const bool own_spot = s == from.space[0] || s == from.space[1] || s == from.space[2];
      if (board.centre.test(board.bit[s]) && !own_spot) gain += 1 - worth(p.top(s));
    }
    return gain;
  }
  for (const Space s : to.space)
    if (board.centre.test(board.bit[s])) gain += 1 - worth(p.top(s));
  return gain;
}

Carriers::Carriers(const Position& p) {
  const Colour winner = other(p.to_move());
  MoveList wins;
  list_wins(p, winner, wins);
  if (!wins.count) return;
  // When there are many, take some from all over the list: neighbours in it have much the same carrier.
  count_ = wins.count < most ? wins.count : most;
  all_ = count_ == 64 ? ~uint64_t{0} : (uint64_t{1} << count_) - 1;
  Position after = p;
  after.pass();
  for (int i = 0; i < count_; ++i) {
    const Move m = wins.move[static_cast<long>(i) * wins.count / count_];
    const uint64_t bit = uint64_t{1} << i;
    if (!is_add(m))
      for (const Space s : placements[after.piece(after.moving_piece(m)).placement].space) hit_[s] |= bit;
    Undo undo;
    after.make(m, undo);
    carrying_chain(after.showing(winner)).each([&](int b) { hit_[board.space[b]] |= bit; });
    after.unmake(m, undo);
    for (const Space s : placements[placement_of(m)].space) {
      hit_[s] |= bit;
      pull_[s] |= bit;
    }
  }
}

bool find_approaches(const Position& p, Colour c, Approaches& out) {
  if (p.connected(c) || has_win(p, c)) return false;
  const Halves halves(p.showing(c));
  ByOrientation first;
  add_halves(halves, first, Orientations{});
  Floors floors;
  floors_of(p, c, floors);
  Gap gap;
  add_gap(halves, floors, gap, Orientations{});
  each_lifted(p, c, [&](int id, const Floors& lifted) {
    bool torn = false;
    each_landing(p, id, lifted, [&](int, int orientation, const Bits& ground, const Bits& raised) {
      torn |= meets(ground | raised, gap.whole[static_cast<std::size_t>(orientation)]);
    });
    if (torn) add_halves(Halves(lifted.own), first, Orientations{});
  });
  out.uneven = gap.uneven;
  out.moves.count = 0;
  const auto promising = [&](int orientation, const Bits& spaces) {
    const Bits found = first[static_cast<std::size_t>(orientation)] | gap.lines[shapes[orientation].kind];
    return (spaces & found) | touching(orientation, without(spaces, found), gap.uneven);
  };
  each_add(p, c, [&](int orientation, const Bits& spaces) {
    out.moves.add(add_landing_base(orientation), promising(orientation, spaces));
  });
  each_lifted(p, c, [&](int id, const Floors& lifted) {
    const Piece& piece = p.piece(id);
    const auto lies_there = [&](int lying) {
      const auto& dots = placements[p.piece(lying).placement].space;
      return std::any_of(dots, dots + 3, [&](Space s) { return gap.uneven.test(board.bit[s]); });
    };
    bool opens = lies_there(id);
    for (const uint8_t below : piece.under)
      if (below != no_piece && Position::owner(below) == c)
        opens |=
            lies_there(below) || gap.lines[Position::kind(below)].test(board.bit[punct_of(p.piece(below).placement)]);
    each_landing(p, id, lifted, [&](int, int orientation, const Bits& ground, const Bits& raised) {
      const Bits spaces = ground | raised;
      out.moves.add(shift_landing_base(p, id, orientation), opens ? spaces : promising(orientation, spaces));
    });
  });
  return true;
}

}  // namespace punct
