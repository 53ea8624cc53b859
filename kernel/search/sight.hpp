// What a beginner sees: how far each move leaves its player from a connection, as if the opponent did not exist.
//
// A plain look at the board without any search. Weak levels follow it when they forget the opponent, and openings for
// matches are drawn from it, so that they look like games.
#pragma once

#include <vector>

#include "core/distance.hpp"

namespace punct::search {

struct Plan {
  Move move;
  int to_go;      // the distance on the nearest pair of sides after it; 0 connects
  bool touching;  // the piece would lie next to, or on, what the player shows
};

// Every legal move of the player to move, or only those that add a piece.
std::vector<Plan> plans_of(const Position& p, bool adds_only);

// The player's distance on the nearest pair of sides.
int to_go(const Position& p, Colour c);

}  // namespace punct::search
