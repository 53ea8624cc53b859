#include "search/forced.hpp"

#include <algorithm>

namespace punct::search {
namespace {

constexpr int most_threats = 5;        // the longest variation: so many threats, then the connection
constexpr int last_candidates = 1000;  // of the attacker's, where one threat must do: each is quickly seen through
constexpr int candidates_tried = 300;  // and where more may follow
constexpr int price_of_choice = 20;    // choosing among all moves takes as long as trying so many

// Could the player connect with dots on so many more spaces? Only their number counts, so "no" is certain and "yes" is
// not.
bool is_within(const Position& p, Colour c, int spaces) {
  const Bits& own = p.showing(c);
  for (int pair = 0; pair < side_pairs; ++pair) {
    const Bits &near = board.side[2 * pair], &far = board.side[2 * pair + 1];
    Bits reached = flood(near, own);
    for (int i = 0; i < spaces && !meets(reached, far); ++i) {
      reached = (grown(reached) & board.board) | near;
      reached |= flood(reached, own);
    }
    if (meets(reached, far)) return true;
  }
  return false;
}

// A threat made now and carried out with the next move takes two pieces of three dots, or ends the game by the count.
bool may_threaten(const Position& p, Colour c) {
  constexpr int two_pieces = 6;
  return p.placed(c) >= set_size - 2 || is_within(p, c, two_pieces);
}

constexpr std::size_t most_answers = 24;  // more than that is no forced win

}  // namespace

ForcedSearch::ForcedSearch(const Position& p, const PriorWeights& weights, long budget)
    : p_(p), weights_(&weights), attacker_(p.to_move()), budget_(budget) {
  done_ = !may_threaten(p_, attacker_);
}

bool ForcedSearch::go_on(long tries) {
  const long until = budget_ - tries;
  while (!done_ && budget_ > until) {
    if (!frames_.empty()) {
      if (returned_)
        go_back_up();
      else
        try_next();
      continue;
    }
    if (returned_) {  // a round is over
      returned_ = false;
      found_.plies = plies_;
      done_ = plies_ || !saw_threat_;  // more of them cannot follow where there is not one
      continue;
    }
    done_ = ++threats_ > most_threats || budget_ <= 0;
    saw_threat_ = false;
    if (!done_) open(threats_);
  }
  return done_;
}

void ForcedSearch::open(int threats) {
  Insight insight;
  look_at(p_, insight);
  const Defence own(p_);  // the attacker, too, may have something to stop
  // At the root every move is tried.
  const int most = frames_.empty() ? max_moves : threats > 1 ? candidates_tried : last_candidates;
  Frame& frame = frames_.emplace_back();
  frame.threats = threats;
  choose(p_, insight, own.needed() ? &own : nullptr, most, *weights_, frame.candidates);
  budget_ -= price_of_choice;
}

// Plies to the end with at most so many threats, or 0 if no win was found.
void ForcedSearch::close(int plies) {
  frames_.pop_back();
  plies_ = plies;
  returned_ = true;
}

void ForcedSearch::try_next() {
  Frame& frame = frames_.back();
  if (frame.next == frame.candidates.size() || budget_ <= 0) return close(0);
  p_.make(frame.candidates[frame.next++].move, frame.undo);
  --budget_;
  const bool threat = !p_.decided() && can_win(p_, attacker_);
  saw_threat_ |= threat;
  if (!threat || can_win(p_, p_.to_move()) || !find_answers(frame)) return end_candidate(frame, 0);
  frame.longest = 2;  // any move, then the connection
  frame.answer = 0;
  try_answer(frame);
}

// With the defender to move under a threat: the answers that must be looked at more closely. False if some answer
// holds for certain, or there are too many.
bool ForcedSearch::find_answers(Frame& frame) {
  const Outcome attackers_win = attacker_ == White ? Outcome::WhiteWins : Outcome::BlackWins;
  const Defence defence(p_);
  MoveList moves;
  list_moves(p_, moves);
  frame.holding.clear();
  for (const Move m : moves) {
    if (!defence.may_hold(p_, m)) continue;
    Undo undo;
    p_.make(m, undo);
    --budget_;
    const bool over = p_.decided();
    const bool fails = over ? p_.outcome() == attackers_win : can_win(p_, attacker_);
    p_.unmake(m, undo);
    if (fails) continue;
    if (over || frame.threats <= 1) return false;
    frame.holding.push_back(m);
    if (budget_ <= 0 || frame.holding.size() > most_answers) return false;
  }
  return true;
}

void ForcedSearch::try_answer(Frame& frame) {
  if (frame.answer == frame.holding.size()) return end_candidate(frame, frame.longest);
  p_.make(frame.holding[frame.answer], frame.answer_undo);
  --budget_;
  open(frame.threats - 1);
}

// What came of the answer that was looked at.
void ForcedSearch::go_back_up() {
  returned_ = false;
  Frame& frame = frames_.back();
  p_.unmake(frame.holding[frame.answer], frame.answer_undo);
  if (!plies_) return end_candidate(frame, 0);
  frame.longest = std::max(frame.longest, plies_ + 1);
  ++frame.answer;
  try_answer(frame);
}

// Takes the threat back; it wins if every answer loses, in so many plies.
void ForcedSearch::end_candidate(Frame& frame, int plies) {
  const Move m = frame.candidates[frame.next - 1].move;
  p_.unmake(m, frame.undo);
  if (!plies) return;
  if (frames_.size() == 1) found_.move = m;
  close(plies + 1);
}

}  // namespace punct::search
