#include "proof.hpp"

#include <algorithm>
#include <iterator>

namespace punct {
namespace {

constexpr uint8_t for_ever = 255;  // no win, within however many turns

Outcome win_of(Colour c) { return c == White ? Outcome::WhiteWins : Outcome::BlackWins; }

int lead_of(const Position& p, Colour c) { return p.centre_count(c) - p.centre_count(other(c)); }

// How many of a player's pieces could still be added, whichever, after so many more have come to lie somewhere. A space
// lies in at most three landings of an orientation, so a piece takes away at most nine.
int sure_adds(const Position& p, Colour c, int pieces) {
  bool sure[kind_count] = {};
  each_add_by_loop(p, c, [&](int orientation, const Bits& spaces) {
    sure[shapes[orientation].kind] |= spaces.count() > 9 * pieces;
  });
  int count = 0;
  for (int k = 0; k < kind_count; ++k)
    if (sure[k]) count += p.in_set(c, static_cast<Kind>(k));
  return count;
}

// Whether the defender can add a piece, whatever turn the attacker, who is to move, plays, so that it does not lie on
// any of these spaces: in two places so far apart that no piece lies in the way of both.
bool has_quiet_adds(const Position& p, const Bits& forbidden) {
  bool found = false;
  each_add_by_loop(p, other(p.to_move()), [&](int orientation, const Bits& spaces) {
    if (found) return;
    Bits first, last;
    spaces.each([&](int bit) {
      Bits dots;
      for (const Space s : placements[placement_of(orientation, board.space[bit])].space) dots.set(board.bit[s]);
      if (meets(dots, forbidden)) return;
      if (first.none()) first = dots;
      last = dots;
    });
    found = first.any() && !meets(grown(grown(first)), last);
  });
  return found;
}

// The attacker's turns, without those that surely are neither threats nor wins in two.
//
// Such a turn is no approach (find_approaches), nor does it threaten to win by the count: that takes the last piece but
// one now and a lead, or the last one left and a lead after the turn. It is answered by a quiet add. That covers and
// uncovers nothing, so a single piece of the attacker's makes a chain only where it would have before, which was not
// allowed; for that to change it would have to come to lie on the added one, which has been kept away from there. Nor
// does an add change the count, as it stays out of the centre. It must not end the game in the attacker's favour: by
// the count, if it was the defender's last piece, or because the attacker has no turn.
void list_turns(const Position& p, std::vector<Move>& out) {
  const Colour attacker = p.to_move(), defender = other(attacker);
  MoveList all;
  list_moves(p, all);
  Approaches approaches;
  const int left = set_size - p.placed(attacker);
  if (!find_approaches(p, attacker, approaches) || !has_quiet_adds(p, approaches.uneven) ||
      sure_adds(p, attacker, 2) < std::min(left, 2)) {
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
  std::vector<Move> found;
  if (p.outcome() != Outcome::Open) return found;
  const Colour me = p.to_move();
  const bool by_count = wins_by_count(p, me);
  MoveList list;
  if (by_count) {  // any add, chain or not
    list_moves(p, list);
    std::copy_if(list.begin(), list.end(), std::back_inserter(found), is_add);
  }
  list_wins(p, me, list);
  std::copy_if(list.begin(), list.end(), std::back_inserter(found), [&](Move m) { return !by_count || !is_add(m); });
  return found;
}

std::vector<Move> defences(const Position& p, int most) {
  std::vector<Move> found;
  if (p.outcome() != Outcome::Open) return found;
  const Colour opponent = other(p.to_move());
  Position after = p;
  MoveList list;
  list_moves(p, list);
  for (const Move m : list) {
    if (static_cast<int>(found.size()) >= most) break;
    Undo undo;
    after.make(m, undo);
    const Outcome outcome = after.outcome();
    if (outcome == Outcome::Open ? !can_win(after, opponent) : outcome != win_of(opponent)) found.push_back(m);
    after.unmake(m, undo);
  }
  return found;
}

// ---------------------------------------------------------------------- what is remembered

ProofMemory::ProofMemory(int bits) : known_(std::size_t{1} << bits) {}

const ProofMemory::Known& ProofMemory::of(uint64_t hash) const {
  static constexpr Known nothing;
  const Known& known = known_[hash & (known_.size() - 1)];
  return known.hash == hash ? known : nothing;
}

ProofMemory::Known& ProofMemory::place_of(uint64_t hash) {
  Known& known = known_[hash & (known_.size() - 1)];
  if (known.hash != hash) known = {hash};
  return known;
}

void ProofMemory::note_win(uint64_t hash, int turns) { place_of(hash).won = static_cast<uint8_t>(turns); }

void ProofMemory::note_none(uint64_t hash, int turns) {
  Known& known = place_of(hash);
  known.open = std::max(known.open, static_cast<uint8_t>(turns));
}

void ProofMemory::note_refutation(Move m) {
  const auto at = std::find(refutations_.begin(), refutations_.end(), m);
  if (at != refutations_.end())
    refutations_.erase(at);
  else if (refutations_.size() == most_refutations)
    refutations_.pop_back();
  refutations_.insert(refutations_.begin(), m);
}

// ---------------------------------------------------------------------- one question

Proof::Proof(const Position& p, Mover mover, int turns, int most, ProofMemory& memory)
    : p_(p),
      attacker_(mover == Mover::Attacker ? p.to_move() : other(p.to_move())),
      memory_(&memory),
      most_(static_cast<std::size_t>(most)) {
  frames_.reserve(2 * most_turns + 1);
  if (over()) {
    reply_.lost = p_.outcome() == win_of(attacker_);
    done_ = true;
  } else if (mover == Mover::Defender) {
    defend_at_root(turns);
  } else {
    for (const Move m : wins_at_once(p_)) wins_.push_back({m, 1});
    done_ = turns < 2 || wins_.size() >= most_;
    if (!done_) open_attack(turns);
  }
  if (wins_.size() > most_) wins_.resize(most_);
}

bool Proof::go_on(long tries) {
  const long until = tries_ + tries;
  while (!done_ && tries_ < until) {
    Frame& frame = frames_.back();
    if (!returned_) {
      frame.mover == Mover::Attacker ? try_turn(frame) : try_reply(frame);
      continue;
    }
    returned_ = false;
    p_.unmake(frame.moves[frame.next - 1], frame.undo);
    if (frame.mover == Mover::Defender)
      note_lost(frame, turns_);
    else if (turns_)
      note_win(frame, turns_ + 1);
  }
  return done_;
}

void Proof::close(int turns) {
  frames_.pop_back();
  turns_ = turns;
  returned_ = true;
  done_ = frames_.empty();
}

// ---------------------------------------------------------------------- the attacker

void Proof::open_attack(int turns) {
  Frame& frame = frames_.emplace_back();
  frame.mover = Mover::Attacker;
  frame.turns = turns;
  if (!is_root()) frame.within = std::max(2, memory_->of(p_.hash()).open + 1);
  list_turns(p_, frame.moves);
}

void Proof::try_turn(Frame& frame) {
  if (frame.next == frame.moves.size()) return end_round(frame);
  const Move m = frame.moves[frame.next++];
  p_.make(m, frame.undo);
  ++tries_;
  const bool threat = !over() && can_win(p_, attacker_);
  if (over() || (frame.within > 2 && !threat)) return p_.unmake(m, frame.undo);
  if (threat) frame.kept.push_back(m);
  if (frame.within == 2) {
    const bool refuted = is_refuted_at_once();
    p_.unmake(m, frame.undo);
    if (!refuted) note_win(frame, 2);
    return;
  }
  std::vector<Move> holding;
  if (can_win(p_, p_.to_move()) || !find_holding(holding)) {
    frame.kept.pop_back();  // refuted for good
    return p_.unmake(m, frame.undo);
  }
  const auto& known = memory_->refutations();  // what has refuted something before comes first
  const auto rank = [&](Move reply) { return std::find(known.begin(), known.end(), reply) - known.begin(); };
  std::stable_sort(holding.begin(), holding.end(), [&](Move a, Move b) { return rank(a) < rank(b); });
  open_defence(frame.within - 1, std::move(holding));
}

// The turn just tried wins within so many.
void Proof::note_win(Frame& frame, int turns) {
  if (!is_root()) {
    memory_->note_win(p_.hash(), turns);
    return close(turns);
  }
  const Move m = frame.moves[frame.next - 1];
  if (!frame.kept.empty() && frame.kept.back() == m) frame.kept.pop_back();
  wins_.push_back({m, turns});
  done_ = wins_.size() >= most_;
}

// All turns were tried for this number; what threatens is tried for the next.
void Proof::end_round(Frame& frame) {
  const bool hopeless = frame.kept.empty();
  if (!is_root()) memory_->note_none(p_.hash(), hopeless ? for_ever : frame.within);
  if (hopeless || ++frame.within > frame.turns) return close(0);
  frame.moves = std::move(frame.kept);
  frame.kept.clear();
  frame.next = 0;
}

// ---------------------------------------------------------------------- the defender

void Proof::open_defence(int turns, std::vector<Move>&& replies) {
  Frame& frame = frames_.emplace_back();
  frame.mover = Mover::Defender;
  frame.turns = turns;
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
  const ProofMemory::Known& known = memory_->of(p_.hash());
  const bool won = known.won && known.won <= frame.turns;
  if (!won && known.open < frame.turns) return open_attack(frame.turns);
  const int turns = won ? known.won : 0;
  p_.unmake(m, frame.undo);
  note_lost(frame, turns);
}

// After the reply just tried the attacker wins within so many turns; 0: does not.
void Proof::note_lost(Frame& frame, int turns) {
  const Move m = frame.moves[frame.next - 1];
  const bool longer = turns > frame.longest;
  if (longer) frame.longest = turns;
  if (is_root() && (longer || !turns)) reply_ = {false, m, turns};
  if (turns) return;
  memory_->note_refutation(m);
  close(0);
}

Proof::Fate Proof::fate_of(Move reply) {
  Undo undo;
  p_.make(reply, undo);
  ++tries_;
  const Outcome outcome = p_.outcome();
  Fate fate = outcome == win_of(attacker_) ? Fate::Lost : Fate::Ends;
  if (outcome == Outcome::Open) fate = can_win(p_, attacker_) ? Fate::Lost : Fate::Holds;
  p_.unmake(reply, undo);
  return fate;
}

// Calls f(reply, fate) for the replies of the defender, who cannot win at once, that do not lose, until it says no.
template <class F>
void Proof::each_holding(F&& f) {
  const Carriers carriers(p_);
  const bool counted = wins_by_count(p_, attacker_) && sure_adds(p_, attacker_, 1);  // still, if the lead remains
  const int lead = lead_of(p_, attacker_);
  const bool last = p_.placed(p_.to_move()) == set_size - 1;  // adding it ends the game
  MoveList list;
  list_moves(p_, list);
  for (const Move m : list) {
    if (!(last && is_add(m)) && (!carriers.all_disturbed(p_, m) || (counted && lead > centre_gain(p_, m)))) continue;
    const Fate fate = fate_of(m);
    if (fate != Fate::Lost && !f(m, fate)) return;
  }
}

// Whether the defender wins at once, or has a reply after which the attacker does not.
bool Proof::is_refuted_at_once() {
  Move refutation = no_move;
  for (const Move m : memory_->refutations())
    if (is_legal(p_, m) && fate_of(m) != Fate::Lost) {
      refutation = m;
      break;
    }
  if (refutation == no_move) {
    if (can_win(p_, p_.to_move())) return true;
    each_holding([&](Move m, Fate) {
      refutation = m;
      return false;
    });
  }
  if (refutation == no_move) return false;
  memory_->note_refutation(refutation);
  return true;
}

// The replies after which the attacker cannot win at once. False if one of them, then the last, ends the game.
bool Proof::find_holding(std::vector<Move>& holding) {
  bool open = true;
  each_holding([&](Move m, Fate fate) {
    holding.push_back(m);
    return open = fate == Fate::Holds;
  });
  return open;
}

void Proof::defend_at_root(int turns) {
  done_ = true;
  const std::vector<Move> own_wins = wins_at_once(p_);
  if (!own_wins.empty()) {
    reply_.move = own_wins.front();
    return;
  }
  std::vector<Move> holding;
  if (!find_holding(holding) || (turns < 2 && !holding.empty())) {
    reply_.move = holding.back();
    return;
  }
  if (holding.empty()) return resist();
  done_ = false;
  open_defence(turns, std::move(holding));
}

// All lose: by themselves, or because the attacker wins with the next turn. Taken is what leaves the fewest such turns.
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

// ---------------------------------------------------------------------- what follows

ProvenLine::ProvenLine(const Position& p, Proof::Mover mover, int turns, ProofMemory& memory)
    : p_(p), mover_(mover), memory_(&memory), proof_(p, mover, turns, 1, memory) {}

bool ProvenLine::go_on(long tries) {
  const long until = this->tries() + tries;
  while (!done_ && proof_.go_on(until - this->tries())) {
    take_in();
    if (done_) break;
    tries_ += proof_.tries();
    proof_ = Proof(p_, mover_, turns_, 1, *memory_);
  }
  return done_;
}

// What the proof has come to: the next turn of the line.
void ProvenLine::take_in() {
  const bool attacks = mover_ == Proof::Mover::Attacker;
  const WinningTurn win = attacks && !proof_.wins().empty() ? proof_.wins().front() : WinningTurn{};
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
  turns_ = attacks ? win.turns - 1 : reply.turns;
}

}  // namespace punct
