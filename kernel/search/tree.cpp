#include "search/tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "search/repetition.hpp"

namespace punct::search {
namespace {

// Four times the candidates each time: more than any position has in the end.
constexpr int max_widenings = 4;

// A node with `visits` is searched for a win by threats, within `tries`: the first searches cost little, and
// most nodes have no threats at all.
struct ForcedStage {
  uint32_t visits;
  int64_t tries;
};
constexpr ForcedStage forced_stages[] = {{64, 150}, {512, 800}, {4096, 2000}};
constexpr int max_forced_searches = 3;

// Changes every prior by up to a fifth, at random.
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
    : root_(root), settings_(settings), nodes_(memory) {
  set_history(std::move(history));
  append(Node{});
}

void Tree::set_history(std::vector<uint64_t> history) {
  history_ = std::move(history);
  occurred_twice_.clear();
  for (const uint64_t hash : history_)
    if (std::count(history_.begin(), history_.end(), hash) >= 2) occurred_twice_.push_back(hash);
}

std::optional<ForcedSearch> Tree::root_forced_search(int64_t budget) const {
  const Colour me = root_.to_move();
  if (can_win(root_, me)) return std::nullopt;  // the first visit sees that
  return ForcedSearch(root_, settings_.prior, budget);
}

void Tree::apply_forced_win(const ForcedWin& win) {
  Node& root = nodes_[0];
  if (!win.plies || root.proven) return;
  winners_[root_.to_move()] = win.move;
  deepest_ = std::max(deepest_, win.plies);
  if (root.count) return note_forced_win(0, win);
  root.evaluated = true;
  root.visits = 1;
  root.proven = static_cast<int16_t>(win.plies + 1);
  root.first = static_cast<uint32_t>(size_);
  root.count = 1;
  Node child;
  child.move = win.move;
  child.prior = 1.0f;
  child.add(1.0f);
  child.proven = static_cast<int16_t>(-win.plies);
  append(child);
  ++visits_;
}

Move Tree::move_to_check() const {
  if (!nodes_[0].count) return no_move;
  const Node& best = nodes_[best_child(0)];
  if (best.proven || best.drawn || !best.visits) return no_move;
  if (!occurred_twice_.empty() && !is_add(best.move)) {
    Position after = root_;
    Undo undo;
    after.make(best.move, undo);
    if (occurred_twice(after)) return no_move;  // a draw, whatever could follow
  }
  return best.move;
}

bool Tree::has_move() const {
  const Node& root = nodes_[0];
  if (!root.count) return false;
  if (finished()) return true;
  const Node& best = nodes_[best_child(0)];
  return best.visits || best.proven;
}

RootStats Tree::root_stats() const {
  const Node& root = nodes_[0];
  if (!root.count) return {};
  const uint32_t best = best_child(0);
  RootStats stats{nodes_[best].move, nodes_[best].visits, 0, root.complete};
  for (uint32_t i = root.first; i < root.first + root.count; ++i) {
    if (i == best || nodes_[i].proven > 0) continue;
    stats.is_only_move = false;
    stats.second_visits = std::max(stats.second_visits, nodes_[i].visits);
  }
  stats.second_visits = std::min(stats.best_visits, stats.second_visits);
  return stats;
}

ForcedSearch Tree::search_after(Move root_move, int64_t budget) const {
  Position after = root_;
  Undo undo;
  after.make(root_move, undo);
  return ForcedSearch(after, settings_.prior, budget, winners_[after.to_move()]);
}

bool Tree::apply_check(Move root_move, const ForcedWin& win, int64_t tries) {
  if (!win.plies) return false;
  winners_[other(root_.to_move())] = win.move;
  const Node& root = nodes_[0];
  for (uint32_t i = root.first; i < root.first + root.count; ++i)
    if (nodes_[i].move == root_move && !nodes_[i].proven) {
      note_forced_win(i, win);
      note_refuted(root_move, win.plies, tries);
      update_proof(0);
      return true;
    }
  return false;  // visits have proved as much meanwhile
}

// The player to move there wins by threats.
void Tree::note_forced_win(uint32_t index, const ForcedWin& win) {
  Node& n = nodes_[index];
  n.proven = static_cast<int16_t>(win.plies + 1);
  n.total = 0.0;
  if (!n.count) return;
  // The winning move may not be among the candidates: it then replaces the last one, if that has no visits.
  const std::span<Node> children = nodes_.subspan(n.first, n.count);
  auto child = std::find_if(children.begin(), children.end(), [&](const Node& c) { return c.move == win.move; });
  if (child == children.end()) {
    child = std::prev(children.end());
    if (index != 0 && (child->visits || child->virtual_loss)) return;
    *child = Node{};
    child->move = win.move;
  }
  if (child->proven) return;
  child->proven = static_cast<int16_t>(-win.plies);
  if (!child->visits) child->visits = 1;
  child->total = child->visits;
}

void Tree::note_refuted(Move root_move, int plies, int64_t tries) { refuted_.push_back({root_move, plies, tries}); }

bool Tree::occurred_twice(const Position& p) const {
  return std::find(occurred_twice_.begin(), occurred_twice_.end(), p.hash()) != occurred_twice_.end();
}

// The third occurrence of a position in the game is a draw; within the search the second counts as one, for the moves
// that led to it can be repeated.
bool Tree::repeats(const Visit& visit) const {
  const uint64_t hash = visit.position.hash();
  if (std::find(visit.hashes.begin(), visit.hashes.end(), hash) != visit.hashes.end()) return true;
  return occurred_twice(visit.position);
}

// How many candidates of a node may be visited, if it has that many.
int Tree::open_count(const Node& n) const {
  return 3 + static_cast<int>(settings_.widening * std::sqrt(static_cast<float>(n.visits)));
}

// Progressive widening: most nodes have few visits, so they begin with few candidates and get more later.
bool Tree::needs_widening(const Node& n) const {
  if (n.count >= open_count(n) || n.complete || n.widened == max_widenings) return false;
  const int wider = settings_.width << (2 * (n.widened + 1));
  return size_ + static_cast<std::size_t>(n.count + wider) < nodes_.size();  // else it stays as it is
}

// A pending visit holds the indices of the children on its path.
bool Tree::has_pending_visit_below(const Node& n) const {
  const std::span<const Node> children = nodes_.subspan(n.first, n.count);
  return std::any_of(children.begin(), children.end(), [](const Node& c) { return c.virtual_loss > 0; });
}

uint32_t Tree::select_child(uint32_t index) const {
  const Node& n = nodes_[index];
  const int open = std::min<int>(n.count, open_count(n));
  const float sqrt_visits = std::sqrt(static_cast<float>(n.visits + 1));
  const float first_play_urgency =
      std::max(0.0f, (n.visits ? 1.0f - n.value() : 0.5f) - settings_.first_play_reduction);
  uint32_t best = n.first;
  float best_score = -1.0f;
  int considered = 0;
  for (uint32_t i = n.first; i < n.first + n.count && considered < open; ++i) {
    const Node& child = nodes_[i];
    if (child.proven > 0) continue;  // the opponent wins there: it is neither visited nor counted
    ++considered;
    if (child.proven < 0) return i;
    // A pending visit counts as lost, so that the next thread goes elsewhere.
    const float visits = static_cast<float>(child.visits + child.virtual_loss);
    const float value = visits > 0.0f ? child.mean(visits) : first_play_urgency;
    const float score = value + settings_.exploration * child.prior * sqrt_visits / (1.0f + visits);
    if (score > best_score) best_score = score, best = i;
  }
  return best;
}

void Tree::select(Visit& visit, bool may_search_forced) {
  if (size_ + static_cast<std::size_t>(settings_.root_width) >= nodes_.size()) evict();
  pending_.push_back(&visit);
  visit.path.clear();
  visit.undo.clear();
  visit.hashes.clear();
  visit.drawn = false;
  visit.forced_at = 0;
  visit.forced = {};
  visit.may_repeat = true;
  uint32_t index = 0;
  visit.path.push_back(index);
  ++nodes_[index].virtual_loss;
  while (nodes_[index].count && !nodes_[index].proven && (index == 0 || !needs_widening(nodes_[index]))) {
    visit.hashes.push_back(visit.position.hash());
    index = select_child(index);
    visit.path.push_back(index);
    ++nodes_[index].virtual_loss;
    visit.undo.emplace_back();
    visit.position.make(nodes_[index].move, visit.undo.back());
    visit.may_repeat &= !is_add(nodes_[index].move);
    if (repeats(visit)) {
      visit.drawn = true;
      break;
    }
    if (may_search_forced && !visit.forced_at) plan_forced_search(visit, index);
  }
  // Returning to an earlier position takes two moves of each player.
  visit.may_repeat &= history_.size() + visit.path.size() > 3;
  const Node& leaf = nodes_[index];
  visit.proven = leaf.proven;
  visit.decided = leaf.proven != 0 || leaf.drawn;
  visit.drawn |= leaf.drawn;
  // The first visit evaluates a leaf, the second expands it: most leaves are visited only once.
  visit.widened = leaf.widened + (leaf.count && !leaf.proven ? 1 : 0);
  visit.expand = !visit.decided && !visit.drawn && (leaf.evaluated || index == 0) &&
                 size_ + static_cast<std::size_t>(settings_.root_width) < nodes_.size();
}

// The winning chance of the player to move, and, if `policy` is given, how the moves are scored.
float Tree::value_of(const Position& p, const PathAnalysis& analysis, std::optional<Policy>* policy) const {
  if (policy) policy->emplace(settings_.prior);
  if (!settings_.network) return search::evaluate(p, analysis, settings_.evaluation);
  Network::Activations activations;
  settings_.network->forward(p, analysis, activations);
  if (policy) settings_.network->policy(p, analysis, activations, **policy);
  return win_probability(settings_.network->value(activations));
}

void Tree::plan_forced_search(Visit& visit, uint32_t index) const {
  const Node& n = nodes_[index];
  if (!n.count || n.proven || n.forced_searches == max_forced_searches) return;
  const bool below_root = visit.path.size() == 2;  // moves that may be played are searched sooner
  if (n.visits < forced_stages[n.forced_searches].visits / (below_root ? 2 : 1)) return;
  visit.forced_at = visit.path.size() - 1;
  visit.forced_root = visit.position;
  visit.budget = forced_stages[n.forced_searches].tries;
  visit.hint = winners_[visit.position.to_move()];
}

// Adds the moves that lead back to a position of the game, among the first candidates: a draw may be the best result
// left, however low their prior. Where all other moves lose at once only an immediate draw can help.
void Tree::add_repetitions(Visit& visit, bool threatened) const {
  std::vector<Candidate>& candidates = visit.candidates;
  for (const Move m : moves_back_to(visit.position, threatened ? occurred_twice_ : history_)) {
    const auto same =
        std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& c) { return c.move == m; });
    const std::size_t place = std::min<std::size_t>(2, candidates.size());
    if (same < candidates.begin() + static_cast<std::ptrdiff_t>(place) + 1 && same != candidates.end()) continue;
    if (same != candidates.end()) candidates.erase(same);
    const float prior = candidates.empty() ? 1.0f : candidates[std::min(place, candidates.size() - 1)].prior;
    candidates.insert(candidates.begin() + static_cast<std::ptrdiff_t>(place), {m, prior});
  }
}

