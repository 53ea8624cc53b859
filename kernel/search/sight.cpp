#include "search/sight.hpp"

#include <memory>

#include "search/approach.hpp"

namespace punct::search {
namespace {

// What the player sees from one terrain: the board as it is, or with a piece lifted.
class Sight {
 public:
  explicit Sight(const Terrain& terrain) : paths_(found(terrain)), approach_(paths_) {
    near_ = terrain.own | (grown(terrain.own) & board.board);
  }

  Plan plan(Move m) const {
    const Dots& dots = placements[placement_of(m)];
    int nearest = farthest;
    for (int rank = 0; rank < side_pairs; ++rank)
      nearest = std::min(nearest, approach_.distance[rank] - approach_.nearer(dots, rank));
    const bool touching = near_.test(board.bit[dots.space[0]]) || near_.test(board.bit[dots.space[1]]) ||
                          near_.test(board.bit[dots.space[2]]);
    return {m, nearest, touching};
  }

 private:
  static Paths found(const Terrain& terrain) {
    Paths paths;
    find_paths(terrain, paths);
    return paths;
  }

  Paths paths_;
  Approach approach_;
  Bits near_;
};

}  // namespace

std::vector<Plan> plans_of(const Position& p, bool adds_only) {
  std::vector<Plan> plans;
  if (p.decided()) return plans;
  const Colour me = p.to_move();
  const auto moves = std::make_unique<MoveList>();
  list_moves(p, *moves);
  const Move* m = moves->begin();
  const Sight board_sight(terrain_of(p, me));
  for (; m != moves->end() && is_add(*m); ++m) plans.push_back(board_sight.plan(*m));
  if (adds_only) return plans;
  // The moves of each piece follow in the order in which the pieces are lifted.
  each_lifted(p, me, [&](int id, const Floors& floors) {
    const Space from = punct_of(p.piece(id).placement);
    if (m == moves->end() || from_of(*m) != from) return;
    const Sight sight(terrain_of(floors, p.rules()));
    for (; m != moves->end() && from_of(*m) == from; ++m) plans.push_back(sight.plan(*m));
  });
  return plans;
}

int to_go(const Position& p, Colour c) {
  Paths paths;
  find_paths(p, c, paths);
  return paths.distance(0);
}

}  // namespace punct::search
