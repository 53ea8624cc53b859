#include "search/network.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "search/array_loops.hpp"

namespace punct::search {
namespace {

constexpr char magic[8] = {'P', 'U', 'N', 'C', 'T', 'N', 'E', 'T'};
constexpr uint32_t version = 1;

template <class T>
T little_endian(const uint8_t* bytes) {
  std::make_unsigned_t<T> value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value = static_cast<std::make_unsigned_t<T>>(value | std::make_unsigned_t<T>{bytes[i]} << (8 * i));
  return static_cast<T>(value);
}

// No sum of products overflows 32 bits while no weight exceeds these.
constexpr int32_t max_weight = 4 * Network::weight_one, max_bias = 1 << 27;
static_assert(int64_t{max_weight} *
                      (Network::handcrafted * Network::max_handcrafted + Network::hidden * 2 * Network::one) +
                  max_bias <
              INT32_MAX);

template <class T>
bool is_sound(T number) {
  if constexpr (sizeof(T) == 1) return true;
  constexpr int32_t largest = sizeof(T) == 2 ? max_weight : max_bias;
  return number >= -largest && number <= largest;
}

static_assert(ArrayLoops::hidden == Network::hidden && ArrayLoops::handcrafted == Network::handcrafted &&
              ArrayLoops::space_units == Network::space_units && ArrayLoops::maps == Network::maps &&
              ArrayLoops::spaces == space_count && ArrayLoops::max_unit == 2 * Network::one);

template <int Count>
inline int32_t dot(const int16_t* a, const int16_t* b) {
  int32_t sum = 0;
  for (int i = 0; i < Count; ++i) sum += int32_t{a[i]} * int32_t{b[i]};
  return sum;
}

inline void add_row(const int16_t* row, int16_t* units) {
  for (int i = 0; i < Network::space_units; ++i)
    units[i] = static_cast<int16_t>(static_cast<uint16_t>(units[i]) + static_cast<uint16_t>(row[i]));
}

float real(int32_t sum, float scale) { return static_cast<float>(sum) / scale; }

constexpr float first_scale = static_cast<float>(Network::one) * Network::weight_one;
constexpr float second_scale = static_cast<float>(Network::second_one) * Network::weight_one;

}  // namespace

int inputs_of(const Position& p, uint16_t (&out)[input::max_present]) {
  int n = 0;
  const Colour me = p.to_move();
  const auto put = [&](int index) { out[n++] = static_cast<uint16_t>(index); };
  for (int id = 0; id < piece_count; ++id) {
    if (!p.on_board(id)) continue;
    const Piece& piece = p.piece(id);
    const Dots& dots = placements[piece.placement];
    const int player = Position::owner(id) != me;
    const int level = std::min<int>(piece.level, input::levels) - 1;
    int free = 0;
    for (int i = 0; i < 3; ++i) {
      const Space s = dots.space[i];
      if (p.top(s) != id) continue;
      ++free;
      put(input::showing + (player * input::levels + level) * space_count + s);
      const uint8_t below = piece.under[i];
      if (below != no_piece) put(input::beneath + (Position::owner(below) != me) * space_count + s);
    }
    put(input::punct + ((player * 2 + (free < 3)) * kind_count + Position::kind(id)) * space_count + dots.space[0]);
  }
  for (int player = 0; player < 2; ++player)
    for (int k = 0; k < kind_count; ++k)
      put(input::set + (player * kind_count + k) * (set_count[T] + 1) +
          p.in_set(player ? other(me) : me, static_cast<Kind>(k)));
  if (p.rules() == Basic) put(input::basic);
  return n;
}

int16_t quantised(float feature) {
  const float scaled = feature * static_cast<float>(Network::one);
  const int nearest = static_cast<int>(scaled + (scaled < 0.0f ? -0.5f : 0.5f));
  return static_cast<int16_t>(std::clamp(nearest, -Network::max_handcrafted, Network::max_handcrafted));
}

uint64_t Network::checksum(std::span<const uint8_t> bytes) {
  uint64_t sum = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const uint8_t byte : bytes) sum = (sum ^ byte) * 0x100000001b3ULL;
  return sum;
}

// Calls field(numbers, count) for each table in the order of the file; false as soon as one call returns false.
template <class Field>
bool Network::each_field(Weights& w, Field&& field) {
  return field(&w.first[0][0], input::count * hidden) && field(w.first_bias, hidden) &&
         field(&w.second_first[0][0], second * hidden) && field(&w.second_handcrafted[0][0], second * handcrafted) &&
         field(w.second_bias, second) && field(w.value_second, second) && field(w.value_handcrafted, handcrafted) &&
         field(&w.value_bias, 1) && field(&w.move_second[0][0], move_feature::count * second) &&
         field(w.move_bias, move_feature::count) && field(&w.map_first[0][0], maps * space_count * hidden) &&
         field(w.map_bias, maps * space_count) && field(&w.space[0][0], space_feature::count * space_units) &&
         field(w.space_bias, space_units) && field(&w.readout_second[0][0], maps * space_units * second) &&
         field(w.readout_bias, maps * space_units);
}

