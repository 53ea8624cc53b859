// Positions as the server shows them: the same JSON, made from the same questions.
#pragma once

#include "core/track.hpp"
#include "wasm/json.hpp"

namespace punct::wasm {

// As GET /board: what never changes.
void write_board(Json& out);
// As POST /positions/view; `repeated` if the game it belongs to is drawn because it has stood there too often.
void write_view(Json& out, const Track& track, bool repeated = false);
// A game as the server tells one: its turns, how often its position has stood, and the view, which knows of a draw.
void write_game(Json& out, const Track& track);
// As POST /positions/explain: whether a turn is legal, or, for a piece and a space without a heading, whether any
// heading is.
void write_explanation(Json& out, const Position& p, std::string_view text, bool any_heading);
// What is impossible about a position: [{code, spaces, values}].
void write_status(Json& out, std::string_view text);

}  // namespace punct::wasm
