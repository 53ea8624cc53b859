// Networks for Python: what training needs to know of positions and moves, and a network asked without a search.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "batch.hpp"
#include "bindings.hpp"
#include "core/symmetry.hpp"
#include "core/text.hpp"
#include "search/network.hpp"
#include "search/spots.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace punct::bindings {

namespace {

std::span<const uint8_t> span_of(const nb::bytes& bytes) {
  return {static_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

SharedNetwork read_network(const nb::bytes& bytes) {
  const char* wrong = nullptr;
  SharedNetwork found{search::Network::read(span_of(bytes), wrong)};
  if (!found.network) throw std::invalid_argument(wrong);
  return found;
}

constexpr int spot_bytes = (search::spot::count + 7) / 8;

// Everything training is shown of some positions, laid side by side.
struct Lesson {
  std::vector<int16_t> inputs;       // those present, of all positions
  std::vector<int32_t> first_input;  // where those of each begin
  std::vector<int16_t> hand;         // positions × features, as the network takes them
  std::vector<uint8_t> spots;        // positions × spaces × spot_bytes: what is there on each space, a bit each
  std::vector<int32_t> first_move;   // where the moves of each position begin
  std::vector<float> features;       // moves × features
  std::vector<uint8_t> spaces;  // moves × 6: where its dots land, the PÜNCT first, and which they leave (211: none)
  std::vector<float> visits;    // moves: their part of the visits
};

void add_position(const Position& p, const std::vector<std::pair<Move, float>>& visited, int others, Lesson& out) {
  search::Insight insight;
  search::look_at(p, insight);
  search::Features x;
  search::features_of(p, insight, x);
  for (const float feature : x) out.hand.push_back(search::quantised(feature));
  uint16_t present[search::input::most];
  const int count = search::inputs_of(p, present);
  for (int i = 0; i < count; ++i) out.inputs.push_back(static_cast<int16_t>(present[i]));
  const size_t first_spot = out.spots.size();
  out.spots.resize(first_spot + space_count * spot_bytes);
  search::each_spot(p, insight, [&](Space space, int i) {
    uint8_t& byte = out.spots[first_spot + static_cast<size_t>(space * spot_bytes + i / 8)];
    byte = static_cast<uint8_t>(byte | 1 << (i % 8));
  });
  if (!visited.empty()) {
    std::vector<search::Candidate> candidates;
    const search::Defence defence(p);
    search::choose(p, insight, defence.needed() ? &defence : nullptr, others, search::default_prior_weights,
                   candidates);
    std::vector<std::pair<Move, float>> moves = visited;
    for (const search::Candidate& c : candidates)
      if (std::none_of(visited.begin(), visited.end(), [&](const auto& v) { return v.first == c.move; }))
        moves.emplace_back(c.move, 0.0f);
    for (const auto& [m, part] : moves) {
      const search::MoveFeatures f = search::features_of(p, insight, m);
      out.features.insert(out.features.end(), f.begin(), f.end());
      const Dots& to = placements[placement_of(m)];
      out.spaces.insert(out.spaces.end(), std::begin(to.space), std::end(to.space));
      for (int i = 0; i < 3; ++i) {
        Space left = space_count;
        if (!is_add(m)) {
          const Space s = placements[p.piece(p.moving_piece(m)).placement].space[i];
          if (std::find(std::begin(to.space), std::end(to.space), s) == std::end(to.space)) left = s;
        }
        out.spaces.push_back(left);
      }
      out.visits.push_back(part);
    }
  }
  out.first_input.push_back(static_cast<int32_t>(out.inputs.size()));
  out.first_move.push_back(static_cast<int32_t>(out.visits.size()));
}

Position read_given(const std::string& text) {
  Position p;
  if (!read_position(text, p)) throw std::invalid_argument("not a position: " + text.substr(0, 80));
  return p;
}

// What a network is trained on: the positions, for each the moves that were visited, how often, and so many others that
// deserve a look at first sight.
nb::dict lesson(const std::vector<std::string>& positions, const std::vector<std::vector<std::string>>& moves,
                const std::vector<std::vector<int>>& visits, int others) {
  if (moves.size() != positions.size() || visits.size() != positions.size())
    throw std::invalid_argument("there must be moves and visits for each position");
  if (others < 0 || others > max_moves) throw std::invalid_argument("so many moves there are not");
  Lesson found;
  found.first_input.push_back(0);
  found.first_move.push_back(0);
  {
    nb::gil_scoped_release unlocked;
    for (size_t i = 0; i < positions.size(); ++i) {
      const Position p = read_given(positions[i]);
      if (moves[i].size() != visits[i].size()) throw std::invalid_argument("there must be visits for each move");
      std::vector<std::pair<Move, float>> visited;
      float sum = 0.0f;
      for (size_t j = 0; j < moves[i].size(); ++j) {
        Move m;
        if (!read_move(moves[i][j], p, m) || !is_legal(p, m))
          throw std::invalid_argument("not a legal move: " + moves[i][j].substr(0, 40) + " in " + text_of(p));
        if (visits[i][j] < 1) throw std::invalid_argument("a move that was visited has at least 1 visit");
        visited.emplace_back(m, static_cast<float>(visits[i][j]));
        sum += static_cast<float>(visits[i][j]);
      }
      for (auto& [m, part] : visited) part /= sum;
      add_position(p, visited, others, found);
    }
  }
  nb::dict out;
  out["inputs"] = copied(found.inputs);
  out["first_input"] = copied(found.first_input);
  out["hand"] = copied(found.hand);
  out["spots"] = copied(found.spots);
  out["first_move"] = copied(found.first_move);
  out["features"] = copied(found.features);
  out["spaces"] = copied(found.spaces);
  out["visits"] = copied(found.visits);
  return out;
}

// By symmetry, the input that each input becomes; and the space that each space becomes (211, for none, stays).
nb::dict images() {
  namespace input = search::input;
  const Symmetry& t = symmetries();
  std::vector<int16_t> inputs;
  std::vector<uint8_t> spaces;
  for (size_t y = 0; y < symmetry_count; ++y) {
    const auto kind = [&](int k) { return y < 6 ? k : k == L ? int{R} : k == R ? int{L} : k; };
    const auto put = [&](int i) { inputs.push_back(static_cast<int16_t>(i)); };
    const auto put_spaces = [&](int first) {
      for (size_t s = 0; s < space_count; ++s) put(first + t.space[y][s]);
    };
    for (int block = 0; block < 2 * input::levels + 2; ++block) put_spaces(block * space_count);
    for (int whose = 0; whose < 4; ++whose)
      for (int k = 0; k < kind_count; ++k) put_spaces(input::punct + (whose * kind_count + kind(k)) * space_count);
    constexpr int counts = set_count[T] + 1;
    for (int whose = 0; whose < 2; ++whose)
      for (int k = 0; k < kind_count; ++k)
        for (int n = 0; n < counts; ++n) put(input::set + (whose * kind_count + kind(k)) * counts + n);
    put(input::basic);
    for (size_t s = 0; s < space_count; ++s) spaces.push_back(t.space[y][s]);
    spaces.push_back(space_count);
  }
  nb::dict out;
  out["inputs"] = copied(inputs);
  out["spaces"] = copied(spaces);
  return out;
}

// What a network says of a position without a search: the logarithm of the odds, the weights of the moves' features and
// the three maps of spaces.
nb::tuple ask(const SharedNetwork& shared, const std::string& text) {
  const search::Network* network = shared.network.get();
  const Position p = read_given(text);
  search::Insight insight;
  search::look_at(p, insight);
  search::Network::Thought thought;
  network->think(p, insight, thought);
  search::Policy policy(search::default_prior_weights);
  network->policy(p, insight, thought, policy);
  std::vector<float> maps;
  for (const float* map : {policy.dot, policy.punct, policy.leaving}) maps.insert(maps.end(), map, map + space_count);
  return nb::make_tuple(network->value(thought), std::vector<float>(policy.weights.begin(), policy.weights.end()),
                        maps);
}

}  // namespace

void bind_network(nb::module_& m) {
  m.attr("NETWORK_INPUTS") = search::input::count;
  m.attr("NETWORK_SPOTS") = search::spot::count;
  m.attr("NETWORK_HIDDEN") = search::Network::hidden;
  m.attr("NETWORK_SPOT_UNITS") = search::Network::spots;
  m.attr("NETWORK_SECOND") = search::Network::second;
  m.attr("NETWORK_HAND") = search::Network::hand;
  m.attr("NETWORK_MOVE_FEATURES") = search::move_feature::count;
  m.attr("NETWORK_ONE") = search::Network::one;
  m.attr("NETWORK_WEIGHT_ONE") = search::Network::weight_one;
  m.attr("NETWORK_SECOND_ONE") = search::Network::second_one;
  m.def("network_checksum", [](const nb::bytes& bytes) { return search::Network::checksum(span_of(bytes)); });
  m.def("network_lesson", &lesson, "positions"_a, "moves"_a, "visits"_a, "others"_a);
  m.def("network_images", &images);
  nb::class_<SharedNetwork>(m, "Network")
      .def(
          "__init__",
          [](SharedNetwork* self, const nb::bytes& bytes) { new (self) SharedNetwork(read_network(bytes)); },
          "content"_a)
      .def("ask", &ask, "position"_a);
}

}  // namespace punct::bindings
