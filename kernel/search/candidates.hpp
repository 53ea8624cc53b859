// Chooses the candidates of a node: a quick score for each of thousands of legal moves, and the best of them with their
// priors.
//
// The features of a move are computed from both players' paths, without making it: how much it shortens the player's
// distance, how narrow the opponent's path is where it lands, what it covers, how it changes the central hexagon, and
// what it gives up where the piece comes from. The score is a weighted sum of these features; the weights are fitted to
// the search's own visits (bench/tune.py).
#pragma once

#include <vector>

#include "search/evaluate.hpp"
#include "search/threats.hpp"

namespace punct::search {

namespace move_feature {
inline constexpr int gain = 0;        // 3: how much shorter the distance on the nearest, second and third pair of sides
inline constexpr int gain_close = 3;  // the first of these, the more the nearer it is
inline constexpr int block =
    4;  // 3: the share of the opponent's nearest, second and third path that runs through its dots
inline constexpr int block_close = 7;   // the first of these, the more the nearer the opponent is
inline constexpr int over_own = 8;      // dots landing on own dots
inline constexpr int over_other = 9;    // dots landing on the opponent's
inline constexpr int centre = 10;       // how much the lead in the central hexagon grows
inline constexpr int centre_late = 11;  // the same, the more the fewer pieces are left
inline constexpr int shift = 12;        // a piece on the board moves
inline constexpr int rotate = 13;       // and its PÜNCT stays where it is
inline constexpr int loss = 14;         // the share of the player's own path that is given up
inline constexpr int uncover = 15;      // the share of the opponent's path that is uncovered
inline constexpr int add = 16;          // 6: which kind is added
inline constexpr int count = 22;
}  // namespace move_feature

using MoveFeatures = std::array<float, move_feature::count>;
using PriorWeights = std::array<float, move_feature::count>;

// Fitted; see weights.cpp.
extern const PriorWeights default_prior_weights;

// How a position's moves are scored: the weights of their features, and a value for each space they land on or leave.
struct Policy {
  PriorWeights weights;
  float dot[space_count] = {};      // each dot that lands there
  float punct[space_count] = {};    // and once more where it is the PÜNCT
  float leaving[space_count] = {};  // each dot that moves away from there

  // The same in every position.
  Policy(const PriorWeights& fixed) : weights(fixed) {}
};

struct Candidate {
  Move move;
  float prior;  // the share of visits expected before any was made; those of all candidates sum to 1
};

// Fills `out` with the best moves, best first, at most `max_count`; if a defence is given, only with moves that may
// hold. Returns whether these are all the moves that are not known to lose at once.
bool choose_candidates(const Position& p, const PathAnalysis& analysis, const Defence* defence, int max_count,
                       const Policy& policy, std::vector<Candidate>& out);

// One move's features, for fitting: choose_candidates() scores it with their weighted sum and the values of its spaces.
MoveFeatures features_of(const Position& p, const PathAnalysis& analysis, Move m);

}  // namespace punct::search
