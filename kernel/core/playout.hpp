// Games of pseudo-random moves, the same for the same seed on every machine.
#pragma once

#include <vector>

#include "generate.hpp"

namespace punct {

// splitmix64: small, fast, and good enough to choose moves.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t x = (state_ += 0x9e3779b97f4a7c15ULL);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }
  // 0..n-1, n > 0
  int below(int n) { return static_cast<int>((next() >> 32) * static_cast<uint64_t>(n) >> 32); }
  // The seed of a generator that continues this sequence.
  uint64_t state() const { return state_; }

 private:
  uint64_t state_;
};

// Which moves to prefer to an even choice: the percentage of moves on which a move of that sort is taken, if there is
// one.
struct Preference {
  int raised = 0;  // landing above the board: jumps and bridges
  int bridge = 0;  // of those, bridges
  int moved = 0;   // otherwise: moving a piece rather than adding one
};

// Returns a move of the player to move, evenly chosen but for the preference; no_move if there is none or the game is
// decided.
Move random_move(const Position& p, Random& random, const Preference& preference = {});

// Whether the move puts a piece down as a bridge (E4). The move must be legal.
bool is_bridge(const Position& p, Move m);

// Plays until the game ends or `limit` moves have been played; appends the moves to `moves` if it is not null. Returns
// how many were played.
int play_random_game(Position& p, Random& random, const Preference& preference, int limit,
                     std::vector<Move>* moves = nullptr);

}  // namespace punct
