#include "search/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/approach.hpp"

namespace punct::search {
namespace {

namespace f = move_feature;

// By rank and space: how much of a player's way runs through it. Where the cheapest ways all pass one space of a layer
// it counts full, where they spread over several it counts a share of it.
struct Narrows {
  float share[side_pairs][space_count] = {};

  explicit Narrows(const Paths& paths) {
    for (int rank = 0; rank < side_pairs; ++rank) {
      const Axis& a = paths.axis[paths.order[rank]];
      if (a.distance >= farthest) continue;
      for (int k = 0; k <= a.distance; ++k) {
        const Bits here = a.on_way[0] & a.from_near(k);
        if (here.none()) continue;
        const Bits foreign = without(here, paths.terrain.own), own = here & paths.terrain.own;
        const float one = 1.0f / static_cast<float>(std::max(1, foreign.count()));
        const float of_own = 1.0f / static_cast<float>(std::max(2, own.count()));
        foreign.each([&](int bit) { share[rank][board.space[bit]] = one; });
        own.each([&](int bit) { share[rank][board.space[bit]] = of_own; });
      }
    }
  }

  // Ways that are far behind matter less.
  float at(Space s) const { return share[0][s] + 0.4f * share[1][s] + 0.2f * share[2][s]; }
};

float closeness(int distance) { return 1.0f / static_cast<float>(1 + distance); }

float lateness(const Position& p) {
  return 1.0f / static_cast<float>(1 + std::min(set_size - p.placed(White), set_size - p.placed(Black)));
}

bool in_centre(Space s) { return board.centre.test(board.bit[s]); }

// What the dot's space shows counts 1 for the player, -1 for the opponent.
int worth(int id, Colour me) { return id == no_piece ? 0 : Position::owner(id) == me ? 1 : -1; }

bool covers(const Dots& dots, Space s) { return s == dots.space[0] || s == dots.space[1] || s == dots.space[2]; }

// The best of many moves, kept without keeping them all.
class Best {
 public:
  Best(const Position& p, const Defence* defence, int most, std::vector<Candidate>& out)
      : p_(p), defence_(defence), most_(static_cast<std::size_t>(most)), out_(out) {
    out_.clear();
  }

  void consider(Move m, float score) {
    if (score < least_ || (defence_ && !defence_->may_hold(p_, m))) return;
    out_.push_back({m, score});
    if (out_.size() >= 2 * most_) drop();
  }

  // Puts the best first and makes priors of their scores; whether no move was dropped.
  bool finish() {
    if (out_.size() > most_) drop();
    if (out_.empty()) return true;
    std::sort(out_.begin(), out_.end(), better);
    const float best = out_.front().prior;
    float sum = 0.0f;
    for (Candidate& x : out_) sum += x.prior = std::exp(x.prior - best);
    for (Candidate& x : out_) x.prior /= sum;
    return !dropped_;
  }

 private:
  static bool better(const Candidate& x, const Candidate& y) {
    return x.prior != y.prior ? x.prior > y.prior : x.move < y.move;
  }

  // All but the best; whoever comes later has to be as good as the last of these.
  void drop() {
    const auto last = out_.begin() + static_cast<std::ptrdiff_t>(most_) - 1;
    std::nth_element(out_.begin(), last, out_.end(), better);
    least_ = last->prior;
    out_.resize(most_);
    dropped_ = true;
  }

  const Position& p_;
  const Defence* const defence_;
  const std::size_t most_;
  std::vector<Candidate>& out_;
  float least_ = -std::numeric_limits<float>::infinity();
  bool dropped_ = false;
};

// Every landing's score: the same sum as of the weighted features (features_of), taken apart into what each space and
// each step brings.
class Scores {
 public:
  Scores(const Position& p, const Insight& insight, const PriorWeights& weights)
      : p_(p),
        weights_(weights),
        me_(p.to_move()),
        centre_weight_(weights[f::centre] + weights[f::centre_late] * lateness(p)),
        mine_(insight.paths[me_]),
        theirs_(insight.paths[other(me_)]),
        approach_(insight.paths[me_]),
        nearer_(approach_) {
    const float block = weights[f::block] + weights[f::block_close] * closeness(insight.paths[other(me_)].distance(0));
    for (int s = 0; s < space_count; ++s) {
      const Space space = static_cast<Space>(s);
      const int before = worth(p.top(space), me_);
      float& landing = landing_[board.bit[s]];
      landing = block * theirs_.share[0][s] + weights[f::block + 1] * theirs_.share[1][s] +
                weights[f::block + 2] * theirs_.share[2][s];
      if (before) landing += before > 0 ? weights[f::over_own] : weights[f::over_other];
      if (in_centre(space)) landing += centre_weight_ * static_cast<float>(1 - before);
    }
    for (int rank = 0; rank < side_pairs; ++rank) {
      float gain = weights[f::gain + rank];
      if (rank == 0) gain += weights[f::gain_close] * closeness(approach_.distance[0]);
      for (int steps = 0; steps <= approach_.distance[rank]; ++steps)
        gain_[rank][steps] = gain * static_cast<float>(steps);
    }
  }

