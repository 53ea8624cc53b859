// Moves that end the game at once by a chain.
//
// The three dots of a piece adjoin one another, so wherever it lands it is one group with everything it touches: the
// landing wins exactly when one of its dots is joined to a side and one (the same or another) to the opposite side.
// Reach (groups.hpp) knows that for every space, so a few shifts find all winning landings of an orientation at once. A
// piece that moves takes its dots away first: the reach is found again without them, but only for the sides that one of
// them was joined to.
#pragma once

#include "generate.hpp"
#include "groups.hpp"

namespace punct {

// All moves of this player, as if it were that player's move, after which the player has a chain: all wins in one. To
// learn what the opponent of the player to move threatens, ask for the opponent's colour. Adds first, then moves by
// piece.
void list_wins(const Position& p, Colour c, MoveList& out);

// Whether there is any; stops at the first.
bool has_win(const Position& p, Colour c);

// All moves of this player that bring the opponent's chain to light without completing one of the player's own: losing
// at once.
void list_blunders(const Position& p, Colour c, MoveList& out);

}  // namespace punct
