#include "search/candidates.hpp"

#include <algorithm>
#include <cmath>

namespace punct::search {
namespace {

// By space, for one player's ways.
struct Tables {
  int distance[side_pairs];
  float weight[side_pairs];                              // how much each pair of sides matters
  uint8_t near[side_pairs][space_count], far[side_pairs][space_count];  // cost up to a space from either side, its own not counted
};

// The farther a pair of sides is behind the nearest, the less it matters.
void weigh(const Paths& paths, float (&weight)[side_pairs]) {
  for (int i = 0; i < side_pairs; ++i)
    weight[i] = std::exp(-0.45f * static_cast<float>(paths.axis[i].distance - paths.distance(0)));
}

void fill(const Paths& paths, Tables& t) {
  weigh(paths, t.weight);
  uint8_t cost[space_count] = {};
  for (int c = 1; c <= Terrain::dearest; ++c) paths.terrain.cost[c].each([&](int bit) { cost[board.space[bit]] = static_cast<uint8_t>(c); });
  for (int i = 0; i < side_pairs; ++i) {
    const Axis& a = paths.axis[i];
    t.distance[i] = a.distance;
    const uint8_t beyond = static_cast<uint8_t>(std::min(a.distance + widest_slack + 1, 100));
    std::fill_n(t.near[i], space_count, beyond);
    std::fill_n(t.far[i], space_count, beyond);
    const int most = std::min(a.distance + widest_slack, farthest);
    for (int k = 0; k <= most; ++k) {
      a.from_near[k].each([&](int bit) { t.near[i][board.space[bit]] = static_cast<uint8_t>(k - cost[board.space[bit]]); });
      a.from_far[k].each([&](int bit) { t.far[i][board.space[bit]] = static_cast<uint8_t>(k - cost[board.space[bit]]); });
    }
  }
}

// By space: how much of a player's way runs through it. Where the cheapest ways all pass one space of a layer it counts full, where they
// spread over several it counts a share of it.
void find_narrows(const Paths& paths, float (&narrow)[space_count]) {
  std::fill_n(narrow, space_count, 0.0f);
  float weight[side_pairs];
  weigh(paths, weight);
  for (int i = 0; i < side_pairs; ++i) {
    const Axis& a = paths.axis[i];
    if (a.distance >= farthest) continue;
    for (int k = 0; k <= a.distance; ++k) {
      const Bits here = a.on_way[0] & a.from_near[k];
      const Bits foreign = without(here, paths.terrain.own), own = here & paths.terrain.own;
      const float share = weight[i] / static_cast<float>(std::max(1, foreign.count()));
      const float own_share = weight[i] / static_cast<float>(std::max(2, own.count()));
      foreign.each([&](int bit) { narrow[board.space[bit]] += share; });
      own.each([&](int bit) { narrow[board.space[bit]] += own_share; });
    }
  }
}

}  // namespace

bool choose(const Position& p, const Insight& insight, const Defence* defence, int most, const Taste& taste, std::vector<Candidate>& out) {
  const Colour me = p.to_move();
  Tables mine;
  fill(insight.paths[me], mine);
  float narrow_mine[space_count], narrow_theirs[space_count];
  find_narrows(insight.paths[me], narrow_mine);
  find_narrows(insight.paths[other(me)], narrow_theirs);
  const int left = std::min(set_size - p.placed(White), set_size - p.placed(Black));
  const float centre_weight = p.rules() == Standard ? taste.centre * 2.0f / static_cast<float>(1 + left) : 0.0f;

  thread_local TurnList turns;
  list_turns(p, turns);
  out.clear();
  bool all_kept = true;
  Space last_from = no_space;
  float from_score = 0.0f;
  for (const Move m : turns) {
    if (defence && !defence->may_hold(p, m)) continue;
    const Dots& dots = placements[placement_of(m)];
    const Space a = dots.space[0], b = dots.space[1], c = dots.space[2];
    float score = 0.0f;
    for (int i = 0; i < side_pairs; ++i) {
      const int near = std::min({mine.near[i][a], mine.near[i][b], mine.near[i][c]});
      const int far = std::min({mine.far[i][a], mine.far[i][b], mine.far[i][c]});
      const int nearer = mine.distance[i] - near - far;
      if (nearer > 0) score += taste.gain * mine.weight[i] * static_cast<float>(nearer);
    }
    score += taste.block * std::min(1.5f, narrow_theirs[a] + narrow_theirs[b] + narrow_theirs[c]);
    if (is_add(m)) {
      if (p.rules() == Basic) score += centre_weight * static_cast<float>(centre_gain(p, m));
    } else {
      const Space from = from_of(m);
      if (from != last_from) {
        last_from = from;
        from_score = taste.move;
        const Piece& piece = p.piece(p.moving_piece(m));
        const Dots& old = placements[piece.placement];
        for (int i = 0; i < 3; ++i) {
          if (piece.under[i] != no_piece && Position::owner(piece.under[i]) == me) continue;
          from_score -= taste.loss * narrow_mine[old.space[i]];
          if (piece.under[i] != no_piece) from_score -= taste.uncover * narrow_theirs[old.space[i]];
        }
      }
      score += from_score + centre_weight * static_cast<float>(centre_gain(p, m));
    }
    out.push_back({m, score});
  }
  if (out.empty()) return true;
  const auto better = [](const Candidate& x, const Candidate& y) { return x.score != y.score ? x.score > y.score : x.move < y.move; };
  if (static_cast<int>(out.size()) > most) {
    std::nth_element(out.begin(), out.begin() + most, out.end(), better);
    out.resize(static_cast<size_t>(most));
    all_kept = false;
  }
  std::sort(out.begin(), out.end(), better);
  const float best = out.front().score;
  float sum = 0.0f;
  for (Candidate& x : out) sum += x.score = std::exp((x.score - best) / taste.temperature);
  for (Candidate& x : out) x.score /= sum;
  return all_kept;
}

}  // namespace punct::search
