// Positions as clients get them: the JSON of the server's API and of the page, made here for both.
#pragma once

#include <optional>
#include <string_view>

#include "core/track.hpp"
#include "view/json.hpp"

namespace punct::view {

// How a game ended; the reason as in the API: "connection", "resignation" ...
struct GameEnd {
  std::optional<Colour> winner;  // none: a draw
  std::string_view reason;
};

// How the position alone ends the game: nothing while it is open.
std::optional<GameEnd> end_of(const Position& p);

// As GET /board: what never changes.
void write_board(Json& out);
// As POST /positions/view. The game it belongs to may have ended otherwise than the position shows.
void write_view(Json& out, const Track& track, const std::optional<GameEnd>& end);
// The page's own games: their moves, how often the position has occurred, and the view, with a draw by repetition.
void write_game(Json& out, const Track& track);

}  // namespace punct::view
