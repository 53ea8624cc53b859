#include "search/vetting.hpp"

#include <algorithm>

namespace punct::search {
namespace {

constexpr uint64_t visits_between = 32;  // looks at which move is the best
constexpr long most_tries = 30000;       // for one move
constexpr long first_tries = 300;

}  // namespace

long Vetting::tries_for(double nodes) {
  return static_cast<long>(std::min(static_cast<double>(first_tries) + nodes, static_cast<double>(most_tries)));
}

const Vetting::Vetted* Vetting::find(Move m) const {
  const auto known = std::find_if(vetted_.begin(), vetted_.end(), [&](const Vetted& v) { return v.move == m; });
  return known == vetted_.end() ? nullptr : &*known;
}

bool Vetting::is_done(const Tree& tree) const {
  const Move best = tree.doubtful();
  if (best == no_move) return true;
  const Vetted* known = find(best);
  return known && (known->exhausted || known->spent >= tries_for(static_cast<double>(tree.visits())));
}

bool Vetting::begin(const Tree& tree, bool last) {
  if (under_way()) return true;
  if (!wanted_ && !(last && tree.standing().only)) return false;
  if (!last) {
    // An eighth of all work at most: moves that are the best for a moment must not take more.
    if (tree.visits() < looked_at_ + visits_between || spent_ > first_tries + 2 * static_cast<long>(tree.visits()))
      return false;
    looked_at_ = tree.visits();
  }
  const Move best = tree.doubtful();
  if (best == no_move || is_done(tree)) return false;
  const long budget = tries_for(static_cast<double>(tree.visits()));
  const Vetted* known = find(best);
  if (!known) known = &vetted_.emplace_back(Vetted{best, tree.vet(best, budget), 0, false});
  under_way_ = static_cast<std::size_t>(known - vetted_.data());
  // A quarter more than is due, so that it need not be gone on with all the time.
  vetted_[under_way_].search.allow(budget + budget / 4);
  return true;
}

bool Vetting::go_on(long tries) {
  ForcedSearch& search = vetted_[under_way_].search;
  const long before = search.spent();
  const bool done = search.go_on(tries);
  spent_ += search.spent() - before;
  return done;
}

bool Vetting::take(Tree& tree) {
  Vetted& vetted = vetted_[under_way_];
  under_way_ = none;
  vetted.spent = vetted.search.spent();
  vetted.exhausted = vetted.search.exhausted();
  return tree.take_vetted(vetted.move, vetted.search.found(), vetted.search.spent());
}

}  // namespace punct::search
