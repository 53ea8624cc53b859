// A position with the turns played in it, and its pieces as somebody sees them who watches the game: with names that
// stay, what lies on them, and how the last one came to lie there.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "position.hpp"

namespace punct {

struct Track {
  Position position;
  std::vector<std::pair<Move, Undo>> played;  // each with what is needed to take it back
};

// Plays a move if the game is not over and it is legal; takes the last one back.
bool push(Track& track, Move m);
std::optional<Move> pop(Track& track);

// A name for the whole game, such as "wT1": colour, kind, and which of the kind.
std::string piece_name(int id);

// The middle dot hangs free.
bool lies_as_bridge(const Position& p, int id);

// By dot: the piece right above it, or no_piece.
std::array<uint8_t, 3> pieces_above(const Position& p, int id);

// The piece right below this one on a space under one of its dots, or no_piece.
int piece_below(const Position& p, int id, Space s);

// How a piece was played: from the set; along the board; turned in place; onto other pieces; as a bridge.
enum class Manner : uint8_t { Added, Moved, Turned, Jumped, Bridged };
Manner manner_of(Move m, const Position& after);

// The spaces from one to another on its line, both included; just the one if they are the same.
std::vector<Space> way_of(Space from, Space to);

}  // namespace punct
