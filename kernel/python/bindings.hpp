// What the binding files share. Everything that comes from Python is checked here or in the wrapper; the core only sees
// what is sound.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>
#include <vector>

#include "core/generate.hpp"

namespace punct::bindings {

// A position with the turns played in it, each with what is needed to take it back.
struct Line {
  Position position;
  std::vector<std::pair<Move, Undo>> played;
};

void bind_line(nanobind::module_& m);
void bind_batch(nanobind::module_& m);
void bind_analysis(nanobind::module_& m);
void bind_search(nanobind::module_& m);

}  // namespace punct::bindings
