#include "actions.hpp"

namespace punct {
namespace {

struct ActionTables {
  std::array<uint16_t, placement_count> add{};             // action of a placement
  std::array<Placement, placements_on_board> placement{};  // and back
  std::array<std::array<uint16_t, space_count>, space_count> pair{};
  std::array<Space, pair_count> from{}, to{};
};

constexpr ActionTables make_action_tables() {
  ActionTables t;
  int n = 0;
  for (int p = 0; p < placement_count; ++p)
    if (placements[p].space[0] != no_space) {
      t.add[p] = static_cast<uint16_t>(n);
      t.placement[n++] = static_cast<Placement>(p);
    }
  n = 0;
  for (int from = 0; from < space_count; ++from) {
    for (int to = 0; to < space_count; ++to)
      if (board.line[from].test(board.bit[to])) {
        t.pair[from][to] = static_cast<uint16_t>(n);
        t.from[n] = static_cast<Space>(from);
        t.to[n++] = static_cast<Space>(to);
      }
  }
  return t;
}
constexpr ActionTables tables = make_action_tables();

}  // namespace

int action_of(Move m) {
  const Placement to = placement_of(m);
  if (is_add(m)) return tables.add[to];
  return placements_on_board + tables.pair[from_of(m)][punct_of(to)] * heading_count + heading_of(to);
}

Move move_of_action(const Position& p, int64_t action) {
  if (action < 0 || action >= action_count) return no_move;
  if (action < placements_on_board) return make_add(tables.placement[static_cast<int>(action)]);
  const int rest = static_cast<int>(action) - placements_on_board;
  const int pair = rest / heading_count, heading = rest % heading_count;
  const int id = p.top(tables.from[pair]);
  if (id == no_piece) return no_move;
  const Kind k = Position::kind(id);
  if (heading >= headings_of(k)) return no_move;
  const Placement to = placement_of(orientation_of(k, heading), tables.to[pair]);
  return placements[to].on_board() ? make_move(tables.from[pair], to) : no_move;
}

}  // namespace punct
