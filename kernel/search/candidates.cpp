#include "search/candidates.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <span>

#include "core/compiler.hpp"
#include "search/exponential.hpp"
#include "search/landings.hpp"

namespace punct::search {
namespace {

namespace f = move_feature;

// By rank and space: how much of a player's path runs through it. Where all cheapest paths pass one space of a layer it
// counts fully, where they spread over several it counts a share.
struct PathShares {
  float share[side_pairs][space_count] = {};

  explicit PathShares(const Paths& paths) {
    for (int rank = 0; rank < side_pairs; ++rank) {
      const Axis& a = paths.axis[paths.order[rank]];
      if (a.distance >= max_distance) continue;
      for (int k = 0; k <= a.distance; ++k) {
        const Bits here = a.on_path[0] & a.from_near(k);
        if (here.none()) continue;
        const auto fill = [&](const Bits& spaces, int min_count) {
          if (spaces.none()) return;
          const float part = 1.0f / static_cast<float>(std::max(min_count, spaces.count()));
          spaces.each([&](int bit) { share[rank][board.space[bit]] = part; });
        };
        fill(without(here, paths.terrain.own), 1);
        fill(here & paths.terrain.own, 2);
      }
    }
  }

  // The second and third nearest pairs matter less.
  float at(Space s) const { return share[0][s] + 0.4f * share[1][s] + 0.2f * share[2][s]; }
};

float closeness(int distance) { return 1.0f / static_cast<float>(1 + distance); }

float lateness(const Position& p) {
  return 1.0f / static_cast<float>(1 + std::min(set_size - p.placed(White), set_size - p.placed(Black)));
}

bool in_centre(Space s) { return board.centre.test(board.bit[s]); }

// 1 for the player's piece, -1 for the opponent's, 0 for none.
int owner_sign(int id, Colour me) { return id == no_piece ? 0 : Position::owner(id) == me ? 1 : -1; }

bool covers(const Dots& dots, Space s) { return s == dots.space[0] || s == dots.space[1] || s == dots.space[2]; }

// Keeps the best of many moves without storing them all.
class TopMoves {
 public:
  TopMoves(const Position& p, const Defence* defence, int max_count)
      : p_(p), defence_(defence), max_count_(max_count), capacity_(std::min(4 * max_count, max_moves)) {}

  // Whether a score is too low, whatever the move: most are, so callers check this first.
  bool is_too_low(float score) const { return score < threshold_; }
  float threshold() const { return threshold_; }

  // Not inlined: few moves get here, and the calling loops have more registers without it.
  PUNCT_NOINLINE void add_move(Move m, float score) {
    if (defence_ && !defence_->may_hold(p_, m)) return;
    keys_[count_++] = key_of(m, score);
    if (count_ == capacity_ && count_ > max_count_) drop_rest();
  }

  // Lists the best first and turns their scores into priors; returns whether no move was dropped.
  bool list(std::vector<Candidate>& out) {
    if (count_ > max_count_) drop_rest();
    std::sort(keys_, keys_ + count_, std::greater<uint64_t>());
    out.clear();
    const float best = count_ ? score_of(keys_[0]) : 0.0f;
    float sum = 0.0f;
    for (const uint64_t key : std::span(keys_, static_cast<std::size_t>(count_))) {
      out.push_back({no_move - static_cast<uint32_t>(key), exponential(score_of(key) - best)});
      sum += out.back().prior;
    }
    for (Candidate& x : out) x.prior /= sum;
    return !dropped_;
  }

 private:
  // The higher the score, the higher the number, and the lower the move where scores are equal. The bits of a float
  // count upwards from 0, and downwards below it.
  static uint64_t key_of(Move m, float score) {
    const uint32_t bits = std::bit_cast<uint32_t>(score + 0.0f);  // -0 becomes +0
    const uint32_t order = bits >> 31 ? ~bits : bits | sign_bit;
    return uint64_t{order} << 32 | (no_move - m);
  }
  static float score_of(uint64_t key) {
    const uint32_t order = static_cast<uint32_t>(key >> 32);
    return std::bit_cast<float>(order & sign_bit ? order ^ sign_bit : ~order);
  }
  static constexpr uint32_t sign_bit = uint32_t{1} << 31;

