// Declarations shared by the binding files. Everything that comes from Python is checked here or in the wrapper; the
// core only sees valid values.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>
#include <vector>

#include "core/generate.hpp"
#include "core/track.hpp"
#include "search/network.hpp"

namespace punct::bindings {

// Conversions of values from Python; they throw ValueError for invalid ones.
Colour colour_from(int c);
int symmetry_from(int s);
Position position_from(std::string_view text);
Move legal_move_from(std::string_view text, const Position& p);

// The static evaluation of a position for the player to move (of a finished game, its result), and the candidates with
// their priors, at most `max_count`, both by the default weights.
float evaluate(const Position& p);
void score_moves(const Position& p, int max_count, std::vector<search::Candidate>& out);

// A network as Python holds it; searches share it.
struct SharedNetwork {
  std::shared_ptr<const search::Network> network;
};

void bind_track(nanobind::module_& m);
void bind_batch(nanobind::module_& m);
void bind_episode(nanobind::module_& m);
void bind_analysis(nanobind::module_& m);
void bind_proof(nanobind::module_& m);
void bind_search(nanobind::module_& m);
void bind_network(nanobind::module_& m);
void bind_boardspace(nanobind::module_& m);
void bind_openings(nanobind::module_& m);
void bind_view(nanobind::module_& m);

}  // namespace punct::bindings
