// Asks the kernel without Python: for builds that Python cannot load, or should not (another instruction set,
// ThreadSanitizer).
//
// Reads a request a line and answers with a line:
//   moves POSITION                    all legal moves
//   perft DEPTH POSITION              how many leaves
//   search NODES THREADS POSITION     the five best moves, each with its visits and what is proved of it
//   stop MILLISECONDS THREADS POSITION   the best move of a search that another thread ends
//   bound NODES THREADS POSITION      how many nodes a search has that may take ten seconds but not more nodes
//   vet NODES MORE POSITION           the best move after so many nodes, in how many plies it was found to lose, and
//                                     the best after more nodes, before that was taken in and since
//   mean VISITS VALUE                 the value of a node that so many visits found worth this
// It ends with an error at the first thing that is not as it should be.
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

// Thinks, and checks that what comes back can be played from here.
search::Report think(search::Search& search, const Position& p, const search::Request& request) {
  int watched = 0;
  const auto watch = [&](const search::Report& report) {
    for (const search::Variation& v : report.variations)
      if (!is_legal(p, v.move)) fail("an illegal move on the way");
    return ++watched < 1000000;
  };
  search::Report found;
  if (search.run({p, {}}, request, watch, found) != search::Status::Done) fail("the search did not end well");
  for (const search::Variation& v : found.variations) {
    search::Start after{p, {}};
    for (const Move m : v.moves)
      if (!after.play(m)) fail("an illegal variation");
  }
  return found;
}

void think_to_the_end(const Position& p, uint64_t nodes, int threads) {
  search::Search search(16 << 20);
  const search::Report found = think(search, p, {{nodes, 0.0}, 0, threads, 5, 0.001});
  if (found.nodes < nodes && !found.variations.front().proven && found.variations.size() > 1) fail("too few nodes");
  for (const search::Variation& v : found.variations)
    std::cout << text_of(v.move) << ' ' << v.visits << ' ' << v.proven << ' ';
}

void think_until_stopped(const Position& p, int milliseconds, int threads) {
  search::Search search(16 << 20);
  std::thread other([&] {
    // More than once: the first may come before the search has begun.
    for (int i = 0; i < 50; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      search.stop();
    }
  });
  const search::Report found = think(search, p, {{0, 600.0}, 0, threads, 1, 0.001});
  other.join();
  std::cout << text_of(found.variations.front().move);
}

// The end of a tree that has no room left to count: as if it had less.
void think_to_the_bound(const Position& p, uint64_t nodes, int threads) {
  search::Search search(16 << 20);
  search.settings.most_visits = nodes;
  std::cout << think(search, p, {{0, 10.0}, 0, threads, 1, 1.0}).nodes;
}

void vet(const Position& p, int nodes, int more) {
  std::vector<search::Node> memory(1 << 18);
  search::Tree tree(p, {}, {}, memory);
  search::Visit visit(p);
  const auto go_on = [&](int count) {
    for (int i = 0; i < count && !tree.finished(); ++i) {
      tree.select(visit);
      tree.evaluate(visit);
      tree.back_up(visit);
    }
  };
  const auto best = [&] { return text_of(tree.variations(1).front().move); };
  go_on(nodes);
  std::cout << best() << ' ';
  const Move doubtful = tree.doubtful();
  if (doubtful == no_move) fail("nothing to vet");
  search::ForcedSearch vetting = tree.vet(doubtful, 100000);
  go_on(more);
  while (!vetting.go_on(1000)) {
  }
  std::cout << vetting.found().plies << ' ' << best() << ' ';
  tree.take_vetted(doubtful, vetting.found(), vetting.spent());
  std::cout << best();
}

void add_up(long visits, float value) {
  search::Node node;
  for (long i = 0; i < visits; ++i) node.add(value);
  std::cout << node.visits << ' ' << node.value();
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string what, text;
    long first = 0;
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
      think_to_the_end(p, static_cast<uint64_t>(first), second);
    } else if (what == "stop") {
      think_until_stopped(p, static_cast<int>(first), second);
    } else if (what == "bound") {
      think_to_the_bound(p, static_cast<uint64_t>(first), second);
    } else if (what == "vet") {
      vet(p, static_cast<int>(first), second);
    } else {
      fail("no such request: " + line);
    }
    std::cout << std::endl;
  }
}
