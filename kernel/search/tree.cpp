#include "search/tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "search/repetition.hpp"

namespace punct::search {
namespace {

// Four times the candidates each time: more than any position has in the end.
constexpr int most_widenings = 4;

// A node that has been visited so often is worth looking for a win by threats, with so many tries: the short ones cost
// little, and most nodes have no threats at all.
struct Look {
  uint32_t visits;
  long tries;
};
constexpr Look looks[] = {{64, 150}, {512, 800}, {4096, 2000}};
constexpr int most_looks = 3;

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
    : root_(root), settings_(settings), nodes_(memory) {
  remember(std::move(history));
  append(Node{});
}

void Tree::remember(std::vector<uint64_t> history) {
  history_ = std::move(history);
  stood_twice_.clear();
  for (const uint64_t hash : history_)
    if (std::count(history_.begin(), history_.end(), hash) >= 2) stood_twice_.push_back(hash);
}

std::optional<ForcedSearch> Tree::look_for_forced_win(long budget) const {
  const Colour me = root_.to_move();
  if (can_win(root_, me)) return std::nullopt;  // the first visit sees that
  return ForcedSearch(root_, settings_.prior, budget);
}

void Tree::take(const ForcedWin& found) {
  Node& root = nodes_[0];
  if (!found.plies || root.proven) return;
  winners_[root_.to_move()] = found.move;
  deepest_ = std::max(deepest_, found.plies);
  if (root.count) return note_forced_win(0, found);
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
}

Move Tree::doubtful() const {
  if (!nodes_[0].count) return no_move;
  const Node& best = nodes_[best_child(0)];
  if (best.proven || best.drawn || !best.visits) return no_move;
  if (!stood_twice_.empty() && !is_add(best.move)) {
    Position after = root_;
    Undo undo;
    after.make(best.move, undo);
    if (stood_twice(after)) return no_move;  // a draw, whatever could follow
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

Standing Tree::standing() const {
  const Node& root = nodes_[0];
  if (!root.count) return {};
  const uint32_t best = best_child(0);
  Standing found{nodes_[best].move, nodes_[best].visits, 0, root.complete};
  for (uint32_t i = root.first; i < root.first + root.count; ++i) {
    if (i == best || nodes_[i].proven > 0) continue;
    found.only = false;
    found.second = std::max(found.second, nodes_[i].visits);
  }
  found.second = std::min(found.first, found.second);
  return found;
}

ForcedSearch Tree::vet(Move at_root, long budget) const {
  Position after = root_;
  Undo undo;
  after.make(at_root, undo);
  return ForcedSearch(after, settings_.prior, budget, winners_[after.to_move()]);
}

bool Tree::take_vetted(Move at_root, const ForcedWin& found, long tries) {
  if (!found.plies) return false;
  winners_[other(root_.to_move())] = found.move;
  const Node& root = nodes_[0];
  for (uint32_t i = root.first; i < root.first + root.count; ++i)
    if (nodes_[i].move == at_root && !nodes_[i].proven) {
      note_forced_win(i, found);
      note_refuted(at_root, found.plies, tries);
      update_proof(0);
      return true;
    }
  return false;  // visits came between, and saw as much
}

// The player to move there wins by threats.
void Tree::note_forced_win(uint32_t index, const ForcedWin& found) {
  Node& n = nodes_[index];
  n.proven = static_cast<int16_t>(found.plies + 1);
  n.total = 0.0;
  if (!n.count) return;
  // The winning move may not be among the candidates: it takes the place of one that nobody has looked at.
  const std::span<Node> children = nodes_.subspan(n.first, n.count);
  auto child = std::find_if(children.begin(), children.end(), [&](const Node& c) { return c.move == found.move; });
  if (child == children.end()) {
    child = std::prev(children.end());
    if (index != 0 && (child->visits || child->virtual_loss)) return;
    *child = Node{};
    child->move = found.move;
  }
  if (child->proven) return;
  child->proven = static_cast<int16_t>(-found.plies);
  if (!child->visits) child->visits = 1;
  child->total = child->visits;
}

void Tree::note_refuted(Move at_root, int plies, long tries) { refuted_.push_back({at_root, plies, tries}); }

bool Tree::stood_twice(const Position& p) const {
  return std::find(stood_twice_.begin(), stood_twice_.end(), p.hash()) != stood_twice_.end();
}

// A position for the third time in the game is a draw; within the search the second time will do, for what happened
// once can happen again.
bool Tree::repeats(const Visit& visit) const {
  const uint64_t hash = visit.position.hash();
  if (std::find(visit.hashes.begin(), visit.hashes.end(), hash) != visit.hashes.end()) return true;
  return stood_twice(visit.position);
}

// How many candidates are open at a node, if it has so many.
int Tree::open_at(const Node& n) const {
  return 3 + static_cast<int>(settings_.widening * std::sqrt(static_cast<float>(n.visits)));
}

// Most nodes are hardly visited: they begin with few candidates, and where those are not enough get more.
bool Tree::is_too_narrow(const Node& n) const {
  if (n.count >= open_at(n) || n.complete || n.widened == most_widenings) return false;
  const int wider = settings_.width << (2 * (n.widened + 1));
  return size_ + static_cast<std::size_t>(n.count + wider) < nodes_.size();  // or it goes on as it is
}

// Whoever is has the places of its children in mind.
bool Tree::is_under_way_below(const Node& n) const {
  const std::span<const Node> children = nodes_.subspan(n.first, n.count);
  return std::any_of(children.begin(), children.end(), [](const Node& c) { return c.virtual_loss > 0; });
}

uint32_t Tree::pick(uint32_t index) const {
  const Node& n = nodes_[index];
  const int open = std::min<int>(n.count, open_at(n));
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

void Tree::select(Visit& visit, bool may_look) {
  if (size_ + static_cast<std::size_t>(settings_.root_width) >= nodes_.size()) make_room();
  under_way_.push_back(&visit);
  visit.path.clear();
  visit.undo.clear();
  visit.hashes.clear();
  visit.drawn = false;
  visit.look = 0;
  visit.forced = {};
  visit.may_return = true;
  uint32_t index = 0;
  visit.path.push_back(index);
  ++nodes_[index].virtual_loss;
  while (nodes_[index].count && !nodes_[index].proven && (index == 0 || !is_too_narrow(nodes_[index]))) {
    visit.hashes.push_back(visit.position.hash());
    index = pick(index);
    visit.path.push_back(index);
    ++nodes_[index].virtual_loss;
    visit.undo.emplace_back();
    visit.position.make(nodes_[index].move, visit.undo.back());
    visit.may_return &= !is_add(nodes_[index].move);
    if (repeats(visit)) {
      visit.drawn = true;
      break;
    }
    if (may_look && !visit.look) plan_look(visit, index);
  }
  // Back to where somebody stood takes both players two moves.
  visit.may_return &= history_.size() + visit.path.size() > 3;
  const Node& leaf = nodes_[index];
  visit.proven = leaf.proven;
  visit.decided = leaf.proven != 0 || leaf.drawn;
  visit.drawn |= leaf.drawn;
  // The first visit values a leaf, the second opens it: most leaves are never seen again.
  visit.widened = leaf.widened + (leaf.count && !leaf.proven ? 1 : 0);
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

void Tree::plan_look(Visit& visit, uint32_t index) const {
  const Node& n = nodes_[index];
  if (!n.count || n.proven || n.looks == most_looks) return;
  const bool below_root = visit.path.size() == 2;  // what is likely to be played is looked at sooner
  if (n.visits < looks[n.looks].visits / (below_root ? 2 : 1)) return;
  visit.look = visit.path.size() - 1;
  visit.looked_from = visit.position;
  visit.budget = looks[n.looks].tries;
  visit.hint = winners_[visit.position.to_move()];
}

// A move that leads back to a position of the game may be all that a player who stands badly has left, however little
// it looks like a good one: it is a candidate among the first.
// Where all others are known to lose at once only an immediate draw can help.
void Tree::add_returns(Visit& visit, bool threatened) const {
  std::vector<Candidate>& candidates = visit.candidates;
  for (const Move m : moves_back_to(visit.position, threatened ? stood_twice_ : history_)) {
    const auto known =
        std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& c) { return c.move == m; });
    const std::size_t place = std::min<std::size_t>(2, candidates.size());
    if (known < candidates.begin() + static_cast<long>(place) + 1 && known != candidates.end()) continue;
    if (known != candidates.end()) candidates.erase(known);
    const float prior = candidates.empty() ? 1.0f : candidates[std::min(place, candidates.size() - 1)].prior;
    candidates.insert(candidates.begin() + static_cast<long>(place), {m, prior});
  }
}

void Tree::evaluate(Visit& visit) const {
  visit.candidates.clear();
  visit.complete = false;
  if (visit.look) {
    ForcedSearch forced(*visit.looked_from, settings_.prior, visit.budget, visit.hint);
    forced.go_on(visit.budget);
    visit.forced = forced.found();
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
  std::optional<Defence> defence;
  if (insight.threatened || wins_by_count(p, other(me))) defence.emplace(p);
  visit.complete = choose(p, insight, defence ? &*defence : nullptr, most, policy, visit.candidates);
  if (visit.may_return) add_returns(visit, defence.has_value());
  if (at_root && settings_.seed) shuffle(visit.candidates, settings_.seed ^ p.hash());
  if (visit.candidates.empty()) {
    visit.decided = true;
    visit.proven = -3;  // any move, then the opponent's win
    visit.value = 0.0f;
    if (at_root) choose(p, insight, nullptr, most, policy, visit.candidates);  // something must be played all the same
  }
}

void Tree::back_up(Visit& visit) {
  std::erase(under_way_, &visit);
  ++visits_;
  deepest_ = std::max(deepest_, static_cast<int>(visit.path.size()) - 1);
  Node& leaf = nodes_[visit.path.back()];
  leaf.evaluated = true;
  const bool repeated = visit.drawn && !visit.decided;  // a draw on this way here, not wherever this position stands
  if (visit.decided && !leaf.proven && !leaf.drawn && !repeated) {
    leaf.proven = static_cast<int16_t>(visit.proven);
    leaf.drawn = visit.drawn;
  }
  if (!visit.candidates.empty() && size_ + visit.candidates.size() + leaf.count <= nodes_.size()) {
    if (!leaf.count)
      expand(visit.path.back(), visit);
    else if (visit.widened > leaf.widened && !is_under_way_below(leaf))
      open_anew(visit.path.back(), visit);
  }
  if (visit.look) {
    const uint32_t looked = visit.path[visit.look];
    if (nodes_[looked].looks < most_looks) ++nodes_[looked].looks;
    if (visit.forced.plies && !nodes_[looked].proven) {
      winners_[visit.looked_from->to_move()] = visit.forced.move;
      note_forced_win(looked, visit.forced);
      if (visit.look == 1) note_refuted(nodes_[looked].move, visit.forced.plies, visit.tries);
    }
  }
  float value = 1.0f - visit.value;  // for the player who moved to the leaf
  for (size_t i = visit.path.size(); i-- > 0;) {
    Node& n = nodes_[visit.path[i]];
    // Only what was proved below can prove something here.
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
    if (index == 0)  // what is known stays known when the root is opened wider
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
  } else if (n.widened < most_widenings) {
    // Everything looked at loses, but there is more: look again, wider.
    n.count = 0;
    ++n.widened;
  }
}

// How many tries it took to see that a move at the root loses to threats, to within a factor of two.
int Tree::effort(const Node& at_root) const {
  for (const Refuted& r : refuted_)
    if (r.move == at_root.move) return static_cast<int>(std::bit_width(static_cast<unsigned long>(r.tries)));
  return 0;
}

// Won first, sooner before later; then open by visits; then lost, later before sooner, and before the others what is
// hardest to see through.
bool Tree::is_better(const Node& x, const Node& y, bool at_root) const {
  const auto rank = [](const Node& c) { return c.proven < 0 ? 2 : c.proven > 0 ? 0 : 1; };
  if (rank(x) != rank(y)) return rank(x) > rank(y);
  if (x.proven != y.proven) return x.proven > y.proven;
  if (at_root && x.proven > 0 && effort(x) != effort(y)) return effort(x) > effort(y);
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

std::vector<Variation> Tree::variations(int most) const {
  std::vector<Variation> found;
  for (const uint32_t index : ranked()) {
    if (static_cast<int>(found.size()) == most) break;
    const Node& n = nodes_[index];
    if (!found.empty() && !n.visits) break;
    Variation variation{n.move, n.visits ? n.value() : 1.0f - nodes_[0].value(), n.visits, 0, {n.move}};
    if (!n.visits && nodes_[0].proven < 0)
      variation.proven = nodes_[0].proven + 1;
    else
      variation.proven = -n.proven;  // the child's count is one too many, the move that leads to it makes it right
    for (uint32_t at = index; nodes_[at].count && variation.moves.size() < 24;) {
      at = best_child(at);
      if (!nodes_[at].visits) break;
      variation.moves.push_back(nodes_[at].move);
    }
    found.push_back(std::move(variation));
  }
  return found;
}

}  // namespace punct::search
