#include "search/tree.hpp"

#include <algorithm>
#include <cmath>

#include "search/forced.hpp"

namespace punct::search {
namespace {

// Four times the candidates each time: more than any position has in the end.
constexpr int most_widenings = 4;

// Gives every candidate up to a fifth more or less attention.
void shuffle(std::vector<Candidate>& candidates, uint64_t state) {
  for (Candidate& c : candidates) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    c.score *= 0.8f + 0.4f * static_cast<float>(state >> 40) / static_cast<float>(1 << 24);
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
}

}  // namespace

Tree::Tree(const Position& root, const Settings& settings, std::vector<uint64_t> history, std::size_t most_nodes)
    : root_(root), settings_(settings), history_(std::move(history)), most_nodes_(most_nodes) {
  nodes_.reserve(most_nodes_);
  nodes_.emplace_back();
}

void Tree::look_for_forced_win(long budget) {
  if (has_win(root_, root_.to_move()) || wins_by_count(root_, root_.to_move())) return;  // the first step sees that
  const ForcedWin found = find_forced_win(root_, settings_.taste, budget);
  if (!found.plies) return;
  Node& root = nodes_[0];
  root.examined = true;
  root.visits = 1;
  root.proven = static_cast<int16_t>(found.plies + 1);
  root.first = static_cast<uint32_t>(nodes_.size());
  root.count = 1;
  Node child;
  child.move = found.move;
  child.share = child.total = 1.0f;
  child.visits = 1;
  child.proven = static_cast<int16_t>(-found.plies);
  nodes_.push_back(child);
  ++steps_;
  deepest_ = found.plies;
}

bool Tree::best_is_refuted(long budget) {
  if (!nodes_[0].count) return false;
  Node& best = nodes_[ranked(0).front()];
  if (best.proven || best.drawn || !best.visits) return false;
  Position after = root_;
  Undo undo;
  after.make(best.move, undo);
  const ForcedWin found = find_forced_win(after, settings_.taste, budget);
  if (!found.plies) return false;
  best.proven = static_cast<int16_t>(found.plies + 1);
  best.total = 0.0f;
  return true;
}

// A position for the third time in the game is a draw; within the search the second time will do, for what happened once can happen again.
bool Tree::repeats(const Errand& e) const {
  const uint64_t hash = e.position.hash();
  if (std::find(e.hashes.begin(), e.hashes.end(), hash) != e.hashes.end()) return true;
  return std::count(history_.begin(), history_.end(), hash) >= 2;
}

uint32_t Tree::pick(uint32_t index) const {
  const Node& n = nodes_[index];
  const int open =
      std::min<int>(n.count, 3 + static_cast<int>(settings_.widening * std::sqrt(static_cast<float>(n.visits))));
  const float root_visits = std::sqrt(static_cast<float>(n.visits + 1));
  const float unseen = std::max(0.0f, (n.visits ? 1.0f - n.value() : 0.5f) - settings_.caution);
  uint32_t best = n.first;
  float best_score = -1.0f;
  int seen = 0;
  for (uint32_t i = n.first; i < n.first + n.count && seen < open; ++i) {
    const Node& child = nodes_[i];
    if (child.proven > 0) continue;  // the opponent wins there: not worth a visit, nor a place among the open ones
    ++seen;
    if (child.proven < 0) return i;
    // A thread under way counts as a visit that failed, so that the next one looks elsewhere.
    const float visits = static_cast<float>(child.visits + child.waiting);
    const float value = visits > 0.0f ? child.total / visits : unseen;
    const float score = value + settings_.curiosity * child.share * root_visits / (1.0f + visits);
    if (score > best_score) best_score = score, best = i;
  }
  return best;
}

void Tree::descend(Errand& e) {
  e.path.clear();
  e.undo.clear();
  e.hashes.clear();
  e.drawn = false;
  uint32_t index = 0;
  e.path.push_back(index);
  ++nodes_[index].waiting;
  while (nodes_[index].count && !nodes_[index].proven) {
    e.hashes.push_back(e.position.hash());
    index = pick(index);
    e.path.push_back(index);
    ++nodes_[index].waiting;
    e.undo.emplace_back();
    e.position.make(nodes_[index].move, e.undo.back());
    if (repeats(e)) {
      e.drawn = true;
      break;
    }
  }
  const Node& leaf = nodes_[index];
  e.proven = leaf.proven;
  e.decided = leaf.proven != 0 || leaf.drawn;
  e.drawn |= leaf.drawn;
  // The first visit values a leaf, the second opens it: most leaves are never seen again.
  e.widened = leaf.widened;
  e.expand =
      !e.decided && !e.drawn && (leaf.examined || index == 0) && nodes_.size() + settings_.root_width < most_nodes_;
}

void Tree::examine(Errand& e) const {
  e.candidates.clear();
  e.complete = false;
  if (e.drawn) {
    e.value = 0.5f;
    return;
  }
  if (e.decided) {
    e.value = e.proven > 0 ? 1.0f : 0.0f;
    return;
  }
  Position& p = e.position;
  const Colour me = p.to_move();
  if (p.decided()) {
    const Outcome outcome = p.outcome();
    e.decided = true;
    if (outcome == Outcome::Draw) {
      e.drawn = true;
      e.value = 0.5f;
    } else {
      // Lost or won without a turn played: counted as one so that nearer ends still compare.
      const bool won = outcome == (me == White ? Outcome::WhiteWins : Outcome::BlackWins);
      e.proven = won ? 1 : -1;
      e.value = won ? 1.0f : 0.0f;
    }
    return;
  }
  if (!e.expand) {
    if (has_win(p, me) || wins_by_count(p, me)) {
      e.decided = true;
      e.proven = 2;
      e.value = 1.0f;
      return;
    }
    Insight insight;
    look_at(p, insight);
    e.value = evaluate(p, insight, settings_.weights);
    return;
  }
  Insight insight;
  look_at(p, insight);
  e.value = evaluate(p, insight, settings_.weights);
  const bool at_root = e.path.size() == 1;
  if (at_root) {
    // Elsewhere a win in one was seen on the first visit.
    TurnList wins;
    list_wins(p, me, wins);
    for (const Move m : wins) e.candidates.push_back({m, 1.0f / static_cast<float>(wins.count)});
    if (wins.count) return;
  }
  const int most = (at_root ? settings_.root_width : settings_.width) << (2 * e.widened);
  if (at_root && wins_by_count(p, me)) {
    choose(p, insight, nullptr, max_turns, settings_.taste, e.candidates);
    std::erase_if(e.candidates, [](const Candidate& c) { return !is_add(c.move); });
    return;
  }
  const Defence defence(p);
  e.complete = choose(p, insight, defence.needed() ? &defence : nullptr, most, settings_.taste, e.candidates);
  if (at_root && settings_.seed) shuffle(e.candidates, settings_.seed ^ p.hash());
  if (e.candidates.empty()) {
    e.decided = true;
    e.proven = -3;  // any turn, then the opponent's win
    e.value = 0.0f;
    if (at_root)
      choose(p, insight, nullptr, most, settings_.taste, e.candidates);  // something must be played all the same
  }
}

void Tree::settle(Errand& e) {
  ++steps_;
  deepest_ = std::max(deepest_, static_cast<int>(e.path.size()) - 1);
  Node& leaf = nodes_[e.path.back()];
  leaf.examined = true;
  const bool repeated = e.drawn && !e.decided;  // a draw on this way here, not wherever this position stands
  if (e.decided && !leaf.proven && !leaf.drawn && !repeated) {
    leaf.proven = static_cast<int16_t>(e.proven);
    leaf.drawn = e.drawn;
  }
  if (!e.candidates.empty() && !leaf.count && nodes_.size() + e.candidates.size() <= most_nodes_) {
    leaf.first = static_cast<uint32_t>(nodes_.size());
    leaf.count = static_cast<uint16_t>(e.candidates.size());
    leaf.complete = e.complete;
    for (const Candidate& c : e.candidates) {
      Node child;
      child.move = c.move;
      child.share = c.score;
      nodes_.push_back(child);
    }
  }
  float value = 1.0f - e.value;  // for the player who moved to the leaf
  for (size_t i = e.path.size(); i-- > 0;) {
    Node& n = nodes_[e.path[i]];
    if (i + 1 < e.path.size()) update_proof(e.path[i]);
    if (n.proven) value = n.proven > 0 ? 0.0f : 1.0f;
    --n.waiting;
    ++n.visits;
    n.total += value;
    if (n.proven) n.total = value * static_cast<float>(n.visits);
    value = 1.0f - value;
    if (i > 0) e.position.unmake(n.move, e.undo[i - 1]);
  }
}

// A node is won when one child is lost for the opponent, and lost when all are won for the opponent and no other turn is left.
void Tree::update_proof(uint32_t index) {
  Node& n = nodes_[index];
  if (n.proven || !n.count) return;
  int longest = 0;
  bool all_lost = true;
  for (uint32_t i = n.first; i < n.first + n.count; ++i) {
    const Node& child = nodes_[i];
    if (child.proven < 0) {
      n.proven = static_cast<int16_t>(1 - child.proven);
      return;
    }
    if (child.proven > 0)
      longest = std::max<int>(longest, child.proven);
    else
      all_lost = false;
  }
  if (!all_lost) return;
  if (n.complete) {
    n.proven = static_cast<int16_t>(-longest - 1);
  } else if (n.widened < most_widenings) {
    // Everything looked at loses, but there is more: look again, wider.
    n.count = 0;
    ++n.widened;
  }
}

std::vector<uint32_t> Tree::ranked(uint32_t index) const {
  const Node& n = nodes_[index];
  std::vector<uint32_t> order(n.count);
  for (uint32_t i = 0; i < n.count; ++i) order[i] = n.first + i;
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const Node &x = nodes_[a], &y = nodes_[b];
    // Won first, sooner before later; then open by visits; then lost, later before sooner.
    const auto rank = [](const Node& c) { return c.proven < 0 ? 2 : c.proven > 0 ? 0 : 1; };
    if (rank(x) != rank(y)) return rank(x) > rank(y);
    if (x.proven != y.proven) return x.proven > y.proven;
    if (x.visits != y.visits) return x.visits > y.visits;
    return x.visits && x.value() > y.value();
  });
  return order;
}

std::vector<Line> Tree::lines(int most) const {
  std::vector<Line> found;
  for (const uint32_t index : ranked(0)) {
    if (static_cast<int>(found.size()) == most) break;
    const Node& n = nodes_[index];
    if (!found.empty() && !n.visits) break;
    Line line{n.move, n.visits ? n.value() : 1.0f - nodes_[0].value(), n.visits, 0, {n.move}};
    if (!n.visits && nodes_[0].proven < 0)
      line.proven = nodes_[0].proven + 1;
    else
      line.proven = -n.proven;  // the child's count is one too many, the turn that leads to it makes it right
    for (uint32_t at = index; nodes_[at].count && line.moves.size() < 24;) {
      at = ranked(at).front();
      if (!nodes_[at].visits) break;
      line.moves.push_back(nodes_[at].move);
    }
    found.push_back(std::move(line));
  }
  return found;
}

}  // namespace punct::search
