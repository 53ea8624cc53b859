#include "position.hpp"

#include <algorithm>

#include "generate.hpp"

namespace punct {
namespace {

constexpr uint64_t side_key = 0x9e3779b97f4a7c15ULL;
constexpr uint64_t basic_key = 0xd1b54a32d192ed03ULL;

}  // namespace

Position::Position(Rules rules) : rules_(rules) {
  floor_[0] = board.board;
  top_.fill(no_piece);
  for (auto& set : set_)
    for (int k = 0; k < kind_count; ++k) set[k] = set_count[k];
  if (rules == Basic) hash_ = basic_key;
}

int Position::next_in_set(Colour c, Kind k) const {
  int id = c * set_size + set_first[k];
  while (pieces_[id].level) ++id;
  return id;
}

void Position::lift(int id) {
  Piece& p = pieces_[id];
  const Dots& dots = placements[p.placement];
  Bits& mine = showing_[owner(id)];
  for (int i = 0; i < 3; ++i) {
    const Space s = dots.space[i];
    const int bit = board.bit[s];
    const uint8_t below = p.under[i];
    top_[s] = below;
    floor_[p.level].flip(bit);
    floor_[pieces_[below].level].flip(bit);
    mine.clear(bit);
    if (below != no_piece) showing_[owner(below)].set(bit);
  }
  hash_ ^= piece_key(id, p.placement, p.level);
}

void Position::drop(int id, Placement to) {
  Piece& p = pieces_[id];
  const Dots& dots = placements[to];
  const Colour c = owner(id);
  uint8_t level = 0;
  for (int i = 0; i < 3; ++i) {
    const uint8_t below = top_[dots.space[i]];
    p.under[i] = below;
    if (pieces_[below].level > level) level = pieces_[below].level;
  }
  // Flat: all floors alike; bridge: the ends' floor, and the middle is lower. Either way one above the highest.
  ++level;
  for (int i = 0; i < 3; ++i) {
    const Space s = dots.space[i];
    const int bit = board.bit[s];
    floor_[pieces_[p.under[i]].level].flip(bit);
    floor_[level].flip(bit);
    top_[s] = static_cast<uint8_t>(id);
    showing_[c].set(bit);
    showing_[other(c)].clear(bit);
  }
  p.placement = to;
  p.level = level;
  if (level > highest_) highest_ = level;
  hash_ ^= piece_key(id, to, level);
}

void Position::make(Move m, Undo& undo) {
  const Colour mover = to_move_;
  const Placement to = placement_of(m);
  const Dots& dots = placements[to];
  undo.hash = hash_;
  undo.highest = highest_;
  undo.connected = connected_;
  int id;
  Bits uncovered;
  if (is_add(m)) {
    id = next_in_set(mover, kind_of(to));
    undo.before = pieces_[id];
    --set_[mover][kind(id)];
    ++placed_[mover];
  } else {
    id = top_[from_of(m)];
    const Piece before = pieces_[id];
    undo.before = before;
    lift(id);
    for (int i = 0; i < 3; ++i)
      if (before.under[i] != no_piece && owner(before.under[i]) != mover)
        uncovered.set(board.bit[placements[before.placement].space[i]]);
    while (highest_ && floor_[highest_].none()) --highest_;
  }
  undo.piece = static_cast<uint8_t>(id);
  drop(id, to);
  Bits landed;
  for (const Space s : dots.space) landed.set(board.bit[s]);
  update_connections(mover, landed, without(uncovered, landed));
  to_move_ = other(mover);
  hash_ ^= side_key;
}

void Position::unmake(Move m, const Undo& undo) {
  const int id = undo.piece;
  to_move_ = other(to_move_);
  lift(id);
  Piece& p = pieces_[id];
  p = undo.before;
  if (is_add(m)) {
    ++set_[to_move_][kind(id)];
    --placed_[to_move_];
  } else {
    const Dots& dots = placements[p.placement];
    Bits& mine = showing_[to_move_];
    Bits& others = showing_[other(to_move_)];
    for (int i = 0; i < 3; ++i) {
      const int bit = board.bit[dots.space[i]];
      floor_[pieces_[p.under[i]].level].flip(bit);
      floor_[p.level].flip(bit);
      top_[dots.space[i]] = static_cast<uint8_t>(id);
      mine.set(bit);
      others.clear(bit);
    }
  }
  hash_ = undo.hash;
  highest_ = undo.highest;
  connected_ = undo.connected;
}

void Position::update_connections(Colour mover, const Bits& landed, const Bits& uncovered) {
  if (connected_) {
    // Play went on after the end: chains may also have been broken.
    connected_ = static_cast<uint8_t>(is_connected(showing_[White]) << White | is_connected(showing_[Black]) << Black);
    return;
  }
  // A new chain of the mover's must run through the dots that landed, one of the opponent's through a dot that was
  // uncovered.
  if (is_connected_through(landed, showing_[mover])) connected_ = static_cast<uint8_t>(connected_ | 1 << mover);
  if (uncovered.any() && is_connected(showing_[other(mover)]))
    connected_ = static_cast<uint8_t>(connected_ | 1 << other(mover));
}

void Position::pass() { set_to_move(other(to_move_)); }

void Position::set_to_move(Colour c) {
  if (c != to_move_) hash_ ^= side_key;
  to_move_ = c;
}

bool Position::place(Colour c, Placement p) {
  if (p >= placement_count || !placements[p].on_board()) return false;
  const Kind k = kind_of(p);
  if (!set_[c][k]) return false;
  const Dots& dots = placements[p];
  const int floors[3] = {height(dots.space[0]), height(dots.space[1]), height(dots.space[2])};
  if (!rests(k, floors)) return false;
  drop(next_in_set(c, k), p);
  --set_[c][k];
  ++placed_[c];
  connected_ = static_cast<uint8_t>(is_connected(showing_[White]) << White | is_connected(showing_[Black]) << Black);
  return true;
}

Verdict Position::verdict() const {
  const Colour mover = other(to_move_);
  if (connected_) {
    const Colour winner = connected(mover) ? mover : to_move_;  // both at once: the mover wins
    return {winner == White ? Outcome::WhiteWins : Outcome::BlackWins, Ending::Connection};
  }
  Ending ending;
  if (placed_[White] == set_size || placed_[Black] == set_size)
    ending = Ending::LastPiece;
  else if (!has_move(*this))
    ending = Ending::NoMove;
  else
    return {};
  if (rules_ == Basic) return {Outcome::Draw, ending};
  const int margin = centre_count(White) - centre_count(Black);
  return {margin > 0 ? Outcome::WhiteWins : margin < 0 ? Outcome::BlackWins : Outcome::Draw, ending};
}

uint64_t Position::hash_from_scratch() const {
  uint64_t h = rules_ == Basic ? basic_key : 0;
  for (int id = 0; id < piece_count; ++id)
    if (on_board(id)) h ^= piece_key(id, pieces_[id].placement, pieces_[id].level);
  return to_move_ == Black ? h ^ side_key : h;
}

bool Position::operator==(const Position& o) const {
  if (rules_ != o.rules_ || to_move_ != o.to_move_ || highest_ != o.highest_) return false;
  for (int c = 0; c < 2; ++c)
    for (int k = 0; k < kind_count; ++k)
      if (set_[c][k] != o.set_[c][k]) return false;
  // Equal when every piece here has an equal one there: same colour, placement and level.
  for (int id = 0; id < piece_count; ++id) {
    if (!on_board(id)) continue;
    const Piece& p = pieces_[id];
    bool has_equal = false;
    const int first = owner(id) * set_size + set_first[kind(id)];
    for (int twin = first; twin < first + set_count[kind(id)] && !has_equal; ++twin)
      has_equal = o.pieces_[twin].level == p.level && o.pieces_[twin].placement == p.placement;
    if (!has_equal) return false;
  }
  return true;
}

std::vector<int> pieces_in_order(const Position& p) {
  std::vector<int> order;
  for (int id = 0; id < piece_count; ++id)
    if (p.on_board(id)) order.push_back(id);
  const auto rank = [&](int id) { return p.piece(id).level << 8 | punct_of(p.piece(id).placement); };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return rank(a) < rank(b); });
  return order;
}

}  // namespace punct
