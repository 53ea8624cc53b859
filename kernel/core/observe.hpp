// A position as planes of 17 columns by 17 rows of small numbers, seen by the player to move: the input of a neural
// network.
#pragma once

#include "position.hpp"

namespace punct {

// Plane by plane; "own" is the player to move, kinds in the order T C E M L R, headings clockwise from n.
//    0        the board: 1 on its 211 spaces
//    1        the central hexagon
//    2        height: the level of the dot that shows, 0 where empty
//    3,  4    own, other dots showing
//    5,  6    own, other dots of free pieces
//    7.. 12   own dots showing, by kind of their piece;          13..18 the other's
//   19.. 24   own PÜNCTs showing, by heading of their piece;     25..30 the other's
//   31, 32    own, other dots right beneath the showing ones (what moving them would uncover)
//   33.. 38   own pieces left in the set, by kind, all over the plane;   39..44 the other's
//   45        1 all over in the standard game
//   46        1 all over when White is to move
inline constexpr int plane_count = 47;
inline constexpr int plane_size = 17 * 17;  // [column][row], column a and row 1 first

// Fills plane_count * plane_size bytes, as if it were this player's turn.
void observe(const Position& p, Colour own, uint8_t* planes);
inline void observe(const Position& p, uint8_t* planes) { observe(p, p.to_move(), planes); }

}  // namespace punct
