// Forced wins: the attacker makes nothing but threats (to connect, or to end the game ahead in the central hexagon),
// the defender nothing but answers to them.
//
// A threat leaves the defender few moves that may hold (threats.hpp), and few moves can make one (find_approaches), so
// variations far longer than those of the main search are within reach. A win it finds is proved: every answer was
// tried.
#pragma once

#include <array>
#include <vector>

#include "search/candidates.hpp"

namespace punct::search {

struct ForcedWin {
  Move move = no_move;  // no_move: none found
  int plies = 0;        // moves of both players until the end, against the longest resistance
};

// Searches for a win by threats for the player to move, who has no win in one, by iterative deepening. It runs in
// slices of any length with the same result.
class ForcedSearch {
 public:
  // `budget`: how many moves it may try. `hint`: a move to try first, such as the one that won in a similar position.
  // The weights must outlive it.
  ForcedSearch(const Position& p, const PriorWeights& weights, int64_t budget, Move hint = no_move);

  // Tries this many moves, or a few more; true when it is finished or the budget is spent.
  bool advance(int64_t tries);
  void set_budget(int64_t budget) { budget_ = budget; }

  const ForcedWin& result() const { return result_; }
  bool exhausted() const { return done_; }  // a larger budget would not change the result
  int64_t spent() const { return spent_; }  // of the budget

 private:
  static constexpr int max_threats = 5;  // in the longest variation, before the connection

  // The attacker to move, with the threats left, and the defender's answers to the one just made.
  struct Frame {
    int threats = 0;
    int round = 1;        // how many threats the variations of this round have
    bool listed = false;  // all candidates are listed; before that only a move that won in a similar position
    std::vector<Move> candidates;
    std::size_t next = 0;           // candidate
    std::vector<Move> threatening;  // those that threaten: the candidates of the next round
    Undo undo;
    std::vector<Move> holding;  // answers that stop the threat
    std::size_t answer = 0;     // the one being tried
    Move first = no_move;       // the answer that is tried before the others are listed
    Undo answer_undo;
    int longest = 0;
  };

  void open(int threats);
  void close(int plies);
  void try_next();
  void next_round(Frame& frame);
  void list_candidates(Frame& frame);
  void examine_answers(Frame& frame);
  bool is_stopped_at_once();
  Move known_answer();
  bool find_answers(Frame& frame);
  bool holds(Move answer);
  void try_answer(Frame& frame);
  void return_to_parent();
  void take_back(Frame& frame);
  void win(Frame& frame, int plies);
  void note_answer(Move answer);
  void spend(int64_t tries) { spent_ += tries; }
  bool is_spent() const { return spent_ >= budget_; }

  Position p_;
  const PriorWeights* weights_;
  Colour attacker_;
  int64_t budget_;
  int64_t spent_ = 0;
  std::array<Move, max_threats> winners_;  // by depth: the last winning move, likely to win again after another answer
  std::array<Move, 6> answers_;            // answers that stopped threats, the latest first: likely to stop the next
  std::vector<Frame> frames_;
  bool returned_ = false;  // a frame was closed: `plies_` is its result
  int plies_ = 0;
  bool done_ = false;
  ForcedWin result_;
};

}  // namespace punct::search
