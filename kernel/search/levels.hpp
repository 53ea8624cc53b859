// The eight levels: how deep each searches, and which mistakes the weaker ones make.
//
// A weak level makes mistakes as people do. It builds its own chain and ignores the opponent; sometimes it overlooks a
// win in one; it prefers pieces that touch its own; of several good moves it does not always find the best. All random
// numbers come from the seed and the position, so the same level with the same seed plays the same move in the same
// position, on every machine.
#pragma once

#include <array>

#include "search/driver.hpp"

namespace punct::search {

// The chances are probabilities per move.
struct Level {
  int number;
  const char* description;
  uint64_t nodes;  // 0: no limit
  double seconds;
  int candidates = 1;               // how many moves it chooses from
  double temperature = 0.0;         // of that choice, in winning chance
  double greedy_chance = 0.0;       // that it builds its own chain without a search
  double greedy_temperature = 0.4;  // of the choice of that move, in steps of distance
  double miss_threat_chance = 0.0;  // that it then ignores the opponent's win in reply
  double miss_win_chance = 0.0;     // that it overlooks a win in one

  // Whether it ever plays anything but the best move of its search.
  bool makes_mistakes() const { return candidates > 1; }
};

extern const std::array<Level, 8> levels;

// A move that was searched.
struct ScoredMove {
  Move move;
  double score;
  int proven;
};

// Returns the move that a player of this level plays: one of the options, which are sorted best first, or another.
Move choose_move_as(const Level& level, uint64_t seed, const Position& p, const std::vector<ScoredMove>& options);

}  // namespace punct::search