std::shared_ptr<const Network> Network::read(std::span<const uint8_t> bytes, const char*& error) {
  constexpr std::size_t head = sizeof magic + sizeof version, tail = sizeof(uint64_t);
  if (bytes.size() < head + tail || std::memcmp(bytes.data(), magic, sizeof magic) != 0) {
    error = "it is not a network: a network begins with PUNCTNET";
    return nullptr;
  }
  if (little_endian<uint32_t>(bytes.data() + sizeof magic) != version) {
    error = "it is a network of another version, which this engine cannot read";
    return nullptr;
  }
  const auto network = std::make_shared<Network>();
  const uint8_t* next = bytes.data() + head;
  const uint8_t* const end = bytes.data() + bytes.size() - tail;
  bool sound = true;
  const bool whole = each_field(network->weights_, [&]<class T>(T* numbers, int count) {
    if (end - next < static_cast<std::ptrdiff_t>(sizeof(T)) * count) return false;
    for (int i = 0; i < count; ++i, next += sizeof(T)) {
      numbers[i] = little_endian<T>(next);
      sound &= is_sound(numbers[i]);
    }
    return true;
  });
  if (!whole || next != end) {
    error = "it is damaged: a network of this version has another length";
    return nullptr;
  }
  if (little_endian<uint64_t>(end) != checksum(bytes.first(bytes.size() - tail))) {
    error = "it is damaged: its checksum is not that of its numbers";
    return nullptr;
  }
  if (!sound) {
    error = "it cannot be used: some of its numbers are too large";
    return nullptr;
  }
  return network;
}

void Network::forward(const Position& p, const PathAnalysis& analysis, Activations& out) const {
  Features features;
  features_of(p, analysis, features);
  uint16_t present[input::max_present];
  const int count = inputs_of(p, present);
  array_loops->add_rows(weights_.first, weights_.first_bias, present, count, out.first);
  for (int i = 0; i < handcrafted; ++i) out.handcrafted[i] = quantised(features[static_cast<std::size_t>(i)]);
  int32_t sum[second];
  array_loops->multiply(weights_.second_first, second, out.first, sum);
  array_loops->add_handcrafted(weights_.second_handcrafted, second, out.handcrafted, sum);
  for (int i = 0; i < second; ++i) {
    constexpr int down = one * weight_one / second_one;
    // Rounded towards zero; negative values are clamped to 0 anyway.
    out.second[i] = static_cast<int16_t>(std::clamp((sum[i] + weights_.second_bias[i]) / down, 0, 4 * second_one));
  }
}

float Network::value(const Activations& activations) const {
  const int32_t deep = dot<second>(weights_.value_second, activations.second);
  const int32_t plain = dot<handcrafted>(weights_.value_handcrafted, activations.handcrafted) + weights_.value_bias;
  return real(deep, second_scale) + real(plain, first_scale);
}

void Network::policy(const Position& p, const PathAnalysis& analysis, const Activations& activations,
                     Policy& out) const {
  for (int i = 0; i < move_feature::count; ++i)
    out.weights[static_cast<std::size_t>(i)] =
        real(dot<second>(weights_.move_second[i], activations.second) + weights_.move_bias[i], second_scale);
  // The units of each space alone, and the weights by which they are read out in this position.
  alignas(64) int16_t spaces[space_count][space_units];
  for (int16_t (&units)[space_units] : spaces) std::copy_n(weights_.space_bias, space_units, units);
  each_space_feature(p, analysis, [&](Space s, int feature) { add_row(weights_.space[feature], spaces[s]); });
  alignas(64) int16_t readout[maps * space_units];
  for (int i = 0; i < maps * space_units; ++i) {
    constexpr int down = second_one * weight_one / weight_one;
    const int32_t sum = dot<second>(weights_.readout_second[i], activations.second) + weights_.readout_bias[i];
    readout[i] = static_cast<int16_t>(std::clamp(sum / down, -max_weight, max_weight));
  }
  int32_t sum[maps * space_count];
  array_loops->multiply(weights_.map_first, maps * space_count, activations.first, sum);
  array_loops->add_readout(spaces, readout, sum);
  float* const map[maps] = {out.dot, out.punct, out.leaving};
  for (int m = 0; m < maps; ++m)
    for (int s = 0; s < space_count; ++s)
      map[m][s] = real(sum[m * space_count + s] + weights_.map_bias[m * space_count + s], first_scale);
}

}  // namespace punct::search
