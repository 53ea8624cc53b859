// Text in and out: spaces, moves, positions, as the project's notation defines them. Readers never throw: they return
// the error and the word concerned.
#pragma once

#include <string>
#include <string_view>

#include "position.hpp"

namespace punct {

std::string space_name(Space s);
std::string text_of(Move m);             // "Ed5ne", "d5-h9se"
std::string text_of(const Position& p);  // canonical: by level, then the PÜNCT's column, then row

// What is wrong with a text, in the order in which the library checks.
enum class ReadError : uint8_t {
  None,
  // of positions
  TooLong,
  NoBeginning,
  NoRules,
  NoSide,
  NoPiece,
  OffBoard,
  TooMany,
  NoSupport,
  // of moves
  NoMove,
  KindMissing,
  // of either
  NoKind,
  NoHeading,
  NoSpace,
};

struct ReadResult {
  ReadError error = ReadError::None;
  std::string_view word{};  // the move, or the word of the position
  std::string_view part{};  // the wrong part of it: a kind, space or heading, which may be missing
  explicit operator bool() const { return error == ReadError::None; }
};

ReadResult read_position(std::string_view text, Position& out);

// A move as written, whatever lies on the board.
struct ParsedMove {
  int8_t kind = -1;  // of an added piece; of a moved one only if the text names it
  Space from = no_space;
  Space to = no_space;
  uint8_t heading = 0;

  bool is_add() const { return from == no_space; }
};

ReadResult read_move(std::string_view text, ParsedMove& out);

// The heading; for an added piece the canonical one.
int heading_of(const ParsedMove& m);
std::string text_of(const ParsedMove& m);

// Converts to a packed move of a position, where the kind of a moved piece follows from what shows on its space. The
// result need not be legal. False if there is no such move: nothing shows there, or another kind, or a dot would be off
// the board.
bool pack(const ParsedMove& parsed, const Position& p, Move& out);
inline bool read_move(std::string_view text, const Position& p, Move& out) {
  ParsedMove parsed;
  return read_move(text, parsed) && pack(parsed, p, out);
}

// Takes the first word off a text in which blanks separate words; empty at its end.
std::string_view next_word(std::string_view& rest);

}  // namespace punct