void Tree::evaluate(Visit& visit) const {
  visit.candidates.clear();
  visit.complete = false;
  if (visit.forced_at) {
    ForcedSearch forced(*visit.forced_root, settings_.prior, visit.budget, visit.hint);
    forced.advance(visit.budget);
    visit.forced = forced.result();
    visit.tries = forced.spent();
  }
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
      // Lost or won without a move: counted as one ply so that nearer ends still compare.
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
    PathAnalysis analysis;
    analyse_paths(p, analysis);
    visit.value = value_of(p, analysis, nullptr);
    return;
  }
  PathAnalysis analysis;
  analyse_paths(p, analysis);
  std::optional<Policy> policy;
  visit.value = value_of(p, analysis, &policy);
  const bool at_root = visit.path.size() == 1;
  if (at_root) {
    // In other nodes the first visit has found a win in one.
    MoveList wins;
    list_wins(p, me, wins);
    for (const Move m : wins) visit.candidates.push_back({m, 1.0f / static_cast<float>(wins.count)});
    if (wins.count) return;
  }
  const int max_count = (at_root ? settings_.root_width : settings_.width) << (2 * visit.widened);
  if (at_root && wins_by_count(p, me)) {
    choose_candidates(p, analysis, nullptr, max_moves, *policy, visit.candidates);
    std::erase_if(visit.candidates, [](const Candidate& c) { return !is_add(c.move); });
    return;
  }
  std::optional<Defence> defence;
  if (analysis.threatened || wins_by_count(p, other(me))) defence.emplace(p);
  visit.complete = choose_candidates(p, analysis, defence ? &*defence : nullptr, max_count, *policy, visit.candidates);
  if (visit.may_repeat) add_repetitions(visit, defence.has_value());
  if (at_root && settings_.seed) shuffle(visit.candidates, settings_.seed ^ p.hash());
  if (visit.candidates.empty()) {
    visit.decided = true;
    visit.proven = -3;  // any move, then the opponent's win
    visit.value = 0.0f;
    // Some move must be played all the same.
    if (at_root) choose_candidates(p, analysis, nullptr, max_count, *policy, visit.candidates);
  }
}

