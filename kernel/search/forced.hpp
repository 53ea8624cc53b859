// Forced wins: the attacker makes nothing but threats (to connect, or to end the game ahead in the central hexagon),
// the defender nothing but answers to them.
//
// A threat leaves the defender few moves that may hold (threats.hpp), so variations far longer than the main search
// could follow everywhere are within reach. What it finds is proved: every answer was tried.
#pragma once

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
  // `budget`: how many moves it may try. The weights must outlive it.
  ForcedSearch(const Position& p, const PriorWeights& weights, long budget);

  // Tries so many moves, or a few more; true when there is nothing left to try.
  bool go_on(long tries);

  const ForcedWin& found() const { return found_; }

 private:
  // The attacker to move with so many threats left, and the defender's answers to the one just made.
  struct Frame {
    int threats = 0;
    std::vector<Candidate> candidates;
    std::size_t next = 0;  // candidate
    Undo undo;
    std::vector<Move> holding;  // answers that stop the threat
    std::size_t answer = 0;     // the one being looked at
    Undo answer_undo;
    int longest = 0;
  };

  void open(int threats);
  void close(int plies);
  void try_next();
  bool find_answers(Frame& frame);
  void try_answer(Frame& frame);
  void go_back_up();
  void end_candidate(Frame& frame, int plies);

  Position p_;
  const PriorWeights* weights_;
  Colour attacker_;
  long budget_;
  int threats_ = 0;          // at most so many in the round under way
  bool saw_threat_ = false;  // in it
  std::vector<Frame> frames_;
  bool returned_ = false;  // a frame was closed: `plies_` is what it came to
  int plies_ = 0;
  bool done_ = false;
  ForcedWin found_;
};

}  // namespace punct::search
