// Forced wins: the attacker makes nothing but threats (to connect, or to end the game ahead in the central hexagon),
// the defender nothing but answers to them.
//
// A threat leaves the defender few moves that may hold (threats.hpp), so variations far longer than the main search
// could follow everywhere are within reach. What it finds is proved: every answer was tried.
#pragma once

#include "search/candidates.hpp"

namespace punct::search {

struct ForcedWin {
  Move move = no_move;  // no_move: none found
  int plies = 0;        // moves of both players until the end, against the longest resistance
};

// Looks for a win by threats for the player to move, who has no win in one. `budget` is how many moves it may try; what
// is left comes back in it. Deeper ones are tried only after shorter ones have failed.
ForcedWin find_forced_win(const Position& p, const PriorWeights& weights, long& budget);

}  // namespace punct::search
