// Which moves could stop the opponent's threats.
#pragma once

#include "core/threats.hpp"

namespace punct::search {

// The moves that could stop every threat of the opponent to win on their next move. One that passes here may still
// fail; one that does not pass surely fails.
class Defence {
 public:
  // For the player to move.
  explicit Defence(const Position& p);

  bool needed() const { return carriers_.count() > 0 || count_threat_; }
  bool may_hold(const Position& p, Move m) const;

 private:
  Carriers carriers_;
  bool count_threat_;  // the opponent's last piece would end the game with a lead in the centre
};

}  // namespace punct::search
