// Networks for Python: training data from positions and moves, and the evaluation of a position without a search.
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
#include "search/network.hpp"
#include "search/space_features.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace punct::bindings {

namespace {

std::span<const uint8_t> span_of(const nb::bytes& bytes) {
  return {static_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

SharedNetwork read_network(const nb::bytes& bytes) {
  const char* error = nullptr;
  SharedNetwork shared{search::Network::read(span_of(bytes), error)};
  if (!shared.network) throw std::invalid_argument(error);
  return shared;
}

constexpr int space_feature_bytes = (search::space_feature::count + 7) / 8;

// The training data of several positions, as flat arrays.
struct TrainingData {
  std::vector<int16_t> inputs;          // those present, of all positions
  std::vector<int32_t> first_input;     // where those of each position begin
  std::vector<int16_t> handcrafted;     // positions × features, quantised
  std::vector<uint8_t> space_features;  // positions × spaces × space_feature_bytes: a bit each
  std::vector<int32_t> first_move;      // where the moves of each position begin
  std::vector<float> features;          // moves × features
  std::vector<uint8_t> spaces;          // moves × 6: those its dots land on, the PÜNCT first, and leave (211: none)
  std::vector<float> visits;            // moves: their share of the visits
};

void add_position(const Position& p, const std::vector<std::pair<Move, float>>& visited, int others,
                  TrainingData& out) {
  search::PathAnalysis analysis;
  search::analyse_paths(p, analysis);
  search::Features x;
  search::features_of(p, analysis, x);
  for (const float feature : x) out.handcrafted.push_back(search::quantised(feature));
  uint16_t present[search::input::max_present];
  const int count = search::inputs_of(p, present);
  for (int i = 0; i < count; ++i) out.inputs.push_back(static_cast<int16_t>(present[i]));
  const size_t first_byte = out.space_features.size();
  out.space_features.resize(first_byte + space_count * space_feature_bytes);
  search::each_space_feature(p, analysis, [&](Space space, int i) {
    uint8_t& byte = out.space_features[first_byte + static_cast<size_t>(space * space_feature_bytes + i / 8)];
    byte = static_cast<uint8_t>(byte | 1 << (i % 8));
  });
  if (!visited.empty()) {
    std::vector<search::Candidate> candidates;
    const search::Defence defence(p);
    search::choose_candidates(p, analysis, defence.needed() ? &defence : nullptr, others, search::default_prior_weights,
                              candidates);
    std::vector<std::pair<Move, float>> moves = visited;
    for (const search::Candidate& c : candidates)
      if (std::none_of(visited.begin(), visited.end(), [&](const auto& v) { return v.first == c.move; }))
        moves.emplace_back(c.move, 0.0f);
    for (const auto& [m, share] : moves) {
      const search::MoveFeatures f = search::features_of(p, analysis, m);
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
      out.visits.push_back(share);
    }
  }
  out.first_input.push_back(static_cast<int32_t>(out.inputs.size()));
  out.first_move.push_back(static_cast<int32_t>(out.visits.size()));
}

// The training data of positions: for each the moves that the search visited, how often, and `others` other candidates.
nb::dict training_data(const std::vector<std::string>& positions, const std::vector<std::vector<std::string>>& moves,
                       const std::vector<std::vector<int>>& visits, int others) {
  if (moves.size() != positions.size() || visits.size() != positions.size())
    throw std::invalid_argument("there must be moves and visits for each position");
  if (others < 0 || others > max_moves) throw std::invalid_argument("there are not that many moves");
  TrainingData data;
  data.first_input.push_back(0);
  data.first_move.push_back(0);
  {
    nb::gil_scoped_release unlocked;
    for (size_t i = 0; i < positions.size(); ++i) {
      poll_signals();
      const Position p = position_from(positions[i]);
      if (moves[i].size() != visits[i].size()) throw std::invalid_argument("there must be visits for each move");
      std::vector<std::pair<Move, float>> visited;
      float sum = 0.0f;
      for (size_t j = 0; j < moves[i].size(); ++j) {
        const Move m = legal_move_from(moves[i][j], p);
        if (visits[i][j] < 1) throw std::invalid_argument("a move that was visited has at least 1 visit");
        visited.emplace_back(m, static_cast<float>(visits[i][j]));
        sum += static_cast<float>(visits[i][j]);
      }
      for (auto& [m, share] : visited) share /= sum;
      add_position(p, visited, others, data);
    }
  }
  nb::dict out;
  out["inputs"] = array_of(data.inputs);
  out["first_input"] = array_of(data.first_input);
  out["handcrafted"] = array_of(data.handcrafted);
  out["space_features"] = array_of(data.space_features);
  out["first_move"] = array_of(data.first_move);
  out["features"] = array_of(data.features);
  out["spaces"] = array_of(data.spaces);
  out["visits"] = array_of(data.visits);
  return out;
}

// By symmetry, the image of each input, and of each space (211, for none, stays).
nb::dict symmetry_maps() {
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
    for (int group = 0; group < 4; ++group)  // 2 × (free, blocked)
      for (int k = 0; k < kind_count; ++k) put_spaces(input::punct + (group * kind_count + kind(k)) * space_count);
    constexpr int counts = set_count[T] + 1;
    for (int player = 0; player < 2; ++player)
      for (int k = 0; k < kind_count; ++k)
        for (int n = 0; n < counts; ++n) put(input::set + (player * kind_count + kind(k)) * counts + n);
    put(input::basic);
    for (size_t s = 0; s < space_count; ++s) spaces.push_back(t.space[y][s]);
    spaces.push_back(space_count);
  }
  nb::dict out;
  out["inputs"] = array_of(inputs);
  out["spaces"] = array_of(spaces);
  return out;
}

// Evaluates a position without a search: the logarithm of the odds, the weights of the moves' features and the three
// maps of spaces.
nb::tuple evaluate_network(const SharedNetwork& shared, const std::string& text) {
  const search::Network* network = shared.network.get();
  const Position p = position_from(text);
  search::PathAnalysis analysis;
  search::analyse_paths(p, analysis);
  search::Network::Activations activations;
  network->forward(p, analysis, activations);
  search::Policy policy(search::default_prior_weights);
  network->policy(p, analysis, activations, policy);
  std::vector<float> maps;
  for (const float* map : {policy.dot, policy.punct, policy.leaving}) maps.insert(maps.end(), map, map + space_count);
  return nb::make_tuple(network->value(activations), std::vector<float>(policy.weights.begin(), policy.weights.end()),
                        maps);
}

}  // namespace

void bind_network(nb::module_& m) {
  m.attr("NETWORK_INPUTS") = search::input::count;
  m.attr("NETWORK_SPACE_FEATURES") = search::space_feature::count;
  m.attr("NETWORK_HIDDEN") = search::Network::hidden;
  m.attr("NETWORK_SPACE_UNITS") = search::Network::space_units;
  m.attr("NETWORK_SECOND") = search::Network::second;
  m.attr("NETWORK_HANDCRAFTED") = search::Network::handcrafted;
  m.attr("NETWORK_MOVE_FEATURES") = search::move_feature::count;
  m.attr("NETWORK_ONE") = search::Network::one;
  m.attr("NETWORK_WEIGHT_ONE") = search::Network::weight_one;
  m.attr("NETWORK_SECOND_ONE") = search::Network::second_one;
  m.def("network_checksum", [](const nb::bytes& bytes) { return search::Network::checksum(span_of(bytes)); });
  m.def("network_training_data", &training_data, "positions"_a, "moves"_a, "visits"_a, "others"_a);
  m.def("network_symmetries", &symmetry_maps);
  nb::class_<SharedNetwork>(m, "Network")
      .def(
          "__init__",
          [](SharedNetwork* self, const nb::bytes& bytes) { new (self) SharedNetwork(read_network(bytes)); },
          "content"_a)
      .def("evaluate", &evaluate_network, "position"_a)
      .def("__repr__", [](const SharedNetwork&) { return "<Network>"; });
}

}  // namespace punct::bindings
