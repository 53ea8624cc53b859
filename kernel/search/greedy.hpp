// A greedy one-ply view: how far each move leaves its player from a connection, ignoring the opponent.
//
// There is no search. Weak levels play by it when they ignore the opponent, and openings for matches are drawn from it,
// so that they look like games.
#pragma once

#include <vector>

#include "core/distance.hpp"

namespace punct::search {

struct GreedyMove {
  Move move;
  int distance;   // on the nearest pair of sides after it; 0 connects
  bool touching;  // the piece would lie next to, or on, the player's showing dots
};

// Every legal move of the player to move, or only those that add a piece.
std::vector<GreedyMove> greedy_moves(const Position& p, bool adds_only);

// The player's distance on the nearest pair of sides.
int nearest_distance(const Position& p, Colour c);

}  // namespace punct::search
