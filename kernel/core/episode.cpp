#include "episode.hpp"

namespace punct {

void Episode::begin(const Position& start) {
  position = start;
  hashes.assign(1, start.hash());
  plies = 0;
}

void Episode::play(Move m) {
  Undo undo;
  position.make(m, undo);
  if (is_add(m)) hashes.clear();
  hashes.push_back(position.hash());
  ++plies;
}

int Episode::repetitions() const {
  int times = 1;
  // The same player was to move every other time.
  for (std::size_t back = 3; back <= hashes.size(); back += 2) times += hashes[hashes.size() - back] == hashes.back();
  return times;
}

EpisodeResult Episode::result(const EpisodeRules& rules) const {
  const Outcome outcome = position.outcome();
  if (outcome != Outcome::Open) return static_cast<EpisodeResult>(outcome);
  if (rules.repetition && repetitions() >= repetitions_to_draw) return EpisodeResult::Draw;
  return rules.max_plies && plies >= rules.max_plies ? EpisodeResult::Truncated : EpisodeResult::Open;
}

}  // namespace punct
