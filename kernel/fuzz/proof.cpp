// Fuzz target: proofs about any position. A move that is no approach must make no threat; a win within two moves must
// leave no reply, by the rules alone, and any other move must leave one; a proof in slices must have the same result.
//
// The input is a position's text, then on a line of its own moves to play first.
#include "core/proof.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "core/text.hpp"

using namespace punct;

namespace {

constexpr int depth = 2;
constexpr int64_t slice = 3;
constexpr int max_checked = 40;  // moves and replies checked by brute force: all would take minutes

void require(bool holds) {
  if (!holds) std::abort();
}

Outcome win_of(Colour c) { return c == White ? Outcome::WhiteWins : Outcome::BlackWins; }

// Calls f with each move made.
template <class F>
void each_played(Position& p, int step, F&& f) {
  MoveList list;
  list_moves(p, list);
  for (int i = 0; i < list.count; i += step) {
    Undo undo;
    p.make(list.move[i], undo);
    f(list.move[i]);
    p.unmake(list.move[i], undo);
  }
}

// Whether the player to move has some move that ends the game as won.
bool wins_now(Position& p) {
  const Outcome won = win_of(p.to_move());
  bool has_win_now = false;
  if (p.outcome() == Outcome::Open) each_played(p, 1, [&](Move) { has_win_now |= p.outcome() == won; });
  return has_win_now;
}

void check_approaches(Position& p) {
  const Colour me = p.to_move();
  Approaches approaches;
  if (!find_approaches(p, me, approaches)) return;
  const Move* next = approaches.moves.begin();
  each_played(p, 1, [&](Move m) {
    if (next != approaches.moves.end() && *next == m)
      ++next;
    else
      require(p.connected(me) || p.connected(other(me)) || !has_win(p, me));
  });
  require(next == approaches.moves.end());
}

// The defender to move: whether every reply loses at once, or to a win at once. Only some are checked.
bool seems_lost(Position& p, Colour attacker) {
  bool lost = true;
  each_played(p, std::max(1, count_moves(p) / max_checked), [&](Move) {
    const Outcome outcome = p.outcome();
    lost &= outcome == Outcome::Open ? wins_now(p) : outcome == win_of(attacker);
  });
  return lost;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::size_t end = rest.find('\n');
  Position p;
  if (!read_position(rest.substr(0, end), p)) return 0;
  rest.remove_prefix(end == std::string_view::npos ? size : end);
  while (!rest.empty()) {
    Move m;
    Undo undo;
    if (read_move(next_word(rest), p, m) && p.outcome() == Outcome::Open) p.make(m, undo);
  }
  if (p.outcome() != Outcome::Open) return 0;
  check_approaches(p);
  const Colour me = p.to_move();
  ProofCache cache(4), other_cache(4);
  Proof proof(p, Proof::Mover::Attacker, depth, max_moves, cache);
  Proof sliced(p, Proof::Mover::Attacker, depth, max_moves, other_cache);
  require(proof.advance(1L << 40));
  while (!sliced.advance(slice)) {
  }
  require(proof.wins().size() == sliced.wins().size() && proof.tries() == sliced.tries());
  int checked = 0;
  for (const WinningMove& win : proof.wins()) {
    if (++checked > max_checked) break;
    Undo undo;
    p.make(win.move, undo);
    require(win.depth == 1 ? p.outcome() == win_of(me) : p.outcome() == Outcome::Open && seems_lost(p, me));
    p.unmake(win.move, undo);
  }
  Proof answer(p, Proof::Mover::Defender, 1, 1, cache);
  require(answer.advance(1L << 40));
  const Reply& reply = answer.reply();
  require(reply.move != no_move && reply.lost == defences(p, 1).empty());
  Undo undo;
  p.make(reply.move, undo);
  const Outcome outcome = p.outcome();
  require(reply.lost == (outcome == Outcome::Open ? wins_now(p) : outcome == win_of(other(me))));
  return 0;
}