void Tree::back_up(Visit& visit) {
  std::erase(pending_, &visit);
  ++visits_;
  deepest_ = std::max(deepest_, static_cast<int>(visit.path.size()) - 1);
  Node& leaf = nodes_[visit.path.back()];
  leaf.evaluated = true;
  const bool repeated = visit.drawn && !visit.decided;  // a draw on this path, not wherever this position occurs
  if (visit.decided && !leaf.proven && !leaf.drawn && !repeated) {
    leaf.proven = static_cast<int16_t>(visit.proven);
    leaf.drawn = visit.drawn;
  }
  if (!visit.candidates.empty() && size_ + visit.candidates.size() + leaf.count <= nodes_.size()) {
    if (!leaf.count)
      expand(visit.path.back(), visit);
    else if (visit.widened > leaf.widened && !has_pending_visit_below(leaf))
      replace_children(visit.path.back(), visit);
  }
  if (visit.forced_at) {
    const uint32_t forced_node = visit.path[visit.forced_at];
    if (nodes_[forced_node].forced_searches < max_forced_searches) ++nodes_[forced_node].forced_searches;
    if (visit.forced.plies && !nodes_[forced_node].proven) {
      winners_[visit.forced_root->to_move()] = visit.forced.move;
      note_forced_win(forced_node, visit.forced);
      if (visit.forced_at == 1) note_refuted(nodes_[forced_node].move, visit.forced.plies, visit.tries);
    }
  }
  float value = 1.0f - visit.value;  // for the player who moved to the leaf
  for (size_t i = visit.path.size(); i-- > 0;) {
    Node& n = nodes_[visit.path[i]];
    // Only a proof below can prove this node.
    if (i + 1 < visit.path.size() && nodes_[visit.path[i + 1]].proven) update_proof(visit.path[i]);
    if (n.proven) value = n.proven > 0 ? 0.0f : 1.0f;
    --n.virtual_loss;
    n.add(value);
    if (n.proven) n.total = static_cast<double>(value) * n.visits;
    value = 1.0f - value;
    if (i > 0) visit.position.unmake(n.move, visit.undo[i - 1]);
  }
}

