#include "search/forced.hpp"

#include <algorithm>

namespace punct::search {
namespace {

constexpr int most_threats = 5;        // the longest variation: so many threats, then the connection
constexpr int last_candidates = 1000;  // of the attacker's, where one threat must do: each is quickly seen through
constexpr int candidates_tried = 300;  // and where more may follow
constexpr int price_of_choice = 20;    // choosing among all moves takes as long as trying so many

// Could the player connect with dots on so many more spaces? Only their number counts, so "no" is certain and "yes" is
// not.
bool is_within(const Position& p, Colour c, int spaces) {
  const Bits& own = p.showing(c);
  for (int pair = 0; pair < side_pairs; ++pair) {
    const Bits &near = board.side[2 * pair], &far = board.side[2 * pair + 1];
    Bits reached = flood(near, own);
    for (int i = 0; i < spaces && !meets(reached, far); ++i) {
      reached = (grown(reached) & board.board) | near;
      reached |= flood(reached, own);
    }
    if (meets(reached, far)) return true;
  }
  return false;
}

// A threat made now and carried out with the next move takes two pieces of three dots, or ends the game by the count.
bool may_threaten(const Position& p, Colour c) {
  constexpr int two_pieces = 6;
  return p.placed(c) >= set_size - 2 || is_within(p, c, two_pieces);
}

class Attack {
 public:
  Attack(const Position& p, const PriorWeights& weights, long& budget)
      : p_(p), weights_(weights), attacker_(p.to_move()), budget_(budget) {}

  // Plies to the end with at most so many threats, or 0 if no win was found. The winning threat goes to `move`.
  int win(int threats, Move& move) {
    Insight insight;
    look_at(p_, insight);
    std::vector<Candidate> candidates;
    const Defence own(p_);  // the attacker, too, may have something to stop
    const int most = at_root_ ? max_moves : threats > 1 ? candidates_tried : last_candidates;
    at_root_ = false;
    choose(p_, insight, own.needed() ? &own : nullptr, most, weights_, candidates);
    budget_ -= price_of_choice;
    for (const Candidate& c : candidates) {
      if (budget_ <= 0) return 0;
      Undo undo;
      p_.make(c.move, undo);
      --budget_;
      const bool threat = !p_.decided() && can_win(attacker_);
      saw_threat_ |= threat;
      const int plies = threat && !can_win(p_.to_move()) ? every_answer_loses(threats) : 0;
      p_.unmake(c.move, undo);
      if (plies) {
        move = c.move;
        return plies + 1;
      }
    }
    return 0;
  }

  bool saw_threat() const { return saw_threat_; }

 private:
  bool can_win(Colour c) const { return has_win(p_, c) || wins_by_count(p_, c); }

  // With the defender to move under a threat: plies to the end, or 0 if some answer holds.
  int every_answer_loses(int threats) {
    const Defence defence(p_);
    MoveList moves;
    list_moves(p_, moves);
    std::vector<Move> holding;
    for (const Move m : moves) {
      if (!defence.may_hold(p_, m)) continue;
      Undo undo;
      p_.make(m, undo);
      --budget_;
      const bool over = p_.decided();
      const bool fails = over ? p_.outcome() == attackers_win_ : can_win(attacker_);
      p_.unmake(m, undo);
      if (fails) continue;
      if (over || threats <= 1) return 0;
      holding.push_back(m);
      if (budget_ <= 0 || holding.size() > most_answers) return 0;
    }
    int longest = 2;  // any move, then the connection
    for (const Move m : holding) {
      Undo undo;
      p_.make(m, undo);
      --budget_;
      Move next;
      const int plies = win(threats - 1, next);
      p_.unmake(m, undo);
      if (!plies) return 0;
      longest = std::max(longest, plies + 1);
    }
    return longest;
  }

  static constexpr std::size_t most_answers = 24;  // more than that is no forced win

  Position p_;
  const PriorWeights& weights_;
  Colour attacker_;
  Outcome attackers_win_ = attacker_ == White ? Outcome::WhiteWins : Outcome::BlackWins;
  long& budget_;
  bool at_root_ = true;  // there every move is tried
  bool saw_threat_ = false;
};

}  // namespace

ForcedWin find_forced_win(const Position& p, const PriorWeights& weights, long& budget) {
  if (!may_threaten(p, p.to_move())) return {};
  for (int threats = 1; threats <= most_threats && budget > 0; ++threats) {
    Attack attack(p, weights, budget);
    ForcedWin found;
    found.plies = attack.win(threats, found.move);
    if (found.plies) return found;
    if (!attack.saw_threat()) break;  // more of them cannot follow where there is not one
  }
  return {};
}

}  // namespace punct::search
