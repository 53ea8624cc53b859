#include "search/time_manager.hpp"

#include <algorithm>

namespace punct::search {
namespace {

// Where there is only one move to play, a share of the nodes is enough to evaluate it.
constexpr uint64_t only_move_divisor = 8, min_visits = 64;

// The share of the target time to spend on a move.
double time_factor(const RootStats& stats, uint64_t visits, uint64_t best_since) {
  const double all = static_cast<double>(visits), best_visits = stats.best_visits, second_visits = stats.second_visits;
  const bool unclear = second_visits > 0.6 * best_visits;
  const bool changing = static_cast<double>(best_since) > 0.6 * all;
  const bool clear = second_visits < 0.15 * best_visits && static_cast<double>(best_since) < 0.3 * all;
  return unclear && changing ? 2.0 : unclear || changing ? 1.4 : clear ? 0.5 : 0.9;
}

}  // namespace

std::chrono::steady_clock::duration duration_of(double seconds) {
  using Duration = std::chrono::steady_clock::duration;
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(std::min(seconds, 1e7)));
}

double expected_nodes(const Limits& limits) {
  constexpr double nodes_per_second = 25000.0;
  constexpr double max_nodes = 1e9;  // more would not fit a long on every platform
  const double nodes = limits.nodes ? std::min(static_cast<double>(limits.nodes), max_nodes) : max_nodes;
  const double seconds = limits.target > 0.0 ? std::min(limits.target, limits.seconds) : limits.seconds;
  return seconds > 0.0 ? std::min(nodes, seconds * nodes_per_second) : nodes;
}

TimeManager::TimeManager(const Limits& limits, uint64_t visit_limit, double reserved)
    : limits_(limits), max_visits_(visit_limit) {
  if (!(limits.seconds > 0.0)) return;
  deadline_ = start_ + duration_of(limits.seconds);
  closing_from_ = start_ + duration_of(limits.seconds - std::min(limits.seconds / 8.0, reserved));
  stop_from_ = deadline_;
}

void TimeManager::update(const Tree& tree) {
  if (!deadline_) return;
  const RootStats stats = tree.root_stats();
  if (stats.best != best_) best_since_ = tree.visits();
  best_ = stats.best;
  if (stats.is_only_move) {
    stop_from_ = std::min(closing_from_, start_ + duration_of(limits_.seconds / only_move_divisor));
  } else if (limits_.target > 0.0) {
    const double target = limits_.target * time_factor(stats, tree.visits(), best_since_);
    // The best move is settled if the second cannot catch up in the time that is left.
    const double rate = static_cast<double>(tree.visits()) / std::max(seconds(), 1e-4);
    const double lead = static_cast<double>(stats.best_visits - stats.second_visits) / rate;
    const bool settled = tree.visits() >= min_visits && seconds() + lead > target;
    stop_from_ = settled ? start_ : std::min(closing_from_, start_ + duration_of(target));
  } else {
    stop_from_ = deadline_;
  }
}

bool TimeManager::out_of_visits(const Tree& tree) const {
  if (tree.visits() >= max_visits_) return true;
  if (deadline_ || !tree.lists_all_moves()) return false;
  const RootStats stats = tree.root_stats();
  return stats.is_only_move && stats.best_visits >= std::max(min_visits, max_visits_ / only_move_divisor);
}

}  // namespace punct::search
