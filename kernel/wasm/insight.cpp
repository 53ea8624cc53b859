#include "wasm/insight.hpp"

#include <memory>

#include "core/distance.hpp"
#include "core/threats.hpp"

namespace punct::wasm {

void write_insight(view::Json& out, const Position& p) {
  const bool open = p.outcome() == Outcome::Open;
  const auto paths = std::make_unique<Paths>();
  const auto wins = std::make_unique<MoveList>();
  out.begin_object();
  for (const Colour c : {White, Black}) {
    out.key(c == White ? "w" : "b").begin_object().key("distances").begin_list();
    find_paths(p, c, *paths);
    for (const Axis& axis : paths->axis) out.value(axis.distance);
    int free = 0;
    for (int id = 0; id < piece_count; ++id) free += Position::owner(id) == c && p.is_free(id);
    out.end_list().field("centre", p.centre_count(c)).field("left", set_size - p.placed(c)).field("free", free);
    wins->count = 0;
    if (open) list_wins(p, c, *wins);
    out.field("wins", wins->count).field("last_piece_wins", open && wins_by_count(p, c)).end_object();
  }
  out.end_object();
}

}  // namespace punct::wasm
