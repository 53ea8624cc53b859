// Evaluates a position for the player to move: a winning chance, as the logistic of a weighted sum of features.
//
// The features are distances to a connection (core/distance.hpp), one-hot; how wide the cheapest paths are; threats;
// the central hexagon by how near the end of the game is; and the pieces left. The weights are fitted on the engine's
// own games (bench/tune.py).
#pragma once

#include "core/distance.hpp"

namespace punct::search {

// The layout of the features. Those in pairs stand first for the player to move, then for the opponent.
namespace feature {
inline constexpr int steps = 16;   // distances 0..14, and 15 for all beyond
inline constexpr int phases = 9;   // pieces left to the player with fewer of them: 0..7, and 8 for more
inline constexpr int tempo = 0;    // always 1
inline constexpr int nearest = 1;  // 2 × steps: the distance on the nearest pair of sides
inline constexpr int second = nearest + 2 * steps;   // 2 × steps: on the second nearest
inline constexpr int third = second + 2 * steps;     // 2: on the farthest, in tenths
inline constexpr int width = third + 2;              // 2: how many spaces the cheapest paths run through (logarithm)
inline constexpr int slack = width + 2;              // 2: the same for paths that cost one more
inline constexpr int width_second = slack + 2;       // 2: the cheapest paths on the second nearest pair
inline constexpr int threatened = width_second + 2;  // 1: the opponent could connect next move
inline constexpr int margin = threatened + 1;        // phases: lead in the central hexagon, in dots
inline constexpr int lead = margin + phases;         // phases: whether there is one (-1, 0, 1)
inline constexpr int race = lead + phases;           // 1: lead × how many fewer pieces the leader has left, in tenths
inline constexpr int left = race + 1;                // 2: pieces left in the set, in tenths
inline constexpr int free = left + 2;                // 2: pieces that can move, in tenths
inline constexpr int raised = free + 2;              // 2: own dots showing above the board, in tenths
inline constexpr int count = raised + 2;
}  // namespace feature

using Features = std::array<float, feature::count>;
using EvaluationWeights = std::array<float, feature::count>;

// Both players' paths in a position, by colour: computed once for the evaluation and the choice of candidates.
struct PathAnalysis {
  Paths paths[2];
  bool threatened = false;  // the opponent of the player to move could connect at once if it were the opponent's turn
};

void analyse_paths(const Position& p, PathAnalysis& out);

void features_of(const Position& p, const PathAnalysis& analysis, Features& out);

// The winning chance of the player to move, 0..1.
float evaluate(const Position& p, const PathAnalysis& analysis, const EvaluationWeights& weights);

// The logistic function: the winning chance whose odds have this logarithm.
float win_probability(float log_odds);

// Fitted; see weights.cpp.
extern const EvaluationWeights default_evaluation_weights;

}  // namespace punct::search