  // What a piece gives up by leaving where it lies.
  struct Leaving {
    Space from;
    const Dots* dots;
    float dot[3] = {};  // for each that it does not cover again

    Leaving(const Scores& scores, int id) {
      const Piece& piece = scores.p_.piece(id);
      from = punct_of(piece.placement);
      dots = &placements[piece.placement];
      for (int i = 0; i < 3; ++i) {
        const Space s = dots->space[i];
        const int below = worth(piece.under[i], scores.me_);
        if (below > 0) continue;
        dot[i] += scores.weights_[f::loss] * scores.mine_.at(s);
        if (below < 0) dot[i] += scores.weights_[f::uncover] * scores.theirs_.at(s);
        if (in_centre(s)) dot[i] += scores.centre_weight_ * static_cast<float>(below - 1);
      }
    }
  };

  void add(int orientation, const Bits& spaces, Best& best) const {
    const Landing landing(*this, orientation);
    const float kind = weights_[f::add + shapes[orientation].kind];
    spaces.each(
        [&](int bit) { best.consider(add_landing_base(orientation) + board.space[bit], landing.score(bit) + kind); });
  }

  void shift(const Leaving& leaving, int orientation, const Bits& spaces, Best& best) const {
    const Landing landing(*this, orientation);
    spaces.each([&](int bit) {
      const Space to = board.space[bit];
      const Placement placement = placement_of(orientation, to);
      float score = landing.score(bit) + weights_[f::shift];
      if (leaving.from == to) score += weights_[f::rotate];
      for (int i = 0; i < 3; ++i)
        if (!covers(placements[placement], leaving.dots->space[i])) score += leaving.dot[i];
      best.consider(make_move(leaving.from, placement), score);
    });
  }

 private:
  // One orientation's rows of the tables.
  struct Landing {
    const float *punct, *one, *two;
    const uint8_t* nearer[side_pairs];
    const Scores& scores;

    Landing(const Scores& s, int orientation) : scores(s) {
      punct = s.landing_;
      one = punct + shapes[orientation].offset[1];
      two = punct + shapes[orientation].offset[2];
      for (int rank = 0; rank < side_pairs; ++rank)
        nearer[rank] = s.nearer_.steps[trios.of[orientation]][rank] + trios.first[orientation];
    }

    float score(int bit) const {
      float score = punct[bit] + one[bit] + two[bit];
      for (int rank = 0; rank < side_pairs; ++rank) score += scores.gain_[rank][nearer[rank][bit]];
      return score;
    }
  };

  const Position& p_;
  const PriorWeights& weights_;
  const Colour me_;
  const float centre_weight_;
  const Narrows mine_, theirs_;
  const Approach approach_;
  const Nearer nearer_;
  float landing_[Bits::words * 64];       // by bit: what a dot brings there
  float gain_[side_pairs][farthest + 1];  // by rank: what so many steps nearer bring
};

}  // namespace

MoveFeatures features_of(const Position& p, const Insight& insight, Move m) {
  const Colour me = p.to_move();
  const Approach approach(insight.paths[me]);
  const Narrows mine(insight.paths[me]), theirs(insight.paths[other(me)]);
  const Dots& dots = placements[placement_of(m)];
  MoveFeatures x{};
  for (int rank = 0; rank < side_pairs; ++rank) x[f::gain + rank] = static_cast<float>(approach.nearer(dots, rank));
  x[f::gain_close] = x[f::gain] * closeness(approach.distance[0]);
  int centre = 0;
  for (const Space s : dots.space) {
    for (int rank = 0; rank < side_pairs; ++rank) x[f::block + rank] += theirs.share[rank][s];
    const int before = worth(p.top(s), me);
    x[f::over_own] += before > 0 ? 1.0f : 0.0f;
    x[f::over_other] += before < 0 ? 1.0f : 0.0f;
    if (in_centre(s)) centre += 1 - before;
  }
  x[f::block_close] = x[f::block] * closeness(insight.paths[other(me)].distance(0));
  if (is_add(m)) {
    x[f::add + kind_of(placement_of(m))] = 1.0f;
  } else {
    x[f::shift] = 1.0f;
    x[f::rotate] = from_of(m) == dots.space[0] ? 1.0f : 0.0f;
    const Piece& piece = p.piece(p.moving_piece(m));
    for (int i = 0; i < 3; ++i) {
      const Space s = placements[piece.placement].space[i];
      const int below = worth(piece.under[i], me);
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

bool choose(const Position& p, const Insight& insight, const Defence* defence, int most, const PriorWeights& weights,
            std::vector<Candidate>& out) {
  Best best(p, defence, most, out);
  if (p.decided()) return best.finish();
  const Scores scores(p, insight, weights);
  each_add(p, p.to_move(), [&](int orientation, const Bits& spaces) { scores.add(orientation, spaces, best); });
  each_lifted(p, p.to_move(), [&](int id, const Floors& floors) {
    const Scores::Leaving leaving(scores, id);
    each_landing(p, id, floors, [&](int, int orientation, const Bits& ground, const Bits& raised) {
      scores.shift(leaving, orientation, ground | raised, best);
    });
  });
  return best.finish();
}

}  // namespace punct::search
