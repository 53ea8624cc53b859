#include "episode.hpp"

namespace punct {

void Episode::begin(const Position& start) {
  position = start;
  seen.assign(1, start.hash());
  plies = 0;
}

void Episode::play(Move m) {
  Undo undo;
  position.make(m, undo);
  if (is_add(m)) seen.clear();
  seen.push_back(position.hash());
  ++plies;
}

int Episode::repetitions() const {
  int times = 1;
  // The same player was to move every other time.
  for (std::size_t back = 3; back <= seen.size(); back += 2) times += seen[seen.size() - back] == seen.back();
  return times;
}

Standing Episode::standing(const Terms& terms) const {
  const Outcome outcome = position.outcome();
  if (outcome != Outcome::Open) return static_cast<Standing>(outcome);
  if (terms.repetition && repetitions() >= times_to_draw) return Standing::Draw;
  return terms.most_plies && plies >= terms.most_plies ? Standing::CutOff : Standing::Open;
}

}  // namespace punct
