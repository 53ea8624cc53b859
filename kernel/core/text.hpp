// Text in and out: spaces, moves, positions, as the project's notation defines them. Readers never throw: they return
// what is wrong, and with which word.
#pragma once

#include <string>
#include <string_view>

#include "position.hpp"

namespace punct {

std::string space_name(Space s);
std::string text_of(Move m);             // "Ed5ne", "d5-h9se"
std::string text_of(const Position& p);  // canonical: by level, then the PÜNCT's column, then row

// What is wrong with a text, in the order in which the library looks.
enum class Fault : uint8_t {
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
  Fault fault = Fault::None;
  std::string_view word{};  // the move, or the word of the position
  std::string_view part{};  // what is wrong within it: a kind, space or heading, which may be missing
  explicit operator bool() const { return fault == Fault::None; }
};

ReadResult read_position(std::string_view text, Position& out);

// A move as somebody wrote it, whatever lies on the board.
struct WrittenMove {
  int8_t kind = -1;  // of an add; of a piece on the board only if it was written, too
  Space from = no_space;
  Space to = no_space;
  uint8_t heading = 0;

  bool is_add() const { return from == no_space; }
};

ReadResult read_move(std::string_view text, WrittenMove& out);

// The heading, of an add as it is written canonically.
int heading_of(const WrittenMove& m);
std::string text_of(const WrittenMove& m);

// The move that this is in a position, where the kind of a piece on the board follows from what shows on its space. The
// result need not be legal. False if there is no such move: nothing shows there, or another kind, or a dot would be off
// the board.
bool pack(const WrittenMove& written, const Position& p, Move& out);
inline bool read_move(std::string_view text, const Position& p, Move& out) {
  WrittenMove written;
  return read_move(text, written) && pack(written, p, out);
}

// Words lie between blanks. Takes the first one off the text; empty at its end.
std::string_view next_word(std::string_view& rest);

}  // namespace punct