  // Drops all but the best; later moves have to be as good as the last of these. Like std::nth_element, but without a
  // branch on each key: the processor could not predict it.
  void drop_rest() {
    uint64_t *first = keys_, *end = first + count_;
    uint64_t* const last = first + max_count_ - 1;
    while (end - first > 1) {
      std::swap(first[(end - first) / 2], end[-1]);
      const uint64_t pivot = end[-1];
      uint64_t* above = first;
      for (uint64_t* i = first; i != end - 1; ++i) {
        const uint64_t key = *i;
        *i = *above;
        *above = key;
        above += key > pivot;
      }
      std::swap(*above, end[-1]);
      if (above == last) break;
      (above < last ? first : end) = above + (above < last);
    }
    threshold_ = score_of(*last);
    count_ = max_count_;
    dropped_ = true;
  }

  static uint64_t* key_buffer() {
    thread_local uint64_t keys[max_moves];  // for one call at a time
    return keys;
  }

  uint64_t* const keys_ = key_buffer();
  int count_ = 0;
  const Position& p_;
  const Defence* const defence_;
  const int max_count_;
  const int capacity_;  // when it is reached, all but the best are dropped
  float threshold_ = -std::numeric_limits<float>::infinity();
  bool dropped_ = false;
};

// Scores every landing and keeps the best: the same sum as of the weighted features (features_of), split into a value
// for each space and each step of distance.
class MoveScorer final : public LandingVisitor {
 public:
  MoveScorer(const Position& p, const PathAnalysis& analysis, const Policy& policy, TopMoves& best)
      : p_(p),
        best_(best),
        policy_(policy),
        weights_(policy.weights),
        me_(p.to_move()),
        centre_weight_(weights_[f::centre] + weights_[f::centre_late] * lateness(p)),
        mine_(analysis.paths[me_]),
        theirs_(analysis.paths[other(me_)]) {
    const PriorWeights& weights = weights_;
    const float block = weights[f::block] + weights[f::block_close] * closeness(analysis.paths[other(me_)].distance(0));
    Landings::Values values;
    std::fill_n(values.dot, Landings::length, Landings::off_board);
    std::fill_n(values.punct, Landings::places, 0.0f);
    for (int s = 0; s < space_count; ++s) {
      const Space space = static_cast<Space>(s);
      const int before = owner_sign(p.top(space), me_);
      float& value = values.dot[board.bit[s]];
      value = block * theirs_.share[0][s] + weights[f::block + 1] * theirs_.share[1][s] +
              weights[f::block + 2] * theirs_.share[2][s];
      if (before) value += before > 0 ? weights[f::over_own] : weights[f::over_other];
      if (in_centre(space)) value += centre_weight_ * static_cast<float>(1 - before);
      value += policy.dot[s];
      values.punct[board.bit[s]] = policy.punct[s];
    }
    const SideDistances distances(analysis.paths[me_]);
    for (int rank = 0; rank < side_pairs; ++rank) values.step[rank] = weights[f::gain + rank];
    values.step[0] += weights[f::gain_close] * closeness(distances.distance[0]);
    landings_.fill(values, distances);
  }

  void add(int orientation, const Bits& spaces) override {
    const float* const landing = landings_.scores(orientation);
    const float kind = weights_[f::add + shapes[orientation].kind];
    const Move base = add_landing_base(orientation);
    landings_.spaces_reaching(orientation, spaces, kind, best_.threshold()).each([&](int bit) {
      const float score = landing[bit] + kind;
      if (!best_.is_too_low(score)) best_.add_move(base + board.space[bit], score);
    });
  }

  void shift(int id, int orientation, const Bits& spaces) override {
    if (id != lifted_) lift(id);
    const Dots& left = placements[p_.piece(id).placement];
    const Space from = left.space[0];
    const float* const landing = landings_.scores(orientation);
    landings_.spaces_reaching(orientation, spaces, max_bonus_, best_.threshold()).each([&](int bit) {
      const Space to = board.space[bit];
      const Placement placement = placement_of(orientation, to);
      float score = landing[bit] + weights_[f::shift];
      if (from == to) score += weights_[f::rotate];
      for (int i = 0; i < 3; ++i)
        if (!covers(placements[placement], left.space[i])) score += leaving_[i];
      if (!best_.is_too_low(score)) best_.add_move(make_move(from, placement), score);
    });
  }

