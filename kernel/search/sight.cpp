#include "search/sight.hpp"

#include "search/approach.hpp"

namespace punct::search {
namespace {

// What the player sees from one terrain: the board as it is, or with a piece lifted.
class Sight {
 public:
  explicit Sight(const Terrain& terrain) : paths_(found(terrain)), approach_(paths_) {
    near_ = terrain.own | (grown(terrain.own) & board.board);
  }

  void add(Move base, const Bits& spaces, std::vector<Plan>& out) const {
    spaces.each([&](int bit) {
      const Move m = base + board.space[bit];
      const Dots& dots = placements[placement_of(m)];
      const Eight reach = approach_.reach(dots);
      int nearest = farthest;
      for (int rank = 0; rank < side_pairs; ++rank)
        nearest = std::min(nearest, approach_.distance[rank] - approach_.nearer(reach, rank));
      const bool touching = near_.test(board.bit[dots.space[0]]) || near_.test(board.bit[dots.space[1]]) ||
                            near_.test(board.bit[dots.space[2]]);
      out.push_back({m, nearest, touching});
    });
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
  const Sight board_sight(terrain_of(p, me));
  each_add(p, me,
           [&](int orientation, const Bits& spaces) { board_sight.add(add_landing_base(orientation), spaces, plans); });
  if (adds_only) return plans;
  each_lifted(p, me, [&](int id, const Floors& floors) {
    const Sight sight(terrain_of(floors, p.rules()));
    each_landing(p, id, floors, [&](int, int orientation, const Bits& ground, const Bits& raised) {
      sight.add(shift_landing_base(p, id, orientation), ground | raised, plans);
    });
  });
  return plans;
}

int to_go(const Position& p, Colour c) {
  Paths paths;
  find_paths(p, c, paths);
  return paths.distance(0);
}

}  // namespace punct::search
