#include "search/forced.hpp"

#include <algorithm>

namespace punct::search {
namespace {

constexpr int most_threats = 5;        // the longest line: so many threats, then the connection
constexpr int last_candidates = 1000;  // of the attacker's, where one threat must do: each is quickly seen through
constexpr int candidates_tried = 300;  // and where more may follow
constexpr int price_of_choice = 20;    // choosing among all turns takes as long as trying so many

class Attack {
 public:
  Attack(const Position& p, const Taste& taste, long& budget)
      : p_(p), taste_(taste), attacker_(p.to_move()), budget_(budget) {}

  // Plies to the end with at most so many threats, or 0 if no win was found. The winning threat goes to `move`.
  int win(int threats, Move& move) {
    Insight insight;
    look_at(p_, insight);
    std::vector<Candidate> candidates;
    const Defence own(p_);  // the attacker, too, may have something to stop
    const int most = at_root_ ? max_turns : threats > 1 ? candidates_tried : last_candidates;
    at_root_ = false;
    choose(p_, insight, own.needed() ? &own : nullptr, most, taste_, candidates);
    budget_ -= price_of_choice;
    for (const Candidate& c : candidates) {
      if (budget_ <= 0) return 0;
      Undo undo;
      p_.make(c.move, undo);
      --budget_;
      const int plies = p_.decided() || !can_win(attacker_) || can_win(p_.to_move()) ? 0 : every_answer_loses(threats);
      p_.unmake(c.move, undo);
      if (plies) {
        move = c.move;
        return plies + 1;
      }
    }
    return 0;
  }

 private:
  bool can_win(Colour c) const { return has_win(p_, c) || wins_by_count(p_, c); }

  // With the defender to move under a threat: plies to the end, or 0 if some answer holds.
  int every_answer_loses(int threats) {
    const Defence defence(p_);
    TurnList turns;
    list_turns(p_, turns);
    std::vector<Move> holding;
    for (const Move m : turns) {
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
    int longest = 2;  // any turn, then the connection
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

  static constexpr std::size_t most_answers = 24;  // more than that is no forced line

  Position p_;
  const Taste& taste_;
  Colour attacker_;
  Outcome attackers_win_ = attacker_ == White ? Outcome::WhiteWins : Outcome::BlackWins;
  long& budget_;
  bool at_root_ = true;  // there every turn is tried
};

}  // namespace

ForcedWin find_forced_win(const Position& p, const Taste& taste, long& budget) {
  for (int threats = 1; threats <= most_threats && budget > 0; ++threats) {
    Attack attack(p, taste, budget);
    ForcedWin found;
    found.plies = attack.win(threats, found.move);
    if (found.plies) return found;
  }
  return {};
}

}  // namespace punct::search
