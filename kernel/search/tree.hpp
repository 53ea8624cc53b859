// Best-first search (PUCT) with static values at the leaves and proven wins and losses.
//
// A visit selects a way down the tree to a leaf, evaluates it, and backs up what was seen. The three parts are apart,
// so that several threads can share a tree: only select and back_up touch it. With one thread and a number of visits
// the result is always the same.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "search/forced.hpp"
#include "search/network.hpp"
#include "search/node.hpp"

namespace punct::search {

// A node counts its visits, and the threads on their way below it, in 32 bits: no search goes on for longer.
inline constexpr uint64_t most_visits = 4'000'000'000;

struct Settings {
  EvaluationWeights evaluation = default_evaluation_weights;
  PriorWeights prior = default_prior_weights;
  std::shared_ptr<const Network> network;  // speaks instead of these two where there is one
  int width = 24;                          // candidates kept at a node at first
  int root_width = 160;                    // and at the root
  float exploration = 0.55f;               // the exploration constant: how much a prior counts against the value so far
  float first_play_reduction =
      0.05f;              // first-play urgency: a child not yet visited is worth its parent's value less this
  float widening = 6.0f;  // candidates open at a node: 3 + widening × √visits
  uint64_t seed = 0;      // 0 plays the same every time; others shuffle a little what the root looks at first
  uint64_t most_visits = search::most_visits;  // less only in tests

  bool operator==(const Settings&) const = default;
};

// A candidate at the root and how play is expected to go on.
struct Variation {
  Move move;
  float value;  // winning chance of the player to move at the root
  uint32_t visits;
  int proven;  // for the player to move at the root: +n wins in n plies, -n loses
  std::vector<Move> moves;

  // The chance, or what is proved.
  double score() const { return proven ? (proven > 0 ? 1.0 : 0.0) : static_cast<double>(value); }
};

// How the moves at the root stand.
struct Standing {
  Move best = no_move;
  uint32_t first = 0, second = 0;  // visits of the best and of the next
  bool only = false;               // all others are known to lose
};

// One visit: what a thread carries from select to back_up.
struct Visit {
  Position position;
  std::vector<uint32_t> path;  // nodes from the root to the leaf
  std::vector<Undo> undo;
  std::vector<uint64_t> hashes;
  std::size_t look = 0;                 // the node on the path after which a win by threats is looked for; 0: none
  std::optional<Position> looked_from;  // there
  long budget = 0;
  Move hint = no_move;
  bool may_return = false;  // a move could lead back to a position of the game
  // found by evaluate()
  ForcedWin forced;
  long tries = 0;  // that took
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
  // `history`: hashes of the positions of the game before this one that can stand again, for repetition. The tree grows
  // in `memory`, which must outlive it; when that is full, what was visited least makes room.
  Tree(const Position& root, const Settings& settings, std::vector<uint64_t> history, std::span<Node> memory);

  // Goes on from a later position of the game, with what is known of it: `way` has the hashes of the positions since
  // the old root, that of the new one last. False, and the tree is of no more use, if it was hardly looked at.
  bool go_to(const Position& root, std::span<const uint64_t> way, std::vector<uint64_t> history);
  const Position& root() const { return root_; }
  const Settings& settings() const { return settings_; }

  // Before the first visit: a search for a win by threats alone, if one is worth while; and what it found. Finished if
  // there is such a win.
  std::optional<ForcedSearch> look_for_forced_win(long budget) const;
  void take(const ForcedWin& found);

  // The best move at the root while it is a question: searched, and not known how it ends. no_move: it is none.
  Move doubtful() const;
  Standing standing() const;
  // A search for a win by threats alone after a move at the root; and what it found: that move then counts as lost, and
  // another is the best. True if it was refuted.
  ForcedSearch vet(Move at_root, long budget) const;
  bool take_vetted(Move at_root, const ForcedWin& found, long tries);

  bool lists_all_moves() const { return nodes_[0].complete; }  // at the root, but for those that lose at once
  bool has_candidates() const { return nodes_[0].count > 0; }
  // Whether the best move at the root was looked at: visited, or it is known how the game ends.
  bool has_move() const;
  bool finished() const { return nodes_[0].proven != 0 || nodes_[0].drawn; }
  // `may_look`: on the way down, for wins by threats, which may take a hundred times as long as a visit.
  void select(Visit& visit, bool may_look = true);
  void evaluate(Visit& visit) const;
  void back_up(Visit& visit);

  uint64_t visits() const { return visits_; }
  int depth() const { return deepest_; }
  // The best moves at the root, best first.
  std::vector<Variation> variations(int most) const;

 private:
  // A move at the root that was found to lose to threats.
  struct Refuted {
    Move move;
    int plies;
    long tries;  // what it took to find out
  };

  uint32_t pick(uint32_t node) const;
  bool stood_twice(const Position& p) const;
  bool repeats(const Visit& visit) const;
  void plan_look(Visit& visit, uint32_t node) const;
  void add_returns(Visit& visit, bool threatened) const;
  void remember(std::vector<uint64_t> history);
  std::optional<uint32_t> follow(std::span<const uint64_t> way) const;
  bool is_worth_keeping(uint32_t node) const;
  int open_at(const Node& n) const;
  bool is_too_narrow(const Node& n) const;
  bool is_under_way_below(const Node& n) const;
  bool open_root_wide();
  void open_anew(uint32_t node, const Visit& visit);
  void make_room();
  void expand(uint32_t node, const Visit& visit);
  void update_proof(uint32_t node);
  float value_of(const Position& p, const Insight& insight, std::optional<Policy>* policy) const;
  void note_forced_win(uint32_t node, const ForcedWin& found);
  void note_refuted(Move at_root, int plies, long tries);
  bool is_better(const Node& x, const Node& y, bool at_root) const;
  uint32_t best_child(uint32_t node) const;
  int effort(const Node& at_root) const;
  std::vector<uint32_t> ranked() const;
  void append(const Node& node) { nodes_[size_++] = node; }

  Position root_;
  Settings settings_;
  std::vector<uint64_t> history_;
  std::vector<uint64_t> stood_twice_;  // of these: once more is a draw
  std::span<Node> nodes_;              // the first `size_` are in use
  std::size_t size_ = 0;
  uint64_t visits_ = 0;
  int deepest_ = 0;
  std::vector<Visit*> under_way_;  // selected, not yet backed up
  std::vector<Refuted> refuted_;
  Move winners_[2] = {no_move, no_move};  // by colour: the first move of the last forced win, which may be another's
};

}  // namespace punct::search
