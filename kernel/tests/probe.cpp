// Asks the kernel without Python: for builds that Python cannot load, or should not (another instruction set,
// ThreadSanitizer).
//
// Reads a request a line and answers with a line:
//   moves POSITION                    all legal moves
//   perft DEPTH POSITION              how many leaves
//   search NODES THREADS POSITION     the five best moves, each with its visits and what is proved of it
//   stop MILLISECONDS THREADS POSITION   the best move of a search that another thread ends
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

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string what, text;
    long first = 0;
    int threads = 1;
    words >> what;
    if (what == "perft" || what == "search" || what == "stop") words >> first;
    if (what == "search" || what == "stop") words >> threads;
    std::getline(words >> std::ws, text);
    Position p = read(text);
    if (what == "moves") {
      list(p);
    } else if (what == "perft") {
      std::cout << perft(p, static_cast<int>(first));
    } else if (what == "search") {
      think_to_the_end(p, static_cast<uint64_t>(first), threads);
    } else if (what == "stop") {
      think_until_stopped(p, static_cast<int>(first), threads);
    } else {
      fail("no such request: " + line);
    }
    std::cout << std::endl;
  }
}
