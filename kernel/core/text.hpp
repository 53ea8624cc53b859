// Text in and out: spaces, moves, positions, as the project's notation defines them. Readers never throw: they return
// what went wrong.
#pragma once

#include <string>
#include <string_view>

#include "position.hpp"

namespace punct {

std::string space_name(Space s);
std::string text_of(Move m);             // "Ed5ne", "d5-h9se"
std::string text_of(const Position& p);  // canonical: by level, then the PÜNCT's column, then row

// What a reader found wrong. `token` is the offending word's number in the text, from 0 (for a move always 0).
enum class TextError : uint8_t { None, BadRules, BadSideToMove, BadPiece, DoesNotRest, BadMove };

struct ReadResult {
  TextError error = TextError::None;
  int token = 0;
  explicit operator bool() const { return error == TextError::None; }
};

ReadResult read_position(std::string_view text, Position& out);

// A move's text does not name the kind, so it is read in a position: the kind of whatever shows on the source. The
// result need not be legal there. An error also when nothing shows on the source, or a kind letter before the move
// contradicts what shows.
ReadResult read_move(std::string_view text, const Position& p, Move& out);

}  // namespace punct
