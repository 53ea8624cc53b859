// Reuse of a tree from move to move, and eviction when its memory is full.
#include <algorithm>

#include "search/tree.hpp"

namespace punct::search {
namespace {

constexpr uint32_t min_root_visits = 16;  // with fewer a new tree is as good

}  // namespace

// Evicts the nodes visited least: they are the cheapest to search again.
void Tree::evict() {
  const uint32_t min_visits = visits_to_keep(nodes_.first(size_), nodes_.size() / 2);
  const Compaction compaction(nodes_.first(size_), 0, min_visits);
  size_ = compaction.size();
  for (Visit* visit : pending_)
    for (uint32_t& node : visit->path) node = compaction.moved(node);
}

std::optional<uint32_t> Tree::find_descendant(std::span<const uint64_t> hashes) const {
  Position p = root_;
  uint32_t index = 0;
  for (const uint64_t hash : hashes) {
    const Node& n = nodes_[index];
    uint32_t next = 0;
    for (uint32_t i = n.first; i < n.first + n.count && !next; ++i) {
      Undo undo;
      p.make(nodes_[i].move, undo);
      if (p.hash() == hash)
        next = i;
      else
        p.unmake(nodes_[i].move, undo);
    }
    if (!next) return std::nullopt;
    index = next;
  }
  return index;
}

// A proof is kept only with the moves that prove it.
bool Tree::is_worth_keeping(uint32_t index) const {
  const Node& n = nodes_[index];
  if (!n.count || n.drawn || n.visits < min_root_visits) return false;
  const std::span<const Node> children = nodes_.subspan(n.first, n.count);
  if (n.proven > 0)
    return std::any_of(children.begin(), children.end(), [&](const Node& c) { return c.proven == 1 - n.proven; });
  if (n.proven < 0) return std::all_of(children.begin(), children.end(), [](const Node& c) { return c.proven > 0; });
  return true;
}

bool Tree::move_root(const Position& root, std::span<const uint64_t> hashes, std::vector<uint64_t> history) {
  const std::optional<uint32_t> node = find_descendant(hashes);
  if (!node || !is_worth_keeping(*node)) return false;
  size_ = Compaction(nodes_.first(size_), *node, 0).size();
  root_ = root;
  set_history(std::move(history));
  nodes_[0].move = no_move;
  refuted_.clear();
  visits_ = 0;
  deepest_ = 0;
  return nodes_[0].proven || widen_root();
}

// The root has more candidates than other nodes.
bool Tree::widen_root() {
  Visit visit(root_);
  visit.path.push_back(0);
  visit.expand = true;
  visit.widened = 0;
  visit.may_repeat = history_.size() > 2;
  evaluate(visit);
  if (visit.decided || size_ + visit.candidates.size() + nodes_[0].count > nodes_.size()) return false;
  replace_children(0, visit);
  return true;
}

// Replaces a node's children by other candidates. Those that stay keep their statistics.
void Tree::replace_children(uint32_t index, const Visit& visit) {
  Node& n = nodes_[index];
  const std::span<const Node> before = nodes_.subspan(n.first, n.count);
  expand(index, visit);
  n.widened = static_cast<uint8_t>(visit.widened);
  const std::span<Node> children = nodes_.subspan(n.first, n.count);
  for (const Node& child : before) {
    const auto same =
        std::find_if(children.begin(), children.end(), [&](const Node& c) { return c.move == child.move; });
    if (same != children.end()) {
      const float prior = same->prior;
      *same = child;
      same->prior = prior;
    } else if (child.visits) {
      append(child);
      ++n.count;
    }
  }
}

}  // namespace punct::search
