// Numbers about a position for each player, from which the page's coach explains moves.
#pragma once

#include "core/position.hpp"
#include "view/json.hpp"

namespace punct::wasm {

// By colour: `distances` of the three pairs of sides (core/distance.hpp; 0 is a connection), the count in the central
// hexagon, pieces left in the set and free on the board, moves that would connect at once (`wins`), and whether adding
// the last piece would win (`last_piece_wins`). Each as if it were that player's turn.
void write_insight(view::Json& out, const Position& p);

}  // namespace punct::wasm
