// Proofs of short wins by trying every reply; puzzles rely on them. Independent of the search and its choices.
//
// The attacker wins at depth n, that is within n of their own moves, if some move wins at once (n = 1), or leaves no
// reply after which the attacker does not win at depth n - 1. Every legal reply counts, and so does how the rules end
// the game: a draw or the defender's win refutes. For wins in one and in two all of the attacker's moves are tried; in
// longer ones every move before the last two must threaten to win at once, or the replies would be too many to try: so
// "no win within three" means none that begins with such a threat. Repetition is not considered.
#pragma once

#include <vector>

#include "threats.hpp"

namespace punct {

// The moves with which the player to move wins at once, by a chain or by the last piece.
std::vector<Move> wins_at_once(const Position& p);

// The moves that neither lose the game nor let the opponent win with the next move, at most `limit` of them.
std::vector<Move> defences(const Position& p, int limit);

// What a proof reuses of earlier ones: replies that refuted an attack, and the depths at which positions are known to
// be won or not. Positions are identified by their hash, as in the search.
class ProofCache {
 public:
  static constexpr int max_refutations = 30;

  // Holds 2^bits positions, of 16 bytes each.
  explicit ProofCache(int bits);

  struct Entry {
    uint64_t hash = 0;
    uint8_t won = 0;      // the least depth at which the player to move wins; 0: not known
    uint8_t not_won = 0;  // the greatest depth at which the player to move is known not to win
  };
  const Entry& find(uint64_t hash) const;  // an empty one if the position is not held
  void note_win(uint64_t hash, int depth);
  void note_no_win(uint64_t hash, int depth);

  const std::vector<Move>& refutations() const { return refutations_; }  // the latest first
  void note_refutation(Move m);

 private:
  Entry& slot(uint64_t hash);

  std::vector<Entry> entries_;
  std::vector<Move> refutations_;
};

// A move that wins, and the least depth at which it does.
struct WinningMove {
  Move move = no_move;
  int depth = 0;
};

// The defender's best reply.
struct Reply {
  bool lost = false;    // every reply loses
  Move move = no_move;  // one that holds, else one that resists longest; no_move: there is no legal move
  int depth = 0;        // if lost: the attacker's moves still needed after it; 0: the reply itself ends the game
};

// A proof about one position. It runs in slices of any length with the same result.
class Proof {
 public:
  static constexpr int max_depth = 16;

  enum class Mover : uint8_t { Attacker, Defender };
  // Whether the attacker wins at this depth. If the attacker is to move, stops after `max_wins` winning moves. The
  // cache must outlive the proof.
  Proof(const Position& p, Mover mover, int depth, int max_wins, ProofCache& cache);

  // Tries this many moves, or a few more; true when the proof is complete.
  bool advance(int64_t tries);
  int64_t tries() const { return tries_; }

  // The attacker to move: the moves that win, those that win soonest first, then in the order of list_moves().
  const std::vector<WinningMove>& wins() const { return wins_; }
  // The defender to move.
  const Reply& reply() const { return reply_; }

 private:
  // One player's moves, tried one after the other. The attacker's are tried in rounds, once for every depth, the least
  // first.
  struct Frame {
    Mover mover;
    int depth;                      // of the attack that is left
    int round_depth = 2;            // the attacker's: the depth of this round
    std::vector<Move> moves;        // the defender's: those that do not let the attacker win at once
    std::vector<Move> threatening;  // the attacker's: those to try in the next round
    std::size_t next = 0;
    Undo undo;
    int longest = 1;  // the defender's: the depth that the best reply so far resists to
  };
  enum class ReplyResult : uint8_t { Loses, Holds, EndsGame };  // EndsGame: and not by the attacker's win

  bool is_root() const { return frames_.size() == 1; }
  bool over() const { return p_.outcome() != Outcome::Open; }
  void open_attack(int depth);
  void open_defence(int depth, std::vector<Move>&& replies);
  void close(int depth);
  void try_attack(Frame& frame);
  void try_reply(Frame& frame);
  void end_round(Frame& frame);
  void note_win(Frame& frame, int depth);
  void note_lost(Frame& frame, int depth);
  template <class F>
  void each_holding(F&& f);
  bool is_refuted_at_once();
  bool find_holding(std::vector<Move>& holding);
  ReplyResult result_of(Move reply);
  void defend_at_root(int depth);
  void resist();

  Position p_;
  Colour attacker_;
  ProofCache* cache_;
  std::size_t max_wins_;
  std::vector<Frame> frames_;
  bool returned_ = false;  // a frame was closed: `depth_` is its result
  int depth_ = 0;          // at which the attacker wins; 0: does not
  bool done_ = false;
  int64_t tries_ = 0;
  std::vector<WinningMove> wins_;
  Reply reply_;
};

// A proof with the variation that follows from it: the attacker wins as soon as possible, the defender resists as long
// as possible. Of a reply that holds only that reply.
class ProvenVariation {
 public:
  ProvenVariation(const Position& p, Proof::Mover mover, int depth, ProofCache& cache);

  bool advance(int64_t tries);
  int64_t tries() const { return tries_ + proof_.tries(); }

  bool decided() const { return decided_; }  // the proof is complete, if not the variation
  bool won() const { return won_; }          // by the attacker
  const Reply& reply() const { return reply_; }
  const std::vector<Move>& moves() const { return moves_; }

 private:
  void play_next();

  Position p_;
  Proof::Mover mover_;
  int depth_ = 0;
  ProofCache* cache_;
  Proof proof_;
  bool decided_ = false, won_ = false, done_ = false;
  int64_t tries_ = 0;  // of earlier proofs
  Reply reply_;
  std::vector<Move> moves_;
};

}  // namespace punct
