#include "search/tree.hpp"

#include <algorithm>
#include <cmath>

namespace punct::search {
namespace {

// Four times the candidates each time: more than any position has in the end.
constexpr int most_widenings = 4;

// Gives every candidate a prior up to a fifth higher or lower.
void shuffle(std::vector<Candidate>& candidates, uint64_t state) {
  for (Candidate& c : candidates) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    c.prior *= 0.8f + 0.4f * static_cast<float>(state >> 40) / static_cast<float>(1 << 24);
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.prior > b.prior; });
}

}  // namespace

Tree::Tree(const Position& root, const Settings& settings, std::vector<uint64_t> history, std::span<Node> memory)
    : root_(root), settings_(settings), history_(std::move(history)), nodes_(memory) {
  append(Node{});
}

std::optional<ForcedSearch> Tree::look_for_forced_win(long budget) const {
  const Colour me = root_.to_move();
  if (can_win(root_, me)) return std::nullopt;  // the first visit sees that
  return ForcedSearch(root_, settings_.prior, budget);
}

void Tree::take(const ForcedWin& found) {
  if (!found.plies) return;
  Node& root = nodes_[0];
  root.evaluated = true;
  root.visits = 1;
  root.proven = static_cast<int16_t>(found.plies + 1);
  root.first = static_cast<uint32_t>(size_);
  root.count = 1;
  Node child;
  child.move = found.move;
  child.prior = 1.0f;
  child.add(1.0f);
  child.proven = static_cast<int16_t>(-found.plies);
  append(child);
  ++visits_;
  deepest_ = found.plies;
}

std::optional<ForcedSearch> Tree::vet_best(long budget) {
  if (!nodes_[0].count) return std::nullopt;
  const Node& best = nodes_[ranked(0).front()];
  if (best.proven || best.drawn || !best.visits) return std::nullopt;
  vetted_ = best.move;
  Position after = root_;
  Undo undo;
  after.make(best.move, undo);
  return ForcedSearch(after, settings_.prior, budget);
}

bool Tree::take_vetted(const ForcedWin& found) {
  if (!found.plies) return false;
  const Node& root = nodes_[0];
  for (Node& child : nodes_.subspan(root.first, root.count))
    if (child.move == vetted_ && !child.proven) {
      child.proven = static_cast<int16_t>(found.plies + 1);
      child.total = 0.0;
      return true;
    }
  return false;  // visits came between, and saw as much
}

// A position for the third time in the game is a draw; within the search the second time will do, for what happened
// once can happen again.
bool Tree::repeats(const Visit& visit) const {
  const uint64_t hash = visit.position.hash();
  if (std::find(visit.hashes.begin(), visit.hashes.end(), hash) != visit.hashes.end()) return true;
  return std::count(history_.begin(), history_.end(), hash) >= 2;
}

uint32_t Tree::pick(uint32_t index) const {
  const Node& n = nodes_[index];
  const int open =
      std::min<int>(n.count, 3 + static_cast<int>(settings_.widening * std::sqrt(static_cast<float>(n.visits))));
  const float root_visits = std::sqrt(static_cast<float>(n.visits + 1));
  const float first_play_urgency =
      std::max(0.0f, (n.visits ? 1.0f - n.value() : 0.5f) - settings_.first_play_reduction);
  uint32_t best = n.first;
  float best_score = -1.0f;
  int seen = 0;
  for (uint32_t i = n.first; i < n.first + n.count && seen < open; ++i) {
    const Node& child = nodes_[i];
    if (child.proven > 0) continue;  // the opponent wins there: not worth a visit, nor a place among the open ones
    ++seen;
    if (child.proven < 0) return i;
    // A thread under way counts as a visit that failed, so that the next one looks elsewhere.
    const float visits = static_cast<float>(child.visits + child.virtual_loss);
    const float value = visits > 0.0f ? child.mean(visits) : first_play_urgency;
    const float score = value + settings_.exploration * child.prior * root_visits / (1.0f + visits);
    if (score > best_score) best_score = score, best = i;
  }
  return best;
}

void Tree::select(Visit& visit) {
  visit.path.clear();
  visit.undo.clear();
  visit.hashes.clear();
  visit.drawn = false;
  uint32_t index = 0;
  visit.path.push_back(index);
  ++nodes_[index].virtual_loss;
  while (nodes_[index].count && !nodes_[index].proven) {
    visit.hashes.push_back(visit.position.hash());
    index = pick(index);
    visit.path.push_back(index);
    ++nodes_[index].virtual_loss;
    visit.undo.emplace_back();
    visit.position.make(nodes_[index].move, visit.undo.back());
    if (repeats(visit)) {
      visit.drawn = true;
      break;
    }
  }
  const Node& leaf = nodes_[index];
  visit.proven = leaf.proven;
  visit.decided = leaf.proven != 0 || leaf.drawn;
  visit.drawn |= leaf.drawn;
  // The first visit values a leaf, the second opens it: most leaves are never seen again.
  visit.widened = leaf.widened;
  visit.expand = !visit.decided && !visit.drawn && (leaf.evaluated || index == 0) &&
                 size_ + static_cast<std::size_t>(settings_.root_width) < nodes_.size();
}

