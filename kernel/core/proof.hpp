// Short wins, proved by trying every reply: what puzzles rest on. Knows nothing of the search and its choices.
//
// The attacker wins within n turns of their own if some turn wins at once (n = 1), or has no reply after which the
// attacker does not win within n - 1. Every legal reply counts, and the rules' verdict on how the game ends: a draw or
// the defender's win refutes. Of the attacker's own turns all are looked at for wins in one and in two; in longer ones
// every turn before the last two must threaten to win at once, or the replies would be too many to try: so "no win
// within three" means none that begins with such a threat. A position that came before is not counted as a repetition.
#pragma once

#include <vector>

#include "threats.hpp"

namespace punct {

// The turns with which the player to move wins at once, by a chain or by the last piece.
std::vector<Move> wins_at_once(const Position& p);

// Those that neither lose the game nor let the opponent win with the next turn: at most so many.
std::vector<Move> defences(const Position& p, int most);

// What one proof can use of those before: replies that refuted something, and which positions are won within how many
// turns, which are not. Positions are told apart by their hash, as in the search.
class ProofMemory {
 public:
  static constexpr int most_refutations = 30;

  // Remembers 2^bits positions, of 16 bytes each.
  explicit ProofMemory(int bits);

  struct Known {
    uint64_t hash = 0;
    uint8_t won = 0;   // the player to move wins within so many turns and no fewer; 0: not known
    uint8_t open = 0;  // and does not within so many
  };
  const Known& of(uint64_t hash) const;
  void note_win(uint64_t hash, int turns);
  void note_none(uint64_t hash, int turns);

  const std::vector<Move>& refutations() const { return refutations_; }  // the latest first
  void note_refutation(Move m);

 private:
  Known& place_of(uint64_t hash);

  std::vector<Known> known_;
  std::vector<Move> refutations_;
};

// A turn that wins, and within how many turns of its player: no fewer will do.
struct WinningTurn {
  Move move = no_move;
  int turns = 0;
};

// The best the defender has.
struct Reply {
  bool lost = false;    // all lose
  Move move = no_move;  // one that holds, or of those that lose one that resists longest; no_move: there is no turn
  int turns = 0;        // if lost: of the attacker's, still needed after it; 0: it loses by itself
};

// One question about a position. It can be left at any time and gone on with later, and finds the same.
class Proof {
 public:
  static constexpr int most_turns = 16;

  enum class Mover : uint8_t { Attacker, Defender };
  // Whether the attacker wins within so many turns. Of the attacker's winning turns so many are looked for. The memory
  // must outlive it.
  Proof(const Position& p, Mover mover, int turns, int most, ProofMemory& memory);

  // Tries so many turns, or a few more; true when all is proved.
  bool go_on(long tries);
  long tries() const { return tries_; }

  // The attacker to move: the turns that win, those that win soonest first, then in the order of list_moves().
  const std::vector<WinningTurn>& wins() const { return wins_; }
  // The defender to move.
  const Reply& reply() const { return reply_; }

 private:
  // One player's turns, tried one after the other. The attacker's are gone through once for every number of turns to
  // win within, the fewest first.
  struct Frame {
    Mover mover;
    int turns;                // the attacker may still take
    int within = 2;           // the attacker's: the number gone through now
    std::vector<Move> moves;  // the defender's: those that do not let the attacker win at once
    std::vector<Move> kept;   // the attacker's: those that are worth another round
    std::size_t next = 0;
    Undo undo;
    int longest = 1;  // the defender's: what the best so far holds out
  };
  enum class Fate : uint8_t { Lost, Holds, Ends };  // Ends: the game is over, and the attacker has not won

  bool is_root() const { return frames_.size() == 1; }
  bool over() const { return p_.outcome() != Outcome::Open; }
  void open_attack(int turns);
  void open_defence(int turns, std::vector<Move>&& replies);
  void close(int turns);
  void try_turn(Frame& frame);
  void try_reply(Frame& frame);
  void end_round(Frame& frame);
  void note_win(Frame& frame, int turns);
  void note_lost(Frame& frame, int turns);
  template <class F>
  void each_holding(F&& f);
  bool is_refuted_at_once();
  bool find_holding(std::vector<Move>& holding);
  Fate fate_of(Move reply);
  void defend_at_root(int turns);
  void resist();

  Position p_;
  Colour attacker_;
  ProofMemory* memory_;
  std::size_t most_;
  std::vector<Frame> frames_;
  bool returned_ = false;  // a frame was closed: `turns_` is what it came to
  int turns_ = 0;          // within which the attacker wins; 0: does not
  bool done_ = false;
  long tries_ = 0;
  std::vector<WinningTurn> wins_;
  Reply reply_;
};

// A proof with the game that follows from it: the attacker wins as soon as possible, the defender holds out as long as
// possible. Of a reply that holds only the reply.
class ProvenLine {
 public:
  ProvenLine(const Position& p, Proof::Mover mover, int turns, ProofMemory& memory);

  bool go_on(long tries);
  long tries() const { return tries_ + proof_.tries(); }

  bool decided() const { return decided_; }  // the proof is done, if not the line
  bool won() const { return won_; }          // by the attacker
  const Reply& reply() const { return reply_; }
  const std::vector<Move>& moves() const { return moves_; }

 private:
  void take_in();

  Position p_;
  Proof::Mover mover_;
  int turns_ = 0;
  ProofMemory* memory_;
  Proof proof_;
  bool decided_ = false, won_ = false, done_ = false;
  long tries_ = 0;  // of the proofs before
  Reply reply_;
  std::vector<Move> moves_;
};

}  // namespace punct
