// A position with its move history: punct._kernel.Track.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string_view>

#include "bindings.hpp"
#include "calls.hpp"
#include "core/actions.hpp"
#include "core/perft.hpp"
#include "core/refusal.hpp"
#include "core/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace punct::bindings {

namespace {

std::optional<Track> read_track(std::string_view text) {
  Track track;
  if (!read_position(text, track.position)) return std::nullopt;
  return track;
}

nb::list list_of(const Move* moves, int count) {
  nb::list out = nb::steal<nb::list>(PyList_New(count));
  for (int i = 0; i < count; ++i) PyList_SetItem(out.ptr(), i, PyLong_FromUnsignedLong(moves[i]));
  return out;
}

nb::list numbers(const Track& track) {
  const auto list = std::make_unique<MoveList>();
  if (track.position.outcome() == Outcome::Open) list_moves(track.position, *list);
  return list_of(list->move, list->count);
}

// The legal moves as Python's move objects: `cache` holds them by action, None where `make(number)` has yet to make
// one.
nb::list moves(const Track& track, nb::list cache, const nb::callable& make) {
  const auto list = std::make_unique<MoveList>();
  if (track.position.outcome() == Outcome::Open) list_moves(track.position, *list);
  if (nb::len(cache) != action_count) throw nb::value_error("one place for each action is needed");
  PyObject* result = PyList_New(list->count);
  if (!result) nb::raise_python_error();
  nb::list owned = nb::steal<nb::list>(result);
  Py_ssize_t size = PyList_Size(cache.ptr());
  for (int i = 0; i < list->count; ++i) {
    const int action = action_of(list->move[i]);
    PyObject* item = action < size ? PyList_GetItem(cache.ptr(), action) : nullptr;
    if (!item || item == Py_None) {
      nb::object move = make(list->move[i]);
      size = PyList_Size(cache.ptr());  // the callable may do anything
      if (item && action < size) cache[static_cast<size_t>(action)] = move;
      PyList_SetItem(result, i, move.release().ptr());
    } else {
      Py_INCREF(item);
      PyList_SetItem(result, i, item);
    }
  }
  return owned;
}

// A set of spaces as one integer: laid out as the library's masks, 19 bits to a column and rows from 1, or with one bit
// for each space in the order of their numbers.
nb::int_ mask_of(const Bits& spaces, bool numbered) {
  constexpr int digits = 82;
  int value[digits] = {};  // of the hexadecimal digits, the least first
  spaces.each([&](int bit) {
    const int place = numbered ? board.space[bit] : bit / column_stride * 19 + bit % column_stride + 1;
    value[place >> 2] |= 1 << (place & 3);
  });
  char text[digits + 1] = {};
  for (int i = 0; i < digits; ++i) text[digits - 1 - i] = "0123456789abcdef"[value[i]];
  return nb::steal<nb::int_>(PyLong_FromString(text, nullptr, 16));
}

// Every set of landings: (orientation, source or 255, mask).
nb::list landings(const Track& track, bool numbered) {
  nb::list out;
  const Position& p = track.position;
  if (p.outcome() != Outcome::Open) return out;
  const auto add = [&](int orientation, int from, const Bits& spaces) {
    if (spaces.none()) return;
    out.append(nb::make_tuple(orientation, from, mask_of(spaces, numbered)));
  };
  each_add(p, p.to_move(), [&](int orientation, const Bits& spaces) { add(orientation, no_space, spaces); });
  each_shift(p, p.to_move(), [&](int id, int orientation, const Bits& ground, const Bits& raised) {
    add(orientation, punct_of(p.piece(id).placement), ground | raised);
  });
  return out;
}

// A piece on the board: (number, orientation, space, level, bridge or not, the pieces right below its three dots, the
// pieces right above them); 36 stands for none. A piece keeps its number for as long as the track exists.
nb::tuple piece_tuple(const Position& p, int id) {
  const Piece& piece = p.piece(id);
  const std::array<uint8_t, 3> above = pieces_above(p, id);
  return nb::make_tuple(id, piece.placement / space_count, punct_of(piece.placement), piece.level,
                        lies_as_bridge(p, id), nb::make_tuple(piece.under[0], piece.under[1], piece.under[2]),
                        nb::make_tuple(above[0], above[1], above[2]));
}

nb::list pieces(const Track& track) {
  nb::list out;
  for (int id = 0; id < piece_count; ++id)
    if (track.position.on_board(id)) out.append(piece_tuple(track.position, id));
  return out;
}

std::optional<nb::tuple> piece(const Track& track, int space) {
  if (space < 0 || space >= space_count) return std::nullopt;
  const int id = track.position.top(static_cast<Space>(space));
  if (id == no_piece) return std::nullopt;
  return piece_tuple(track.position, id);
}

// The legal move with this number in the list of them; None beyond its end.
std::optional<Move> move_at(const Track& track, int64_t index) {
  const auto list = std::make_unique<MoveList>();
  if (track.position.outcome() == Outcome::Open) list_moves(track.position, *list);
  if (index < 0 || index >= list->count) return std::nullopt;
  return list->move[index];
}

std::optional<Move> read(const Track& track, std::string_view text) {
  Move m;
  if (!read_move(text, track.position, m)) return std::nullopt;
  return m;
}

// Reads, checks and plays a move: None if the text is not a legal move here.
std::optional<Move> push_text(Track& track, std::string_view text) {
  const std::optional<Move> m = read(track, text);
  return m && push(track, *m) ? m : std::nullopt;
}

// Plays texts one after the other, up to the first that is not a legal move: the moves played, and the hash after each.
nb::tuple push_texts(Track& track, const nb::list& texts) {
  nb::list numbers, hashes;
  for (nb::handle text : texts) {
    Py_ssize_t size = 0;
    if (!PyUnicode_Check(text.ptr())) break;
    const char* start = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (!start) {  // half of a surrogate pair
      PyErr_Clear();
      break;
    }
    const std::optional<Move> m = push_text(track, std::string_view(start, static_cast<size_t>(size)));
    if (!m) break;
    numbers.append(*m);
    hashes.append(track.position.hash());
  }
  return nb::make_tuple(numbers, hashes);
}

bool is_legal_text(const Track& track, std::string_view text) {
  const std::optional<Move> m = read(track, text);
  return m && track.position.outcome() == Outcome::Open && is_legal(track.position, *m);
}

// Why a move is not allowed: the reason's number, and the spaces in its way. None if it is legal, or cannot be read.
std::optional<std::pair<int, std::vector<int>>> refusal(const Track& track, std::string_view text) {
  ParsedMove move;
  if (!read_move(text, move)) return std::nullopt;
  const std::optional<Refusal> refusal = refuse(track.position, move);
  if (!refusal) return std::nullopt;
  return std::pair(static_cast<int>(refusal->reason),
                   std::vector<int>(refusal->space, refusal->space + refusal->count));
}

uint64_t count_leaves(const Track& track, int depth, bool hashed) {
  // 64 is far more than can be counted, and no danger to the stack.
  if (depth < 0 || depth > 64) throw nb::value_error("a perft's depth is a number from 0 to 64");
  Position p = track.position;
  const nb::gil_scoped_release unlocked;
  if (!hashed) return perft(p, depth, nullptr, poll_signals);
  PerftTable table;
  return perft(p, depth, &table, poll_signals);
}

}  // namespace

