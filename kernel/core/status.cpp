#include "status.hpp"

namespace punct {
namespace {

// White begins, and each player's first move adds a piece.
void check_beginning(const Position& p, std::vector<Finding>& out) {
  const int white = p.placed(White), black = p.placed(Black);
  if (p.to_move() == White) {
    if (black && !white)
      out.push_back({Impossible::BlackWithoutWhite});
    else if (white && !black)
      out.push_back({Impossible::BlackMissed});
  } else if (!white) {
    out.push_back({Impossible::WhiteMissed});
  } else if (!black && white > 1) {
    out.push_back({Impossible::WhiteAhead});
  } else if (!black) {
    int first = 0;
    while (!p.on_board(first)) ++first;
    for (const Space s : placements[p.piece(first).placement].space)
      if (board.centre.test(board.bit[s])) {
        out.push_back({Impossible::FirstInCentre, first});
        break;
      }
  }
}

bool has_free_piece(const Position& p, Colour c) {
  for (int id = c * set_size; id < (c + 1) * set_size; ++id)
    if (p.is_free(id)) return true;
  return false;
}

}  // namespace

std::vector<Finding> impossible(const Position& p) {
  std::vector<Finding> findings;
  check_beginning(p, findings);
  const Colour mover = p.to_move(), waiting = other(mover);
  if (p.placed(mover) == set_size) findings.push_back({Impossible::AllAdded});
  for (const int id : pieces_in_order(p)) {
    if (p.piece(id).level < 2) continue;
    const int below = p.piece(id).under[0];
    if (below == no_piece)
      findings.push_back({Impossible::PunctOverEmpty, id});
    else if (Position::owner(below) != Position::owner(id))
      findings.push_back({Impossible::PunctOnOpponent, id, below});
  }
  // Only moving a piece uncovers the other player's chain, and the piece that moved last is free.
  if (p.connected(mover) && !p.connected(waiting) && !has_free_piece(p, waiting))
    findings.push_back({Impossible::EndedBefore});
  return findings;
}

}  // namespace punct
