// Functions that play in many positions at once, on several threads, and write into the caller's arrays.
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

using Actions = ArrayArg<const int64_t, 1>;

constexpr int64_t no_action = -1;
constexpr int64_t all_legal = -1;

template <class T>
void mark(const Batch& b, const ArrayArg<T, 2>& out, size_t width, int threads) {
  T* masks = checked_data(out, b.size() * width);
  const ExclusiveBatch exclusive(b);
  parallel_rows(b.size(), threads, [&](RowRange range) {
    for (size_t i = range.begin; i < range.end; ++i) {
      T* mask = masks + i * width;
      if (b.is_open(i))
        mark_actions(b.rows[i].position, mask);
      else
        std::fill(mask, mask + width, T{});
    }
  });
}

// Lists all legal actions, row by row, into the buffer that `buffer_for(count)` returns (null: it is too small), and
// where each row's begin and, last, end. Returns how many there are.
template <class BufferFor>
int64_t list(const Batch& b, int threads, int64_t* starts, BufferFor&& buffer_for) {
  const Chunks chunks(b.size(), threads);
  b.listed.resize(chunks.count);
  std::vector<int64_t> counts(b.size());
  parallel_rows(chunks, threads, [&](RowRange range) {
    std::array<int32_t, max_moves> actions_here;
    std::vector<int32_t>& all = b.listed[range.number];
    all.clear();
    for (size_t i = range.begin; i < range.end; ++i) {
      counts[i] = b.is_open(i) ? list_actions(b.rows[i].position, actions_here.data()) : 0;
      all.insert(all.end(), actions_here.begin(), actions_here.begin() + counts[i]);
    }
  });
  int64_t count = 0;
  for (const auto& actions : b.listed) count += static_cast<int64_t>(actions.size());
  int32_t* to = buffer_for(count);
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
    const ExclusiveBatch exclusive(b);
    count = list(b, threads, starts.get(), [&](int64_t needed) {
      actions.reset(new int32_t[static_cast<size_t>(needed) + 1]);
      return actions.get();
    });
  }
  return nb::make_tuple(make_array(std::move(actions), count), make_array(std::move(starts), n + 1));
}

// Returns how many there are; if the array is shorter, nothing is written.
int64_t legal_lists_into(const Batch& b, const ArrayArg<int32_t, 1>& actions, const ArrayArg<int64_t, 1>& starts,
                         int threads) {
  int64_t* row_starts = checked_data(starts, b.size() + 1);
  const int64_t max_count = static_cast<int64_t>(actions.size());
  int32_t none = 0;
  int32_t* to = actions.size() ? actions.data() : &none;
  const ExclusiveBatch exclusive(b);
  return list(b, threads, row_starts, [&](int64_t needed) { return needed <= max_count ? to : nullptr; });
}

// Returns the first row whose action is not legal, or all_legal; writes the moves to `moves`. Rows for which `skipped`
// is true are not checked.
template <class F>
int64_t check(const Batch& b, const int64_t* actions, int threads, std::vector<Move>& moves, F&& skipped) {
  constexpr int64_t none = std::numeric_limits<int64_t>::max();
  std::atomic<int64_t> first{none};
  moves.assign(b.size(), no_move);
  parallel_rows(b.size(), threads, [&](RowRange range) {
    for (size_t i = range.begin; i < range.end; ++i) {
      if (actions[i] == no_action || skipped(i)) continue;
      const Position& p = b.rows[i].position;
      moves[i] = move_of_action(p, actions[i]);
      if (moves[i] != no_move && b.is_open(i) && is_legal(p, moves[i])) continue;
      int64_t least = first;
      while (static_cast<int64_t>(i) < least && !first.compare_exchange_weak(least, static_cast<int64_t>(i))) {
      }
      return;
    }
  });
  return first == none ? all_legal : first.load();
}

