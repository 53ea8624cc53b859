// Many positions at once, on NumPy arrays.
#include "batch.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "core/actions.hpp"
#include "core/observe.hpp"
#include "core/symmetry.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace punct::bindings {
namespace {

// By position and action, the action that means the same under a symmetry. What a heading becomes depends on the kind
// of the piece that moves, so each position has its own. It is a permutation: actions that mean nothing (headings a C
// piece does not have, moves of nothing) are mapped among themselves.
nb::ndarray<nb::numpy, int32_t> permutations(const Batch& b, int symmetry) {
  symmetry_from(symmetry);
  const size_t n = b.size();
  std::unique_ptr<int32_t[]> out(new int32_t[n * action_count + 1]);
  const Symmetry& table = symmetries();
  {
    const ExclusiveBatch exclusive(b);
    for (size_t i = 0; i < n; ++i) {
      poll_signals();
      const Position& p = b.rows[i].position;
      int32_t* to = out.get() + i * action_count;
      for (int placement = 0; placement < placement_count; ++placement)
        if (placements[placement].on_board())
          *to++ = action_of(make_add(transformed(static_cast<Placement>(placement), symmetry)));
      for (int from = 0; from < space_count; ++from) {
        const int id = p.top(static_cast<Space>(from));
        const Kind kind = id == no_piece ? E : Position::kind(id);
        int heading[heading_count];
        for (int h = 0; h < heading_count; ++h) {
          const int mapped = shapes[table.orientation[symmetry][orientation_of(kind, h)]].heading;
          heading[h] = h < headings_of(kind) ? mapped : mapped + headings_of(kind);
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

// By position, colour and pair of sides, the distance to join it.
nb::ndarray<nb::numpy, int8_t> distances(const Batch& b) {
  const size_t n = b.size();
  std::unique_ptr<int8_t[]> out(new int8_t[n * 2 * side_pairs + 1]);
  {
    const ExclusiveBatch exclusive(b);
    const auto paths = std::make_unique<Paths>();
    int8_t* to = out.get();
    for (const Episode& row : b.rows) {
      poll_signals();
      for (const Colour c : {White, Black}) {
        find_paths(row.position, c, *paths);
        for (const Axis& axis : paths->axis) *to++ = static_cast<int8_t>(axis.distance);
      }
    }
  }
  return make_array(std::move(out), n, 2, side_pairs);
}

nb::ndarray<nb::numpy, float> evaluations(const Batch& b) {
  const size_t n = b.size();
  std::unique_ptr<float[]> out(new float[n + 1]);
  {
    const ExclusiveBatch exclusive(b);
    for (size_t i = 0; i < n; ++i) {
      poll_signals();
      out[i] = evaluate(b.rows[i].position);
    }
  }
  return make_array(std::move(out), n);
}

// The candidates: all actions in one array, their priors, and where each position's begin.
nb::tuple scores(const Batch& b, int max_count) {
  const size_t n = b.size();
  std::unique_ptr<int64_t[]> offsets(new int64_t[n + 1]);
  std::vector<int32_t> actions;
  std::vector<float> priors;
  {
    const ExclusiveBatch exclusive(b);
    std::vector<search::Candidate> candidates;
    offsets[0] = 0;
    for (size_t i = 0; i < n; ++i) {
      poll_signals();
      score_moves(b.rows[i].position, max_count, candidates);
      for (const search::Candidate& c : candidates) {
        actions.push_back(action_of(c.move));
        priors.push_back(c.prior);
      }
      offsets[i + 1] = static_cast<int64_t>(actions.size());
    }
  }
  return nb::make_tuple(array_of(actions), array_of(priors), make_array(std::move(offsets), n + 1));
}

size_t checked(const Batch& b, int64_t row) {
  if (row < 0 || static_cast<size_t>(row) >= b.size()) throw nb::index_error("no such position in the batch");
  return static_cast<size_t>(row);
}

// Calls f(row) with the batch locked.
template <class B, class F>
auto at(B& b, int64_t row, F&& f) {
  const size_t i = checked(b, row);
  const ExclusiveBatch exclusive(b);
  return f(i);
}

using Rows = ArrayArg<const int64_t, 1>;

// Copied, as others may change the array while it is used.
std::vector<size_t> checked(const Batch& b, const Rows& rows) {
  std::vector<size_t> out;
  for (size_t k = 0; k < rows.size(); ++k) out.push_back(checked(b, rows.data()[k]));
  return out;
}

// Resets rows to their start positions.
void reset(Batch& b, const Rows& rows) {
  const std::vector<size_t> chosen = checked(b, rows);
  const ExclusiveBatch exclusive(b);
  for (const size_t i : chosen) b.rows[i].begin(b.starts[i]);
}

Batch take(const Batch& b, const Rows& rows) {
  const std::vector<size_t> chosen = checked(b, rows);
  const ExclusiveBatch exclusive(b);
  Batch out;
  out.episode_rules = b.episode_rules;
  for (const size_t i : chosen) {
    out.rows.push_back(b.rows[i]);
    out.starts.push_back(b.starts[i]);
  }
  return out;
}

// Only hashes of earlier positions are stored, and those cannot be transformed: repetitions are counted afresh.
Batch transformed_batch(const Batch& b, int symmetry) {
  symmetry_from(symmetry);
  Batch out;
  const ExclusiveBatch exclusive(b);
  out.episode_rules = b.episode_rules;
  for (const Episode& row : b.rows) {
    poll_signals();
    out.rows.emplace_back(transformed(row.position, symmetry));
    out.rows.back().plies = row.plies;
  }
  for (const Position& start : b.starts) out.starts.push_back(transformed(start, symmetry));
  return out;
}

}  // namespace

void bind_batch(nb::module_& m) {
  m.attr("ACTIONS") = action_count;
  m.attr("ACTION_BYTES") = action_bytes;
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
  nb::class_<Batch> batch(m, "Batch");
  batch
      .def(
          "__init__",
          [](Batch* b, const std::vector<const Track*>& tracks, bool repetition, int max_plies) {
            if (max_plies < 0) throw nb::value_error("plies are counted from 0");
            if (std::count(tracks.begin(), tracks.end(), nullptr)) throw nb::value_error("a batch is made of tracks");
            new (b) Batch;
            b->episode_rules = {repetition, max_plies};
            for (const Track* track : tracks) {
              b->rows.emplace_back(track->position);
              b->starts.push_back(track->position);
            }
          },
          "tracks"_a, "repetition"_a, "max_plies"_a)
      .def("__len__", &Batch::size)
      .def("copy",
           [](const Batch& b) {
             const ExclusiveBatch exclusive(b);
             return Batch(b);
           })
      .def(
          "track",
          [](const Batch& b, int64_t row) {
            return at(b, row, [&](size_t i) { return Track{b.rows[i].position, {}}; });
          },
          "row"_a)
      .def(
          "start",
          [](const Batch& b, int64_t row) { return at(b, row, [&](size_t i) { return Track{b.starts[i], {}}; }); },
          "row"_a)
      .def(
          "trail",
          [](const Batch& b, int64_t row) {
            return at(b, row, [&](size_t i) { return std::pair(b.rows[i].hashes, b.rows[i].plies); });
          },
          "row"_a)
      .def(
          "set",
          [](Batch& b, int64_t row, const Track& l) {
            at(b, row, [&](size_t i) { b.rows[i].begin(b.starts[i] = l.position); });
          },
          "row"_a, "track"_a)
      .def(
          "resume",
          [](Batch& b, int64_t row, const Track& l, const std::vector<uint64_t>& hashes, int plies) {
            at(b, row, [&](size_t i) {
              b.rows[i].begin(l.position);
              if (!hashes.empty() && hashes.back() == l.position.hash()) b.rows[i].hashes = hashes;
              b.rows[i].plies = std::max(0, plies);
            });
          },
          "row"_a, "track"_a, "hashes"_a, "plies"_a)
      .def("reset", &reset, "rows"_a.noconvert())
      .def("take", &take, "rows"_a.noconvert())
      .def("permutations", &permutations, "symmetry"_a)
      .def("transformed", &transformed_batch, "symmetry"_a)
      .def("distances", &distances)
      .def("evaluate", &evaluations)
      .def("score_moves", &scores, "max_count"_a);
  bind_play(m, batch);
}

}  // namespace punct::bindings
