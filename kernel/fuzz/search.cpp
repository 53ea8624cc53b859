// Fuzz target: any position into the search. It must end with a legal move and variations that can be played; a win it
// reports must be one.
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

void check(const search::SearchRoot& root, const search::Variation& variation) {
  require(variation.moves.front() == variation.move);
  require(variation.value >= 0.0f && variation.value <= 1.0f);
  search::SearchRoot after = root;
  for (const Move m : variation.moves) require(after.play(m));
  if (variation.proven != 1) return;
  search::SearchRoot next = root;
  require(next.play(variation.move));
  require(next.position.outcome() == (root.position.to_move() == White ? Outcome::WhiteWins : Outcome::BlackWins));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::size_t end = rest.find('\n');
  search::SearchRoot root;
  if (!read_position(rest.substr(0, end), root.position)) return 0;
  rest.remove_prefix(end == std::string_view::npos ? size : end);
  while (!rest.empty()) {
    Move m;
    if (read_move(next_word(rest), root.position, m)) root.play(m);
  }
  static search::Search search(1 << 20);
  search::Report report;
  const search::Status status = search.run(root, {{nodes, 0.0}, 0, 1, 3, 1.0}, {}, report);
  if (root.position.outcome() != Outcome::Open) {
    require(status == search::Status::GameOver);
    return 0;
  }
  require(status == search::Status::Done && !report.variations.empty() && report.nodes <= nodes);
  for (const search::Variation& variation : report.variations) check(root, variation);
  require(!has_win(root.position, root.position.to_move()) || report.variations.front().proven == 1);
  return 0;
}