// Plays one action in each position. All are checked before any is played, and Ctrl-C ends only the check. Returns the
// first row that is not legal, or all_legal when all were played.
int64_t step(Batch& b, const Actions& actions, int threads) {
  const int64_t* action = checked_data(actions, b.size());
  const ExclusiveBatch exclusive(b);
  std::vector<Move> moves;
  const int64_t illegal_row = check(b, action, threads, moves, [](size_t) { return false; });
  if (illegal_row != all_legal) return illegal_row;
  const auto play = [&](RowRange range) {
    for (size_t i = range.begin; i < range.end; ++i)
      if (moves[i] != no_move) b.rows[i].play(moves[i]);
  };
  parallel_rows(b.size(), threads, play, Interruptible::No);
  return all_legal;
}

// When a game that is over is reset: by the caller, in place of the next step, or at once.
enum AutoReset : int { disabled, next_step, same_step };

// The same with what learning programs need: the reward of the player who moved, whether the game is over, whether it
// is truncated, and its result; of games that are reset at once, their final result.
int64_t advance(Batch& b, const Actions& actions, const ArrayArg<float, 1>& rewards,
                const ArrayArg<bool, 1>& terminated, const ArrayArg<bool, 1>& truncated,
                const ArrayArg<int8_t, 1>& results, int auto_reset, int threads) {
  const size_t n = b.size();
  const int64_t* action = checked_data(actions, n);
  float* reward = checked_data(rewards, n);
  bool *ended = checked_data(terminated, n), *cut_off = checked_data(truncated, n);
  int8_t* result = checked_data(results, n);
  const ExclusiveBatch exclusive(b);
  std::vector<Move> moves;
  const auto restarts = [&](size_t i) { return auto_reset == next_step && !b.is_open(i); };
  const int64_t illegal_row = check(b, action, threads, moves, restarts);
  if (illegal_row != all_legal) return illegal_row;
  const auto play = [&](RowRange range) {
    for (size_t i = range.begin; i < range.end; ++i) {
      const bool restarted = moves[i] == no_move && restarts(i);
      if (restarted) b.rows[i].begin(b.starts[i]);
      const Colour mover = b.rows[i].position.to_move();
      if (moves[i] != no_move) b.rows[i].play(moves[i]);
      const EpisodeResult now = b.result(i);
      const bool won = now == (mover == White ? EpisodeResult::WhiteWins : EpisodeResult::BlackWins);
      const bool lost = now == (mover == White ? EpisodeResult::BlackWins : EpisodeResult::WhiteWins);
      reward[i] = moves[i] == no_move ? 0.0f : static_cast<float>(won - lost);
      cut_off[i] = now == EpisodeResult::Truncated;
      ended[i] = now != EpisodeResult::Open && !cut_off[i];
      result[i] = static_cast<int8_t>(now);
      if (auto_reset == same_step && now != EpisodeResult::Open) b.rows[i].begin(b.starts[i]);
    }
  };
  parallel_rows(n, threads, play, Interruptible::No);
  return all_legal;
}

// Draws a legal action for each position, each as likely as the others, from the row's own random stream; `no_action`
// where the game is over.
void sample(const Batch& b, const ArrayArg<uint64_t, 1>& streams, const ArrayArg<int64_t, 1>& out, int threads) {
  uint64_t* stream = checked_data(streams, b.size());
  int64_t* chosen = checked_data(out, b.size());
  const ExclusiveBatch exclusive(b);
  std::vector<uint64_t> after(stream, stream + b.size());  // Ctrl-C leaves the streams as they are
  parallel_rows(b.size(), threads, [&](RowRange range) {
    for (size_t i = range.begin; i < range.end; ++i) {
      chosen[i] = no_action;
      if (!b.is_open(i)) continue;
      Random random(after[i]);
      chosen[i] = draw_action(b.rows[i].position, random);
      after[i] = random.state();
    }
  });
  std::copy(after.begin(), after.end(), stream);
}

// Makes independent random streams: none is another one shifted.
void make_streams(uint64_t seed, const ArrayArg<uint64_t, 1>& out) {
  Random random(seed);
  for (size_t i = 0; i < out.size(); ++i) out.data()[i] = random.next();
}

