// Analysis functions of core and search for Python: for tests, tools and research; and the measurements of `make
// bench`.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <ctime>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>

#include "bindings.hpp"
#include "calls.hpp"
#include "core/distance.hpp"
#include "core/groups.hpp"
#include "core/perft.hpp"
#include "core/playout.hpp"
#include "core/symmetry.hpp"
#include "core/text.hpp"
#include "core/wins.hpp"
#include "search/candidates.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace punct::bindings {

Colour colour_from(int c) {
  if (c != 0 && c != 1) throw nb::value_error("a colour is 0 (White) or 1 (Black)");
  return static_cast<Colour>(c);
}

int symmetry_from(int s) {
  if (s < 0 || s >= symmetry_count) throw nb::value_error("a symmetry is a number from 0 to 11");
  return s;
}

Position position_from(std::string_view text) {
  Position p;
  if (!read_position(text, p)) throw std::invalid_argument("not a position: " + std::string(text.substr(0, 80)));
  return p;
}

Move legal_move_from(std::string_view text, const Position& p) {
  Move m;
  if (!read_move(text, p, m) || !is_legal(p, m))
    throw std::invalid_argument("not a legal move: " + std::string(text.substr(0, 40)) + " in " + text_of(p));
  return m;
}

namespace {

Preference preference_from(int raised, int bridge, int moved) {
  const auto percent = [](int x) { return x < 0 ? 0 : x > 100 ? 100 : x; };
  return {percent(raised), percent(bridge), percent(moved)};
}

std::vector<Move> wins(const Track& l, int colour) {
  const auto list = std::make_unique<MoveList>();
  list_wins(l.position, colour_from(colour), *list);
  return {list->begin(), list->end()};
}

std::vector<Move> blunders(const Track& l, int colour) {
  const auto list = std::make_unique<MoveList>();
  list_blunders(l.position, colour_from(colour), *list);
  return {list->begin(), list->end()};
}

// (label of each space, or 255; size of each group; sides of each group)
std::tuple<std::vector<int>, std::vector<int>, std::vector<int>> groups(const Track& l, int colour) {
  const Groups g = groups_of(l.position.showing(colour_from(colour)));
  return {{g.label.begin(), g.label.end()},
          {g.size.begin(), g.size.begin() + g.count},
          {g.sides.begin(), g.sides.begin() + g.count}};
}

std::vector<int> reach(const Track& l, int colour) {
  const Reach r = reach_of(l.position.showing(colour_from(colour)));
  std::vector<int> out;
  for (int s = 0; s < space_count; ++s) out.push_back(r.through(static_cast<Space>(s)));
  return out;
}

// For one pair of sides: (map from the first side, map from the second, shortest)
std::tuple<std::vector<int>, std::vector<int>, int> distances(const Track& l, int colour, int pair,
                                                              const std::optional<std::array<int, 5>>& list) {
  if (pair < 0 || pair >= side_pairs) throw nb::value_error("a pair of sides is 0, 1 or 2");
  SpaceCosts costs;
  if (list) {
    costs = {(*list)[0], (*list)[1], (*list)[2], (*list)[3], (*list)[4]};
    for (const int cost : {costs.empty, costs.closed, costs.opponent, costs.max_cost})
      if (cost < 1 || cost > max_space_cost) throw nb::value_error("a cost is a number from 1 to 63");
    if (costs.per_level < 0 || costs.per_level > max_space_cost || costs.max_cost < costs.opponent)
      throw nb::value_error("costs do not fall with the level, and none is above the highest");
  }
  const Colour c = colour_from(colour);
  const DistanceMap first = distances_from_side(l.position, c, 2 * pair, costs);
  const DistanceMap second = distances_from_side(l.position, c, 2 * pair + 1, costs);
  int shortest = unreachable;
  board.side[2 * pair + 1].each([&](int bit) { shortest = std::min<int>(shortest, first[board.space[bit]]); });
  return {{first.begin(), first.end()}, {second.begin(), second.end()}, shortest};
}

// By pair of sides, the distance to join it: 0 joined, `max_distance` no path.
std::array<int, side_pairs> distance(const Track& l, int colour) {
  std::array<int, side_pairs> out{};
  const auto paths = std::make_unique<Paths>();
  find_paths(l.position, colour_from(colour), *paths);
  for (size_t pair = 0; pair < side_pairs; ++pair) out[pair] = paths->axis[pair].distance;
  return out;
}

std::vector<std::pair<Move, float>> scored_moves(const Track& l, int max_count) {
  std::vector<std::pair<Move, float>> out;
  std::vector<search::Candidate> candidates;
  score_moves(l.position, max_count, candidates);
  for (const search::Candidate& c : candidates) out.emplace_back(c.move, c.prior);
  return out;
}

std::pair<Track, int> canonical_track(const Track& l) {
  const int symmetry = canonical(l.position).symmetry;
  return {Track{transformed(l.position, symmetry), {}}, symmetry};
}

// Pushes random moves and returns them; Ctrl-C takes them back.
std::vector<Move> play_random(Track& l, uint64_t seed, int moves, int raised, int bridge, int moved) {
  Random random(seed);
  std::vector<Move> out;
  const Preference preference = preference_from(raised, bridge, moved);
  Track track = l;  // a signal handler may use the other one
  for (int i = 0; i < moves && track.position.outcome() == Outcome::Open; ++i) {
    if (i % 64 == 0) poll_signals();
    const Move m = random_move(track.position, random, preference);
    Undo undo;
    track.position.make(m, undo);
    track.played.emplace_back(m, undo);
    out.push_back(m);
  }
  l = std::move(track);
  return out;
}

// Plays whole games from one position: returns how many ended open, won by White, won by Black, drawn; and the number
// of moves played.
std::pair<std::array<uint64_t, 4>, uint64_t> random_games(const Track& l, uint64_t games, uint64_t seed, int max_count,
                                                          int raised, int bridge, int moved) {
  Random random(seed);
  const Preference preference = preference_from(raised, bridge, moved);
  const Position start = l.position;
  const nb::gil_scoped_release unlocked;
  std::array<uint64_t, 4> results{};
  uint64_t moves = 0;
  for (uint64_t i = 0; i < games; ++i) {
    poll_signals();
    Position p = start;
    if (p.outcome() == Outcome::Open)
      moves += static_cast<uint64_t>(play_random_game(p, random, preference, max_count));
    ++results[static_cast<size_t>(p.outcome())];
  }
  return {results, moves};
}

// Repeats one kind of work over the positions for about `seconds`; returns the units of work done, the seconds taken
// and a checksum.
std::tuple<uint64_t, double, uint64_t> measure(const std::string& what, const std::vector<const Track*>& tracks,
                                               double seconds) {
  uint64_t done = 0, sum = 0;
  std::vector<Position> positions;
  for (const Track* l : tracks) {
    if (!l) throw nb::value_error("None is not a position");
    positions.push_back(l->position);
  }
  const auto list = std::make_unique<MoveList>();
  std::vector<std::vector<Move>> moves;
  for (const Position& p : positions) {
    list_moves(p, *list);
    moves.emplace_back(list->begin(), list->end());
  }
  // Processor time, so that other load on the machine counts as little as possible.
  const std::clock_t start = std::clock();
  const auto since_start = [&] { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; };
  double elapsed = 0;
  while (elapsed < seconds && !positions.empty()) {
    for (size_t i = 0; i < positions.size(); ++i) {
      poll_signals();
      Position& p = positions[i];
      if (what == "list") {
        list_moves(p, *list);
        done += static_cast<uint64_t>(list->count);
        sum += list->move[0];
      } else if (what == "make") {
        for (const Move m : moves[i]) {
          Undo undo;
          p.make(m, undo);
          sum += p.outcome() != Outcome::Open;
          p.unmake(m, undo);
        }
        done += moves[i].size();
      } else if (what == "wins") {
        list_wins(p, White, *list);
        sum += static_cast<uint64_t>(list->count);
        list_wins(p, Black, *list);
        sum += static_cast<uint64_t>(list->count);
        done += 2;
      } else if (what == "distances") {
        for (const Colour c : {White, Black}) {
          Paths paths;
          find_paths(p, c, paths);
          sum += static_cast<uint64_t>(paths.distance(0));
        }
        done += 4 * side_pairs;
      } else if (what == "perft") {
        const uint64_t n = perft(p, 2);
        done += n;
        sum += n;
      } else if (what == "games") {
        Random random(done);
        Position game = p;
        sum += static_cast<uint64_t>(play_random_game(game, random, {}, 10000));
        ++done;
      } else {
        throw nb::value_error("no such measurement");
      }
      if (what == "perft" || what == "games") {
        elapsed = since_start();
        if (elapsed >= seconds) break;
      }
    }
    elapsed = since_start();
  }
  return {done, elapsed, sum};
}

}  // namespace