void bind_track(nb::module_& m) {
  nb::class_<Track>(m, "Track")
      .def_static("read", &read_track, "text"_a)
      .def("text", [](const Track& l) { return text_of(l.position); })
      .def("copy", [](const Track& l) { return Track(l); })
      .def(
          "equals", [](const Track& a, const Track& b) { return a.position == b.position; }, "other"_a)
      .def_prop_ro("hash", [](const Track& l) { return l.position.hash(); })
      .def_prop_ro("hash_from_scratch", [](const Track& l) { return l.position.hash_from_scratch(); })
      .def_prop_ro("rules", [](const Track& l) { return static_cast<int>(l.position.rules()); })
      .def_prop_ro("turn", [](const Track& l) { return static_cast<int>(l.position.to_move()); })
      .def(
          "top",
          [](const Track& l, int space) {
            return space >= 0 && space < space_count ? l.position.top(static_cast<Space>(space)) : no_piece;
          },
          "space"_a)
      .def("piece", &piece, "space"_a)
      .def("numbers", &numbers)
      .def("moves", &moves, "cache"_a, "make"_a)
      .def("landings", &landings, "numbered"_a = false)
      .def("pieces", &pieces)
      .def(
          "shown", [](const Track& l, int colour) { return mask_of(l.position.showing(colour_from(colour)), false); },
          "colour"_a)
      .def("move_at", &move_at, "index"_a)
      .def("count", [](const Track& l) { return l.position.outcome() == Outcome::Open ? count_moves(l.position) : 0; })
      .def(
          "is_legal",
          [](const Track& l, uint64_t n) {
            return n <= 0xffffffff && l.position.outcome() == Outcome::Open &&
                   is_legal(l.position, static_cast<Move>(n));
          },
          "number"_a)
      .def(
          "push", [](Track& l, uint64_t n) { return n <= 0xffffffff && push(l, static_cast<Move>(n)); }, "number"_a)
      .def("push_text", &push_text, "text"_a)
      .def("push_texts", &push_texts, "texts"_a)
      .def("is_legal_text", &is_legal_text, "text"_a)
      .def("refusal", &refusal, "text"_a)
      .def("over", [](const Track& l) { return l.position.outcome() != Outcome::Open; })
      .def("pop", &pop)
      .def("played",
           [](const Track& l) {
             std::vector<Move> out;
             for (const auto& [move, undo] : l.played) out.push_back(move);
             return out;
           })
      .def("read_move", &read, "text"_a)
      .def("verdict",
           [](const Track& l) {
             const Verdict v = l.position.verdict();
             return std::pair(static_cast<int>(v.outcome), static_cast<int>(v.ending));
           })
      .def("centre_count",
           [](const Track& l) { return std::pair(l.position.centre_count(White), l.position.centre_count(Black)); })
      .def("perft", &count_leaves, "depth"_a, "hashed"_a = false);
  m.def(
      "move_text",
      [](uint64_t n) -> std::optional<std::string> {
        if (n > 0xffffffff || !is_well_formed(static_cast<Move>(n))) return std::nullopt;
        return text_of(static_cast<Move>(n));
      },
      "number"_a);
}

}  // namespace punct::bindings
