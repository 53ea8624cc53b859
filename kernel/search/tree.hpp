// Best-first search (PUCT) with static values at the leaves and proven wins and losses.
//
// A visit selects a path down the tree to a leaf, evaluates it, and backs up its value. The three steps are separate
// functions, so that several threads can share a tree: only select and back_up change it. With one thread and a given
// number of visits the result is always the same.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "search/forced.hpp"
#include "search/network.hpp"
#include "search/node.hpp"

namespace punct::search {

// A node counts its visits, and the visits pending below it, in 32 bits: no search makes more.
inline constexpr uint64_t max_visits = 4'000'000'000;

struct Settings {
  EvaluationWeights evaluation = default_evaluation_weights;
  PriorWeights prior = default_prior_weights;
  std::shared_ptr<const Network> network;  // replaces these two, if there is one
  int width = 24;                          // candidates of a node at first
  int root_width = 160;                    // and of the root
  float exploration = 0.55f;               // the exploration constant: how much a prior counts against the value so far
  float first_play_reduction =
      0.05f;              // first-play urgency: a child not yet visited is worth its parent's value less this
  float widening = 6.0f;  // candidates open at a node: 3 + widening × √visits
  uint64_t seed = 0;      // 0 leaves the priors of the root alone; others vary them a little
  uint64_t max_visits = search::max_visits;  // lower only in tests

  bool operator==(const Settings&) const = default;
};

// A candidate at the root with its principal variation.
struct Variation {
  Move move;
  float value;  // winning chance of the player to move at the root
  uint32_t visits;
  int proven;  // for the player to move at the root: +n wins in n plies, -n loses
  std::vector<Move> moves;

  // The winning chance; 1 or 0 where the result is proven.
  double score() const { return proven ? (proven > 0 ? 1.0 : 0.0) : static_cast<double>(value); }
};

// Statistics of the moves at the root.
struct RootStats {
  Move best = no_move;
  uint32_t best_visits = 0, second_visits = 0;
  bool is_only_move = false;  // all other moves are known to lose
};

// One visit: the state that a thread carries from select to back_up.
struct Visit {
  Position position;
  std::vector<uint32_t> path;  // nodes from the root to the leaf
  std::vector<Undo> undo;
  std::vector<uint64_t> hashes;
  std::size_t forced_at = 0;            // index on the path of the node to search for a win by threats; 0: none
  std::optional<Position> forced_root;  // the position there
  int64_t budget = 0;
  Move hint = no_move;
  bool may_repeat = false;  // a move could lead back to a position of the game
  // set by evaluate()
  ForcedWin forced;
  int64_t tries = 0;  // of that search
  bool expand = false;
  int widened = 0;
  bool decided = false, drawn = false;
  int proven = 0;
  bool complete = false;
  float value = 0.5f;  // for the player to move at the leaf
  std::vector<Candidate> candidates;

  explicit Visit(const Position& root) : position(root) {}
};

class Tree {
 public:
  // `history`: hashes of the earlier positions of the game that can occur again, for repetition. The tree grows in
  // `memory`, which must outlive it; when that is full, the nodes visited least are evicted.
  Tree(const Position& root, const Settings& settings, std::vector<uint64_t> history, std::span<Node> memory);

  // Makes the node of a later position of the game the root: `hashes` are those of the positions since the old root,
  // that of the new one last. False if it has hardly been visited; the tree is then of no more use.
  bool move_root(const Position& root, std::span<const uint64_t> hashes, std::vector<uint64_t> history);
  const Position& root() const { return root_; }
  const Settings& settings() const { return settings_; }

  // A search for a win by threats from the root, unless there is a win in one; and its result. A win proves the root.
  std::optional<ForcedSearch> root_forced_search(int64_t budget) const;
  void apply_forced_win(const ForcedWin& win);

  // The best move at the root if a blunder check of it makes sense: visited, and its result not known; else no_move.
  Move move_to_check() const;
  RootStats root_stats() const;
  // A search for a win by threats after a move at the root; and its result: a move that loses to it counts as lost, and
  // another becomes the best. True if the move was refuted.
  ForcedSearch search_after(Move root_move, int64_t budget) const;
  bool apply_check(Move root_move, const ForcedWin& win, int64_t tries);

  bool lists_all_moves() const { return nodes_[0].complete; }  // at the root, but for those that lose at once
  bool has_candidates() const { return nodes_[0].count > 0; }
  // Whether the best move at the root was visited, or its result is known.
  bool has_move() const;
  bool finished() const { return nodes_[0].proven != 0 || nodes_[0].drawn; }
  // `may_search_forced`: whether to search nodes on the path for wins by threats, which may take a hundred visits'
  // time.
  void select(Visit& visit, bool may_search_forced = true);
  void evaluate(Visit& visit) const;
  void back_up(Visit& visit);

  uint64_t visits() const { return visits_; }
  int depth() const { return deepest_; }
  // The best moves at the root, best first.
  std::vector<Variation> variations(int max_count) const;

 private:
  // A move at the root that loses to threats.
  struct Refuted {
    Move move;
    int plies;
    int64_t tries;  // of the search that refuted it
  };

  uint32_t select_child(uint32_t node) const;
  bool occurred_twice(const Position& p) const;
  bool repeats(const Visit& visit) const;
  void plan_forced_search(Visit& visit, uint32_t node) const;
  void add_repetitions(Visit& visit, bool threatened) const;
  void set_history(std::vector<uint64_t> history);
  std::optional<uint32_t> find_descendant(std::span<const uint64_t> hashes) const;
  bool is_worth_keeping(uint32_t node) const;
  int open_count(const Node& n) const;
  bool needs_widening(const Node& n) const;
  bool has_pending_visit_below(const Node& n) const;
  bool widen_root();
  void replace_children(uint32_t node, const Visit& visit);
  void evict();
  void expand(uint32_t node, const Visit& visit);
  void update_proof(uint32_t node);
  float value_of(const Position& p, const PathAnalysis& analysis, std::optional<Policy>* policy) const;
  void note_forced_win(uint32_t node, const ForcedWin& win);
  void note_refuted(Move root_move, int plies, int64_t tries);
  bool is_better(const Node& x, const Node& y, bool at_root) const;
  uint32_t best_child(uint32_t node) const;
  int refutation_effort(const Node& root_move) const;
  std::vector<uint32_t> ranked() const;
  void append(const Node& node) { nodes_[size_++] = node; }

  Position root_;
  Settings settings_;
  std::vector<uint64_t> history_;
  std::vector<uint64_t> occurred_twice_;  // of the history: once more is a draw
  std::span<Node> nodes_;                 // the first `size_` are in use
  std::size_t size_ = 0;
  uint64_t visits_ = 0;
  int deepest_ = 0;
  std::vector<Visit*> pending_;  // selected, not yet backed up
  std::vector<Refuted> refuted_;
  Move winners_[2] = {no_move, no_move};  // by colour: the first move of the last forced win, the hint for the next
};

}  // namespace punct::search
