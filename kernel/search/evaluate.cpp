#include "search/evaluate.hpp"

#include <algorithm>

#include "core/wins.hpp"
#include "search/exponential.hpp"

namespace punct::search {
namespace {

int free_pieces(const Position& p, Colour c) {
  int n = 0;
  for (int id = c * set_size; id < (c + 1) * set_size; ++id) n += p.is_free(id);
  return n;
}

// By n, the logarithm of n + 1: computed here, because libraries differ in the last bit.
constexpr std::array<float, space_count + 1> make_logarithms() {
  std::array<float, space_count + 1> table{};
  double logarithm = 0.0;
  for (std::size_t n = 1; n < table.size(); ++n) {
    // log((n + 1) / n), as a series.
    const double z = 1.0 / static_cast<double>(2 * n + 1);
    double power = z;
    for (int i = 1; i < 40; i += 2, power *= z * z) logarithm += 2.0 * power / i;
    table[n] = static_cast<float>(logarithm);
  }
  return table;
}
constexpr std::array<float, space_count + 1> logarithms = make_logarithms();

float logarithm_of(const Bits& spaces) { return logarithms[static_cast<std::size_t>(spaces.count())]; }

}  // namespace

void analyse_paths(const Position& p, PathAnalysis& out) {
  find_paths(p, White, out.paths[White]);
  find_paths(p, Black, out.paths[Black]);
  out.threatened = has_win(p, other(p.to_move()));
}

void features_of(const Position& p, const PathAnalysis& analysis, Features& x) {
  x.fill(0.0f);
  x[feature::tempo] = 1.0f;
  const Colour me = p.to_move();
  for (int side = 0; side < 2; ++side) {
    const Colour c = side == 0 ? me : other(me);
    const Paths& paths = analysis.paths[c];
    const auto step = [&](int rank) { return std::min(paths.distance(rank), feature::steps - 1); };
    x[feature::nearest + side * feature::steps + step(0)] = 1.0f;
    x[feature::second + side * feature::steps + step(1)] = 1.0f;
    x[feature::third + side] = static_cast<float>(paths.distance(2)) * 0.1f;
    const Axis &first = paths.axis[paths.order[0]], &next = paths.axis[paths.order[1]];
    const Bits foreign = without(board.board, paths.terrain.own);
    const auto size = [&](const Bits& b) { return logarithm_of(b & foreign); };
    x[feature::width + side] = size(first.on_path[0]);
    x[feature::slack + side] = size(first.on_path[1]);
    x[feature::width_second + side] = size(next.on_path[0]);
    x[feature::left + side] = static_cast<float>(set_size - p.placed(c)) * 0.1f;
    x[feature::free + side] = static_cast<float>(free_pieces(p, c)) * 0.1f;
    x[feature::raised + side] =
        static_cast<float>(without(without(p.showing(c), p.floor(1)), p.floor(0)).count()) * 0.1f;
  }
  x[feature::threatened] = analysis.threatened ? 1.0f : 0.0f;
  if (p.rules() == Standard) {
    const int left_me = set_size - p.placed(me), left_other = set_size - p.placed(other(me));
    const int phase = std::min({left_me, left_other, feature::phases - 1});
    const int margin = p.centre_count(me) - p.centre_count(other(me));
    const int sign = (margin > 0) - (margin < 0);
    x[feature::margin + phase] = static_cast<float>(margin);
    x[feature::lead + phase] = static_cast<float>(sign);
    x[feature::race] = static_cast<float>(sign * (left_other - left_me)) * 0.1f;
  }
}

float evaluate(const Position& p, const PathAnalysis& analysis, const EvaluationWeights& weights) {
  Features x;
  features_of(p, analysis, x);
  float sum = 0.0f;
  for (int i = 0; i < feature::count; ++i) sum += x[i] * weights[i];
  return 1.0f / (1.0f + exponential(-sum));
}

float win_probability(float log_odds) {
  return static_cast<float>(1.0 / (1.0 + exponential(-std::clamp(static_cast<double>(log_odds), -40.0, 40.0))));
}

}  // namespace punct::search
