#include "search/blunder_check.hpp"

#include <algorithm>

namespace punct::search {
namespace {

constexpr uint64_t visits_between = 32;  // between two considerations of a check
constexpr int64_t max_tries = 30000;     // for one move
constexpr int64_t min_tries = 300;

}  // namespace

int64_t BlunderCheck::tries_for(double nodes) {
  return static_cast<int64_t>(std::min(static_cast<double>(min_tries) + nodes, static_cast<double>(max_tries)));
}

const BlunderCheck::Check* BlunderCheck::find(Move m) const {
  const auto check = std::find_if(checks_.begin(), checks_.end(), [&](const Check& v) { return v.move == m; });
  return check == checks_.end() ? nullptr : &*check;
}

bool BlunderCheck::is_done(const Tree& tree) const {
  const Move best = tree.move_to_check();
  if (best == no_move) return true;
  const Check* check = find(best);
  return check && (check->exhausted || check->spent >= tries_for(static_cast<double>(tree.visits())));
}

bool BlunderCheck::begin(const Tree& tree, bool is_final) {
  if (is_running()) return true;
  if (!enabled_ && !(is_final && tree.root_stats().is_only_move)) return false;
  if (!is_final) {
    // At most an eighth of all work: moves that are the best for a moment must not take more.
    if (tree.visits() < last_visits_ + visits_between || spent_ > min_tries + 2 * static_cast<int64_t>(tree.visits()))
      return false;
    last_visits_ = tree.visits();
  }
  const Move best = tree.move_to_check();
  if (best == no_move || is_done(tree)) return false;
  const int64_t budget = tries_for(static_cast<double>(tree.visits()));
  const Check* check = find(best);
  if (!check) check = &checks_.emplace_back(Check{best, tree.search_after(best, budget), 0, false});
  running_ = static_cast<std::size_t>(check - checks_.data());
  // A quarter more than is due, so that it is not resumed all the time.
  checks_[running_].search.set_budget(budget + budget / 4);
  return true;
}

bool BlunderCheck::advance(int64_t tries) {
  ForcedSearch& search = checks_[running_].search;
  const int64_t before = search.spent();
  const bool done = search.advance(tries);
  spent_ += search.spent() - before;
  return done;
}

bool BlunderCheck::apply(Tree& tree) {
  Check& check = checks_[running_];
  running_ = none;
  check.spent = check.search.spent();
  check.exhausted = check.search.exhausted();
  return tree.apply_check(check.move, check.search.result(), check.search.spent());
}

}  // namespace punct::search
