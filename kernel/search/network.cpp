#include "search/network.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "search/wide.hpp"

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

// No sum of products leaves 32 bits while no weight is beyond these.
constexpr int32_t largest_weight = 4 * Network::weight_one, largest_bias = 1 << 27;
static_assert(int64_t{largest_weight} * (Network::hand * Network::most_hand + Network::hidden * 2 * Network::one) +
                  largest_bias <
              INT32_MAX);

template <class T>
bool is_sound(T number) {
  if constexpr (sizeof(T) == 1) return true;
  constexpr int32_t largest = sizeof(T) == 2 ? largest_weight : largest_bias;
  return number >= -largest && number <= largest;
}

// So many small numbers at a time: compilers take what registers the machine has for them. Left to find this by
// themselves, some do not.
constexpr int lane = 16;
using Lane = int16_t __attribute__((vector_size(lane * sizeof(int16_t))));
using Unsigned = uint16_t __attribute__((vector_size(lane * sizeof(int16_t))));
using Bytes = int8_t __attribute__((vector_size(lane)));

// The sums of the first layer wrap around where they are too large, which no network that was trained here comes near.
PUNCT_WIDE void add_rows(const int8_t (*rows)[Network::hidden], const int16_t* bias, const uint16_t* present, int count,
                         int16_t* out) {
  constexpr int block = 4 * lane;  // what the registers hold
  for (int first = 0; first < Network::hidden; first += block) {
    Unsigned sum[4];
    std::memcpy(sum, bias + first, sizeof sum);
    for (int n = 0; n < count; ++n) {
      Bytes row[4];
      std::memcpy(row, rows[present[n]] + first, sizeof row);
      for (int i = 0; i < 4; ++i) sum[i] += reinterpret_cast<Unsigned>(__builtin_convertvector(row[i], Lane));
    }
    for (int i = 0; i < 4; ++i) {
      const Lane found = reinterpret_cast<Lane>(sum[i]), none = {}, most = none + int16_t{2 * Network::one};
      const Lane low = found < none ? none : found, held = low > most ? most : low;
      std::memcpy(out + first + i * lane, &held, sizeof held);
    }
  }
}

template <int Count>
inline int32_t dot(const int16_t* a, const int16_t* b) {
  int32_t sum = 0;
  for (int i = 0; i < Count; ++i) sum += int32_t{a[i]} * int32_t{b[i]};
  return sum;
}

PUNCT_WIDE void multiply(const int16_t (*rows)[Network::hidden], int count, const int16_t* units, int32_t* out) {
  for (int n = 0; n < count; ++n) out[n] = dot<Network::hidden>(rows[n], units);
}

PUNCT_WIDE void add_hand(const int16_t (*rows)[Network::hand], int count, const int16_t* hand, int32_t* out) {
  for (int n = 0; n < count; ++n) out[n] += dot<Network::hand>(rows[n], hand);
}

inline void add_row(const int16_t* row, int16_t* units) {
  for (int i = 0; i < Network::spots; ++i)
    units[i] = static_cast<int16_t>(static_cast<uint16_t>(units[i]) + static_cast<uint16_t>(row[i]));
}

// Adds to each map what the units of each space come to, read as the map reads them.
PUNCT_WIDE void read_spots(int16_t (*seen)[Network::spots], const int16_t* reading, int32_t* out) {
  for (int s = 0; s < space_count; ++s) {
    int16_t* const units = seen[s];
    for (int i = 0; i < Network::spots; ++i) units[i] = std::clamp<int16_t>(units[i], 0, 2 * Network::one);
    for (int m = 0; m < Network::maps; ++m)
      out[m * space_count + s] += dot<Network::spots>(units, reading + m * Network::spots);
  }
}

float real(int32_t sum, float scale) { return static_cast<float>(sum) / scale; }

constexpr float first_scale = static_cast<float>(Network::one) * Network::weight_one;
constexpr float second_scale = static_cast<float>(Network::second_one) * Network::weight_one;

}  // namespace

int inputs_of(const Position& p, uint16_t (&out)[input::most]) {
  int n = 0;
  const Colour me = p.to_move();
  const auto put = [&](int index) { out[n++] = static_cast<uint16_t>(index); };
  for (int id = 0; id < piece_count; ++id) {
    if (!p.on_board(id)) continue;
    const Piece& piece = p.piece(id);
    const Dots& dots = placements[piece.placement];
    const int whose = Position::owner(id) != me;
    const int level = std::min<int>(piece.level, input::levels) - 1;
    int free = 0;
    for (int i = 0; i < 3; ++i) {
      const Space s = dots.space[i];
      if (p.top(s) != id) continue;
      ++free;
      put(input::showing + (whose * input::levels + level) * space_count + s);
      const uint8_t below = piece.under[i];
      if (below != no_piece) put(input::beneath + (Position::owner(below) != me) * space_count + s);
    }
    put(input::punct + ((whose * 2 + (free < 3)) * kind_count + Position::kind(id)) * space_count + dots.space[0]);
  }
  for (int whose = 0; whose < 2; ++whose)
    for (int k = 0; k < kind_count; ++k)
      put(input::set + (whose * kind_count + k) * (set_count[T] + 1) +
          p.in_set(whose ? other(me) : me, static_cast<Kind>(k)));
  if (p.rules() == Basic) put(input::basic);
  return n;
}