 private:
  // Computes what a piece gives up by leaving where it lies.
  void lift(int id) {
    lifted_ = id;
    const Piece& piece = p_.piece(id);
    for (int i = 0; i < 3; ++i) {
      const Space s = placements[piece.placement].space[i];
      const int below = owner_sign(piece.under[i], me_);
      leaving_[i] = policy_.leaving[s];
      if (below > 0) continue;
      leaving_[i] += weights_[f::loss] * mine_.at(s);
      if (below < 0) leaving_[i] += weights_[f::uncover] * theirs_.at(s);
      if (in_centre(s)) leaving_[i] += centre_weight_ * static_cast<float>(below - 1);
    }
    constexpr float rounding = 1e-3f;
    max_bonus_ = weights_[f::shift] + std::max(0.0f, weights_[f::rotate]) + rounding;
    for (const float value : leaving_) max_bonus_ += std::max(0.0f, value);
  }

  const Position& p_;
  TopMoves& best_;
  const Policy& policy_;
  const PriorWeights& weights_;
  const Colour me_;
  const float centre_weight_;
  const PathShares mine_, theirs_;
  int lifted_ = no_piece;
  float leaving_[3];  // of the lifted piece: for each dot whose space it does not cover again
  float max_bonus_;   // an upper bound of what is added to the score of its landings

  static Landings& landing_buffer() {
    thread_local Landings landings;  // for one call at a time
    return landings;
  }
  Landings& landings_ = landing_buffer();
};

}  // namespace

MoveFeatures features_of(const Position& p, const PathAnalysis& analysis, Move m) {
  const Colour me = p.to_move();
  const SideDistances distances(analysis.paths[me]);
  const PathShares mine(analysis.paths[me]), theirs(analysis.paths[other(me)]);
  const Dots& dots = placements[placement_of(m)];
  MoveFeatures x{};
  for (int rank = 0; rank < side_pairs; ++rank) x[f::gain + rank] = static_cast<float>(distances.gain(dots, rank));
  x[f::gain_close] = x[f::gain] * closeness(distances.distance[0]);
  int centre = 0;
  for (const Space s : dots.space) {
    for (int rank = 0; rank < side_pairs; ++rank) x[f::block + rank] += theirs.share[rank][s];
    const int before = owner_sign(p.top(s), me);
    x[f::over_own] += before > 0 ? 1.0f : 0.0f;
    x[f::over_other] += before < 0 ? 1.0f : 0.0f;
    if (in_centre(s)) centre += 1 - before;
  }
  x[f::block_close] = x[f::block] * closeness(analysis.paths[other(me)].distance(0));
  if (is_add(m)) {
    x[f::add + kind_of(placement_of(m))] = 1.0f;
  } else {
    x[f::shift] = 1.0f;
    x[f::rotate] = from_of(m) == dots.space[0] ? 1.0f : 0.0f;
    const Piece& piece = p.piece(p.moving_piece(m));
    for (int i = 0; i < 3; ++i) {
      const Space s = placements[piece.placement].space[i];
      const int below = owner_sign(piece.under[i], me);
      if (covers(dots, s) || below > 0) continue;
      x[f::loss] += mine.at(s);
      if (below < 0) x[f::uncover] += theirs.at(s);
      if (in_centre(s)) centre += below - 1;
    }
  }
  x[f::centre] = static_cast<float>(centre);
  x[f::centre_late] = static_cast<float>(centre) * lateness(p);
  return x;
}

bool choose_candidates(const Position& p, const PathAnalysis& analysis, const Defence* defence, int max_count,
                       const Policy& policy, std::vector<Candidate>& out) {
  TopMoves best(p, defence, max_count);
  if (p.decided()) return best.list(out);
  MoveScorer scorer(p, analysis, policy, best);
  visit_landings(p, p.to_move(), scorer);
  return best.list(out);
}

}  // namespace punct::search
