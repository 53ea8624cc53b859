// Fuzz target: any position into the search. Whatever comes in, the search must end, with a legal move and variations
// that can be played; what it says is won must be won.
//
// The input is a position's text, then on a line of its own moves to play first.
#include <cstdlib>
#include <string_view>

#include "core/text.hpp"
#include "core/wins.hpp"
#include "search/driver.hpp"

using namespace punct;

namespace {

constexpr uint64_t nodes = 50;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const search::Start& start, const search::Variation& variation) {
  require(variation.moves.front() == variation.move);
  require(variation.value >= 0.0f && variation.value <= 1.0f);
  search::Start after = start;
  for (const Move m : variation.moves) require(after.play(m));
  if (variation.proven != 1) return;
  search::Start next = start;
  require(next.play(variation.move));
  require(next.position.outcome() == (start.position.to_move() == White ? Outcome::WhiteWins : Outcome::BlackWins));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::size_t end = rest.find('\n');
  search::Start start;
  if (!read_position(rest.substr(0, end), start.position)) return 0;
  rest.remove_prefix(end == std::string_view::npos ? size : end);
  while (!rest.empty()) {
    Move m;
    if (read_move(next_word(rest), start.position, m)) start.play(m);
  }
  static search::Search search(1 << 20);
  search::Report found;
  const search::Status status = search.run(start, {{nodes, 0.0}, 0, 1, 3, 1.0}, {}, found);
  if (start.position.outcome() != Outcome::Open) {
    require(status == search::Status::GameOver);
    return 0;
  }
  require(status == search::Status::Done && !found.variations.empty() && found.nodes <= nodes);
  for (const search::Variation& variation : found.variations) check(start, variation);
  require(!has_win(start.position, start.position.to_move()) || found.variations.front().proven == 1);
  return 0;
}
