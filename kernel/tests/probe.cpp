// Runs the kernel without Python: for builds that Python cannot load, or should not (another instruction set,
// ThreadSanitizer).
//
// Reads one request per line and answers with one line:
//   moves POSITION                    all legal moves
//   perft DEPTH POSITION              how many leaves
//   search NODES THREADS POSITION     the five best moves, each with its visits and proven result
//   stop MILLISECONDS THREADS POSITION   the best move of a search that another thread stops
//   bound NODES THREADS POSITION      the nodes of a search that may take ten seconds but not more nodes
//   check NODES MORE POSITION         the best move after NODES nodes, in how many plies its blunder check finds that
//                                     it loses, and the best after more nodes, before and after that is applied
//   mean VISITS VALUE                 the value of a node after VISITS visits of this value
// It exits with an error at the first failed check.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

#include "core/perft.hpp"
#include "core/text.hpp"
#include "search/driver.hpp"

using namespace punct;

namespace {

[[noreturn]] void fail(const std::string& why) {
  std::cerr << "probe: " << why << '\n';
  std::exit(1);
}

Position read(const std::string& text) {
  Position p;
  if (!read_position(text, p)) fail("not a position: " + text);
  return p;
}

void list(const Position& p) {
  const auto moves = std::make_unique<MoveList>();
  list_moves(p, *moves);
  for (const Move m : *moves) std::cout << text_of(m) << ' ';
}

// Searches, and checks that the variations can be played.
search::Report search_checked(search::Search& search, const Position& p, const search::Request& request) {
  int reports = 0;
  const auto on_progress = [&](const search::Report& report) {
    for (const search::Variation& v : report.variations)
      if (!is_legal(p, v.move)) fail("an illegal move on the way");
    return ++reports < 1000000;
  };
  search::Report result;
  if (search.run({p, {}}, request, on_progress, result) != search::Status::Done) fail("the search did not end well");
  for (const search::Variation& v : result.variations) {
    search::SearchRoot after{p, {}};
    for (const Move m : v.moves)
      if (!after.play(m)) fail("an illegal variation");
  }
  return result;
}

void search_nodes(const Position& p, uint64_t nodes, int threads) {
  search::Search search(16 << 20);
  const search::Report report = search_checked(search, p, {{nodes, 0.0}, 0, threads, 5, 0.001});
  if (report.nodes < nodes && !report.variations.front().proven && report.variations.size() > 1) fail("too few nodes");
  for (const search::Variation& v : report.variations)
    std::cout << text_of(v.move) << ' ' << v.visits << ' ' << v.proven << ' ';
}

void search_until_stopped(const Position& p, int milliseconds, int threads) {
  search::Search search(16 << 20);
  std::thread other([&] {
    // More than once: the first may come before the search has begun.
    for (int i = 0; i < 50; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      search.stop();
    }
  });
  const search::Report report = search_checked(search, p, {{0, 600.0}, 0, threads, 1, 0.001});
  other.join();
  std::cout << text_of(report.variations.front().move);
}

// A search that ends because its tree can count no more visits, with a lower limit.
void search_to_bound(const Position& p, uint64_t nodes, int threads) {
  search::Search search(16 << 20);
  search.settings.max_visits = nodes;
  std::cout << search_checked(search, p, {{0, 10.0}, 0, threads, 1, 1.0}).nodes;
}

void check_best(const Position& p, int nodes, int more) {
  std::vector<search::Node> memory(1 << 18);
  search::Tree tree(p, {}, {}, memory);
  search::Visit visit(p);
  const auto advance = [&](int count) {
    for (int i = 0; i < count && !tree.finished(); ++i) {
      tree.select(visit);
      tree.evaluate(visit);
      tree.back_up(visit);
    }
  };
  const auto best = [&] { return text_of(tree.variations(1).front().move); };
  advance(nodes);
  std::cout << best() << ' ';
  const Move checked_move = tree.move_to_check();
  if (checked_move == no_move) fail("nothing to check");
  search::ForcedSearch check = tree.search_after(checked_move, 100000);
  advance(more);
  while (!check.advance(1000)) {
  }
  std::cout << check.result().plies << ' ' << best() << ' ';
  tree.apply_check(checked_move, check.result(), check.spent());
  std::cout << best();
}

void add_up(int64_t visits, float value) {
  search::Node node;
  for (int64_t i = 0; i < visits; ++i) node.add(value);
  std::cout << node.visits << ' ' << node.value();
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string what, text;
    int64_t first = 0;
    int second = 1;
    words >> what;
    if (what != "moves") words >> first;
    if (what != "moves" && what != "perft" && what != "mean") words >> second;
    std::getline(words >> std::ws, text);
    if (what == "mean") {
      add_up(first, std::stof(text));
      std::cout << std::endl;
      continue;
    }
    Position p = read(text);
    if (what == "moves") {
      list(p);
    } else if (what == "perft") {
      std::cout << perft(p, static_cast<int>(first));
    } else if (what == "search") {
      search_nodes(p, static_cast<uint64_t>(first), second);
    } else if (what == "stop") {
      search_until_stopped(p, static_cast<int>(first), second);
    } else if (what == "bound") {
      search_to_bound(p, static_cast<uint64_t>(first), second);
    } else if (what == "check") {
      check_best(p, static_cast<int>(first), second);
    } else {
      fail("no such request: " + line);
    }
    std::cout << std::endl;
  }
}
