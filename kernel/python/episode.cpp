// One game as learning programs play it, one call per step.
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "batch.hpp"
#include "core/actions.hpp"
#include "core/draw.hpp"
#include "core/observe.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace punct::bindings {
namespace {

struct SingleEpisode {
  Episode episode;
  Position start;
  EpisodeRules episode_rules;
  Random random;
  std::vector<Move> played;

  int result() const { return static_cast<int>(episode.result(episode_rules)); }
  bool is_open() const { return episode.result(episode_rules) == EpisodeResult::Open; }
};

constexpr int illegal = -1;

// Returns the result afterwards, or `illegal` if the action is not legal.
int step(SingleEpisode& s, int64_t action) {
  const Move m = move_of_action(s.episode.position, action);
  if (m == no_move || !s.is_open() || !is_legal(s.episode.position, m)) return illegal;
  s.episode.play(m);
  s.played.push_back(m);
  return s.result();
}

// Draws a legal action, each as likely as the others; -1 when the game is over.
int sample(SingleEpisode& s) { return s.is_open() ? draw_action(s.episode.position, s.random) : -1; }

nb::ndarray<nb::numpy, int32_t> legal_actions(const SingleEpisode& s) {
  int32_t actions[max_moves];
  const int n = s.is_open() ? list_actions(s.episode.position, actions) : 0;
  std::unique_ptr<int32_t[]> out(new int32_t[static_cast<size_t>(n) + 1]);
  std::copy(actions, actions + n, out.get());
  return make_array(std::move(out), n);
}

template <class T>
void mark(const SingleEpisode& s, const ArrayArg<T, 1>& out, size_t width) {
  T* mask = checked_data(out, width);
  if (s.is_open())
    mark_actions(s.episode.position, mask);
  else
    std::fill(mask, mask + width, T{});
}

// The position with the moves that led there.
Track track(const SingleEpisode& s) {
  Track played{s.start, {}};
  for (const Move m : s.played) push(played, m);
  return played;
}

void planes(const SingleEpisode& s, int colour, const ArrayArg<uint8_t, 3>& out) {
  observe(s.episode.position, colour_from(colour), checked_data(out, size_t{plane_count} * plane_size));
}

}  // namespace

void bind_episode(nb::module_& m) {
  nb::class_<SingleEpisode>(m, "Episode")
      .def(
          "__init__",
          [](SingleEpisode* s, const Track& track, bool repetition, int max_plies, uint64_t stream) {
            if (max_plies < 0) throw nb::value_error("plies are counted from 0");
            new (s) SingleEpisode{
                Episode(track.position), track.position, EpisodeRules{repetition, max_plies}, Random(stream), {}};
          },
          "track"_a, "repetition"_a, "max_plies"_a, "stream"_a)
      .def("copy", [](const SingleEpisode& s) { return SingleEpisode(s); })
      .def("reset",
           [](SingleEpisode& s) {
             s.episode.begin(s.start);
             s.played.clear();
           })
      .def("step", &step, "action"_a)
      .def("sample", &sample)
      .def("legal_actions", &legal_actions)
      .def(
          "legal", [](const SingleEpisode& s, const ArrayArg<bool, 1>& out) { mark(s, out, size_t{action_count}); },
          "out"_a.noconvert())
      .def(
          "legal_bits",
          [](const SingleEpisode& s, const ArrayArg<uint8_t, 1>& out) { mark(s, out, size_t{action_bytes}); },
          "out"_a.noconvert())
      .def("planes", &planes, "colour"_a, "out"_a.noconvert())
      .def("track", &track)
      .def("start", [](const SingleEpisode& s) { return Track{s.start, {}}; })
      .def("played", [](const SingleEpisode& s) { return s.played; })
      .def_prop_rw(
          "stream", [](const SingleEpisode& s) { return s.random.state(); },
          [](SingleEpisode& s, uint64_t stream) { s.random = Random(stream); })
      .def_prop_ro("result", &SingleEpisode::result)
      .def_prop_ro("turn", [](const SingleEpisode& s) { return static_cast<int>(s.episode.position.to_move()); })
      .def_prop_ro("plies", [](const SingleEpisode& s) { return s.episode.plies; })
      .def_prop_ro("hash", [](const SingleEpisode& s) { return s.episode.position.hash(); })
      .def_prop_ro("repetitions", [](const SingleEpisode& s) { return s.episode.repetitions(); });
}

}  // namespace punct::bindings
