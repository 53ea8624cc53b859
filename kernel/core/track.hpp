// A position with the moves played in it, and its pieces as a view of the game shows them: with names that stay the
// same, the pieces above and below, and how a piece was played.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "position.hpp"

namespace punct {

struct Track {
  Position position;
  std::vector<std::pair<Move, Undo>> played;  // oldest first
};

// Plays a move; false, with nothing changed, if the game is over or it is not legal.
bool push(Track& track, Move m);
// Takes the last move back; nothing if there is none.
std::optional<Move> pop(Track& track);

// A name that a piece keeps for the whole game, such as "wT1": colour, kind, and which of the kind.
std::string piece_name(int id);

// Whether the piece lies as a bridge: its middle dot has nothing right below it (E4).
bool lies_as_bridge(const Position& p, int id);

// By dot: the piece right above it, or no_piece.
std::array<uint8_t, 3> pieces_above(const Position& p, int id);

// The piece right below this one on a space under one of its dots, or no_piece.
int piece_below(const Position& p, int id, Space s);

// How a piece was played: from the set; along the board; rotated in place; onto other pieces; as a bridge.
enum class Manner : uint8_t { Added, Moved, Rotated, Jumped, Bridged };
Manner manner_of(Move m, const Position& after);

// The spaces from one to another on the same line, both included; a single one if they are the same.
std::vector<Space> spaces_between(Space from, Space to);

}  // namespace punct
