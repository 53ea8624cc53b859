#include "search/candidates.hpp"

#include <algorithm>
#include <cmath>

#include "search/approach.hpp"

namespace punct::search {
namespace {

// By rank and space: how much of a player's way runs through it. Where the cheapest ways all pass one space of a layer
// it counts full, where they spread over several it counts a share of it.
struct Narrows {
  float share[side_pairs][space_count] = {};

  explicit Narrows(const Paths& paths) {
    for (int rank = 0; rank < side_pairs; ++rank) {
      const Axis& a = paths.axis[paths.order[rank]];
      if (a.distance >= farthest) continue;
      for (int k = 0; k <= a.distance; ++k) {
        const Bits here = a.on_way[0] & a.from_near[k];
        if (here.none()) continue;
        const Bits foreign = without(here, paths.terrain.own), own = here & paths.terrain.own;
        const float one = 1.0f / static_cast<float>(std::max(1, foreign.count()));
        const float of_own = 1.0f / static_cast<float>(std::max(2, own.count()));
        foreign.each([&](int bit) { share[rank][board.space[bit]] = one; });
        own.each([&](int bit) { share[rank][board.space[bit]] = of_own; });
      }
    }
  }

  // Ways that are far behind matter less.
  float at(Space s) const { return share[0][s] + 0.4f * share[1][s] + 0.2f * share[2][s]; }
};

float closeness(int distance) { return 1.0f / static_cast<float>(1 + distance); }

float lateness(const Position& p) {
  return 1.0f / static_cast<float>(1 + std::min(set_size - p.placed(White), set_size - p.placed(Black)));
}

bool in_centre(Space s) { return board.centre.test(board.bit[s]); }

// What the dot's space shows counts 1 for the player, -1 for the opponent.
int worth(int id, Colour me) { return id == no_piece ? 0 : Position::owner(id) == me ? 1 : -1; }

bool covers(const Dots& dots, Space s) { return s == dots.space[0] || s == dots.space[1] || s == dots.space[2]; }

}  // namespace

MoveFeatures features_of(const Position& p, const Insight& insight, Move m) {
  namespace f = move_feature;
  const Colour me = p.to_move();
  const Approach approach(insight.paths[me]);
  const Narrows mine(insight.paths[me]), theirs(insight.paths[other(me)]);
  const Dots& dots = placements[placement_of(m)];
  MoveFeatures x{};
  const Eight reach = approach.reach(dots);
  for (int rank = 0; rank < side_pairs; ++rank) x[f::gain + rank] = static_cast<float>(approach.nearer(reach, rank));
  x[f::gain_close] = x[f::gain] * closeness(approach.distance[0]);
  int centre = 0;
  for (const Space s : dots.space) {
    for (int rank = 0; rank < side_pairs; ++rank) x[f::block + rank] += theirs.share[rank][s];
    const int before = worth(p.top(s), me);
    x[f::over_own] += before > 0 ? 1.0f : 0.0f;
    x[f::over_other] += before < 0 ? 1.0f : 0.0f;
    if (in_centre(s)) centre += 1 - before;
  }
  x[f::block_close] = x[f::block] * closeness(insight.paths[other(me)].distance(0));
  if (is_add(m)) {
    x[f::add + kind_of(placement_of(m))] = 1.0f;
  } else {
    x[f::shift] = 1.0f;
    x[f::rotate] = from_of(m) == dots.space[0] ? 1.0f : 0.0f;
    const Piece& piece = p.piece(p.moving_piece(m));
    for (int i = 0; i < 3; ++i) {
      const Space s = placements[piece.placement].space[i];
      const int below = worth(piece.under[i], me);
      if (covers(dots, s) || below > 0) continue;
      x[f::loss] += mine.at(s);
      if (below < 0) x[f::uncover] += theirs.at(s);
      if (in_centre(s)) centre += below - 1;
    }
  }
  x[f::centre] = static_cast<float>(centre);
  x[f::centre_late] = static_cast<float>(centre) * lateness(p);
  return x;
}

bool choose(const Position& p, const Insight& insight, const Defence* defence, int most, const Policy& policy,
            std::vector<Candidate>& out) {
  namespace f = move_feature;
  const PriorWeights& weights = policy.weights;
  const Colour me = p.to_move();
  const Approach approach(insight.paths[me]);
  const Narrows mine(insight.paths[me]), theirs(insight.paths[other(me)]);
  const float centre_weight = weights[f::centre] + weights[f::centre_late] * lateness(p);

  // The same sums as in features_of, taken apart into what each space and each step brings.
  float landing[space_count];
  const float block = weights[f::block] + weights[f::block_close] * closeness(insight.paths[other(me)].distance(0));
  for (int s = 0; s < space_count; ++s) {
    const Space space = static_cast<Space>(s);
    const int before = worth(p.top(space), me);
    landing[s] = block * theirs.share[0][s] + weights[f::block + 1] * theirs.share[1][s] +
                 weights[f::block + 2] * theirs.share[2][s];
    if (before) landing[s] += before > 0 ? weights[f::over_own] : weights[f::over_other];
    if (in_centre(space)) landing[s] += centre_weight * static_cast<float>(1 - before);
    landing[s] += policy.dot[s];
  }
  const float gain[side_pairs] = {weights[f::gain] + weights[f::gain_close] * closeness(approach.distance[0]),
                                  weights[f::gain + 1], weights[f::gain + 2]};

  thread_local MoveList moves;
  list_moves(p, moves);
  out.clear();
  out.reserve(static_cast<std::size_t>(moves.count));
  Space lifted_from = no_space;
  const Dots* lifted = nullptr;
  float leaving[3] = {};
  for (const Move m : moves) {
    if (defence && !defence->may_hold(p, m)) continue;
    const Placement to = placement_of(m);
    const Dots& dots = placements[to];
    const Space a = dots.space[0], b = dots.space[1], c = dots.space[2];
    float score = landing[a] + landing[b] + landing[c] + policy.punct[a];
    const Eight reach = approach.reach(dots);
    for (int rank = 0; rank < side_pairs; ++rank)
      score += gain[rank] * static_cast<float>(approach.nearer(reach, rank));
    if (is_add(m)) {
      score += weights[f::add + kind_of(to)];
    } else {
      const Space from = from_of(m);
      if (from != lifted_from) {
        lifted_from = from;
        const Piece& piece = p.piece(p.moving_piece(m));
        lifted = &placements[piece.placement];
        for (int i = 0; i < 3; ++i) {
          const Space s = lifted->space[i];
          const int below = worth(piece.under[i], me);
          leaving[i] = policy.leaving[s];
          if (below > 0) continue;
          leaving[i] += weights[f::loss] * mine.at(s);
          if (below < 0) leaving[i] += weights[f::uncover] * theirs.at(s);
          if (in_centre(s)) leaving[i] += centre_weight * static_cast<float>(below - 1);
        }
      }
      score += weights[f::shift];
      if (from == a) score += weights[f::rotate];
      for (int i = 0; i < 3; ++i)
        if (!covers(dots, lifted->space[i])) score += leaving[i];
    }
    out.push_back({m, score});
  }
  if (out.empty()) return true;

  const auto better = [](const Candidate& x, const Candidate& y) {
    return x.prior != y.prior ? x.prior > y.prior : x.move < y.move;
  };
  const bool all = static_cast<int>(out.size()) <= most;
  if (!all) {
    std::nth_element(out.begin(), out.begin() + most, out.end(), better);
    out.resize(static_cast<std::size_t>(most));
  }
  std::sort(out.begin(), out.end(), better);
  const float best = out.front().prior;
  float sum = 0.0f;
  for (Candidate& x : out) sum += x.prior = std::exp(x.prior - best);
  for (Candidate& x : out) x.prior /= sum;
  return all;
}

}  // namespace punct::search
