#include "search/forced.hpp"

#include <algorithm>

namespace punct::search {
namespace {

// What takes as long as trying so many moves: finding those that may threaten, ranking them, and the answers to one.
constexpr int price_of_listing = 10, price_of_ranking = 25, price_of_answers = 8;

// Could the player connect with dots on so many more spaces? Only their number counts, so "no" is certain and "yes" is
// not.
bool is_within(const Position& p, Colour c, int spaces) {
  const Bits& own = p.showing(c);
  for (int pair = 0; pair < side_pairs; ++pair) {
    const Bits &near = board.side[2 * pair], &far = board.side[2 * pair + 1];
    Bits reached = flood(near, own);
    for (int i = 0; i < spaces && !meets(reached, far); ++i) {
      reached = (grown(reached) & board.board) | near;
      reached |= flood(grown(reached), own);  // dots that lie beside it come for nothing
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

constexpr std::size_t most_answers = 60;  // more than that is no forced win

// Adds the moves after which the last piece would end the game ahead in the central hexagon.
void add_count_threats(const Position& p, Colour c, MoveList& out) {
  if (p.rules() != Standard || p.placed(c) < set_size - 2) return;
  const int lead = p.centre_count(c) - p.centre_count(other(c));
  const bool one_left = p.placed(c) == set_size - 1;
  const std::vector<Move> known(out.begin(), out.end());  // in the order of list_moves()
  auto next = known.begin();
  thread_local MoveList all;
  list_moves(p, all);
  for (const Move m : all)
    if (next != known.end() && *next == m)
      ++next;
    else if (is_add(m) != one_left && lead + centre_gain(p, m) > 0)
      out.move[out.count++] = m;
}

// Sorts moves by how much they deserve a look.
void rank(const Position& p, const PriorWeights& weights, std::vector<Move>& moves) {
  thread_local std::vector<Candidate> all;
  Insight insight;
  look_at(p, insight);
  choose(p, insight, nullptr, max_moves, weights, all);
  std::sort(moves.begin(), moves.end());
  std::vector<Move> ranked;
  ranked.reserve(moves.size());
  for (const Candidate& c : all)
    if (std::binary_search(moves.begin(), moves.end(), c.move)) ranked.push_back(c.move);
  moves.swap(ranked);
}

}  // namespace

ForcedSearch::ForcedSearch(const Position& p, const PriorWeights& weights, long budget, Move hint)
    : p_(p), weights_(&weights), attacker_(p.to_move()), budget_(budget) {
  winners_.fill(no_move);
  winners_.front() = hint;
  answers_.fill(no_move);
  done_ = !may_threaten(p_, attacker_);
  if (!done_) open(most_threats);
}

bool ForcedSearch::go_on(long tries) {
  const long until = std::min(spent_ + tries, budget_);
  while (!done_ && spent_ < until) returned_ ? go_back_up() : try_next();
  return done_ || is_spent();
}

void ForcedSearch::open(int threats) {
  const Move winner = winners_[frames_.size()];
  Frame& frame = frames_.emplace_back();
  frame.threats = threats;
  frame.listed = !may_threaten(p_, attacker_);
  if (!frame.listed && winner != no_move && is_legal(p_, winner)) frame.candidates.push_back(winner);
}

// Plies to the end with at most so many threats, or 0 if no win was found.
void ForcedSearch::close(int plies) {
  frames_.pop_back();
  plies_ = plies;
  returned_ = true;
  if (!frames_.empty()) return;
  found_.plies = plies;
  done_ = true;
}

void ForcedSearch::try_next() {
  Frame& frame = frames_.back();
  if (frame.next == frame.candidates.size()) return frame.listed ? next_round(frame) : list_candidates(frame);
  const Move m = frame.candidates[frame.next++];
  p_.make(m, frame.undo);
  spend(1);
  if (frame.within == 1) {
    const bool threat = !p_.decided() && can_win(p_, attacker_) && !can_win(p_, p_.to_move());
    if (!threat) return take_back(frame);
    frame.kept.push_back(m);
    if (is_held_at_once()) return take_back(frame);
    return win(frame, 3);  // any move, then the connection
  }
  look_at_answers(frame);
}

// All were tried for this number; what threatens is tried for the next.
void ForcedSearch::next_round(Frame& frame) {
  if (frame.kept.empty() || frame.within == frame.threats) return close(0);
  if (frame.within == 1 && frame.kept.size() > 1) {
    rank(p_, *weights_, frame.kept);
    spend(price_of_ranking);
  }
  ++frame.within;
  frame.candidates = std::move(frame.kept);
  frame.kept.clear();
  frame.next = 0;
}

void ForcedSearch::list_candidates(Frame& frame) {
  frame.listed = true;
  thread_local Approaches approaches;
  approaches.moves.count = 0;
  find_approaches(p_, attacker_, approaches);
  add_count_threats(p_, attacker_, approaches.moves);
  spend(price_of_listing);
  if (!approaches.moves.count) return;
  const Defence own(p_);  // the attacker, too, may have something to stop
  const Move tried = frame.candidates.empty() ? no_move : frame.candidates.front();
  for (const Move m : approaches.moves)
    if (m != tried && (!own.needed() || own.may_hold(p_, m))) frame.candidates.push_back(m);
}

// ---------------------------------------------------------------------- the defender

// Whether the attacker, who threatens to win, does not do so after this answer; false if it cannot be played.
bool ForcedSearch::holds(Move answer) {
  if (!is_legal(p_, answer)) return false;
  const Outcome attackers_win = attacker_ == White ? Outcome::WhiteWins : Outcome::BlackWins;
  Undo undo;
  p_.make(answer, undo);
  spend(1);
  const bool fails = p_.decided() ? p_.outcome() == attackers_win : can_win(p_, attacker_);
  p_.unmake(answer, undo);
  return !fails;
}

// The latest answer to some threat that stops this one, too.
Move ForcedSearch::known_answer() {
  const auto known = std::find_if(answers_.begin(), answers_.end(), [&](Move m) { return m != no_move && holds(m); });
  return known == answers_.end() ? no_move : *known;
}

void ForcedSearch::note_answer(Move answer) {
  const auto known = std::find(answers_.begin(), answers_.end() - 1, answer);
  std::rotate(answers_.begin(), known, known + 1);
  answers_.front() = answer;
}

// Whether some answer stops the threat just made.
bool ForcedSearch::is_held_at_once() {
  const Move known = known_answer();
  if (known != no_move) {
    note_answer(known);
    return true;
  }
  const Defence defence(p_);
  thread_local MoveList moves;
  list_moves(p_, moves);
  spend(price_of_answers);
  const Move* answer =
      std::find_if(moves.begin(), moves.end(), [&](Move m) { return defence.may_hold(p_, m) && holds(m); });
  if (answer == moves.end()) return false;
  note_answer(*answer);
  return true;
}

// Begins to look more closely at the answers to a threat: at one that is known to be good before all are listed.
void ForcedSearch::look_at_answers(Frame& frame) {
  frame.longest = 2;  // any move, then the connection
  frame.answer = 0;
  frame.first = known_answer();
  if (frame.first != no_move)
    frame.holding.assign(1, frame.first);
  else if (!find_answers(frame))
    return take_back(frame);
  try_answer(frame);
}

// The answers that must be looked at. False if some answer holds for certain, or there are too many.
bool ForcedSearch::find_answers(Frame& frame) {
  const Defence defence(p_);
  thread_local MoveList moves;
  list_moves(p_, moves);
  spend(price_of_answers);
  frame.holding.clear();
  for (const Move m : moves) {
    if (m == frame.first || !defence.may_hold(p_, m) || !holds(m)) continue;
    frame.holding.push_back(m);
    if (frame.holding.size() > most_answers) return false;
  }
  return true;
}

void ForcedSearch::try_answer(Frame& frame) {
  if (frame.answer == frame.holding.size()) {
    if (frame.first == no_move) return win(frame, frame.longest + 1);
    const bool all_fail = find_answers(frame);
    frame.first = no_move;
    frame.answer = 0;
    return all_fail ? try_answer(frame) : take_back(frame);
  }
  const Move m = frame.holding[frame.answer];
  p_.make(m, frame.answer_undo);
  spend(1);
  if (!p_.decided()) return open(frame.within - 1);
  plies_ = 0;  // it ended the game, and not by the attacker's win
  go_back_up();
}

// What came of the answer that was looked at.
void ForcedSearch::go_back_up() {
  returned_ = false;
  Frame& frame = frames_.back();
  const Move m = frame.holding[frame.answer];
  p_.unmake(m, frame.answer_undo);
  if (!plies_) {
    note_answer(m);
    frame.kept.push_back(frame.candidates[frame.next - 1]);
    return take_back(frame);
  }
  frame.longest = std::max(frame.longest, plies_ + 1);
  ++frame.answer;
  try_answer(frame);
}

// ---------------------------------------------------------------------- the attacker

// The threat does not win, within so many.
void ForcedSearch::take_back(Frame& frame) { p_.unmake(frame.candidates[frame.next - 1], frame.undo); }

void ForcedSearch::win(Frame& frame, int plies) {
  const Move m = frame.candidates[frame.next - 1];
  p_.unmake(m, frame.undo);
  winners_[frames_.size() - 1] = m;
  if (frames_.size() == 1) found_.move = m;
  close(plies);
}

}  // namespace punct::search
