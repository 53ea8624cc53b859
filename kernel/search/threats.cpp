#include "search/threats.hpp"

namespace punct::search {
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

}  // namespace

bool wins_by_count(const Position& p, Colour c) {
  if (p.rules() != Standard || p.placed(c) != set_size - 1 || p.centre_count(c) <= p.centre_count(other(c)))
    return false;
  bool can_add = false;
  each_add(p, c, [&](int, const Bits& spaces) { can_add |= spaces.any(); });
  return can_add;
}

Defence::Defence(const Position& p) {
  const Colour opponent = other(p.to_move());
  count_threat_ = wins_by_count(p, opponent);
  MoveList wins;
  list_wins(p, opponent, wins);
  if (!wins.count) return;
  // When there are many, take some from all over the list: neighbours in it have much the same carrier.
  carriers_ = wins.count < most_carriers ? wins.count : most_carriers;
  all_ = carriers_ == 64 ? ~uint64_t{0} : (uint64_t{1} << carriers_) - 1;
  Position after = p;
  after.pass();
  for (int i = 0; i < carriers_; ++i) {
    const Move m = wins.move[static_cast<long>(i) * wins.count / carriers_];
    const uint64_t bit = uint64_t{1} << i;
    if (!is_add(m))
      for (const Space s : placements[after.piece(after.moving_piece(m)).placement].space) hit_[s] |= bit;
    Undo undo;
    after.make(m, undo);
    carrying_chain(after.showing(opponent)).each([&](int b) { hit_[board.space[b]] |= bit; });
    after.unmake(m, undo);
    for (const Space s : placements[placement_of(m)].space) {
      hit_[s] |= bit;
      pull_[s] |= bit;
    }
  }
}

bool Defence::may_hold(const Position& p, Move m) const {
  const Colour me = p.to_move();
  const auto is_behind = [&] {
    return p.rules() == Standard && p.centre_count(me) - p.centre_count(other(me)) + centre_gain(p, m) < 0;
  };
  if (is_add(m) && p.placed(me) == set_size - 1) return !is_behind();  // ends the game here and now
  uint64_t disturbed = 0;
  for (const Space s : placements[placement_of(m)].space) disturbed |= hit_[s];
  if (!is_add(m))
    for (const Space s : placements[p.piece(p.moving_piece(m)).placement].space) disturbed |= pull_[s];
  return disturbed == all_ && !(count_threat_ && is_behind());
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

}  // namespace punct::search
