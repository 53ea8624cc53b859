// Fuzz target: any position, and what is proved about it. A turn that is called no approach must make no threat; what
// wins within two must leave no reply, by the rules alone, and what does not must leave one; a proof in slices must come
// to the same.
//
// The input is a position's text, then on a line of its own moves to play first.
#include "core/proof.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "core/text.hpp"

using namespace punct;

namespace {

constexpr int within = 2;
constexpr long slice = 3;
constexpr int looked_at = 40;  // turns and replies that are held to the plain way: all would take minutes

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
  bool found = false;
  if (p.outcome() == Outcome::Open) each_played(p, 1, [&](Move) { found |= p.outcome() == won; });
  return found;
}

void check_approaches(Position& p) {
  const Colour me = p.to_move();
  Approaches found;
  if (!find_approaches(p, me, found)) return;
  const Move* next = found.moves.begin();
  each_played(p, 1, [&](Move m) {
    if (next != found.moves.end() && *next == m)
      ++next;
    else
      require(p.connected(me) || p.connected(other(me)) || !has_win(p, me));
  });
  require(next == found.moves.end());
}

// The defender to move: does every reply lose at once, or to a win at once? Only some are looked at.
bool seems_lost(Position& p, Colour attacker) {
  bool lost = true;
  each_played(p, std::max(1, count_moves(p) / looked_at), [&](Move) {
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
  ProofMemory memory(4), other_memory(4);
  Proof proof(p, Proof::Mover::Attacker, within, max_moves, memory);
  Proof sliced(p, Proof::Mover::Attacker, within, max_moves, other_memory);
  require(proof.go_on(1L << 40));
  while (!sliced.go_on(slice)) {
  }
  require(proof.wins().size() == sliced.wins().size() && proof.tries() == sliced.tries());
  int checked = 0;
  for (const WinningTurn& win : proof.wins()) {
    if (++checked > looked_at) break;
    Undo undo;
    p.make(win.move, undo);
    require(win.turns == 1 ? p.outcome() == win_of(me) : p.outcome() == Outcome::Open && seems_lost(p, me));
    p.unmake(win.move, undo);
  }
  Proof answer(p, Proof::Mover::Defender, 1, 1, memory);
  require(answer.go_on(1L << 40));
  const Reply& reply = answer.reply();
  require(reply.move != no_move && reply.lost == defences(p, 1).empty());
  Undo undo;
  p.make(reply.move, undo);
  const Outcome outcome = p.outcome();
  require(reply.lost == (outcome == Outcome::Open ? wins_now(p) : outcome == win_of(other(me))));
  return 0;
}
