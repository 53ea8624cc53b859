// The JSON views of a position for Python: punct.kernel.view.
#include "view/view.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings.hpp"
#include "view/explain.hpp"
#include "view/sentences.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace punct::bindings {
namespace {

nb::bytes bytes_of(const view::Json& json) { return nb::bytes(json.text().data(), json.text().size()); }

nb::bytes view_json(const Track& track, std::optional<int> winner, std::optional<std::string_view> reason) {
  std::optional<view::GameEnd> end;
  if (reason) end = view::GameEnd{std::nullopt, *reason};
  if (end && winner) end->winner = colour_from(*winner);
  view::Json json;
  view::write_view(json, track, end);
  return bytes_of(json);
}

nb::bytes explanation_json(const Track& track, std::string_view text, bool any_heading, bool is_over) {
  view::Json json;
  view::write_explanation(json, track.position, text, any_heading, is_over);
  return bytes_of(json);
}

// By Reason: name, section and sentence. For the test that holds them to the library's.
std::vector<std::tuple<std::string_view, std::string_view, std::string_view>> reasons() {
  std::vector<std::tuple<std::string_view, std::string_view, std::string_view>> out;
  for (int i = 0; i < reason_count; ++i) {
    const view::ReasonText& text = view::reason_text(static_cast<Reason>(i));
    out.emplace_back(text.name, text.section, text.sentence);
  }
  return out;
}

}  // namespace

void bind_view(nb::module_& m) {
  m.def("view_json", &view_json, "track"_a, "winner"_a.none(), "reason"_a.none());
  m.def("explanation_json", &explanation_json, "track"_a, "text"_a, "any_heading"_a, "is_over"_a);
  m.def("reasons", &reasons);
}

}  // namespace punct::bindings
