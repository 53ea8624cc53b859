#include "proof.hpp"

#include <algorithm>
#include <iterator>

namespace punct {
namespace {

constexpr uint8_t any_depth = 255;  // no win at any depth

Outcome win_of(Colour c) { return c == White ? Outcome::WhiteWins : Outcome::BlackWins; }

int lead_of(const Position& p, Colour c) { return p.centre_count(c) - p.centre_count(other(c)); }

// How many of a player's pieces can still be added after any `pieces` more have been put down. A space lies in at most
// three landings of an orientation, so a piece takes away at most nine.
int guaranteed_adds(const Position& p, Colour c, int pieces) {
  bool sure[kind_count] = {};
  each_add_by_loop(p, c, [&](int orientation, const Bits& spaces) {
    sure[shapes[orientation].kind] |= spaces.count() > 9 * pieces;
  });
  int count = 0;
  for (int k = 0; k < kind_count; ++k)
    if (sure[k]) count += p.in_set(c, static_cast<Kind>(k));
  return count;
}

// Whether the defender can add a piece off the forbidden spaces after any move of the attacker, who is to move: there
// are two places so far apart that no piece blocks both.
bool has_quiet_adds(const Position& p, const Bits& forbidden) {
  bool has_two = false;
  each_add_by_loop(p, other(p.to_move()), [&](int orientation, const Bits& spaces) {
    if (has_two) return;
    Bits first, last;
    spaces.each([&](int bit) {
      Bits dots;
      for (const Space s : placements[placement_of(orientation, board.space[bit])].space) dots.set(board.bit[s]);
      if (meets(dots, forbidden)) return;
      if (first.none()) first = dots;
      last = dots;
    });
    has_two = first.any() && !meets(grown(grown(first)), last);
  });
  return has_two;
}

// Lists the attacker's moves, without those that are certainly neither threats nor wins in two.
//
// Such a move is no approach (find_approaches), nor does it threaten to win by the count: that takes the last piece but
// one now and a lead, or the last one left and a lead after the move. It is answered by a quiet add. That covers and
// uncovers nothing, so a single piece of the attacker's makes a chain only where it would have before, which was not
// allowed; for that to change it would have to come to lie on the added one, which has been kept away from there. Nor
// does an add change the count, as it stays out of the centre. It must not end the game in the attacker's favour: by
// the count, if it was the defender's last piece, or because the attacker has no move.
void list_attacks(const Position& p, std::vector<Move>& out) {
  const Colour attacker = p.to_move(), defender = other(attacker);
  MoveList all;
  list_moves(p, all);
  Approaches approaches;
  const int left = set_size - p.placed(attacker);
  if (!find_approaches(p, attacker, approaches) || !has_quiet_adds(p, approaches.uneven) ||
      guaranteed_adds(p, attacker, 2) < std::min(left, 2)) {
    out.assign(all.begin(), all.end());
    return;
  }
  const bool counts = p.rules() == Standard && (left <= 2 || p.placed(defender) == set_size - 1);
  const bool ends = p.placed(defender) == set_size - 1;
  const int lead = lead_of(p, attacker);
  const Move* next = approaches.moves.begin();
  for (const Move m : all) {
    const bool is_approach = next != approaches.moves.end() && *next == m;
    next += is_approach;
    const bool late = counts && (ends || is_add(m) == (left == 2)) && lead + centre_gain(p, m) > 0;
    if (is_approach || late) out.push_back(m);
  }
}

}  // namespace

std::vector<Move> wins_at_once(const Position& p) {
  std::vector<Move> moves;
  if (p.outcome() != Outcome::Open) return moves;
  const Colour me = p.to_move();
  const bool by_count = wins_by_count(p, me);
  MoveList list;
  if (by_count) {  // any add, chain or not
    list_moves(p, list);
    std::copy_if(list.begin(), list.end(), std::back_inserter(moves), is_add);
  }
  list_wins(p, me, list);
  std::copy_if(list.begin(), list.end(), std::back_inserter(moves), [&](Move m) { return !by_count || !is_add(m); });
  return moves;
}

std::vector<Move> defences(const Position& p, int limit) {
  std::vector<Move> moves;
  if (p.outcome() != Outcome::Open) return moves;
  const Colour opponent = other(p.to_move());
  Position after = p;
  MoveList list;
  list_moves(p, list);
  for (const Move m : list) {
    if (static_cast<int>(moves.size()) >= limit) break;
    Undo undo;
    after.make(m, undo);
    const Outcome outcome = after.outcome();
    if (outcome == Outcome::Open ? !can_win(after, opponent) : outcome != win_of(opponent)) moves.push_back(m);
    after.unmake(m, undo);
  }
  return moves;
}

// ---------------------------------------------------------------------- the cache

ProofCache::ProofCache(int bits) : entries_(std::size_t{1} << bits) {}

const ProofCache::Entry& ProofCache::find(uint64_t hash) const {
  static constexpr Entry empty;
  const Entry& entry = entries_[hash & (entries_.size() - 1)];
  return entry.hash == hash ? entry : empty;
}

ProofCache::Entry& ProofCache::slot(uint64_t hash) {
  Entry& entry = entries_[hash & (entries_.size() - 1)];
  if (entry.hash != hash) entry = {hash};
  return entry;
}

void ProofCache::note_win(uint64_t hash, int depth) { slot(hash).won = static_cast<uint8_t>(depth); }

void ProofCache::note_no_win(uint64_t hash, int depth) {
  Entry& entry = slot(hash);
  entry.not_won = std::max(entry.not_won, static_cast<uint8_t>(depth));
}

void ProofCache::note_refutation(Move m) {
  const auto at = std::find(refutations_.begin(), refutations_.end(), m);
  if (at != refutations_.end())
    refutations_.erase(at);
  else if (refutations_.size() == max_refutations)
    refutations_.pop_back();
  refutations_.insert(refutations_.begin(), m);
}

// ---------------------------------------------------------------------- the proof

Proof::Proof(const Position& p, Mover mover, int depth, int max_wins, ProofCache& cache)
    : p_(p),
      attacker_(mover == Mover::Attacker ? p.to_move() : other(p.to_move())),
      cache_(&cache),
      max_wins_(static_cast<std::size_t>(max_wins)) {
  frames_.reserve(2 * max_depth + 1);
  if (over()) {
    reply_.lost = p_.outcome() == win_of(attacker_);
    done_ = true;
  } else if (mover == Mover::Defender) {
    defend_at_root(depth);
  } else {
    for (const Move m : wins_at_once(p_)) wins_.push_back({m, 1});
    done_ = depth < 2 || wins_.size() >= max_wins_;
    if (!done_) open_attack(depth);
  }
  if (wins_.size() > max_wins_) wins_.resize(max_wins_);
}

bool Proof::advance(int64_t tries) {
  const int64_t until = tries_ + tries;
  while (!done_ && tries_ < until) {
    Frame& frame = frames_.back();
    if (!returned_) {
      frame.mover == Mover::Attacker ? try_attack(frame) : try_reply(frame);
      continue;
    }
    returned_ = false;
    p_.unmake(frame.moves[frame.next - 1], frame.undo);
    if (frame.mover == Mover::Defender)
      note_lost(frame, depth_);
    else if (depth_)
      note_win(frame, depth_ + 1);
  }
  return done_;
}

void Proof::close(int depth) {
  frames_.pop_back();
  depth_ = depth;
  returned_ = true;
  done_ = frames_.empty();
}

// ---------------------------------------------------------------------- the attacker

void Proof::open_attack(int depth) {
  Frame& frame = frames_.emplace_back();
  frame.mover = Mover::Attacker;
  frame.depth = depth;
  if (!is_root()) frame.round_depth = std::max(2, cache_->find(p_.hash()).not_won + 1);
  list_attacks(p_, frame.moves);
}

void Proof::try_attack(Frame& frame) {
  if (frame.next == frame.moves.size()) return end_round(frame);
  const Move m = frame.moves[frame.next++];
  p_.make(m, frame.undo);
  ++tries_;
  const bool threat = !over() && can_win(p_, attacker_);
  if (over() || (frame.round_depth > 2 && !threat)) return p_.unmake(m, frame.undo);
  if (threat) frame.threatening.push_back(m);
  if (frame.round_depth == 2) {
    const bool refuted = is_refuted_at_once();
    p_.unmake(m, frame.undo);
    if (!refuted) note_win(frame, 2);
    return;
  }
  std::vector<Move> holding;
  if (can_win(p_, p_.to_move()) || !find_holding(holding)) {
    frame.threatening.pop_back();  // refuted at every depth
    return p_.unmake(m, frame.undo);
  }
  const auto& refutations = cache_->refutations();  // these are tried first
  const auto rank = [&](Move reply) {
    return std::find(refutations.begin(), refutations.end(), reply) - refutations.begin();
  };
  std::stable_sort(holding.begin(), holding.end(), [&](Move a, Move b) { return rank(a) < rank(b); });
  open_defence(frame.round_depth - 1, std::move(holding));
}

// The move just tried wins at this depth.
void Proof::note_win(Frame& frame, int depth) {
  if (!is_root()) {
    cache_->note_win(p_.hash(), depth);
    return close(depth);
  }
  const Move m = frame.moves[frame.next - 1];
  if (!frame.threatening.empty() && frame.threatening.back() == m) frame.threatening.pop_back();
  wins_.push_back({m, depth});
  done_ = wins_.size() >= max_wins_;
}

// All moves were tried at this depth; those that threaten are tried at the next.
void Proof::end_round(Frame& frame) {
  const bool hopeless = frame.threatening.empty();
  if (!is_root()) cache_->note_no_win(p_.hash(), hopeless ? any_depth : frame.round_depth);
  if (hopeless || ++frame.round_depth > frame.depth) return close(0);
  frame.moves = std::move(frame.threatening);
  frame.threatening.clear();
  frame.next = 0;
}

// ---------------------------------------------------------------------- the defender

void Proof::open_defence(int depth, std::vector<Move>&& replies) {
  Frame& frame = frames_.emplace_back();
  frame.mover = Mover::Defender;
  frame.depth = depth;
  frame.moves = std::move(replies);
}

void Proof::try_reply(Frame& frame) {
  if (frame.next == frame.moves.size()) {
    if (is_root()) reply_.lost = true;
    return close(frame.longest);
  }
  const Move m = frame.moves[frame.next++];
  p_.make(m, frame.undo);
  ++tries_;
  const ProofCache::Entry& entry = cache_->find(p_.hash());
  const bool won = entry.won && entry.won <= frame.depth;
  if (!won && entry.not_won < frame.depth) return open_attack(frame.depth);
  const int depth = won ? entry.won : 0;
  p_.unmake(m, frame.undo);
  note_lost(frame, depth);
}

// After the reply just tried the attacker wins at this depth; 0: does not.
void Proof::note_lost(Frame& frame, int depth) {
  const Move m = frame.moves[frame.next - 1];
  const bool longer = depth > frame.longest;
  if (longer) frame.longest = depth;
  if (is_root() && (longer || !depth)) reply_ = {false, m, depth};
  if (depth) return;
  cache_->note_refutation(m);
  close(0);
}

Proof::ReplyResult Proof::result_of(Move reply) {
  Undo undo;
  p_.make(reply, undo);
  ++tries_;
  const Outcome outcome = p_.outcome();
  ReplyResult result = outcome == win_of(attacker_) ? ReplyResult::Loses : ReplyResult::EndsGame;
  if (outcome == Outcome::Open) result = can_win(p_, attacker_) ? ReplyResult::Loses : ReplyResult::Holds;
  p_.unmake(reply, undo);
  return result;
}

// Calls f(reply, result) for the replies that do not lose, until it returns false. The defender must have no win in
// one.
template <class F>
void Proof::each_holding(F&& f) {
  const Carriers carriers(p_);
  const bool counted = wins_by_count(p_, attacker_) && guaranteed_adds(p_, attacker_, 1);  // if the lead remains
  const int lead = lead_of(p_, attacker_);
  const bool last = p_.placed(p_.to_move()) == set_size - 1;  // adding it ends the game
  MoveList list;
  list_moves(p_, list);
  for (const Move m : list) {
    if (!(last && is_add(m)) && (!carriers.all_disturbed(p_, m) || (counted && lead > centre_gain(p_, m)))) continue;
    const ReplyResult result = result_of(m);
    if (result != ReplyResult::Loses && !f(m, result)) return;
  }
}

// Whether the defender wins at once, or has a reply after which the attacker does not.
bool Proof::is_refuted_at_once() {
  Move refutation = no_move;
  for (const Move m : cache_->refutations())
    if (is_legal(p_, m) && result_of(m) != ReplyResult::Loses) {
      refutation = m;
      break;
    }
  if (refutation == no_move) {
    if (can_win(p_, p_.to_move())) return true;
    each_holding([&](Move m, ReplyResult) {
      refutation = m;
      return false;
    });
  }
  if (refutation == no_move) return false;
  cache_->note_refutation(refutation);
  return true;
}

// The replies after which the attacker cannot win at once. False if one of them, then the last, ends the game.
bool Proof::find_holding(std::vector<Move>& holding) {
  bool open = true;
  each_holding([&](Move m, ReplyResult result) {
    holding.push_back(m);
    return open = result == ReplyResult::Holds;
  });
  return open;
}

void Proof::defend_at_root(int depth) {
  done_ = true;
  const std::vector<Move> own_wins = wins_at_once(p_);
  if (!own_wins.empty()) {
    reply_.move = own_wins.front();
    return;
  }
  std::vector<Move> holding;
  if (!find_holding(holding) || (depth < 2 && !holding.empty())) {
    reply_.move = holding.back();
    return;
  }
  if (holding.empty()) return resist();
  done_ = false;
  open_defence(depth, std::move(holding));
}

// Every reply loses: it ends the game, or the attacker wins with the next move. Chooses the reply that leaves the
// fewest such moves.
void Proof::resist() {
  MoveList list;
  list_moves(p_, list);
  reply_ = {true, list.move[0], 0};
  std::size_t fewest = max_moves;
  for (const Move m : list) {
    Undo undo;
    p_.make(m, undo);
    ++tries_;
    const std::size_t left = over() ? max_moves : wins_at_once(p_).size();
    p_.unmake(m, undo);
    if (left >= fewest) continue;
    fewest = left;
    reply_ = {true, m, 1};
  }
}

// ---------------------------------------------------------------------- the variation

ProvenVariation::ProvenVariation(const Position& p, Proof::Mover mover, int depth, ProofCache& cache)
    : p_(p), mover_(mover), cache_(&cache), proof_(p, mover, depth, 1, cache) {}

bool ProvenVariation::advance(int64_t tries) {
  const int64_t until = this->tries() + tries;
  while (!done_ && proof_.advance(until - this->tries())) {
    play_next();
    if (done_) break;
    tries_ += proof_.tries();
    proof_ = Proof(p_, mover_, depth_, 1, *cache_);
  }
  return done_;
}

// Plays the next move of the variation, as the proof has found it.
void ProvenVariation::play_next() {
  const bool attacks = mover_ == Proof::Mover::Attacker;
  const WinningMove win = attacks && !proof_.wins().empty() ? proof_.wins().front() : WinningMove{};
  const Reply reply = attacks ? Reply{} : proof_.reply();
  const Move m = attacks ? win.move : reply.move;
  if (!decided_) {
    won_ = attacks ? m != no_move : reply.lost;
    reply_ = reply;
    decided_ = true;
  }
  done_ = true;
  if (m == no_move) return;
  moves_.push_back(m);
  if (!won_) return;
  Undo undo;
  p_.make(m, undo);
  done_ = p_.outcome() != Outcome::Open;
  mover_ = attacks ? Proof::Mover::Defender : Proof::Mover::Attacker;
  depth_ = attacks ? win.depth - 1 : reply.depth;
}

}  // namespace punct
