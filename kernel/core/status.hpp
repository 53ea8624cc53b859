// Finds signs that no game can lead to a position. Not every impossible position is detected. As src/punct/status.py,
// which is the authority.
#pragma once

#include <vector>

#include "position.hpp"

namespace punct {

enum class Impossible : uint8_t {
  BlackWithoutWhite,  // Black has pieces, but White, who begins, has none
  BlackMissed,        // White is to move and has pieces, Black has none
  WhiteMissed,        // Black is to move, White has none
  WhiteAhead,         // several pieces of White's before Black has added one
  FirstInCentre,      // White's first piece touches the central hexagon
  AllAdded,           // the player to move has added all pieces, which ends the game
  PunctOverEmpty,     // a piece above the board has its PÜNCT over an empty space
  PunctOnOpponent,    // or on a piece of the opponent's
  EndedBefore,        // the player to move has a chain that the opponent cannot have uncovered
};

struct Finding {
  Impossible reason;
  int piece = no_piece;  // the piece concerned, if any
  int below = no_piece;  // and the piece right below its PÜNCT
};

std::vector<Finding> impossible(const Position& p);

}  // namespace punct