void Tree::expand(uint32_t index, const Visit& visit) {
  Node& leaf = nodes_[index];
  leaf.first = static_cast<uint32_t>(size_);
  leaf.count = static_cast<uint16_t>(visit.candidates.size());
  leaf.complete = visit.complete;
  for (const Candidate& c : visit.candidates) {
    Node child;
    child.move = c.move;
    child.prior = c.prior;
    if (index == 0)  // refutations are kept when the root is widened
      for (const Refuted& r : refuted_)
        if (r.move == c.move) child.proven = static_cast<int16_t>(r.plies + 1), child.visits = 1;
    append(child);
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
  } else if (n.widened < max_widenings) {
    // All candidates lose, but there are more moves: expand again, wider.
    n.count = 0;
    ++n.widened;
  }
}

// The logarithm of the tries that it took to refute a move at the root by threats.
int Tree::refutation_effort(const Node& root_move) const {
  for (const Refuted& r : refuted_)
    if (r.move == root_move.move) return static_cast<int>(std::bit_width(static_cast<uint64_t>(r.tries)));
  return 0;
}

// Won moves first, sooner before later; then unproven ones by visits; then lost ones, later before sooner, and at the
// root those that are hardest to refute.
bool Tree::is_better(const Node& x, const Node& y, bool at_root) const {
  const auto rank = [](const Node& c) { return c.proven < 0 ? 2 : c.proven > 0 ? 0 : 1; };
  if (rank(x) != rank(y)) return rank(x) > rank(y);
  if (x.proven != y.proven) return x.proven > y.proven;
  if (at_root && x.proven > 0 && refutation_effort(x) != refutation_effort(y))
    return refutation_effort(x) > refutation_effort(y);
  if (x.visits != y.visits) return x.visits > y.visits;
  return x.visits && x.value() > y.value();
}

uint32_t Tree::best_child(uint32_t index) const {
  const Node& n = nodes_[index];
  uint32_t best = n.first;
  for (uint32_t i = n.first + 1; i < n.first + n.count; ++i)
    if (is_better(nodes_[i], nodes_[best], index == 0)) best = i;
  return best;
}

std::vector<uint32_t> Tree::ranked() const {
  const Node& n = nodes_[0];
  std::vector<uint32_t> order(n.count);
  for (uint32_t i = 0; i < n.count; ++i) order[i] = n.first + i;
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return is_better(nodes_[a], nodes_[b], true); });
  return order;
}

std::vector<Variation> Tree::variations(int max_count) const {
  std::vector<Variation> out;
  for (const uint32_t index : ranked()) {
    if (static_cast<int>(out.size()) == max_count) break;
    const Node& n = nodes_[index];
    if (!out.empty() && !n.visits) break;
    Variation variation{n.move, n.visits ? n.value() : 1.0f - nodes_[0].value(), n.visits, 0, {n.move}};
    if (!n.visits && nodes_[0].proven < 0)
      variation.proven = nodes_[0].proven + 1;
    else
      variation.proven = -n.proven;  // the child counts one ply too many, which is the move that leads to it
    for (uint32_t at = index; nodes_[at].count && variation.moves.size() < 24;) {
      at = best_child(at);
      if (!nodes_[at].visits) break;
      variation.moves.push_back(nodes_[at].move);
    }
    out.push_back(std::move(variation));
  }
  return out;
}

}  // namespace punct::search
