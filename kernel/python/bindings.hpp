// What the binding files share. Everything that comes from Python is checked here or in the wrapper; the core only sees
// what is sound.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "core/generate.hpp"
#include "core/track.hpp"
#include "search/network.hpp"

namespace punct::bindings {

Colour colour_from(int c);  // refuses what is none

// What the search makes of a position at first sight: the chance of the player to move (of a finished game, its
// result), and the moves most worth a look with their priors.
float evaluate(const Position& p);
void score_moves(const Position& p, int most, std::vector<search::Candidate>& out);

// A network as Python holds it: many searches may share one.
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

}  // namespace punct::bindings