// Draws many actions of one position, for tests of their distribution.
void draw_actions(const Track& track, uint64_t seed, const ArrayArg<int64_t, 1>& out, int attempts) {
  Random random(seed);
  const Position p = track.position;  // a signal handler may change it
  for (size_t i = 0; i < out.size(); ++i) {
    if (i % 1024 == 0) poll_signals();
    out.data()[i] = draw_action(p, random, attempts);
  }
}

// Seen by these players, or else by the players to move.
void planes(const Batch& b, const ArrayArg<uint8_t, 4>& out, const std::optional<ArrayArg<const int8_t, 1>>& colours,
            int threads) {
  constexpr size_t planes_size = static_cast<size_t>(plane_count) * plane_size;
  uint8_t* to = checked_data(out, b.size() * planes_size);
  const int8_t* own = colours ? checked_data(*colours, b.size()) : nullptr;
  const ExclusiveBatch exclusive(b);
  parallel_rows(b.size(), threads, [&](RowRange range) {
    for (size_t i = range.begin; i < range.end; ++i) {
      const Position& p = b.rows[i].position;
      observe(p, own ? own[i] ? Black : White : p.to_move(), to + i * planes_size);
    }
  });
}

template <class T, class F>
auto column(F&& f) {
  return [f](const Batch& b, const ArrayArg<T, 1>& out) {
    T* to = checked_data(out, b.size());
    const ExclusiveBatch exclusive(b);
    parallel_rows(b.size(), 1, [&](RowRange range) {
      for (size_t i = range.begin; i < range.end; ++i) to[i] = static_cast<T>(f(b, i));
    });
  };
}

}  // namespace

void bind_play(nb::module_& m, nb::class_<Batch>& batch) {
  m.attr("MAX_DRAW_ATTEMPTS") = max_draw_attempts;
  m.def("draw_actions", &draw_actions, "track"_a, "seed"_a, "out"_a.noconvert(), "attempts"_a = max_draw_attempts);
  m.def("streams", &make_streams, "seed"_a, "out"_a.noconvert());
  batch
      .def(
          "legal",
          [](const Batch& b, const ArrayArg<bool, 2>& out, int threads) {
            mark(b, out, size_t{action_count}, threads);
          },
          "out"_a.noconvert(), "threads"_a)
      .def(
          "legal_bits",
          [](const Batch& b, const ArrayArg<uint8_t, 2>& out, int threads) {
            mark(b, out, size_t{action_bytes}, threads);
          },
          "out"_a.noconvert(), "threads"_a)
      .def("legal_lists", &legal_lists, "threads"_a)
      .def("legal_lists_into", &legal_lists_into, "actions"_a.noconvert(), "starts"_a.noconvert(), "threads"_a)
      .def("step", &step, "actions"_a.noconvert(), "threads"_a)
      .def("advance", &advance, "actions"_a.noconvert(), "rewards"_a.noconvert(), "terminated"_a.noconvert(),
           "truncated"_a.noconvert(), "results"_a.noconvert(), "auto_reset"_a, "threads"_a)
      .def("sample", &sample, "streams"_a.noconvert(), "out"_a.noconvert(), "threads"_a)
      .def("planes", &planes, "out"_a.noconvert(), "colours"_a.none(), "threads"_a)
      .def("results", column<int8_t>([](const Batch& b, size_t i) { return b.result(i); }), "out"_a.noconvert())
      .def("turns", column<int8_t>([](const Batch& b, size_t i) { return b.rows[i].position.to_move(); }),
           "out"_a.noconvert())
      .def("hashes", column<uint64_t>([](const Batch& b, size_t i) { return b.rows[i].position.hash(); }),
           "out"_a.noconvert())
      .def("repetitions", column<int32_t>([](const Batch& b, size_t i) { return b.rows[i].repetitions(); }),
           "out"_a.noconvert())
      .def("plies", column<int32_t>([](const Batch& b, size_t i) { return b.rows[i].plies; }), "out"_a.noconvert());
}

}  // namespace punct::bindings
