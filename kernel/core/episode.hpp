// A game as learning programs play it: a position, and what a draw by repetition needs to know of its past.
#pragma once

#include <vector>

#include "position.hpp"

namespace punct {

// How often a position stands when the game is a draw (reading 4).
inline constexpr int times_to_draw = 3;

// How a game stands; the first four are those of a position's Outcome.
enum class Standing : int8_t { Open, WhiteWins, BlackWins, Draw, CutOff };

// What ends a game besides its position.
struct Terms {
  bool repetition = false;
  int most_plies = 0;  // 0: as many as it takes
};

struct Episode {
  Position position;
  // The hashes of the positions since a piece was last added, the present one last: no older one can come again.
  std::vector<uint64_t> seen;
  int plies = 0;

  explicit Episode(const Position& start) { begin(start); }
  void begin(const Position& start);

  // The move must be legal.
  void play(Move m);

  // How often the present position has stood, this time included.
  int repetitions() const;

  Standing standing(const Terms& terms) const;
};

}  // namespace punct