int16_t quantised(float feature) {
  const float scaled = feature * static_cast<float>(Network::one);
  const int nearest = static_cast<int>(scaled + (scaled < 0.0f ? -0.5f : 0.5f));
  return static_cast<int16_t>(std::clamp(nearest, -Network::most_hand, Network::most_hand));
}

uint64_t Network::checksum(std::span<const uint8_t> bytes) {
  uint64_t sum = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const uint8_t byte : bytes) sum = (sum ^ byte) * 0x100000001b3ULL;
  return sum;
}

// field(numbers, how many) for each table in the order of the file; false as soon as one is.
template <class Field>
bool Network::each_field(Weights& w, Field&& field) {
  return field(&w.first[0][0], input::count * hidden) && field(w.first_bias, hidden) &&
         field(&w.second_first[0][0], second * hidden) && field(&w.second_hand[0][0], second * hand) &&
         field(w.second_bias, second) && field(w.value_second, second) && field(w.value_hand, hand) &&
         field(&w.value_bias, 1) && field(&w.move_second[0][0], move_feature::count * second) &&
         field(w.move_bias, move_feature::count) && field(&w.map_first[0][0], maps * space_count * hidden) &&
         field(w.map_bias, maps * space_count) && field(&w.spot[0][0], spot::count * spots) &&
         field(w.spot_bias, spots) && field(&w.reading_second[0][0], maps * spots * second) &&
         field(w.reading_bias, maps * spots);
}

std::shared_ptr<const Network> Network::read(std::span<const uint8_t> bytes, const char*& wrong) {
  constexpr std::size_t head = sizeof magic + sizeof version, tail = sizeof(uint64_t);
  if (bytes.size() < head + tail || std::memcmp(bytes.data(), magic, sizeof magic) != 0) {
    wrong = "it is not a network: a network begins with PUNCTNET";
    return nullptr;
  }
  if (little_endian<uint32_t>(bytes.data() + sizeof magic) != version) {
    wrong = "it is a network of another version, which this engine cannot read";
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
    wrong = "it is damaged: a network of this version has another length";
    return nullptr;
  }
  if (little_endian<uint64_t>(end) != checksum(bytes.first(bytes.size() - tail))) {
    wrong = "it is damaged: its checksum is not that of its numbers";
    return nullptr;
  }
  if (!sound) {
    wrong = "it cannot be used: some of its numbers are too large";
    return nullptr;
  }
  return network;
}

void Network::think(const Position& p, const Insight& insight, Thought& out) const {
  Features features;
  features_of(p, insight, features);
  uint16_t present[input::most];
  const int count = inputs_of(p, present);
  add_rows(weights_.first, weights_.first_bias, present, count, out.first);
  for (int i = 0; i < hand; ++i) out.hand[i] = quantised(features[static_cast<std::size_t>(i)]);
  int32_t sum[second];
  multiply(weights_.second_first, second, out.first, sum);
  add_hand(weights_.second_hand, second, out.hand, sum);
  for (int i = 0; i < second; ++i) {
    constexpr int down = one * weight_one / second_one;
    // Rounded down, also below zero, where it comes to nothing anyway.
    out.second[i] = static_cast<int16_t>(std::clamp((sum[i] + weights_.second_bias[i]) / down, 0, 4 * second_one));
  }
}

float Network::value(const Thought& thought) const {
  const int32_t deep = dot<second>(weights_.value_second, thought.second);
  const int32_t plain = dot<hand>(weights_.value_hand, thought.hand) + weights_.value_bias;
  return real(deep, second_scale) + real(plain, first_scale);
}

void Network::policy(const Position& p, const Insight& insight, const Thought& thought, Policy& out) const {
  for (int i = 0; i < move_feature::count; ++i)
    out.weights[static_cast<std::size_t>(i)] =
        real(dot<second>(weights_.move_second[i], thought.second) + weights_.move_bias[i], second_scale);
  // What is seen of each space alone, and how that is to be read in this position.
  alignas(64) int16_t seen[space_count][spots];
  for (int16_t (&units)[spots] : seen) std::copy_n(weights_.spot_bias, spots, units);
  each_spot(p, insight, [&](Space s, int feature) { add_row(weights_.spot[feature], seen[s]); });
  alignas(64) int16_t reading[maps * spots];
  for (int i = 0; i < maps * spots; ++i) {
    constexpr int down = second_one * weight_one / weight_one;
    const int32_t sum = dot<second>(weights_.reading_second[i], thought.second) + weights_.reading_bias[i];
    reading[i] = static_cast<int16_t>(std::clamp(sum / down, -largest_weight, largest_weight));
  }
  int32_t sum[maps * space_count];
  multiply(weights_.map_first, maps * space_count, thought.first, sum);
  read_spots(seen, reading, sum);
  float* const map[maps] = {out.dot, out.punct, out.leaving};
  for (int m = 0; m < maps; ++m)
    for (int s = 0; s < space_count; ++s)
      map[m][s] = real(sum[m * space_count + s] + weights_.map_bias[m * space_count + s], first_scale);
}

}  // namespace punct::search
