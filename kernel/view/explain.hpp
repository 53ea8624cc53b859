// Explanations as clients get them: why a move is not allowed, and why a position is impossible.
#pragma once

#include "core/position.hpp"
#include "view/json.hpp"

namespace punct::view {

// As POST /positions/explain: whether a move is legal, or, for a piece and a space without a heading, whether any
// heading is. `is_over`: the game has ended otherwise than the position shows, so that nothing is legal.
void write_explanation(Json& out, const Position& p, std::string_view text, bool any_heading, bool is_over = false);
// What is impossible about a position: [{code, spaces, values}].
void write_status(Json& out, std::string_view text);

}  // namespace punct::view
