// One game as learning programs play it, a call a step.
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

struct Single {
  Episode episode;
  Position start;
  Terms terms;
  Random random;
  std::vector<Move> played;

  int standing() const { return static_cast<int>(episode.standing(terms)); }
  bool is_open() const { return episode.standing(terms) == Standing::Open; }
};

constexpr int refused = -1;

// How the game stands afterwards, or `refused` if the action is not legal.
int step(Single& s, int64_t action) {
  const Move m = move_of_action(s.episode.position, action);
  if (m == no_move || !s.is_open() || !is_legal(s.episode.position, m)) return refused;
  s.episode.play(m);
  s.played.push_back(m);
  return s.standing();
}

// A legal action, each as likely as the others; -1 when the game is over.
int sample(Single& s) { return s.is_open() ? draw_action(s.episode.position, s.random) : refused; }

nb::ndarray<nb::numpy, int32_t> legal_actions(const Single& s) {
  int32_t found[max_moves];
  const int n = s.is_open() ? list_actions(s.episode.position, found) : 0;
  std::unique_ptr<int32_t[]> out(new int32_t[static_cast<size_t>(n) + 1]);
  std::copy(found, found + n, out.get());
  return make_array(std::move(out), n);
}

template <class T>
void mark(const Single& s, const Given<T, 1>& out, size_t width) {
  T* mask = begin_of(out, width);
  if (s.is_open())
    mark_actions(s.episode.position, mask);
  else
    std::fill(mask, mask + width, T{});
}

// The position with the moves that led there.
Track track(const Single& s) {
  Track played{s.start, {}};
  for (const Move m : s.played) push(played, m);
  return played;
}

void planes(const Single& s, int colour, const Given<uint8_t, 3>& out) {
  if (colour != White && colour != Black) throw nb::value_error("a colour is 0 (White) or 1 (Black)");
  observe(s.episode.position, static_cast<Colour>(colour), begin_of(out, size_t{plane_count} * plane_size));
}

}  // namespace

void bind_episode(nb::module_& m) {
  nb::class_<Single>(m, "Episode")
      .def(
          "__init__",
          [](Single* s, const Track& track, bool repetition, int most_plies, uint64_t stream) {
            if (most_plies < 0) throw nb::value_error("plies are counted from 0");
            new (s) Single{Episode(track.position), track.position, Terms{repetition, most_plies}, Random(stream), {}};
          },
          "track"_a, "repetition"_a, "most_plies"_a, "stream"_a)
      .def("copy", [](const Single& s) { return Single(s); })
      .def("reset",
           [](Single& s) {
             s.episode.begin(s.start);
             s.played.clear();
           })
      .def("step", &step, "action"_a)
      .def("sample", &sample)
      .def("legal_actions", &legal_actions)
      .def(
          "legal", [](const Single& s, const Given<bool, 1>& out) { mark(s, out, size_t{action_count}); },
          "out"_a.noconvert())
      .def(
          "legal_bits", [](const Single& s, const Given<uint8_t, 1>& out) { mark(s, out, size_t{action_bytes}); },
          "out"_a.noconvert())
      .def("planes", &planes, "colour"_a, "out"_a.noconvert())
      .def("track", &track)
      .def("start", [](const Single& s) { return Track{s.start, {}}; })
      .def("played", [](const Single& s) { return s.played; })
      .def_prop_rw(
          "stream", [](const Single& s) { return s.random.state(); },
          [](Single& s, uint64_t stream) { s.random = Random(stream); })
      .def_prop_ro("standing", &Single::standing)
      .def_prop_ro("turn", [](const Single& s) { return static_cast<int>(s.episode.position.to_move()); })
      .def_prop_ro("plies", [](const Single& s) { return s.episode.plies; })
      .def_prop_ro("hash", [](const Single& s) { return s.episode.position.hash(); })
      .def_prop_ro("repetitions", [](const Single& s) { return s.episode.repetitions(); });
}

}  // namespace punct::bindings
