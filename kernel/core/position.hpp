// A position, and moves made and taken back in it.
//
// The state is what lies on the board, who is to move and which rules are played; everything else here follows from
// that and is kept only because recomputing it would cost more (tests hold each of them to the recomputation):
//   top      which piece shows on each space; a piece's `under` remembers what each of its dots covers, so lifting it
//            is three steps, bridges or not
//   floor    for every height the set of spaces that high: generation asks "all floors alike?" of the whole board
//   showing  the spaces on which each colour shows: connections and the centre are questions about these two sets
//   hash     all (colour, placement, level) mixed and xored; pieces of one kind and colour are interchangeable, so it
//            does not say which is which
//
// No function here throws, allocates or checks for legality (is_legal in generate.hpp does that); make() must be given
// legal moves.
#pragma once

#include <vector>

#include "connection.hpp"
#include "move.hpp"

namespace punct {

enum Rules : uint8_t { Basic, Standard };

enum class Outcome : uint8_t { Open, WhiteWins, BlackWins, Draw };
// Why a game is over: a chain (F), the last piece placed (H), or no legal move (H, our reading).
enum class Ending : uint8_t { None, Connection, LastPiece, NoMove };

struct Verdict {
  Outcome outcome = Outcome::Open;
  Ending ending = Ending::None;
};

inline constexpr int max_level = piece_count;  // one piece can lie on every other
inline constexpr uint8_t no_piece = piece_count;

struct Piece {
  Placement placement = no_placement;  // no_placement: in the set
  uint8_t level = 0;                   // 1 = on the board
  uint8_t under[3] = {no_piece, no_piece, no_piece};
};

// What make() needs remembered to take the move back. Owned by the caller, one per ply.
struct Undo {
  uint64_t hash;
  Piece before;
  uint8_t piece;
  uint8_t highest;
  uint8_t connected;
};

// A well-mixed 64-bit number for a piece at rest (the finaliser of splitmix64): cheaper than a table that would not fit
// the cache.
inline uint64_t piece_key(int id, Placement p, int level) {
  uint64_t x = (static_cast<uint64_t>(p) << 8 | static_cast<uint64_t>(level) << 1 | (id >= set_size)) + 1;
  x *= 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

class Position {
 public:
  explicit Position(Rules rules = Standard);

  Rules rules() const { return rules_; }
  Colour to_move() const { return to_move_; }
  uint64_t hash() const { return hash_; }

  // Pieces are numbered 0..17 White's, 18..35 Black's, within a set by kind (pieces.hpp).
  const Piece& piece(int id) const { return pieces_[id]; }
  bool on_board(int id) const { return pieces_[id].level != 0; }
  int top(Space s) const { return top_[s]; }                    // no_piece when empty
  int height(Space s) const { return pieces_[top_[s]].level; }  // 0 when empty
  bool is_free(int id) const;                                   // on the board, none of its dots covered
  static Colour owner(int id) { return id < set_size ? White : Black; }
  static Kind kind(int id) { return kinds[id]; }
  int in_set(Colour c, Kind k) const { return set_[c][k]; }
  int placed(Colour c) const { return placed_[c]; }

  const Bits& showing(Colour c) const { return showing_[c]; }
  const Bits& floor(int level) const { return floor_[level]; }  // spaces exactly that high
  int highest() const { return highest_; }                      // the highest level in use
  int centre_count(Colour c) const { return (showing_[c] & board.centre).count(); }

  // A chain joins opposite sides; kept by make().
  bool connected(Colour c) const { return connected_ >> c & 1; }
  Verdict verdict() const;
  Outcome outcome() const { return verdict().outcome; }
  // Open, without asking whether the player to move has a move at all (no position from play is known in which there is
  // none).
  bool decided() const { return connected_ || placed_[White] == set_size || placed_[Black] == set_size; }

  void make(Move m, Undo& undo);
  void unmake(Move m, const Undo& undo);
  // The other player to move, nothing else changed: for asking what the opponent threatens. Its own inverse.
  void pass();

  // For readers of text. Lays a piece down above the highest floor of its spaces; false, with nothing changed, if the
  // set has no such piece left, the placement is off the board, or it would be neither flat nor a proper bridge (E3,
  // E4).
  bool place(Colour c, Placement p);
  void set_to_move(Colour c);

  uint64_t hash_from_scratch() const;
  bool operator==(const Position& o) const;  // by value: which of two equal pieces lies where does not matter

  // The piece that a move (not an add) lifts: whatever shows on its source.
  int moving_piece(Move m) const { return top_[from_of(m)]; }

 private:
  static constexpr std::array<Kind, piece_count> make_kinds() {
    std::array<Kind, piece_count> table{};
    for (int id = 0; id < piece_count; ++id)
      for (int k = 0; k < kind_count; ++k)
        if (id % set_size >= set_first[k]) table[id] = static_cast<Kind>(k);
    return table;
  }
  static const std::array<Kind, piece_count> kinds;

  void lift(int id);
  void drop(int id, Placement p);
  int next_in_set(Colour c, Kind k) const;
  void update_connections(Colour mover, const Bits& landed, const Bits& uncovered);

  std::array<Bits, max_level + 1> floor_;
  Bits showing_[2];
  uint64_t hash_ = 0;
  std::array<Piece, piece_count + 1> pieces_;  // the last one stands for "no piece", level 0
  std::array<uint8_t, space_count> top_;
  uint8_t set_[2][kind_count];
  uint8_t placed_[2] = {0, 0};
  uint8_t highest_ = 0;
  uint8_t connected_ = 0;  // bit per colour
  Rules rules_;
  Colour to_move_ = White;
};

inline constexpr std::array<Kind, piece_count> Position::kinds = Position::make_kinds();

// The pieces on the board as they are written: by level, then by the PÜNCT's space. Two on one level never share a
// space, so this decides every pair, and each lies on those before it.
std::vector<int> pieces_in_order(const Position& p);

inline bool Position::is_free(int id) const {
  const Piece& p = pieces_[id];
  if (!p.level) return false;
  const Dots& d = placements[p.placement];
  return top_[d.space[0]] == id && top_[d.space[1]] == id && top_[d.space[2]] == id;
}

}  // namespace punct
