// When a search has gone on long enough: by nodes, by the clock, and by how clear the best move is.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

#include "search/tree.hpp"

namespace punct::search {

// When to stop: whichever comes first; 0 stands for no limit, and nodes or seconds must be given.
struct Limits {
  uint64_t nodes = 0;  // visits
  double seconds = 0.0;
  // About so long, for whoever has a clock to share out: less where one move is clearly the best, more where two
  // compete or the best has just changed.
  double target = 0.0;
};

// How many nodes are likely to be visited, on a machine like any other.
double expected_nodes(const Limits& limits);

std::chrono::steady_clock::duration duration_of(double seconds);

// A search by nodes never looks at the clock.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;

  // At most so many visits. `kept`: seconds before the end, for a closer look at what is going to be played.
  Pace(const Limits& limits, uint64_t visits, double kept);

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  Clock::time_point start() const { return start_; }

  // Takes notice of how the moves at the root stand; to be called now and then.
  void look(const Tree& tree);

  bool out_of_visits(const Tree& tree) const;
  bool out_of_time() const { return until_ && Clock::now() >= *until_; }
  // Not out of time yet, but what is the best move now may be played.
  bool enough() const { return enough_ && Clock::now() >= *enough_; }
  // What is the best move now is likely to be played: it is looked at closely before anything else is.
  bool closing() const { return until_ && Clock::now() >= std::min(latest_, *enough_); }

 private:
  Limits limits_;
  uint64_t most_visits_;
  Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> until_, enough_;
  Clock::time_point latest_;  // what is kept before the end begins here
  Move best_ = no_move;
  uint64_t changed_ = 0;  // visits when another move became the best
};

}  // namespace punct::search
