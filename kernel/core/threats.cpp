#include "threats.hpp"

#include <algorithm>

namespace punct {
namespace {

// A shortest chain of showing dots from side to side (which there must be).
Bits carrying_chain(const Bits& showing) {
  Bits best;
  int best_length = space_count + 1;
  // Not zeroed: most chains are short, and only entries that were written are read.
  union Layers {
    Layers() {}
    Bits at[space_count];
  } layers;
  Bits* const layer = layers.at;
  for (int pair = 0; pair < side_pairs; ++pair) {
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

// Why find_approaches() is right. Say a first piece comes to lie on M, and then a second on W, which completes a chain.
//
// If the second is the first one once more, the chain is one of W and dots that show now: W would make a chain, but may
// not be played, as there is no win now. So either the first piece lay in the way, or it has come to lie where it can
// go there from.
//
// If it is another, lifted from among the own dots unless it is added, then the chain is one of M, W and own dots
// without those of the lifted piece. If W is joined to both sides by these alone, it again would make a chain: it may
// be played now, because the first piece has landed there, has left from there, or lay on the second. Otherwise follow
// the chain from side to side. The first of M and W that it meets, and the last, are not the same one: W would be
// joined to both sides, or M, which was no win. Say that M is met first: it is joined to the near side, W to the far
// side and not to the near one. And somewhere the chain goes from M to W through own dots only, none of them joined to
// the near side: a dot of M adjoins W, or own dots that adjoin W. All that only becomes likelier if the dots of the
// lifted piece are counted too, but for one thing: with them W may be joined to the near side, so that it would make a
// chain. If it may not be played now, that is the case above. If it may, then the piece is torn from the chain it would
// complete: such pieces are examined one by one, the others together.

// By side: the spaces that are joined to it; and those beside a second piece that is joined to the opposite side but
// not to this one, or beside own dots that are joined to the second piece.
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
  Bits uneven;                  // its dots, unless they lie on empty spaces: those floors are right after any move
};

// Proofs are rare: the following is compiled once for all orientations, which makes the page's kernel a tenth smaller
// than a copy for each would.
Bits any_dot_in(const Shape& shape, const Bits& b) { return b | ahead(b, shape.offset[1]) | ahead(b, shape.offset[2]); }

Bits all_dots_in(const Shape& shape, const Bits& b) {
  return b & ahead(b, shape.offset[1]) & ahead(b, shape.offset[2]);
}

// Adds the landings that may be a first piece's.
void add_halves(const Halves& halves, ByOrientation& landings) {
  for (std::size_t o = 0; o < orientation_count; ++o)
    for (int s = 0; s < 6; ++s)
      landings[o] |= any_dot_in(shapes[o], halves.joined[s]) & any_dot_in(shapes[o], halves.beside[s]);
}

template <int... O>
void find_raised(const Floors& floors, ByOrientation& landings, std::integer_sequence<int, O...>) {
  ((landings[O] = raised_landings<O>(floors)), ...);
}

void find_gap(const Halves& halves, const Floors& floors, Gap& gap) {
  ByOrientation raised;
  find_raised(floors, raised, std::make_integer_sequence<int, orientation_count>{});
  for (std::size_t o = 0; o < orientation_count; ++o) {
    const Shape& shape = shapes[o];
    Bits& whole = gap.whole[o];
    for (int pair = 0; pair < side_pairs; ++pair)
      whole |= any_dot_in(shape, halves.joined[2 * pair]) & any_dot_in(shape, halves.joined[2 * pair + 1]);
    whole &= all_dots_in(shape, board.board);
    if (whole.none()) continue;
    const Bits ground = all_dots_in(shape, floors.at[0]);
    (whole & (ground | raised[o])).each([&](int bit) { gap.lines[shape.kind] |= board.line[board.space[bit]]; });
    const Bits above = without(whole, ground);
    gap.uneven |= above | ahead(above, -shape.offset[1]) | ahead(above, -shape.offset[2]);
  }
}

bool meets(const Dots& dots, const Bits& set) {
  return std::any_of(dots.space, dots.space + 3, [&](Space s) { return set.test(board.bit[s]); });
}

}  // namespace

bool wins_by_count(const Position& p, Colour c) {
  if (p.rules() != Standard || p.placed(c) != set_size - 1 || p.centre_count(c) <= p.centre_count(other(c)))
    return false;
  bool can_add = false;
  each_add_by_loop(p, c, [&](int, const Bits& spaces) { can_add |= spaces.any(); });
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
      const bool was_own = s == from.space[0] || s == from.space[1] || s == from.space[2];
      if (board.centre.test(board.bit[s]) && !was_own) gain += 1 - worth(p.top(s));
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
  // When there are many, take some from all over the list: neighbours in it have similar carriers.
  count_ = wins.count < max_count ? wins.count : max_count;
  all_ = count_ == 64 ? ~uint64_t{0} : (uint64_t{1} << count_) - 1;
  Position after = p;
  after.pass();
  for (int i = 0; i < count_; ++i) {
    const Move m = wins.move[static_cast<int64_t>(i) * wins.count / count_];
    const uint64_t bit = uint64_t{1} << i;
    if (!is_add(m))
      for (const Space s : placements[after.piece(after.moving_piece(m)).placement].space) land_[s] |= bit;
    Undo undo;
    after.make(m, undo);
    carrying_chain(after.showing(winner)).each([&](int b) { land_[board.space[b]] |= bit; });
    after.unmake(m, undo);
    for (const Space s : placements[placement_of(m)].space) {
      land_[s] |= bit;
      lift_[s] |= bit;
    }
  }
}

bool find_approaches(const Position& p, Colour c, Approaches& out) {
  if (p.connected(c) || has_win(p, c)) return false;
  const Halves halves(p.showing(c));
  ByOrientation first;
  add_halves(halves, first);
  Floors floors;
  floors_of(p, c, floors);
  Gap gap;
  find_gap(halves, floors, gap);
  const auto orientation_of = [](Move m) { return std::size_t{placement_parts.orientation[placement_of(m)]}; };
  const auto lands_in = [](Move m, const Bits& spaces) { return spaces.test(board.bit[punct_of(placement_of(m))]); };
  MoveList all;
  list_moves(p, c, all);
  bool torn[piece_count] = {}, opens[piece_count] = {};
  for (const Move m : all)
    if (!is_add(m) && lands_in(m, gap.whole[orientation_of(m)])) torn[p.moving_piece(m)] = true;
  each_lifted(p, c, [&](int id, const Floors& lifted) {
    if (torn[id]) add_halves(Halves(lifted.own), first);
    const Piece& piece = p.piece(id);
    opens[id] = meets(placements[piece.placement], gap.uneven);
    for (const uint8_t below : piece.under)
      if (below != no_piece && Position::owner(below) == c)
        opens[id] |= meets(placements[p.piece(below).placement], gap.uneven) ||
                     gap.lines[Position::kind(below)].test(board.bit[punct_of(p.piece(below).placement)]);
  });
  out.uneven = gap.uneven;
  out.moves.count = 0;
  for (const Move m : all)
    if ((!is_add(m) && opens[p.moving_piece(m)]) || lands_in(m, first[orientation_of(m)]) ||
        lands_in(m, gap.lines[kind_of(placement_of(m))]) || meets(placements[placement_of(m)], gap.uneven))
      out.moves.move[out.moves.count++] = m;
  return true;
}

}  // namespace punct
