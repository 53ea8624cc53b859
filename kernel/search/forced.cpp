#include "search/forced.hpp"

#include <algorithm>

namespace punct::search {
namespace {

// What listing the moves that may threaten, ranking them, and listing the answers to one cost, in moves tried.
constexpr int listing_cost = 10, ranking_cost = 25, answers_cost = 8;

// Whether the player could connect with dots on this many more spaces. Only their number counts, so "no" is certain and
// "yes" is not.
bool is_within(const Position& p, Colour c, int spaces) {
  const Bits& own = p.showing(c);
  for (int pair = 0; pair < side_pairs; ++pair) {
    const Bits &near = board.side[2 * pair], &far = board.side[2 * pair + 1];
    Bits reached = flood(near, own);
    for (int i = 0; i < spaces && !meets(reached, far); ++i) {
      reached = (grown(reached) & board.board) | near;
      reached |= flood(grown(reached), own);  // own dots beside it are free
    }
    if (meets(reached, far)) return true;
  }
  return false;
}

// Whether the player might make a threat: it and its execution take two pieces of three dots, or end the game by the
// count.
bool may_threaten(const Position& p, Colour c) {
  constexpr int two_pieces = 6;
  return p.placed(c) >= set_size - 2 || is_within(p, c, two_pieces);
}

constexpr std::size_t max_answers = 60;  // with more the threat is given up

// Adds the moves after which the last piece would end the game ahead in the central hexagon.
void add_count_threats(const Position& p, Colour c, MoveList& out) {
  if (p.rules() != Standard || p.placed(c) < set_size - 2) return;
  const int lead = p.centre_count(c) - p.centre_count(other(c));
  const bool one_left = p.placed(c) == set_size - 1;
  const std::vector<Move> listed(out.begin(), out.end());  // in the order of list_moves()
  auto next = listed.begin();
  thread_local MoveList all;
  list_moves(p, all);
  for (const Move m : all)
    if (next != listed.end() && *next == m)
      ++next;
    else if (is_add(m) != one_left && lead + centre_gain(p, m) > 0)
      out.move[out.count++] = m;
}

// Sorts moves by their prior.
void rank(const Position& p, const PriorWeights& weights, std::vector<Move>& moves) {
  thread_local std::vector<Candidate> all;
  PathAnalysis analysis;
  analyse_paths(p, analysis);
  choose_candidates(p, analysis, nullptr, max_moves, weights, all);
  std::sort(moves.begin(), moves.end());
  std::vector<Move> ranked;
  ranked.reserve(moves.size());
  for (const Candidate& c : all)
    if (std::binary_search(moves.begin(), moves.end(), c.move)) ranked.push_back(c.move);
  moves.swap(ranked);
}

}  // namespace

ForcedSearch::ForcedSearch(const Position& p, const PriorWeights& weights, int64_t budget, Move hint)
    : p_(p), weights_(&weights), attacker_(p.to_move()), budget_(budget) {
  winners_.fill(no_move);
  winners_.front() = hint;
  answers_.fill(no_move);
  done_ = !may_threaten(p_, attacker_);
  if (!done_) open(max_threats);
}

bool ForcedSearch::advance(int64_t tries) {
  const int64_t until = std::min(spent_ + tries, budget_);
  while (!done_ && spent_ < until) returned_ ? return_to_parent() : try_next();
  return done_ || is_spent();
}

void ForcedSearch::open(int threats) {
  const Move winner = winners_[frames_.size()];
  Frame& frame = frames_.emplace_back();
  frame.threats = threats;
  frame.listed = !may_threaten(p_, attacker_);
  if (!frame.listed && winner != no_move && is_legal(p_, winner)) frame.candidates.push_back(winner);
}

// `plies`: to the end of the game, or 0 if no win was found.
void ForcedSearch::close(int plies) {
  frames_.pop_back();
  plies_ = plies;
  returned_ = true;
  if (!frames_.empty()) return;
  result_.plies = plies;
  done_ = true;
}

void ForcedSearch::try_next() {
  Frame& frame = frames_.back();
  if (frame.next == frame.candidates.size()) return frame.listed ? next_round(frame) : list_candidates(frame);
  const Move m = frame.candidates[frame.next++];
  p_.make(m, frame.undo);
  spend(1);
  if (frame.round == 1) {
    const bool threat = !p_.decided() && can_win(p_, attacker_) && !can_win(p_, p_.to_move());
    if (!threat) return take_back(frame);
    frame.threatening.push_back(m);
    if (is_stopped_at_once()) return take_back(frame);
    return win(frame, 3);  // any move, then the connection
  }
  examine_answers(frame);
}

// All were tried with this number of threats; those that threaten are tried with one more.
void ForcedSearch::next_round(Frame& frame) {
  if (frame.threatening.empty() || frame.round == frame.threats) return close(0);
  if (frame.round == 1 && frame.threatening.size() > 1) {
    rank(p_, *weights_, frame.threatening);
    spend(ranking_cost);
  }
  ++frame.round;
  frame.candidates = std::move(frame.threatening);
  frame.threatening.clear();
  frame.next = 0;
}

void ForcedSearch::list_candidates(Frame& frame) {
  frame.listed = true;
  thread_local Approaches approaches;
  approaches.moves.count = 0;
  find_approaches(p_, attacker_, approaches);
  add_count_threats(p_, attacker_, approaches.moves);
  spend(listing_cost);
  if (!approaches.moves.count) return;
  const Defence own(p_);  // the attacker, too, may have to stop a threat
  const Move tried = frame.candidates.empty() ? no_move : frame.candidates.front();
  for (const Move m : approaches.moves)
    if (m != tried && (!own.needed() || own.may_hold(p_, m))) frame.candidates.push_back(m);
}

// ---------------------------------------------------------------------- the defender

// Whether this answer stops the attacker's threat; false if it cannot be played.
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

// The latest answer to another threat that stops this one, too.
Move ForcedSearch::known_answer() {
  const auto answer = std::find_if(answers_.begin(), answers_.end(), [&](Move m) { return m != no_move && holds(m); });
  return answer == answers_.end() ? no_move : *answer;
}

void ForcedSearch::note_answer(Move answer) {
  const auto place = std::find(answers_.begin(), answers_.end() - 1, answer);
  std::rotate(answers_.begin(), place, place + 1);
  answers_.front() = answer;
}

// Whether some answer stops the threat just made.
bool ForcedSearch::is_stopped_at_once() {
  const Move latest = known_answer();
  if (latest != no_move) {
    note_answer(latest);
    return true;
  }
  const Defence defence(p_);
  thread_local MoveList moves;
  list_moves(p_, moves);
  spend(answers_cost);
  const Move* answer =
      std::find_if(moves.begin(), moves.end(), [&](Move m) { return defence.may_hold(p_, m) && holds(m); });
  if (answer == moves.end()) return false;
  note_answer(*answer);
  return true;
}

// Begins to try the answers to a threat: one that stopped another threat before all are listed.
void ForcedSearch::examine_answers(Frame& frame) {
  frame.longest = 2;  // any move, then the connection
  frame.answer = 0;
  frame.first = known_answer();
  if (frame.first != no_move)
    frame.holding.assign(1, frame.first);
  else if (!find_answers(frame))
    return take_back(frame);
  try_answer(frame);
}

// Lists the answers that must be tried. False if there are too many.
bool ForcedSearch::find_answers(Frame& frame) {
  const Defence defence(p_);
  thread_local MoveList moves;
  list_moves(p_, moves);
  spend(answers_cost);
  frame.holding.clear();
  for (const Move m : moves) {
    if (m == frame.first || !defence.may_hold(p_, m) || !holds(m)) continue;
    frame.holding.push_back(m);
    if (frame.holding.size() > max_answers) return false;
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
  if (!p_.decided()) return open(frame.round - 1);
  plies_ = 0;  // the answer ended the game, and not by the attacker's win
  return_to_parent();
}

// Takes in the result of the answer that was tried.
void ForcedSearch::return_to_parent() {
  returned_ = false;
  Frame& frame = frames_.back();
  const Move m = frame.holding[frame.answer];
  p_.unmake(m, frame.answer_undo);
  if (!plies_) {
    note_answer(m);
    frame.threatening.push_back(frame.candidates[frame.next - 1]);
    return take_back(frame);
  }
  frame.longest = std::max(frame.longest, plies_ + 1);
  ++frame.answer;
  try_answer(frame);
}

// ---------------------------------------------------------------------- the attacker

// The threat does not win in this round.
void ForcedSearch::take_back(Frame& frame) { p_.unmake(frame.candidates[frame.next - 1], frame.undo); }

void ForcedSearch::win(Frame& frame, int plies) {
  const Move m = frame.candidates[frame.next - 1];
  p_.unmake(m, frame.undo);
  winners_[frames_.size() - 1] = m;
  if (frames_.size() == 1) result_.move = m;
  close(plies);
}

}  // namespace punct::search
