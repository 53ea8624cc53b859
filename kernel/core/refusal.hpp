// Whether a move is allowed, and if not, which rule it breaks and which spaces are in its way.
//
// Of several broken rules the most helpful is named, as by the library (src/punct/refusal.py), which is the authority:
// first what the player chose, then where it goes, then how it would lie.
#pragma once

#include <optional>

#include "text.hpp"

namespace punct {

// In the order of the library's Reason.
enum class Reason : uint8_t {
  GameOver,
  NotInSet,
  OffBoard,
  SpaceTaken,
  SpaceUnderBridge,
  FirstPieceInCentre,
  AddedInCentre,
  NoPiece,
  OpponentsPiece,
  NotItsPunct,
  OtherKind,
  Covered,
  UnderBridge,
  NotInLine,
  NoChange,
  MovedOffBoard,
  PunctOnOpponent,
  Uneven,
  TriangleBridge,
  EndsNotLevel,
  PunctOverEmpty,
};
inline constexpr int reason_count = static_cast<int>(Reason::PunctOverEmpty) + 1;

struct Refusal {
  Reason reason;
  Space space[3] = {no_space, no_space, no_space};  // those in the way, or without support
  int count = 0;

  explicit Refusal(Reason why) : reason(why) {}
  Refusal(Reason why, Space s) : reason(why) { add(s); }
  void add(Space s) { space[count++] = s; }
};

// Returns nothing if the player to move may play the move.
std::optional<Refusal> refuse(const Position& p, const ParsedMove& m);

}  // namespace punct
