// Many positions at once, on NumPy arrays.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "bindings.hpp"
#include "core/actions.hpp"
#include "core/observe.hpp"
#include "core/playout.hpp"
#include "core/symmetry.hpp"
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

template <class T>
nb::ndarray<nb::numpy, T> copied(const std::vector<T>& values) {
  std::unique_ptr<T[]> flat(new T[values.size() + 1]);
  std::copy(values.begin(), values.end(), flat.get());
  return make_array(std::move(flat), values.size());
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
  return nb::make_tuple(copied(actions), make_array(std::move(offsets), n + 1));
}

// One legal action in each position, each as likely as the others; -1 where the game is over.
nb::ndarray<nb::numpy, int64_t> sample(const Batch& b, uint64_t seed) {
  const size_t n = b.positions.size();
  std::unique_ptr<int64_t[]> chosen(new int64_t[n + 1]);
  {
    nb::gil_scoped_release release;
    Random random(seed);
    const auto list = std::make_unique<MoveList>();
    for (size_t i = 0; i < n; ++i) {
      chosen[i] = -1;
      if (!is_open(b.positions[i])) continue;
      list_moves(b.positions[i], *list);
      chosen[i] = action_of(list->move[random.below(list->count)]);
    }
  }
  return make_array(std::move(chosen), n);
}

// By position and action, the action that means the same under a symmetry. What a heading becomes depends on the kind
// of the piece that moves, so each position has its own. It is a permutation: actions that mean nothing (headings a C
// piece does not have, moves of nothing) are mapped among themselves.
nb::ndarray<nb::numpy, int32_t> permutations(const Batch& b, int symmetry) {
  if (symmetry < 0 || symmetry >= symmetry_count) throw nb::value_error("a symmetry is a number from 0 to 11");
  const size_t n = b.positions.size();
  std::unique_ptr<int32_t[]> out(new int32_t[n * action_count + 1]);
  const Symmetry& table = symmetries();
  {
    nb::gil_scoped_release release;
    for (size_t i = 0; i < n; ++i) {
      const Position& p = b.positions[i];
      int32_t* to = out.get() + i * action_count;
      for (int placement = 0; placement < placement_count; ++placement)
        if (placements[placement].on_board())
          *to++ = action_of(make_add(transformed(static_cast<Placement>(placement), symmetry)));
      for (int from = 0; from < space_count; ++from) {
        const int id = p.top(static_cast<Space>(from));
        const Kind kind = id == no_piece ? E : Position::kind(id);
        int heading[heading_count];
        for (int h = 0; h < heading_count; ++h) {
          const int turned = shapes[table.orientation[symmetry][orientation_of(kind, h)]].heading;
          heading[h] = h < headings_of(kind) ? turned : turned + headings_of(kind);
        }
        for (int space = 0; space < space_count; ++space) {
          if (!board.line[from].test(board.bit[space])) continue;
          // Kind E has all six headings, and an action does not name the kind.
          for (int h = 0; h < heading_count; ++h)
            *to++ = action_of(make_move(table.space[symmetry][from],
                                        placement_of(first_orientation[E] + heading[h], table.space[symmetry][space])));
        }
      }
    }
  }
  return make_array(std::move(out), n, action_count);
}

// By position, colour and pair of sides, what is missing to join it.
nb::ndarray<nb::numpy, int8_t> distances(const Batch& b) {
  const size_t n = b.positions.size();
  std::unique_ptr<int8_t[]> out(new int8_t[n * 2 * side_pairs + 1]);
  {
    nb::gil_scoped_release release;
    const auto paths = std::make_unique<Paths>();
    int8_t* to = out.get();
    for (const Position& p : b.positions)
      for (const Colour c : {White, Black}) {
        find_paths(p, c, *paths);
        for (const Axis& axis : paths->axis) *to++ = static_cast<int8_t>(axis.distance);
      }
  }
  return make_array(std::move(out), n, 2, side_pairs);
}

nb::ndarray<nb::numpy, float> evaluations(const Batch& b) {
  const size_t n = b.positions.size();
  std::unique_ptr<float[]> out(new float[n + 1]);
  {
    nb::gil_scoped_release release;
    for (size_t i = 0; i < n; ++i) out[i] = evaluate(b.positions[i]);
  }
  return make_array(std::move(out), n);
}

// The moves most worth a look: all actions in one array, their priors, and where each position's begin.
nb::tuple scores(const Batch& b, int most) {
  const size_t n = b.positions.size();
  std::unique_ptr<int64_t[]> offsets(new int64_t[n + 1]);
  std::vector<int32_t> actions;
  std::vector<float> priors;
  {
    nb::gil_scoped_release release;
    std::vector<search::Candidate> found;
    offsets[0] = 0;
    for (size_t i = 0; i < n; ++i) {
      score_moves(b.positions[i], most, found);
      for (const search::Candidate& c : found) {
        actions.push_back(action_of(c.move));
        priors.push_back(c.prior);
      }
      offsets[i + 1] = static_cast<int64_t>(actions.size());
    }
  }
  return nb::make_tuple(copied(actions), copied(priors), make_array(std::move(offsets), n + 1));
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
      "move_of_action", [](const Track& l, int64_t action) { return move_of_action(l.position, action); }, "track"_a,
      "action"_a);
  nb::class_<Batch>(m, "Batch")
      .def(nb::init<>())
      .def(
          "append", [](Batch& b, const Track& l) { b.positions.push_back(l.position); }, "track"_a)
      .def("__len__", [](const Batch& b) { return b.positions.size(); })
      .def("copy", [](const Batch& b) { return Batch(b); })
      .def(
          "track",
          [](const Batch& b, size_t i) {
            if (i >= b.positions.size()) throw nb::index_error("no such position in the batch");
            return Track{b.positions[i], {}};
          },
          "index"_a)
      .def(
          "set",
          [](Batch& b, size_t i, const Track& l) {
            if (i >= b.positions.size()) throw nb::index_error("no such position in the batch");
            b.positions[i] = l.position;
          },
          "index"_a, "track"_a)
      .def("legal", &legal)
      .def("legal_lists", &legal_lists)
      .def("step", &step, "actions"_a.noconvert())
      .def("planes", &planes)
      .def("sample", &sample, "seed"_a)
      .def("permutations", &permutations, "symmetry"_a)
      .def(
          "transformed",
          [](const Batch& b, int symmetry) {
            if (symmetry < 0 || symmetry >= symmetry_count)
              throw nb::value_error("a symmetry is a number from 0 to 11");
            Batch out;
            for (const Position& p : b.positions) out.positions.push_back(transformed(p, symmetry));
            return out;
          },
          "symmetry"_a)
      .def("distances", &distances)
      .def("evaluate", &evaluations)
      .def("score_moves", &scores, "most"_a)
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
