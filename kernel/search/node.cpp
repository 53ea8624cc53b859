#include "search/node.hpp"

#include <algorithm>
#include <utility>

namespace punct::search {

Compaction::Compaction(std::span<Node> nodes, uint32_t root, uint32_t min_visits) : root_(root) {
  nodes[0] = nodes[root];
  std::vector<uint32_t> open{0};
  while (!open.empty()) {
    const uint32_t owner = open.back();
    open.pop_back();
    Node& n = nodes[owner];
    if (!n.count) continue;
    if (owner != 0 && n.visits < min_visits && !n.virtual_loss) {
      n.count = 0;
      n.complete = false;
      continue;
    }
    blocks_.push_back({n.first, 0, owner, n.count});
    for (uint32_t i = n.first; i < n.first + n.count; ++i) open.push_back(i);
  }
  std::sort(blocks_.begin(), blocks_.end(), [](const Block& a, const Block& b) { return a.first < b.first; });
  for (Block& block : blocks_) {
    block.moved_to = static_cast<uint32_t>(size_);
    std::copy_n(nodes.begin() + block.first, block.count, nodes.begin() + block.moved_to);  // never to a later place
    size_ += block.count;
  }
  for (const Block& block : blocks_) nodes[block.owner ? moved(block.owner) : 0].first = block.moved_to;
}

uint32_t Compaction::moved(uint32_t node) const {
  if (node == root_) return 0;
  const auto behind = std::upper_bound(blocks_.begin(), blocks_.end(), node,
                                       [](uint32_t index, const Block& block) { return index < block.first; });
  if (behind == blocks_.begin()) return 0;
  const Block& block = *std::prev(behind);
  return block.moved_to + (node - block.first);
}

uint32_t visits_to_keep(std::span<const Node> nodes, std::size_t target) {
  std::vector<std::pair<uint32_t, uint16_t>> blocks;  // visits of the owner, nodes
  std::vector<uint32_t> open{0};
  while (!open.empty()) {
    const Node& n = nodes[open.back()];
    open.pop_back();
    if (!n.count) continue;
    blocks.emplace_back(n.visits, n.count);
    for (uint32_t i = n.first; i < n.first + n.count; ++i) open.push_back(i);
  }
  std::sort(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::size_t total = 0;
  for (const auto& [visits, count] : blocks)
    if ((total += count) > target) return visits + 1;
  return 0;
}

}  // namespace punct::search
