// Playing in many positions at once, into arrays that are given, on as many threads as are wanted.
#include <nanobind/stl/optional.h>

#include <atomic>
#include <limits>
#include <optional>

#include "batch.hpp"
#include "core/actions.hpp"
#include "core/draw.hpp"
#include "core/observe.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace punct::bindings {
namespace {

using Actions = Given<const int64_t, 1>;

constexpr int64_t leave = -1;
constexpr int64_t all_legal = -1;

template <class T>
void mark(const Batch& b, const Given<T, 2>& out, size_t width, int threads) {
  T* masks = begin_of(out, b.size() * width);
  const Alone alone(b);
  divide(b.size(), threads, [&](Share mine) {
    for (size_t i = mine.begin; i < mine.end; ++i) {
      T* mask = masks + i * width;
      if (b.is_open(i))
        mark_actions(b.rows[i].position, mask);
      else
        std::fill(mask, mask + width, T{});
    }
  });
}

// Lists all legal actions, row by row, where `room(count)` says there is room for so many (null: there is not), and
// where each row's begin and, last, end. Returns how many there are.
template <class Room>
int64_t list(const Batch& b, int threads, int64_t* starts, Room&& room) {
  b.listed.resize(checked_threads(threads));
  for (auto& actions : b.listed) actions.clear();
  std::vector<int64_t> counts(b.size());
  divide(b.size(), threads, [&](Share mine) {
    std::array<int32_t, max_moves> found;
    std::vector<int32_t>& all = b.listed[mine.number];
    for (size_t i = mine.begin; i < mine.end; ++i) {
      counts[i] = b.is_open(i) ? list_actions(b.rows[i].position, found.data()) : 0;
      all.insert(all.end(), found.begin(), found.begin() + counts[i]);
    }
  });
  int64_t count = 0;
  for (const auto& actions : b.listed) count += static_cast<int64_t>(actions.size());
  int32_t* to = room(count);
  if (!to) return count;
  for (const auto& actions : b.listed) to = std::copy(actions.begin(), actions.end(), to);
  starts[0] = 0;
  for (size_t i = 0; i < b.size(); ++i) starts[i + 1] = starts[i] + counts[i];
  return count;
}

nb::tuple legal_lists(const Batch& b, int threads) {
  const size_t n = b.size();
  std::unique_ptr<int64_t[]> starts(new int64_t[n + 1]);
  std::unique_ptr<int32_t[]> actions;
  int64_t count;
  {
    const Alone alone(b);
    count = list(b, threads, starts.get(), [&](int64_t needed) {
      actions.reset(new int32_t[static_cast<size_t>(needed) + 1]);
      return actions.get();
    });
  }
  return nb::make_tuple(make_array(std::move(actions), count), make_array(std::move(starts), n + 1));
}

// Returns how many there are; where the array is shorter, nothing has been written.
int64_t legal_lists_into(const Batch& b, const Given<int32_t, 1>& actions, const Given<int64_t, 1>& starts,
                         int threads) {
  int64_t* begins = begin_of(starts, b.size() + 1);
  const int64_t most = static_cast<int64_t>(actions.size());
  int32_t none = 0;
  int32_t* to = actions.size() ? actions.data() : &none;
  const Alone alone(b);
  return list(b, threads, begins, [&](int64_t needed) { return needed <= most ? to : nullptr; });
}

// The first row whose action is not legal, or all_legal; the moves are written to `turns`. Rows for which `skipped` is
// true are not asked.
template <class F>
int64_t check(const Batch& b, const int64_t* actions, int threads, std::vector<Move>& turns, F&& skipped) {
  constexpr int64_t none = std::numeric_limits<int64_t>::max();
  std::atomic<int64_t> first{none};
  turns.assign(b.size(), no_move);
  divide(b.size(), threads, [&](Share mine) {
    for (size_t i = mine.begin; i < mine.end; ++i) {
      if (actions[i] == leave || skipped(i)) continue;
      const Position& p = b.rows[i].position;
      turns[i] = move_of_action(p, actions[i]);
      if (turns[i] != no_move && b.is_open(i) && is_legal(p, turns[i])) continue;
      int64_t least = first;
      while (static_cast<int64_t>(i) < least && !first.compare_exchange_weak(least, static_cast<int64_t>(i))) {
      }
      return;
    }
  });
  return first == none ? all_legal : first.load();
}

// Plays one action in each position. All are checked before any is played. Returns the first row that is not legal, or
// all_legal when all were played.
int64_t step(Batch& b, const Actions& actions, int threads) {
  const int64_t* action = begin_of(actions, b.size());
  const Alone alone(b);
  std::vector<Move> turns;
  const int64_t refused = check(b, action, threads, turns, [](size_t) { return false; });
  if (refused != all_legal) return refused;
  divide(b.size(), threads, [&](Share mine) {
    for (size_t i = mine.begin; i < mine.end; ++i)
      if (turns[i] != no_move) b.rows[i].play(turns[i]);
  });
  return all_legal;
}

// When a game that is over begins anew: when somebody says so, in place of the next step, or at once.
enum Anew : int { when_told, next_step, same_step };

// The same with what learning programs ask after it: the reward of whoever moved, whether the game is over, whether it
// was cut off, and how it stands; of games that begin anew at once, how they ended.
int64_t advance(Batch& b, const Actions& actions, const Given<float, 1>& rewards, const Given<bool, 1>& terminated,
                const Given<bool, 1>& truncated, const Given<int8_t, 1>& results, int anew, int threads) {
  const size_t n = b.size();
  const int64_t* action = begin_of(actions, n);
  float* reward = begin_of(rewards, n);
  bool *end = begin_of(terminated, n), *cut = begin_of(truncated, n);
  int8_t* result = begin_of(results, n);
  const Alone alone(b);
  std::vector<Move> turns;
  const auto begins = [&](size_t i) { return anew == next_step && !b.is_open(i); };
  const int64_t refused = check(b, action, threads, turns, begins);
  if (refused != all_legal) return refused;
  divide(n, threads, [&](Share mine) {
    for (size_t i = mine.begin; i < mine.end; ++i) {
      const bool begun = turns[i] == no_move && begins(i);
      if (begun) b.rows[i].begin(b.starts[i]);
      const Colour mover = b.rows[i].position.to_move();
      if (turns[i] != no_move) b.rows[i].play(turns[i]);
      const Standing standing = b.standing(i);
      const bool won = standing == (mover == White ? Standing::WhiteWins : Standing::BlackWins);
      const bool lost = standing == (mover == White ? Standing::BlackWins : Standing::WhiteWins);
      reward[i] = turns[i] == no_move ? 0.0f : static_cast<float>(won - lost);
      cut[i] = standing == Standing::CutOff;
      end[i] = standing != Standing::Open && !cut[i];
      result[i] = static_cast<int8_t>(standing);
      if (anew == same_step && standing != Standing::Open) b.rows[i].begin(b.starts[i]);
    }
  });
  return all_legal;
}

// One legal action in each position, each as likely as the others, drawn from the row's own stream of chance; `leave`
// where the game is over.
void sample(const Batch& b, const Given<uint64_t, 1>& streams, const Given<int64_t, 1>& out, int threads) {
  uint64_t* stream = begin_of(streams, b.size());
  int64_t* chosen = begin_of(out, b.size());
  const Alone alone(b);
  divide(b.size(), threads, [&](Share mine) {
    for (size_t i = mine.begin; i < mine.end; ++i) {
      chosen[i] = leave;
      if (!b.is_open(i)) continue;
      Random random(stream[i]);
      chosen[i] = draw_action(b.rows[i].position, random);
      stream[i] = random.state();
    }
  });
}

// Streams of chance that have nothing to do with each other: one's numbers are not another's a little later.
void make_streams(uint64_t seed, const Given<uint64_t, 1>& out) {
  Random random(seed);
  for (size_t i = 0; i < out.size(); ++i) out.data()[i] = random.next();
}

// Many actions of one position: how evenly they fall is put to the test with these.
void draw_actions(const Track& track, uint64_t seed, const Given<int64_t, 1>& out, int darts) {
  Random random(seed);
  for (size_t i = 0; i < out.size(); ++i) out.data()[i] = draw_action(track.position, random, darts);
}

// As these players see it, or else whoever is to move.
void planes(const Batch& b, const Given<uint8_t, 4>& out, const std::optional<Given<const int8_t, 1>>& colours,
            int threads) {
  constexpr size_t each = static_cast<size_t>(plane_count) * plane_size;
  uint8_t* to = begin_of(out, b.size() * each);
  const int8_t* own = colours ? begin_of(*colours, b.size()) : nullptr;
  const Alone alone(b);
  divide(b.size(), threads, [&](Share mine) {
    for (size_t i = mine.begin; i < mine.end; ++i) {
      const Position& p = b.rows[i].position;
      observe(p, own ? own[i] ? Black : White : p.to_move(), to + i * each);
    }
  });
}

template <class T, class F>
auto column(F&& f) {
  return [f](const Batch& b, const Given<T, 1>& out) {
    T* to = begin_of(out, b.size());
    const Alone alone(b);
    for (size_t i = 0; i < b.size(); ++i) to[i] = static_cast<T>(f(b, i));
  };
}

}  // namespace

