// One legal action drawn at random, each as likely as the others, without listing them.
#pragma once

#include "actions.hpp"
#include "playout.hpp"

namespace punct {

// In nearly every position one of so many is legal.
inline constexpr int most_darts = 96;

// An action of the player to move; -1 if there is none or the game is decided.
//
// Darts are thrown at the actions that add a kind left in the set or move a free piece, evenly, until one is legal:
// whichever it is, every legal action was as likely. Three darts do on average in random games. Where all miss, the
// legal ones are counted, which is as even and takes ten times as long.
int draw_action(const Position& p, Random& random, int darts = most_darts);

}  // namespace punct
