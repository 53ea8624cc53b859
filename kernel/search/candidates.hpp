// Which of the thousands of turns are worth a look, and how much: a quick score for every legal turn, and the best of them.
//
// For each turn it asks, from the tables of paths.hpp and without making it: how much nearer are my sides, how narrow is the opponent's way
// where I would stand, what does it bring in the central hexagon, what do I give up where the piece comes from.
#pragma once

#include <vector>

#include "search/evaluate.hpp"
#include "search/threats.hpp"

namespace punct::search {

struct Candidate {
  Move move;
  float score;  // after choose(): the share of attention it deserves, all shares summing to 1
};

// What the parts of a turn's score weigh.
struct Taste {
  float gain = 1.0f;        // a step nearer on the nearest pair of sides
  float block = 2.2f;       // a dot on the only way of the opponent's
  float centre = 0.9f;      // a dot more in the central hexagon, at the very end
  float move = -0.7f;       // moving rather than adding
  float loss = 0.9f;        // a dot taken away from one's own way
  float uncover = 1.2f;     // a dot of the opponent's brought to light on their way
  float temperature = 0.7f;
};

inline constexpr int most_candidates = 400;

// Fills `out` with the best turns, best first, at most `most`; with a defence needed only with turns that may hold. Returns whether
// these are all the turns that are not known to lose at once.
bool choose(const Position& p, const Insight& insight, const Defence* defence, int most, const Taste& taste, std::vector<Candidate>& out);

}  // namespace punct::search
