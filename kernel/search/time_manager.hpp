// Decides when a search ends: by nodes, by the clock, and by how clear the best move is.
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
  // Seconds to aim for, for players with a clock: fewer are used where one move is clearly the best, more where two
  // compete or the best has just changed.
  double target = 0.0;
};

// How many nodes a search is likely to visit, on an average machine.
double expected_nodes(const Limits& limits);

std::chrono::steady_clock::duration duration_of(double seconds);

// A search limited by nodes never reads the clock.
class TimeManager {
 public:
  using Clock = std::chrono::steady_clock;

  // `reserved`: seconds before the deadline that are kept for the blunder check of the move to be played.
  TimeManager(const Limits& limits, uint64_t visit_limit, double reserved);

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  Clock::time_point start() const { return start_; }

  // Adjusts to the statistics of the root; to be called now and then.
  void update(const Tree& tree);

  bool out_of_visits(const Tree& tree) const;
  bool out_of_time() const { return deadline_ && Clock::now() >= *deadline_; }
  // Whether the best move may be played, though there is time left.
  bool may_stop() const { return stop_from_ && Clock::now() >= *stop_from_; }
  // Whether the best move is likely to be played: its blunder check goes before all other work.
  bool is_closing() const { return deadline_ && Clock::now() >= std::min(closing_from_, *stop_from_); }

 private:
  Limits limits_;
  uint64_t max_visits_;
  Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> deadline_, stop_from_;
  Clock::time_point closing_from_;  // the reserved seconds begin here
  Move best_ = no_move;
  uint64_t best_since_ = 0;  // visits when the best move became the best
};

}  // namespace punct::search
