#include "search/levels.hpp"

#include <algorithm>
#include <string>

#include "core/proof.hpp"
#include "core/text.hpp"
#include "core/wins.hpp"
#include "search/exponential.hpp"
#include "search/greedy.hpp"

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

// Random numbers for one move: the same for the same seed and position, whatever was played before.
class LevelRandom {
 public:
  LevelRandom(uint64_t seed, const std::string& position) : state_(0xcbf29ce484222325ULL) {
    for (const char c : std::to_string(seed) + ' ' + position) {
      state_ ^= static_cast<unsigned char>(c);
      state_ *= 0x100000001b3ULL;
    }
  }

  // In [0, 1).
  double next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    x ^= x >> 31;
    return static_cast<double>(x >> 11) * 0x1p-53;
  }

  // An index, each drawn in proportion to its weight.
  std::size_t pick(const std::vector<double>& weights) {
    double sum = 0.0;
    for (const double weight : weights) sum += weight;
    double left = next() * sum;
    for (std::size_t i = 0; i + 1 < weights.size(); ++i) {
      left -= weights[i];
      if (left < 0.0) return i;
    }
    return weights.size() - 1;
  }

 private:
  uint64_t state_;
};

// Chooses one of the options by the softmax of their scores.
std::size_t choose_by_score(const std::vector<ScoredMove>& options, double temperature, LevelRandom& random) {
  if (temperature <= 0.0 || options.size() == 1) return 0;
  double best = 0.0;
  for (const ScoredMove& option : options) best = std::max(best, option.score);
  std::vector<double> weights;
  for (const ScoredMove& option : options) weights.push_back(exponential((option.score - best) / temperature));
  return random.pick(weights);
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

// Chooses a move that only builds the player's own chain; no_move if there is none. It is one of those that shorten the
// distance most, with a preference for pieces that touch the player's own and for adding rather than moving, as
// beginners play. The last piece is kept until it wins.
Move choose_greedily(const Position& p, LevelRandom& random, double temperature, bool overlook_wins) {
  constexpr std::size_t max_choices = 400;
  struct Choice {
    Move move;
    bool wins;
    double score;
  };
  std::vector<Choice> choices;
  for (const GreedyMove& greedy : greedy_moves(p, false)) {
    if (ends_without_win(p, greedy.move)) continue;
    choices.push_back({greedy.move, greedy.distance == 0,
                       -greedy.distance + (greedy.touching ? 0.35 : 0.0) + (is_add(greedy.move) ? 0.45 : 0.0)});
  }
  // Equal ones are ordered by move: the order of the list depends on how the pieces are numbered.
  std::sort(choices.begin(), choices.end(),
            [](const Choice& a, const Choice& b) { return a.score != b.score ? a.score > b.score : a.move < b.move; });
  if (choices.size() > max_choices) choices.resize(max_choices);
  if (overlook_wins) std::erase_if(choices, [](const Choice& choice) { return choice.wins; });
  if (choices.empty()) return no_move;
  std::vector<double> weights;
  for (const Choice& choice : choices)
    weights.push_back(exponential((choice.score - choices.front().score) / temperature));
  return choices[random.pick(weights)].move;
}

// Whether the opponent could connect right after this move, or wins by it.
bool loses_at_once(const Position& p, Move m) {
  const Position next = after(p, m);
  const Colour opponent = next.to_move();
  const Outcome outcome = next.outcome();
  return outcome == Outcome::Open ? has_win(next, opponent) : outcome == win_of(opponent);
}

// Replaces a last piece that does not win: even a beginner knows that it ends the game. It is added only if every other
// move is known to lose.
Move avoid_last_piece(const Position& p, const std::vector<ScoredMove>& options, Move last) {
  // In the basic game it draws: that is no mistake where the search prefers it to every other move.
  if (p.rules() == Basic && options.front().move == last) return last;
  for (const ScoredMove& option : options)
    if (option.proven >= 0 && !ends_without_win(p, option.move)) return option.move;
  Move first = no_move;  // the least: the order of the list depends on how the pieces are numbered
  for (const Move m : defences(p, max_moves))
    if ((first == no_move || m < first) && !ends_without_win(p, m)) first = m;
  return first == no_move ? last : first;
}

}  // namespace

Move choose_move_as(const Level& level, uint64_t seed, const Position& p, const std::vector<ScoredMove>& options) {
  if (!level.makes_mistakes()) return options.front().move;
  LevelRandom random(seed, text_of(p));
  const bool sees_win = random.next() >= level.miss_win_chance;
  bool plays_greedily = random.next() < level.greedy_chance;
  const bool sees_threat = random.next() >= level.miss_threat_chance;
  if (options.front().proven == 1) {
    if (sees_win) return options.front().move;
    plays_greedily = true;
  }
  if (plays_greedily) {
    const Move m = choose_greedily(p, random, level.greedy_temperature, !sees_win);
    if (m != no_move && !(sees_threat && loses_at_once(p, m))) return m;
  }
  const Move m = options[choose_by_score(options, level.temperature, random)].move;
  return ends_without_win(p, m) ? avoid_last_piece(p, options, m) : m;
}

}  // namespace punct::search
