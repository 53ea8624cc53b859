// Threats to win with the next move: who has one, which moves could make one by a chain, and which could stop one.
#pragma once

#include "wins.hpp"

namespace punct {

// A player who has one piece left and leads in the central hexagon wins by adding it anywhere (H): as good as a
// connection in one.
bool wins_by_count(const Position& p, Colour c);

// Whether this player, if it were that player's move, would win with it.
inline bool can_win(const Position& p, Colour c) { return has_win(p, c) || wins_by_count(p, c); }

// How much the lead of the player to move in the central hexagon grows by this move.
int centre_gain(const Position& p, Move m);

// The carriers of wins in one: for each the spaces its piece would land on, the spaces of its chain, and the dots of
// the piece if it moves. A reply that puts no dot on a carrier, and does not take a piece away from under the landing,
// leaves that win as it is, unless it ends the game itself.
class Carriers {
 public:
  // Carriers of the chains that the player who is not to move could make now. When there are many, only some are
  // examined, so a reply that disturbs them all may still leave another; one that does not surely leaves one.
  explicit Carriers(const Position& p);

  int count() const { return count_; }
  bool all_disturbed(const Position& p, Move reply) const {
    uint64_t disturbed = 0;
    for (const Space s : placements[placement_of(reply)].space) disturbed |= land_[s];
    if (!is_add(reply))
      for (const Space s : placements[p.piece(p.moving_piece(reply)).placement].space) disturbed |= lift_[s];
    return disturbed == all_;
  }

 private:
  static constexpr int max_count = 64;

  uint64_t land_[space_count] = {};  // by space: the carriers that a dot landing there disturbs
  uint64_t lift_[space_count] = {};  // by space: the carriers that a dot lifted from there disturbs
  uint64_t all_ = 0;
  int count_ = 0;
};

// The moves of this player after which one more, without a reply, might make a chain. A move that is not listed makes
// no such threat; many that are listed do not either.
struct Approaches {
  MoveList moves;
  Bits uneven;  // the dots of pieces that would make a chain now, were the floors beneath them right
};

// False, with nothing listed, if the player has a chain or could make one now: then any move may keep that.
bool find_approaches(const Position& p, Colour c, Approaches& out);

}  // namespace punct
