// Checks whether the best move loses to threats.
//
// The tree follows threats no deeper than its visits reach. So the current best move at the root gets a search for a
// win by threats for the opponent, the larger the longer the search runs; if there is one, the move counts as lost
// and the visits go elsewhere. The search of each move is kept and resumed when the move is the best again. Budgets
// depend on visits and tries only, not on the clock: a search limited by nodes gives the same result on every
// machine.
#pragma once

#include <optional>
#include <vector>

#include "search/tree.hpp"

namespace punct::search {

class BlunderCheck {
 public:
  // Short searches are better without it, except for a move that is the only one not known to lose: such a search ends
  // early and has the time.
  explicit BlunderCheck(bool enabled) : enabled_(enabled) {}

  // The budget for the best move in a search of this many nodes.
  static int64_t tries_for(double nodes);

  // Starts a check of the best move at the root, if one is due; returns whether one is running. `is_final`: the move
  // would be played next.
  bool begin(const Tree& tree, bool is_final);
  bool is_running() const { return running_ != none; }
  // Tries this many moves; true when it is finished. Other threads may visit the tree meanwhile.
  bool advance(int64_t tries);
  // Applies the result to the tree. True if the move was refuted.
  bool apply(Tree& tree);
  void cancel() { running_ = none; }

  // Whether the best move has been checked with its whole budget.
  bool is_satisfied(const Tree& tree) const { return !enabled_ || is_done(tree); }
  int64_t spent() const { return spent_; }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  struct Check {
    Move move;
    ForcedSearch search;
    // Copies from when the search last paused: other threads read them while it runs.
    int64_t spent = 0;
    bool exhausted = false;
  };

  const Check* find(Move m) const;
  bool is_done(const Tree& tree) const;

  bool enabled_;
  std::vector<Check> checks_;
  std::size_t running_ = none;
  int64_t spent_ = 0;
  uint64_t last_visits_ = 0;  // visits when a check was last considered
};

}  // namespace punct::search
