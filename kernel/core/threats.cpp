#include "threats.hpp"

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

// What two pieces, one after the other, need of the first. By side: the spaces joined to it, and those that one piece
// more might join to it.
//
// Why that is enough. Say the first piece lies on M and the second, on W, completes a chain of own dots, M and W; what
// lifting the pieces takes away only makes fewer. Follow the chain from side to side. It meets W, or M alone had
// completed it. If what it meets first and last is W, then W by itself joins what is joined to the two sides. Otherwise
// M is met first, say, so that one of its dots is joined to the near side. Met last is either M, which then is joined to
// the far side too, or W, which then has a dot joined to the far side and so lies within two steps of such a space; and
// somewhere the chain goes from M to W through own dots only: that dot of M adjoins W, or own dots that adjoin W.
struct Halves {
  Bits joined[6];
  Bits nearly[6];

  explicit Halves(const Bits& own) {
    for (int s = 0; s < 6; ++s) {
      joined[s] = reach_of_joined(s, joined_to_side(s, own));
      const Bits second = grown(grown(joined[s])) & board.board;  // where its dots might lie
      const Bits beside = grown(second);
      nearly[s] = beside | grown(flood(beside, own));
    }
  }

  // A single piece might do.
  bool met() const {
    for (int pair = 0; pair < side_pairs; ++pair)
      if (meets(grown(grown(joined[2 * pair])), joined[2 * pair + 1])) return true;
    return false;
  }
};

template <int Orientation>
Bits first_halves(const Halves& halves) {
  constexpr int one = shapes[Orientation].offset[1], two = shapes[Orientation].offset[2];
  const auto any_dot_in = [](const Bits& b) { return b | ahead<one>(b) | ahead<two>(b); };
  Bits found;
  for (int s = 0; s < 6; ++s) found |= any_dot_in(halves.joined[s]) & any_dot_in(halves.nearly[s ^ 1]);
  return found;
}

template <int... O>
constexpr auto make_halves_table(std::integer_sequence<int, O...>) {
  return std::array<Bits (*)(const Halves&), sizeof...(O)>{&first_halves<O>...};
}
constexpr auto halves_by_orientation = make_halves_table(std::make_integer_sequence<int, orientation_count>{});

}  // namespace

bool wins_by_count(const Position& p, Colour c) {
  if (p.rules() != Standard || p.placed(c) != set_size - 1 || p.centre_count(c) <= p.centre_count(other(c)))
    return false;
  bool can_add = false;
  each_add(p, c, [&](int, const Bits& spaces) { can_add |= spaces.any(); });
  return can_add;
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

bool list_approaches(const Position& p, Colour c, MoveList& out) {
  out.count = 0;
  const Halves halves(p.showing(c));
  if (halves.met()) return false;
  std::array<Bits, orientation_count> promising;
  for (std::size_t o = 0; o < orientation_count; ++o) promising[o] = halves_by_orientation[o](halves);
  each_add(p, c, [&](int orientation, const Bits& spaces) {
    out.add(add_landing_base(orientation), spaces & promising[static_cast<std::size_t>(orientation)]);
  });
  each_shift(p, c, [&](int id, int orientation, const Bits& ground, const Bits& raised) {
    out.add(shift_landing_base(p, id, orientation),
            (ground | raised) & promising[static_cast<std::size_t>(orientation)]);
  });
  return true;
}

}  // namespace punct
