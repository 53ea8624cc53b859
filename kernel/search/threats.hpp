// What the opponent is about to do, and which moves could stop it.
#pragma once

#include "core/wins.hpp"

namespace punct::search {

// A player who has one piece left and leads in the central hexagon wins by putting it anywhere (H): as good as a
// connection in one.
bool wins_by_count(const Position& p, Colour c);

// The moves that could stop every threat of the opponent to win on their next move.
//
// Each threatened connection has a carrier: the spaces the piece would land on, the spaces of its chain, and the dots
// of the piece if it moves. A move that puts no dot on the carrier, and does not take a piece away from under the
// landing, leaves the threat as it is. Some carriers are looked at (not all, when there are many), so a move that
// passes here may still fail; one that does not pass surely fails.
class Defence {
 public:
  // Whether there is anything to defend against, for the player to move.
  explicit Defence(const Position& p);

  bool needed() const { return carriers_ > 0 || count_threat_; }
  bool may_hold(const Position& p, Move m) const;

 private:
  static constexpr int most_carriers = 64;

  uint64_t hit_[space_count] = {};   // by space: the carriers that a dot landing there disturbs
  uint64_t pull_[space_count] = {};  // by space: the carriers that a dot lifted from there disturbs
  uint64_t all_ = 0;
  int carriers_ = 0;
  bool count_threat_ = false;  // the opponent's last piece would end the game with a lead in the centre
};

// How much the lead of the player to move in the central hexagon grows by this move.
int centre_gain(const Position& p, Move m);

}  // namespace punct::search
