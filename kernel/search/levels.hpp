// The eight levels: how far each looks ahead, and how the weaker ones go wrong.
//
// A weak level errs as people do. It gets on with its own chain and forgets to look what the opponent is up to; now and
// then it does not see that it could win at once; it prefers pieces that touch its own; of several good moves it does
// not always find the best. Every chance is drawn from the seed and the position, so that the same level with the same
// seed answers the same position alike, wherever it runs.
#pragma once

#include <array>

#include "search/driver.hpp"

namespace punct::search {

// The chances are per move, from 0 to 1.
struct Level {
  int number;
  const char* words;
  uint64_t nodes;  // 0: no limit
  double seconds;
  int candidates = 1;          // how many moves it weighs against each other
  double looseness = 0.0;      // how much winning chance it gives away without noticing: the temperature of its choice
  double own_plan = 0.0;       // that it simply builds its own chain
  double sloppiness = 0.4;     // how little it cares, when it builds, by how much a move brings its sides nearer
  double misses_threat = 0.0;  // when it builds, that it does not look at what the opponent then can do
  double misses_win = 0.0;     // that it does not see a win on the board

  // Whether it ever plays anything but the best it found.
  bool errs() const { return candidates > 1; }
};

extern const std::array<Level, 8> levels;

// A move that was looked at.
struct Option {
  Move move;
  double score;
  int proven;
};

// Which of the options, the best first, a player of this level plays; or a move that is none of them.
Move choose_as(const Level& level, uint64_t seed, const Position& p, const std::vector<Option>& options);

}  // namespace punct::search
