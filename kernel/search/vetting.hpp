// Vetting: does the best move lose to threats?
//
// The tree follows threats no further than its visits reach. So whatever is the best move at the root for the moment is
// looked at more closely, the longer the search goes on; if the opponent wins by threats after it, it counts as lost
// and the visits go on elsewhere. What was tried for a move is kept and gone on with when it is its turn again. Only
// visits and tries count, no clock: a search by nodes vets alike everywhere.
#pragma once

#include <optional>
#include <vector>

#include "search/tree.hpp"

namespace punct::search {

class Vetting {
 public:
  // A search too short is better off without, unless all other moves are known to lose: it then ends early, and has the
  // time.
  explicit Vetting(bool wanted) : wanted_(wanted) {}

  // How many moves are tried after the best one in a search of so many nodes.
  static long tries_for(double nodes);

  // Whether the best move at the root deserves a closer look now, which then is under way. `last`: it would be played
  // next.
  bool begin(const Tree& tree, bool last);
  bool under_way() const { return under_way_ != none; }
  // Tries some; true when it is done. The tree may be visited meanwhile.
  bool go_on(long tries);
  // Tells the tree. True if the move was refuted.
  bool take(Tree& tree);
  void drop() { under_way_ = none; }

  // Whether the best move has been looked at as closely as it deserves.
  bool is_content(const Tree& tree) const { return !wanted_ || is_done(tree); }
  long spent() const { return spent_; }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  struct Vetted {
    Move move;
    ForcedSearch search;
    // Of the search when it was last left: others may ask while it goes on.
    long spent = 0;
    bool exhausted = false;
  };

  const Vetted* find(Move m) const;
  bool is_done(const Tree& tree) const;

  bool wanted_;
  std::vector<Vetted> vetted_;
  std::size_t under_way_ = none;
  long spent_ = 0;
  uint64_t looked_at_ = 0;  // visits when the best move was last asked for
};

}  // namespace punct::search
