// Forced wins: the attacker makes nothing but threats (to connect, or to end the game ahead in the central hexagon),
// the defender nothing but answers to them.
//
// A threat leaves the defender few moves that may hold (threats.hpp), and few moves can make one (find_approaches), so
// variations far longer than the main search could follow everywhere are within reach. What it finds is proved: every
// answer was tried.
#pragma once

#include <array>
#include <vector>

#include "search/candidates.hpp"

namespace punct::search {

struct ForcedWin {
  Move move = no_move;  // no_move: none found
  int plies = 0;        // moves of both players until the end, against the longest resistance
};

// Looks for a win by threats for the player to move, who has no win in one. Deeper ones are tried only after shorter
// ones have failed. It can be left at any time and gone on with later, and finds the same.
class ForcedSearch {
 public:
  // `budget`: how many moves it may try. `hint`: a move to try first, such as the one that won in a position like this.
  // The weights must outlive it.
  ForcedSearch(const Position& p, const PriorWeights& weights, long budget, Move hint = no_move);

  // Tries so many moves, or a few more; true when there is nothing left to try.
  bool go_on(long tries);
  // Lets it try more.
  void allow(long budget) { budget_ = budget; }

  const ForcedWin& found() const { return found_; }
  bool exhausted() const { return done_; }  // more budget would find no more
  long spent() const { return spent_; }     // how many were tried so far

 private:
  static constexpr int most_threats = 5;  // the longest variation: so many threats, then the connection

  // The attacker to move with so many threats left, and the defender's answers to the one just made.
  struct Frame {
    int threats = 0;
    int within = 1;       // of them, in the round under way
    bool listed = false;  // all that may threaten; before that only what won in a position like this
    std::vector<Move> candidates;
    std::size_t next = 0;    // candidate
    std::vector<Move> kept;  // those that threaten: the candidates of the next round
    Undo undo;
    std::vector<Move> holding;  // answers that stop the threat
    std::size_t answer = 0;     // the one being looked at
    Move first = no_move;       // the answer that is looked at before the others are listed
    Undo answer_undo;
    int longest = 0;
  };

  void open(int threats);
  void close(int plies);
  void try_next();
  void next_round(Frame& frame);
  void list_candidates(Frame& frame);
  void look_at_answers(Frame& frame);
  bool is_held_at_once();
  Move known_answer();
  bool find_answers(Frame& frame);
  bool holds(Move answer);
  void try_answer(Frame& frame);
  void go_back_up();
  void take_back(Frame& frame);
  void win(Frame& frame, int plies);
  void note_answer(Move answer);
  void spend(long tries) { spent_ += tries; }
  bool is_spent() const { return spent_ >= budget_; }

  Position p_;
  const PriorWeights* weights_;
  Colour attacker_;
  long budget_;
  long spent_ = 0;
  std::array<Move, most_threats> winners_;  // by depth: what won last, likely to win again after another answer
  std::array<Move, 6> answers_;             // what stopped threats, the latest first: likely to stop the next
  std::vector<Frame> frames_;
  bool returned_ = false;  // a frame was closed: `plies_` is what it came to
  int plies_ = 0;
  bool done_ = false;
  ForcedWin found_;
};

}  // namespace punct::search