void bind_play(nb::module_& m, nb::class_<Batch>& batch) {
  m.attr("MOST_DARTS") = most_darts;
  m.def("draw_actions", &draw_actions, "track"_a, "seed"_a, "out"_a.noconvert(), "darts"_a = most_darts);
  m.def("streams", &make_streams, "seed"_a, "out"_a.noconvert());
  batch
      .def(
          "legal",
          [](const Batch& b, const Given<bool, 2>& out, int threads) { mark(b, out, size_t{action_count}, threads); },
          "out"_a.noconvert(), "threads"_a)
      .def(
          "legal_bits",
          [](const Batch& b, const Given<uint8_t, 2>& out, int threads) {
            mark(b, out, size_t{action_bytes}, threads);
          },
          "out"_a.noconvert(), "threads"_a)
      .def("legal_lists", &legal_lists, "threads"_a)
      .def("legal_lists_into", &legal_lists_into, "actions"_a.noconvert(), "starts"_a.noconvert(), "threads"_a)
      .def("step", &step, "actions"_a.noconvert(), "threads"_a)
      .def("advance", &advance, "actions"_a.noconvert(), "rewards"_a.noconvert(), "terminated"_a.noconvert(),
           "truncated"_a.noconvert(), "results"_a.noconvert(), "anew"_a, "threads"_a)
      .def("sample", &sample, "streams"_a.noconvert(), "out"_a.noconvert(), "threads"_a)
      .def("planes", &planes, "out"_a.noconvert(), "colours"_a.none(), "threads"_a)
      .def("results", column<int8_t>([](const Batch& b, size_t i) { return b.standing(i); }), "out"_a.noconvert())
      .def("turns", column<int8_t>([](const Batch& b, size_t i) { return b.rows[i].position.to_move(); }),
           "out"_a.noconvert())
      .def("hashes", column<uint64_t>([](const Batch& b, size_t i) { return b.rows[i].position.hash(); }),
           "out"_a.noconvert())
      .def("repetitions", column<int32_t>([](const Batch& b, size_t i) { return b.rows[i].repetitions(); }),
           "out"_a.noconvert())
      .def("plies", column<int32_t>([](const Batch& b, size_t i) { return b.rows[i].plies; }), "out"_a.noconvert());
}

}  // namespace punct::bindings
