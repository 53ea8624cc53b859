// How a tree lives on: from turn to turn, and when its memory is full.
#include <algorithm>

#include "search/tree.hpp"

namespace punct::search {
namespace {

constexpr uint32_t least_kept_visits = 16;  // a new root with fewer is no better than a fresh one

}  // namespace

// What was visited least makes room: it can be found again.
void Tree::make_room() {
  const uint32_t least = visits_to_keep(nodes_.first(size_), nodes_.size() / 2);
  const Compaction done(nodes_.first(size_), 0, least);
  size_ = done.size();
  for (Visit* visit : under_way_)
    for (uint32_t& node : visit->path) node = done.moved(node);
}

std::optional<uint32_t> Tree::follow(std::span<const uint64_t> way) const {
  Position p = root_;
  uint32_t index = 0;
  for (const uint64_t hash : way) {
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
  if (!n.count || n.drawn || n.visits < least_kept_visits) return false;
  const std::span<const Node> children = nodes_.subspan(n.first, n.count);
  if (n.proven > 0)
    return std::any_of(children.begin(), children.end(), [&](const Node& c) { return c.proven == 1 - n.proven; });
  if (n.proven < 0) return std::all_of(children.begin(), children.end(), [](const Node& c) { return c.proven > 0; });
  return true;
}

bool Tree::go_to(const Position& root, std::span<const uint64_t> way, std::vector<uint64_t> history) {
  const std::optional<uint32_t> found = follow(way);
  if (!found || !is_worth_keeping(*found)) return false;
  size_ = Compaction(nodes_.first(size_), *found, 0).size();
  root_ = root;
  remember(std::move(history));
  nodes_[0].move = no_move;
  refuted_.clear();
  visits_ = 0;
  deepest_ = 0;
  return nodes_[0].proven || open_root_wide();
}

// More candidates are kept at the root than elsewhere.
bool Tree::open_root_wide() {
  Visit visit(root_);
  visit.path.push_back(0);
  visit.expand = true;
  visit.widened = 0;
  visit.may_return = history_.size() > 2;
  evaluate(visit);
  if (visit.decided || size_ + visit.candidates.size() + nodes_[0].count > nodes_.size()) return false;
  open_anew(0, visit);
  return true;
}

// With other candidates. What is known of those that were there stays with them.
void Tree::open_anew(uint32_t index, const Visit& visit) {
  Node& n = nodes_[index];
  const std::span<const Node> known = nodes_.subspan(n.first, n.count);
  expand(index, visit);
  n.widened = static_cast<uint8_t>(visit.widened);
  const std::span<Node> children = nodes_.subspan(n.first, n.count);
  for (const Node& child : known) {
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
