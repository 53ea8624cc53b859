// How games began, told so that what is alike on a turned or mirrored board is one.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <tuple>

#include "bindings.hpp"
#include "core/symmetry.hpp"
#include "core/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace punct::bindings {
namespace {

template <class T>
nb::ndarray<nb::numpy, T> array_of(const std::vector<T>& values) {
  std::unique_ptr<T[]> flat(new T[values.size() + 1]);
  std::copy(values.begin(), values.end(), flat.get());
  T* raw = flat.release();
  nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::ndarray<nb::numpy, T>(raw, {values.size()}, owner);
}

struct Steps {
  std::vector<int64_t> key;
  std::vector<int32_t> move, count;
};

// Adds the steps of one game: its first turns, each with the position it was played in. A position that comes again
// counts once. False, with nothing added, if the start is no position or one of these turns is not legal.
bool add_game(std::string_view start, std::string_view turns, int most, Steps& out) {
  Position p;
  if (!read_position(start, p)) return false;
  const size_t before = out.key.size();
  bool sound = true;
  for (int ply = 0; ply < most; ++ply) {
    const size_t begin = turns.find_first_not_of(' ');
    if (begin == std::string_view::npos) break;
    turns.remove_prefix(begin);
    const size_t end = std::min(turns.find(' '), turns.size());
    Move m;
    sound = p.outcome() == Outcome::Open && read_move(turns.substr(0, end), p, m) && is_legal(p, m);
    if (!sound) break;
    turns.remove_prefix(end);
    const Likeness likeness = likeness_of(p);
    const int64_t key = static_cast<int64_t>(likeness.key);
    if (std::find(out.key.begin() + static_cast<std::ptrdiff_t>(before), out.key.end(), key) == out.key.end()) {
      out.key.push_back(key);
      out.move.push_back(static_cast<int32_t>(alike(m, likeness.ways)));
    }
    Undo undo;
    p.make(m, undo);
  }
  if (!sound) {
    out.key.resize(before);
    out.move.resize(before);
    return false;
  }
  out.count.push_back(static_cast<int32_t>(out.key.size() - before));
  return true;
}

nb::tuple openings(const std::vector<std::tuple<std::string_view, std::string_view>>& games, int most) {
  Steps steps;
  {
    nb::gil_scoped_release release;
    for (const auto& [start, turns] : games)
      if (!add_game(start, turns, most, steps)) steps.count.push_back(-1);
  }
  return nb::make_tuple(array_of(steps.key), array_of(steps.move), array_of(steps.count));
}

// The position's key, and one of the symmetries that lead to the image that has it.
std::tuple<int64_t, int> likeness(const Track& l) {
  const Likeness found = likeness_of(l.position);
  int way = 0;
  while (!(found.ways >> way & 1)) ++way;
  return {static_cast<int64_t>(found.key), way};
}

}  // namespace

void bind_openings(nb::module_& m) {
  m.def("openings", &openings, "games"_a, "most"_a);
  m.def("likeness", &likeness, "track"_a);
}

}  // namespace punct::bindings
