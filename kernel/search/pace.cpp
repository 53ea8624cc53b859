#include "search/pace.hpp"

#include <algorithm>

namespace punct::search {
namespace {

// Where there is only one move to play, a share of the work spent on it tells well enough how the game stands.
constexpr uint64_t share_of_only_move = 8, least_visits = 64;

// How much of the time that is meant for a move it deserves.
double deserved(const Standing& standing, uint64_t visits, uint64_t changed) {
  const double all = static_cast<double>(visits), first = standing.first, second = standing.second;
  const bool unclear = second > 0.6 * first;
  const bool changing = static_cast<double>(changed) > 0.6 * all;
  const bool clear = second < 0.15 * first && static_cast<double>(changed) < 0.3 * all;
  return unclear && changing ? 2.0 : unclear || changing ? 1.4 : clear ? 0.5 : 0.9;
}

}  // namespace

std::chrono::steady_clock::duration duration_of(double seconds) {
  using Duration = std::chrono::steady_clock::duration;
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(std::min(seconds, 1e7)));
}

double expected_nodes(const Limits& limits) {
  constexpr double nodes_per_second = 25000.0;
  constexpr double longest = 1e9;  // more would not fit a long everywhere
  const double most = limits.nodes ? std::min(static_cast<double>(limits.nodes), longest) : longest;
  const double seconds = limits.target > 0.0 ? std::min(limits.target, limits.seconds) : limits.seconds;
  return seconds > 0.0 ? std::min(most, seconds * nodes_per_second) : most;
}

Pace::Pace(const Limits& limits, uint64_t visits, double kept) : limits_(limits), most_visits_(visits) {
  if (!(limits.seconds > 0.0)) return;
  until_ = start_ + duration_of(limits.seconds);
  latest_ = start_ + duration_of(limits.seconds - std::min(limits.seconds / 8.0, kept));
  enough_ = until_;
}

void Pace::look(const Tree& tree) {
  if (!until_) return;
  const Standing standing = tree.standing();
  if (standing.best != best_) changed_ = tree.visits();
  best_ = standing.best;
  if (standing.only) {
    enough_ = std::min(latest_, start_ + duration_of(limits_.seconds / share_of_only_move));
  } else if (limits_.target > 0.0) {
    const double deserves = limits_.target * deserved(standing, tree.visits(), changed_);
    // Nothing changes any more if the second cannot catch up in all the time that is left.
    const double rate = static_cast<double>(tree.visits()) / std::max(seconds(), 1e-4);
    const double lead = static_cast<double>(standing.first - standing.second) / rate;
    const bool settled = tree.visits() >= least_visits && seconds() + lead > deserves;
    enough_ = settled ? start_ : std::min(latest_, start_ + duration_of(deserves));
  } else {
    enough_ = until_;
  }
}

bool Pace::out_of_visits(const Tree& tree) const {
  if (tree.visits() >= most_visits_) return true;
  if (until_ || !tree.lists_all_moves()) return false;
  const Standing standing = tree.standing();
  return standing.only && standing.first >= std::max(least_visits, most_visits_ / share_of_only_move);
}

}  // namespace punct::search
