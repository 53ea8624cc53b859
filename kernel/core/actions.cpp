#include "actions.hpp"

#include <cstring>

namespace punct {
namespace {

struct ActionTables {
  std::array<uint16_t, placement_count> add{};             // action of a placement
  std::array<Placement, placements_on_board> placement{};  // and back
  std::array<std::array<uint16_t, space_count>, space_count> pair{};
  std::array<Space, pair_count> from{}, to{};
  std::array<int, kind_count + 1> first_add{};    // of a kind
  std::array<int, space_count + 1> first_pair{};  // of an old space
};

constexpr ActionTables make_action_tables() {
  ActionTables t;
  int n = 0;
  for (int p = 0; p < placement_count; ++p)
    if (placements[p].space[0] != no_space) {
      t.add[p] = static_cast<uint16_t>(n);
      t.placement[n++] = static_cast<Placement>(p);
      t.first_add[shapes[p / space_count].kind + 1] = n;
    }
  n = 0;
  for (int from = 0; from < space_count; ++from) {
    for (int to = 0; to < space_count; ++to)
      if (board.line[from].test(board.bit[to])) {
        t.pair[from][to] = static_cast<uint16_t>(n);
        t.from[n] = static_cast<Space>(from);
        t.to[n++] = static_cast<Space>(to);
      }
    t.first_pair[from + 1] = n;
  }
  return t;
}
constexpr ActionTables tables = make_action_tables();

template <class F>
inline void each_action(const Position& p, F&& f) {
  if (p.decided()) return;
  each_add(p, p.to_move(), [&](int orientation, const Bits& spaces) {
    const uint16_t* add = &tables.add[orientation * space_count];
    spaces.each([&](int bit) { f(add[board.space[bit]]); });
  });
  each_shift(p, p.to_move(), [&](int id, int orientation, const Bits& ground, const Bits& raised) {
    const auto& pair = tables.pair[punct_of(p.piece(id).placement)];
    const int heading = placements_on_board + shapes[orientation].heading;
    (ground | raised).each([&](int bit) { f(pair[board.space[bit]] * heading_count + heading); });
  });
}

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

ActionRange adds_of(Kind k) { return {tables.first_add[k], tables.first_add[k + 1] - tables.first_add[k]}; }

ActionRange moves_from(Space from) {
  const int first = tables.first_pair[from], pairs = tables.first_pair[from + 1] - first;
  return {placements_on_board + first * heading_count, pairs * heading_count};
}

int list_actions(const Position& p, int32_t* out) {
  int n = 0;
  each_action(p, [&](int action) { out[n++] = action; });
  return n;
}

void mark_actions(const Position& p, bool* mask) {
  std::memset(mask, 0, action_count * sizeof *mask);
  each_action(p, [&](int action) { mask[action] = true; });
}

void mark_actions(const Position& p, uint8_t* bits) {
  std::memset(bits, 0, action_bytes);
  each_action(p, [&](int action) { bits[action >> 3] = static_cast<uint8_t>(bits[action >> 3] | 1 << (action & 7)); });
}

}  // namespace punct
