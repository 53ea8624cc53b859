// A game as learning programs play it: a position, and the hashes that a draw by repetition needs.
#pragma once

#include <vector>

#include "position.hpp"

namespace punct {

// The game is a draw when a position occurs for the third time (reading 4).
inline constexpr int repetitions_to_draw = 3;

// The state of a game; the first four are those of a position's Outcome.
enum class EpisodeResult : int8_t { Open, WhiteWins, BlackWins, Draw, Truncated };

// What ends a game besides its position.
struct EpisodeRules {
  bool repetition = false;  // a position that occurs for the third time is a draw
  int max_plies = 0;        // after these the game is truncated; 0: never
};

struct Episode {
  Position position;
  // The hashes of the positions since a piece was last added, the present one last: no older one can recur.
  std::vector<uint64_t> hashes;
  int plies = 0;

  explicit Episode(const Position& start) { begin(start); }
  void begin(const Position& start);

  // The move must be legal.
  void play(Move m);

  // How often the present position has occurred, this time included.
  int repetitions() const;

  EpisodeResult result(const EpisodeRules& rules) const;
};

}  // namespace punct
