// Fuzz target: any text as a position and moves, any number as a packed move or action. No input may cause an access
// out of bounds, and incrementally updated state must equal its recomputation.
//
// The input is lines: a position, then moves. A line that begins with '#' is read as raw numbers, four bytes each.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "core/actions.hpp"
#include "core/generate.hpp"
#include "core/observe.hpp"
#include "core/text.hpp"
#include "core/wins.hpp"

using namespace punct;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

std::string_view next_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

struct Session {
  Position position;
  std::vector<std::pair<Move, Undo>> played;

  void check() const {
    require(position.hash() == position.hash_from_scratch());
    for (const Colour c : {White, Black}) require(position.connected(c) == is_connected(position.showing(c)));
    Position again;
    require(static_cast<bool>(read_position(text_of(position), again)));
    require(again == position && again.hash() == position.hash() && again.outcome() == position.outcome());
  }

  void play(Move m) {
    if (!is_legal(position, m) || played.size() > 200) return;
    Move same;
    require(static_cast<bool>(read_move(text_of(m), position, same)) && same == m);
    require(move_of_action(position, action_of(m)) == m);
    Undo undo;
    position.make(m, undo);
    played.emplace_back(m, undo);
    check();
  }

  void play_numbers(std::string_view bytes) {
    for (; bytes.size() >= 4; bytes.remove_prefix(4)) {
      uint32_t number;
      std::memcpy(&number, bytes.data(), 4);
      play(number);
      play(move_of_action(position, static_cast<int32_t>(number)));
      // Most numbers are far out of range: also try near ones.
      play(move_of_action(position, number % action_count));
    }
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  Session session;
  if (!read_position(next_line(rest), session.position)) return 0;
  const std::string start = text_of(session.position);
  session.check();
  while (!rest.empty()) {
    std::string_view line = next_line(rest);
    Move m;
    if (!line.empty() && line[0] == '#')
      session.play_numbers(line.substr(1));
    else if (read_move(line, session.position, m))
      session.play(m);
  }
  static MoveList moves, wins;
  for (const Colour c : {White, Black}) {
    list_moves(session.position, c, moves);
    list_wins(session.position, c, wins);
    require(wins.count <= moves.count && moves.count == count_moves(session.position, c));
    require(has_win(session.position, c) == (wins.count > 0));
    list_blunders(session.position, c, wins);
  }
  static uint8_t planes[plane_count * plane_size];
  observe(session.position, planes);
  while (!session.played.empty()) {
    session.position.unmake(session.played.back().first, session.played.back().second);
    session.played.pop_back();
  }
  session.check();
  require(text_of(session.position) == start);
  return 0;
}
