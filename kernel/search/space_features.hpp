// Features of a single space: who shows there and how high, what lies around it, and which paths run through it.
//
// They are binary, and none of them names the space: what the network learns of one holds for all.
#pragma once

#include "search/evaluate.hpp"

namespace punct::search {

// Own is the player to move; in pairs, own stands before the opponent's.
namespace space_feature {
inline constexpr int levels = 3;                      // 1, 2, and all above
inline constexpr int showing = 0;                     // 2 × levels: a dot shows
inline constexpr int beneath = showing + 2 * levels;  // 2: the dot that it covers
inline constexpr int punct = beneath + 2;             // 2 × (free, blocked): a PÜNCT is here, at any level
inline constexpr int closed = punct + 4;              // 1: nothing may be added here
inline constexpr int side = closed + 1;               // 1: on a side of the board
inline constexpr int around = side + 1;               // 2 × 6: the number of dots beside it, if any
inline constexpr int paths = around + 12;             // 2 × 3 pairs of sides, the nearest first, × path_count:
inline constexpr int narrow = 0;            //   5: on a cheapest path; the number of spaces abreast: 1, 2, 3, 4–5, more
inline constexpr int own_dot = narrow + 5;  //   1: on a cheapest path, the player's own dot
inline constexpr int slack = own_dot + 1;   //   1: on a path that costs one more
inline constexpr int joined = slack + 1;    //   1: the player's own dot, joined to a side
inline constexpr int path_count = joined + 1;
inline constexpr int count = paths + 2 * side_pairs * path_count;
}  // namespace space_feature

// Calls f(space, feature) for each feature that is present; a space has each at most once.
template <class F>
void each_space_feature(const Position& p, const PathAnalysis& analysis, F&& f) {
  const Colour me = p.to_move();
  const auto each = [&](const Bits& spaces, int feature) {
    spaces.each([&](int bit) { f(board.space[bit], feature); });
  };
  uint8_t around[2][space_count] = {};
  for (int id = 0; id < piece_count; ++id) {
    if (!p.on_board(id)) continue;
    const Piece& piece = p.piece(id);
    const Dots& dots = placements[piece.placement];
    const int player = Position::owner(id) != me;
    bool free = true;
    for (int i = 0; i < 3; ++i) {
      const Space s = dots.space[i];
      if (p.top(s) != id) {
        free = false;
        continue;
      }
      f(s, space_feature::showing + player * space_feature::levels + std::min<int>(piece.level, space_feature::levels) -
               1);
      if (piece.under[i] != no_piece) f(s, space_feature::beneath + (Position::owner(piece.under[i]) != me));
      for (const Space next : board.neighbour[s])
        if (next != no_space) ++around[player][next];
    }
    const Space s = dots.space[0];
    // Of several PÜNCTs in one stack only the one on top counts; it is free or blocks the rest.
    if (p.top(s) == id) f(s, space_feature::punct + 2 * player + !free);
  }
  if (p.rules() == Standard) each(board.centre, space_feature::closed);
  each(board.side[0] | board.side[1] | board.side[2] | board.side[3] | board.side[4] | board.side[5],
       space_feature::side);
  for (int player = 0; player < 2; ++player)
    for (int s = 0; s < space_count; ++s)
      if (around[player][s]) f(static_cast<Space>(s), space_feature::around + 6 * player + around[player][s] - 1);
  for (int player = 0; player < 2; ++player) {
    const Paths& paths = analysis.paths[player ? other(me) : me];
    for (int rank = 0; rank < side_pairs; ++rank) {
      const Axis& a = paths.axis[paths.order[rank]];
      if (a.distance >= max_distance) continue;
      const int first = space_feature::paths + (player * side_pairs + rank) * space_feature::path_count;
      for (int k = 0; k <= a.distance; ++k) {
        const Bits abreast = without(a.on_path[0] & a.from_near(k), paths.terrain.own);
        const int n = abreast.count();
        if (n) each(abreast, first + space_feature::narrow + (n <= 3 ? n - 1 : n <= 5 ? 3 : 4));
      }
      each(a.on_path[0] & paths.terrain.own, first + space_feature::own_dot);
      each(without(a.on_path[1], a.on_path[0]), first + space_feature::slack);
      each((a.reached[0].first() | a.reached[0].second()) & paths.terrain.own, first + space_feature::joined);
    }
  }
}

}  // namespace punct::search