// The winning chance of the player to move, and, where it is asked for, how the moves are to be scored.
float Tree::value_of(const Position& p, const Insight& insight, std::optional<Policy>* policy) const {
  if (policy) policy->emplace(settings_.prior);
  if (!settings_.network) return search::evaluate(p, insight, settings_.evaluation);
  Network::Thought thought;
  settings_.network->think(p, insight, thought);
  if (policy) settings_.network->policy(p, insight, thought, **policy);
  return chance_of(settings_.network->value(thought));
}

void Tree::evaluate(Visit& visit) const {
  visit.candidates.clear();
  visit.complete = false;
  if (visit.drawn) {
    visit.value = 0.5f;
    return;
  }
  if (visit.decided) {
    visit.value = visit.proven > 0 ? 1.0f : 0.0f;
    return;
  }
  Position& p = visit.position;
  const Colour me = p.to_move();
  if (p.decided()) {
    const Outcome outcome = p.outcome();
    visit.decided = true;
    if (outcome == Outcome::Draw) {
      visit.drawn = true;
      visit.value = 0.5f;
    } else {
      // Lost or won without a move played: counted as one so that nearer ends still compare.
      const bool won = outcome == (me == White ? Outcome::WhiteWins : Outcome::BlackWins);
      visit.proven = won ? 1 : -1;
      visit.value = won ? 1.0f : 0.0f;
    }
    return;
  }
  if (!visit.expand) {
    if (can_win(p, me)) {
      visit.decided = true;
      visit.proven = 2;
      visit.value = 1.0f;
      return;
    }
    Insight insight;
    look_at(p, insight);
    visit.value = value_of(p, insight, nullptr);
    return;
  }
  Insight insight;
  look_at(p, insight);
  std::optional<Policy> thought;
  visit.value = value_of(p, insight, &thought);
  const Policy& policy = *thought;
  const bool at_root = visit.path.size() == 1;
  if (at_root) {
    // Elsewhere a win in one was seen on the first visit.
    MoveList wins;
    list_wins(p, me, wins);
    for (const Move m : wins) visit.candidates.push_back({m, 1.0f / static_cast<float>(wins.count)});
    if (wins.count) return;
  }
  const int most = (at_root ? settings_.root_width : settings_.width) << (2 * visit.widened);
  if (at_root && wins_by_count(p, me)) {
    choose(p, insight, nullptr, max_moves, policy, visit.candidates);
    std::erase_if(visit.candidates, [](const Candidate& c) { return !is_add(c.move); });
    return;
  }
  const Defence defence(p);
  visit.complete = choose(p, insight, defence.needed() ? &defence : nullptr, most, policy, visit.candidates);
  if (at_root && settings_.seed) shuffle(visit.candidates, settings_.seed ^ p.hash());
  if (visit.candidates.empty()) {
    visit.decided = true;
    visit.proven = -3;  // any move, then the opponent's win
    visit.value = 0.0f;
    if (at_root)
      choose(p, insight, nullptr, most, policy, visit.candidates);  // something must be played all the same
  }
}

void Tree::back_up(Visit& visit) {
  ++visits_;
  deepest_ = std::max(deepest_, static_cast<int>(visit.path.size()) - 1);
  Node& leaf = nodes_[visit.path.back()];
  leaf.evaluated = true;
  const bool repeated = visit.drawn && !visit.decided;  // a draw on this way here, not wherever this position stands
  if (visit.decided && !leaf.proven && !leaf.drawn && !repeated) {
    leaf.proven = static_cast<int16_t>(visit.proven);
    leaf.drawn = visit.drawn;
  }
  if (!visit.candidates.empty() && !leaf.count && size_ + visit.candidates.size() <= nodes_.size()) {
    leaf.first = static_cast<uint32_t>(size_);
    leaf.count = static_cast<uint16_t>(visit.candidates.size());
    leaf.complete = visit.complete;
    for (const Candidate& c : visit.candidates) {
      Node child;
      child.move = c.move;
      child.prior = c.prior;
      append(child);
    }
  }
  float value = 1.0f - visit.value;  // for the player who moved to the leaf
  for (size_t i = visit.path.size(); i-- > 0;) {
    Node& n = nodes_[visit.path[i]];
    if (i + 1 < visit.path.size()) update_proof(visit.path[i]);
    if (n.proven) value = n.proven > 0 ? 0.0f : 1.0f;
    --n.virtual_loss;
    n.add(value);
    if (n.proven) n.total = static_cast<double>(value) * n.visits;
    value = 1.0f - value;
    if (i > 0) visit.position.unmake(n.move, visit.undo[i - 1]);
  }
}

// A node is won when one child is lost for the opponent, and lost when all are won for the opponent and no other move
// is left.
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

std::vector<Variation> Tree::variations(int most) const {
  std::vector<Variation> found;
  for (const uint32_t index : ranked(0)) {
    if (static_cast<int>(found.size()) == most) break;
    const Node& n = nodes_[index];
    if (!found.empty() && !n.visits) break;
    Variation variation{n.move, n.visits ? n.value() : 1.0f - nodes_[0].value(), n.visits, 0, {n.move}};
    if (!n.visits && nodes_[0].proven < 0)
      variation.proven = nodes_[0].proven + 1;
    else
      variation.proven = -n.proven;  // the child's count is one too many, the move that leads to it makes it right
    for (uint32_t at = index; nodes_[at].count && variation.moves.size() < 24;) {
      at = ranked(at).front();
      if (!nodes_[at].visits) break;
      variation.moves.push_back(nodes_[at].move);
    }
    found.push_back(std::move(variation));
  }
  return found;
}

}  // namespace punct::search
