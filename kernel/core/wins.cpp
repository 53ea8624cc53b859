#include "wins.hpp"

#include "bits_pair.hpp"

namespace punct {
namespace {

// Which pairs of sides a single piece might join: those where the dots joined to one side lie within a piece's length
// of the dots joined to the other.
struct JoinablePairs {
  Reach reach;
  bool pair[side_pairs];
  bool any = false;

  void update() {
    any = false;
    for (int i = 0; i < side_pairs; ++i) {
      const BitsPair beside = grown(BitsPair::of(reach.side[2 * i], reach.side[2 * i + 1]));
      pair[i] = meets(beside.first(), beside.second());
      any |= pair[i];
    }
  }
};

template <int Orientation>
Bits joins(const JoinablePairs& pairs) {
  constexpr int one = shapes[Orientation].offset[1], two = shapes[Orientation].offset[2];
  const auto any_dot_in = [](const Bits& b) { return b | ahead<one>(b) | ahead<two>(b); };
  Bits landings;
  for (int i = 0; i < side_pairs; ++i)
    if (pairs.pair[i]) landings |= any_dot_in(pairs.reach.side[2 * i]) & any_dot_in(pairs.reach.side[2 * i + 1]);
  return landings;
}

template <int... O>
constexpr auto make_joins_table(std::integer_sequence<int, O...>) {
  return std::array<Bits (*)(const JoinablePairs&), sizeof...(O)>{&joins<O>...};
}
constexpr auto joins_by_orientation = make_joins_table(std::make_integer_sequence<int, orientation_count>{});

// Adds all winning moves to `out`; if that is null, stops at the first. Returns whether there are any. One function
// does both: the walk over landings is unrolled for every orientation, and two copies would be slower to load.
bool walk_wins(const Position& p, Colour c, MoveList* out) {
  const Bits& showing = p.showing(c);
  Bits joined[6];
  JoinablePairs pairs;
  const BitsPair both = BitsPair::of(showing, showing);
  for (int s = 0; s < 6; s += 2) {
    const BitsPair chains = flood(BitsPair::of(board.side[s], board.side[s + 1]), both);
    const BitsPair beside = grown(chains);
    joined[s] = chains.first();
    joined[s + 1] = chains.second();
    pairs.reach.side[s] = board.side[s] | (beside.first() & board.board);
    pairs.reach.side[s + 1] = board.side[s + 1] | (beside.second() & board.board);
  }
  pairs.update();
  const bool already = p.connected(c);       // only when play goes on after the end: then whatever keeps the chain wins
  if (!pairs.any && !already) return false;  // lifting a piece shows nothing of its owner's that did not show before
  bool any = false;
  const auto is_over = [&] { return any && !out; };
  const auto add = [&](Move base, const Bits& wins) {
    any = true;
    if (out) out->add(base, wins);
  };
  each_add(p, c, [&](int orientation, const Bits& spaces) {
    if (is_over() || spaces.none()) return;
    const Bits wins = already ? spaces : spaces & joins_by_orientation[orientation](pairs);
    if (wins.any()) add(add_landing_base(orientation), wins);
  });
  each_lifted(p, c, [&](int id, const Floors& floors) {
    if (is_over()) return;
    const Bits removed =
        without(showing, floors.own);  // a dot that covers one of the player's own leaves the colour showing
    JoinablePairs without_it = pairs;
    bool changed = false;
    for (int s = 0; s < 6; ++s)
      if (meets(joined[s], removed)) {
        without_it.reach.side[s] = reach_of_joined(s, joined_to_side(s, floors.own));
        changed = true;
      }
    if (changed) without_it.update();
    const bool still = already && is_connected(floors.own);
    if (!without_it.any && !still) return;
    each_landing(p, id, floors, [&](int, int orientation, const Bits& ground, const Bits& raised) {
      if (is_over()) return;
      const Bits spaces = ground | raised;
      const Bits wins = still ? spaces : spaces & joins_by_orientation[orientation](without_it);
      if (wins.any()) add(shift_landing_base(p, id, orientation), wins);
    });
  });
  return any;
}

}  // namespace

void list_wins(const Position& p, Colour c, MoveList& out) {
  out.count = 0;
  walk_wins(p, c, &out);
}

bool has_win(const Position& p, Colour c) { return walk_wins(p, c, nullptr); }

void list_blunders(const Position& p, Colour c, MoveList& out) {
  out.count = 0;
  const Colour opponent = other(c);
  const auto check = [&](Move base, const Bits& spaces, const Bits& own, const Bits& others) {
    spaces.each([&](int bit) {
      const Move m = base + board.space[bit];
      Bits landed;
      for (const Space s : placements[placement_of(m)].space) landed.set(board.bit[s]);
      if (is_connected(without(others, landed)) && !is_connected(own | landed)) out.move[out.count++] = m;
    });
  };
  if (p.connected(opponent))  // only when play goes on after the end
    each_add(p, c, [&](int orientation, const Bits& spaces) {
      check(add_landing_base(orientation), spaces, p.showing(c), p.showing(opponent));
    });
  each_lifted(p, c, [&](int id, const Floors& floors) {
    // A chain can only be uncovered where the lifted piece covered the opponent.
    Bits others = p.showing(opponent);
    const Piece& piece = p.piece(id);
    for (int i = 0; i < 3; ++i)
      if (piece.under[i] != no_piece && Position::owner(piece.under[i]) == opponent)
        others.set(board.bit[placements[piece.placement].space[i]]);
    if (!is_connected(others)) return;
    each_landing(p, id, floors, [&](int, int orientation, const Bits& ground, const Bits& raised) {
      check(shift_landing_base(p, id, orientation), ground | raised, floors.own, others);
    });
  });
}

}  // namespace punct
