#include "search/greedy.hpp"

#include <memory>

#include "search/side_distances.hpp"

namespace punct::search {
namespace {

// Measures moves on one terrain: the board as it is, or with a piece lifted.
class MoveMeasurer {
 public:
  explicit MoveMeasurer(const Terrain& terrain) : paths_(paths_of(terrain)), distances_(paths_) {
    near_ = terrain.own | (grown(terrain.own) & board.board);
  }

  GreedyMove measure(Move m) const {
    const Dots& dots = placements[placement_of(m)];
    int nearest = max_distance;
    for (int rank = 0; rank < side_pairs; ++rank)
      nearest = std::min(nearest, distances_.distance[rank] - distances_.gain(dots, rank));
    const bool touching = near_.test(board.bit[dots.space[0]]) || near_.test(board.bit[dots.space[1]]) ||
                          near_.test(board.bit[dots.space[2]]);
    return {m, nearest, touching};
  }

 private:
  static Paths paths_of(const Terrain& terrain) {
    Paths paths;
    find_paths(terrain, paths);
    return paths;
  }

  Paths paths_;
  SideDistances distances_;
  Bits near_;
};

}  // namespace

std::vector<GreedyMove> greedy_moves(const Position& p, bool adds_only) {
  std::vector<GreedyMove> out;
  if (p.decided()) return out;
  const Colour me = p.to_move();
  const auto moves = std::make_unique<MoveList>();
  list_moves(p, *moves);
  const Move* m = moves->begin();
  const MoveMeasurer unlifted(terrain_of(p, me));
  for (; m != moves->end() && is_add(*m); ++m) out.push_back(unlifted.measure(*m));
  if (adds_only) return out;
  // The moves are listed by piece, in the order in which the pieces are lifted.
  each_lifted(p, me, [&](int id, const Floors& floors) {
    const Space from = punct_of(p.piece(id).placement);
    if (m == moves->end() || from_of(*m) != from) return;
    const MoveMeasurer lifted(terrain_of(floors, p.rules()));
    for (; m != moves->end() && from_of(*m) == from; ++m) out.push_back(lifted.measure(*m));
  });
  return out;
}

int nearest_distance(const Position& p, Colour c) {
  Paths paths;
  find_paths(p, c, paths);
  return paths.distance(0);
}

}  // namespace punct::search
