// Many positions at once, on NumPy arrays.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <cstring>
#include <memory>
#include <string_view>

#include "bindings.hpp"
#include "core/actions.hpp"
#include "core/observe.hpp"
#include "core/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace punct::bindings {
namespace {

struct Batch {
  std::vector<Position> positions;
};

template <class T, class... Shape>
nb::ndarray<nb::numpy, T> make_array(std::unique_ptr<T[]> data, Shape... shape) {
  T* raw = data.release();
  nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::ndarray<nb::numpy, T>(raw, {static_cast<size_t>(shape)...}, owner);
}

bool is_open(const Position& p) { return p.outcome() == Outcome::Open; }

nb::ndarray<nb::numpy, bool> legal(const Batch& b) {
  const size_t n = b.positions.size();
  std::unique_ptr<bool[]> mask(new bool[n * action_count]());
  {
    nb::gil_scoped_release release;
    const auto list = std::make_unique<MoveList>();
    for (size_t i = 0; i < n; ++i) {
      if (!is_open(b.positions[i])) continue;
      list_moves(b.positions[i], *list);
      for (const Move m : *list) mask[i * action_count + static_cast<size_t>(action_of(m))] = true;
    }
  }
  return make_array(std::move(mask), n, action_count);
}

nb::tuple legal_lists(const Batch& b) {
  const size_t n = b.positions.size();
  std::unique_ptr<int64_t[]> offsets(new int64_t[n + 1]);
  std::vector<int32_t> actions;
  {
    nb::gil_scoped_release release;
    const auto list = std::make_unique<MoveList>();
    offsets[0] = 0;
    for (size_t i = 0; i < n; ++i) {
      if (is_open(b.positions[i])) {
        list_moves(b.positions[i], *list);
        for (const Move m : *list) actions.push_back(action_of(m));
      }
      offsets[i + 1] = static_cast<int64_t>(actions.size());
    }
  }
  std::unique_ptr<int32_t[]> flat(new int32_t[actions.size() + 1]);
  if (!actions.empty()) std::memcpy(flat.get(), actions.data(), actions.size() * sizeof(int32_t));
  return nb::make_tuple(make_array(std::move(flat), actions.size()), make_array(std::move(offsets), n + 1));
}

using Actions = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Plays one action in each position; -1 leaves a position alone. All are checked before any is played. Returns the
// index of the first that is not legal, or -1 when all were played; -2 when there are not as many actions as positions.
int64_t step(Batch& b, const Actions& actions) {
  if (actions.shape(0) != b.positions.size()) return -2;
  const int64_t* action = actions.data();
  nb::gil_scoped_release release;
  std::vector<Move> turns(b.positions.size(), no_move);
  for (size_t i = 0; i < turns.size(); ++i) {
    if (action[i] == -1) continue;
    const Position& p = b.positions[i];
    turns[i] = move_of_action(p, action[i]);
    if (turns[i] == no_move || !is_open(p) || !is_legal(p, turns[i])) return static_cast<int64_t>(i);
  }
  for (size_t i = 0; i < turns.size(); ++i)
    if (turns[i] != no_move) {
      Undo undo;
      b.positions[i].make(turns[i], undo);
    }
  return -1;
}

nb::ndarray<nb::numpy, uint8_t> planes(const Batch& b) {
  const size_t n = b.positions.size(), each = static_cast<size_t>(plane_count) * plane_size;
  std::unique_ptr<uint8_t[]> out(new uint8_t[n * each + 1]);
  {
    nb::gil_scoped_release release;
    for (size_t i = 0; i < n; ++i) observe(b.positions[i], out.get() + i * each);
  }
  return make_array(std::move(out), n, plane_count, 17, 17);
}

template <class T, class F>
nb::ndarray<nb::numpy, T> column(const Batch& b, F&& f) {
  std::unique_ptr<T[]> out(new T[b.positions.size() + 1]);
  for (size_t i = 0; i < b.positions.size(); ++i) out[i] = f(b.positions[i]);
  return make_array(std::move(out), b.positions.size());
}

}  // namespace

void bind_batch(nb::module_& m) {
  m.attr("ACTIONS") = action_count;
  m.attr("PLANES") = plane_count;
  m.def(
      "action_of",
      [](uint64_t n) {
        return n <= 0xffffffff && is_well_formed(static_cast<Move>(n)) ? action_of(static_cast<Move>(n)) : -1;
      },
      "number"_a);
  m.def(
      "move_of_action", [](const Line& l, int64_t action) { return move_of_action(l.position, action); }, "line"_a,
      "action"_a);
  nb::class_<Batch>(m, "Batch")
      .def(nb::init<>())
      .def(
          "append", [](Batch& b, const Line& l) { b.positions.push_back(l.position); }, "line"_a)
      .def("__len__", [](const Batch& b) { return b.positions.size(); })
      .def("copy", [](const Batch& b) { return Batch(b); })
      .def(
          "line",
          [](const Batch& b, size_t i) {
            if (i >= b.positions.size()) throw nb::index_error("no such position in the batch");
            return Line{b.positions[i], {}};
          },
          "index"_a)
      .def(
          "set",
          [](Batch& b, size_t i, const Line& l) {
            if (i >= b.positions.size()) throw nb::index_error("no such position in the batch");
            b.positions[i] = l.position;
          },
          "index"_a, "line"_a)
      .def("legal", &legal)
      .def("legal_lists", &legal_lists)
      .def("step", &step, "actions"_a.noconvert())
      .def("planes", &planes)
      .def("results",
           [](const Batch& b) {
             return column<int8_t>(b, [](const Position& p) { return static_cast<int8_t>(p.outcome()); });
           })
      .def("turns",
           [](const Batch& b) {
             return column<int8_t>(b, [](const Position& p) { return static_cast<int8_t>(p.to_move()); });
           })
      .def("hashes", [](const Batch& b) { return column<uint64_t>(b, [](const Position& p) { return p.hash(); }); });
}

}  // namespace punct::bindings
