#include "search/levels.hpp"

#include <algorithm>
#include <string>

#include "core/proof.hpp"
#include "core/text.hpp"
#include "core/wins.hpp"
#include "search/exponential.hpp"
#include "search/sight.hpp"

namespace punct::search {

// Nodes rather than seconds limit the levels below the last, so that they are as strong on a slow machine; a second at
// most is a cap that only a very slow one needs.
const std::array<Level, 8> levels = {{
    {1, "a child's first games", 16, 1.0, 8, 0.20, 0.95, 1.5, 0.85, 0.50},
    {2, "knows the rules", 24, 1.0, 8, 0.12, 0.80, 0.9, 0.55, 0.25},
    {3, "plays now and then", 40, 1.0, 6, 0.08, 0.60, 0.5, 0.35, 0.08},
    {4, "plays every week", 64, 1.0, 5, 0.06, 0.33, 0.4, 0.16},
    {5, "sees what is coming", 120, 1.0, 3, 0.02},
    {6, "plans ahead", 350, 1.0},
    {7, "hard to beat", 1000, 1.0},
    {8, "everything it has", 0, 1.0},
}};

namespace {

// The dice for one move: the same for the same seed and position, whatever was played before.
class Dice {
 public:
  Dice(uint64_t seed, const std::string& position) : state_(0xcbf29ce484222325ULL) {
    for (const char c : std::to_string(seed) + ' ' + position) {
      state_ ^= static_cast<unsigned char>(c);
      state_ *= 0x100000001b3ULL;
    }
  }

  // From 0 to just below 1.
  double roll() {
    state_ += 0x9e3779b97f4a7c15ULL;
    uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    x ^= x >> 31;
    return static_cast<double>(x >> 11) * 0x1p-53;
  }

  // One of several, each as likely as its weight.
  std::size_t pick(const std::vector<double>& weights) {
    double sum = 0.0;
    for (const double weight : weights) sum += weight;
    double left = roll() * sum;
    for (std::size_t i = 0; i + 1 < weights.size(); ++i) {
      left -= weights[i];
      if (left < 0.0) return i;
    }
    return weights.size() - 1;
  }

 private:
  uint64_t state_;
};

// One of the options: the better its chances, the likelier.
std::size_t choose_loosely(const std::vector<Option>& options, double looseness, Dice& dice) {
  if (looseness <= 0.0 || options.size() == 1) return 0;
  double best = 0.0;
  for (const Option& option : options) best = std::max(best, option.score);
  std::vector<double> weights;
  for (const Option& option : options) weights.push_back(exponential((option.score - best) / looseness));
  return dice.pick(weights);
}

Position after(const Position& p, Move m) {
  Position next = p;
  Undo undo;
  next.make(m, undo);
  return next;
}

Outcome win_of(Colour c) { return c == White ? Outcome::WhiteWins : Outcome::BlackWins; }

// Whether a move adds its player's last piece, which ends the game, without a win.
bool ends_without_win(const Position& p, Move m) {
  const Colour me = p.to_move();
  return is_add(m) && p.placed(me) == set_size - 1 && after(p, m).outcome() != win_of(me);
}

// A move that gets on with one's own chain and looks at nothing else; no_move if there is none to be had. It is chosen
// among those that bring the two sides nearest to each other, with a liking for pieces that touch one's own and for
// adding rather than moving: building is what one thinks of first. The last piece is kept until it wins.
Move plan_own(const Position& p, Dice& dice, double sloppiness, bool overlook_wins) {
  constexpr std::size_t shortlist = 400;
  struct Idea {
    Move move;
    bool wins;
    double appeal;
  };
  std::vector<Idea> ideas;
  for (const Plan& plan : plans_of(p, false)) {
    if (ends_without_win(p, plan.move)) continue;
    ideas.push_back(
        {plan.move, plan.to_go == 0, -plan.to_go + (plan.touching ? 0.35 : 0.0) + (is_add(plan.move) ? 0.45 : 0.0)});
  }
  // Of equals the order is the moves' own: that of the list depends on how the pieces came to be numbered.
  std::sort(ideas.begin(), ideas.end(),
            [](const Idea& a, const Idea& b) { return a.appeal != b.appeal ? a.appeal > b.appeal : a.move < b.move; });
  if (ideas.size() > shortlist) ideas.resize(shortlist);
  if (overlook_wins) std::erase_if(ideas, [](const Idea& idea) { return idea.wins; });
  if (ideas.empty()) return no_move;
  std::vector<double> weights;
  for (const Idea& idea : ideas) weights.push_back(exponential((idea.appeal - ideas.front().appeal) / sloppiness));
  return ideas[dice.pick(weights)].move;
}

// Whether the opponent could join two sides right after this move, or has won by it.
bool loses_at_once(const Position& p, Move m) {
  const Position next = after(p, m);
  const Colour opponent = next.to_move();
  const Outcome outcome = next.outcome();
  return outcome == Outcome::Open ? has_win(next, opponent) : outcome == win_of(opponent);
}

// What is played instead of a last piece that does not win: even a beginner knows that it ends the game. It is added
// only if every other move loses, as far as can be seen.
Move play_on(const Position& p, const std::vector<Option>& options, Move last) {
  // In the basic game nobody wins by it: a draw that the search prefers to everything else is no error.
  if (p.rules() == Basic && options.front().move == last) return last;
  for (const Option& option : options)
    if (option.proven >= 0 && !ends_without_win(p, option.move)) return option.move;
  Move first = no_move;  // of all: the list's own order depends on how the pieces came to be numbered
  for (const Move m : defences(p, max_moves))
    if ((first == no_move || m < first) && !ends_without_win(p, m)) first = m;
  return first == no_move ? last : first;
}

}  // namespace

Move choose_as(const Level& level, uint64_t seed, const Position& p, const std::vector<Option>& options) {
  if (!level.errs()) return options.front().move;
  Dice dice(seed, text_of(p));
  const bool sees_win = dice.roll() >= level.misses_win;
  bool builds = dice.roll() < level.own_plan;
  const bool looks = dice.roll() >= level.misses_threat;
  if (options.front().proven == 1) {
    if (sees_win) return options.front().move;
    builds = true;
  }
  if (builds) {
    const Move m = plan_own(p, dice, level.sloppiness, !sees_win);
    if (m != no_move && !(looks && loses_at_once(p, m))) return m;
  }
  const Move m = options[choose_loosely(options, level.looseness, dice)].move;
  return ends_without_win(p, m) ? play_on(p, options, m) : m;
}

}  // namespace punct::search