float evaluate(const Position& p) {
  switch (p.outcome()) {
    case Outcome::Draw: return 0.5f;
    case Outcome::WhiteWins: return p.to_move() == White ? 1.0f : 0.0f;
    case Outcome::BlackWins: return p.to_move() == Black ? 1.0f : 0.0f;
    case Outcome::Open: break;
  }
  const auto analysis = std::make_unique<search::PathAnalysis>();
  search::analyse_paths(p, *analysis);
  return search::evaluate(p, *analysis, search::default_evaluation_weights);
}

void score_moves(const Position& p, int max_count, std::vector<search::Candidate>& out) {
  out.clear();
  if (p.outcome() != Outcome::Open || max_count < 1) return;
  const auto analysis = std::make_unique<search::PathAnalysis>();
  search::analyse_paths(p, *analysis);
  search::choose_candidates(p, *analysis, nullptr, max_count, search::default_prior_weights, out);
}

void bind_analysis(nb::module_& m) {
  m.def("wins", &wins, "track"_a, "colour"_a);
  m.def("blunders", &blunders, "track"_a, "colour"_a);
  m.def("groups", &groups, "track"_a, "colour"_a);
  m.def("reach", &reach, "track"_a, "colour"_a);
  m.def("distance", &distance, "track"_a, "colour"_a);
  m.def("evaluate", [](const Track& l) { return evaluate(l.position); }, "track"_a);
  m.def("score_moves", &scored_moves, "track"_a, "max_count"_a);
  m.def("canonical", &canonical_track, "track"_a);
  m.def("distances", &distances, "track"_a, "colour"_a, "pair"_a, "costs"_a = nb::none());
  m.def(
      "transformed",
      [](const Track& l, int symmetry) { return Track{transformed(l.position, symmetry_from(symmetry)), {}}; },
      "track"_a, "symmetry"_a);
  m.def(
      "transformed_move",
      [](uint64_t n, int symmetry) -> Move {
        if (n > 0xffffffff || !is_well_formed(static_cast<Move>(n))) throw nb::value_error("not a packed move");
        return transformed(static_cast<Move>(n), symmetry_from(symmetry));
      },
      "number"_a, "symmetry"_a);
  m.def(
      "is_bridge",
      [](const Track& l, uint64_t n) {
        return n <= 0xffffffff && is_legal(l.position, static_cast<Move>(n)) &&
               is_bridge(l.position, static_cast<Move>(n));
      },
      "track"_a, "number"_a);
  m.def("play_random", &play_random, "track"_a, "seed"_a, "turns"_a, "raised"_a = 0, "bridge"_a = 0, "moved"_a = 0);
  m.def("random_games", &random_games, "track"_a, "games"_a, "seed"_a, "limit"_a = 10000, "raised"_a = 0,
        "bridge"_a = 0, "moved"_a = 0);
  m.def("measure", &measure, "what"_a, "tracks"_a, "seconds"_a);
}

}  // namespace punct::bindings
