// One legal action drawn at random, each as likely as the others, without listing them.
#pragma once

#include "actions.hpp"
#include "playout.hpp"

namespace punct {

// In nearly every position one of this many random actions is legal.
inline constexpr int max_draw_attempts = 96;

// Returns an action of the player to move; -1 if there is none or the game is decided.
//
// This is rejection sampling: an action is drawn evenly from those that add a kind left in the set or move a free
// piece, until one is legal, so every legal action is as likely. Random games take three attempts on average. When all
// attempts fail, the legal actions are counted, which is as even and takes ten times as long.
int draw_action(const Position& p, Random& random, int attempts = max_draw_attempts);

}  // namespace punct
