// Best-first search (PUCT) with static values at the leaves and proven wins and losses.
//
// A step goes down the tree to a leaf, looks at it, and takes what was seen back up. The three parts are apart (descend, examine, settle),
// so that several threads can share a tree: only descend and settle touch it. With one thread and a number of steps the result is always
// the same.
#pragma once

#include <cstddef>
#include <vector>

#include "search/candidates.hpp"

namespace punct::search {

struct Settings {
  Weights weights = default_weights;
  Taste taste = default_taste;
  int width = 64;           // candidates kept at a node
  int root_width = 160;     // and at the root
  float curiosity = 0.55f;  // how much a candidate's share counts against its value so far
  float caution = 0.0f;     // what a candidate not yet looked at is taken to be worth less than its parent
  float widening = 6.0f;    // candidates open at a node: 3 + widening × √visits
  uint64_t seed = 0;        // 0 plays the same every time; others shuffle a little what the root looks at first
};

// One turn and what is known of the position after it.
struct Node {
  Move move = no_move;
  float share = 0.0f;  // of attention
  float total = 0.0f;  // sum of values for the player who made the move
  uint32_t visits = 0;
  uint32_t first = 0;  // its children lie side by side
  uint16_t count = 0;
  int16_t proven =
      0;  // for the player to move: won (+) or lost (-), in one turn less than the number says; 0 not proven
  uint8_t waiting = 0;  // threads on their way below it
  uint8_t widened = 0;  // how often all candidates turned out lost and more were asked for
  bool examined = false;
  bool complete = false;  // its children are all the turns that do not lose at once
  bool drawn = false;     // the game ends here in a draw

  float value() const { return visits ? total / static_cast<float>(visits) : 0.0f; }
};

// One candidate line for the caller.
struct Line {
  Move move;
  float value;  // winning chance of the player to move at the root
  uint32_t visits;
  int proven;  // for the player to move at the root: +n wins in n turns of both players, -n loses
  std::vector<Move> moves;
};

// What one thread carries from descend to settle.
struct Errand {
  Position position;
  std::vector<uint32_t> path;  // nodes from the root to the leaf
  std::vector<Undo> undo;
  std::vector<uint64_t> hashes;
  // found by examine()
  bool expand = false;
  int widened = 0;
  bool decided = false, drawn = false;
  int proven = 0;
  bool complete = false;
  float value = 0.5f;  // for the player to move at the leaf
  std::vector<Candidate> candidates;

  explicit Errand(const Position& root) : position(root) {}
};

class Tree {
 public:
  // `history`: hashes of the positions of the game before this one, for repetition. `most_nodes` bounds the memory.
  Tree(const Position& root, const Settings& settings, std::vector<uint64_t> history, std::size_t most_nodes);

  // Before the first step: tries for a win by threats alone, as long as the budget (of turns tried) lasts. Finished if there is one.
  void look_for_forced_win(long budget);

  // Whether the best turn at the root lets the opponent win by threats alone, as far as the budget sees; it then counts as
  // lost, and another is the best.
  bool best_is_refuted(long budget);

  bool has_candidates() const { return nodes_[0].count > 0; }
  bool finished() const { return nodes_[0].proven != 0 || nodes_[0].drawn || only_move(); }
  void descend(Errand& errand);
  void examine(Errand& errand) const;
  void settle(Errand& errand);

  uint64_t steps() const { return steps_; }
  int depth() const { return deepest_; }
  // The best turns at the root, best first.
  std::vector<Line> lines(int most) const;

 private:
  uint32_t pick(uint32_t node) const;
  bool repeats(const Errand& errand) const;
  void update_proof(uint32_t node);
  bool only_move() const { return nodes_[0].complete && nodes_[0].count == 1; }
  std::vector<uint32_t> ranked(uint32_t node) const;

  Position root_;
  Settings settings_;
  std::vector<uint64_t> history_;
  std::vector<Node> nodes_;
  std::size_t most_nodes_;
  uint64_t steps_ = 0;
  int deepest_ = 0;
};

}  // namespace punct::search
