// Boardspace's way of telling a game: nodes of SGF, each with what a player did, of which only the difference between
// two Dones is a turn. Read and played here in one go as long as a turn is about one piece, whatever second thoughts
// there were; at anything else this stops, and the library looks at each action (punct.records.sgf), which can also say
// what is wrong.
#include <array>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace punct::bindings {
namespace {

constexpr int per_set = 19;  // numbers of a set; the first is the marker's
constexpr int rotations = 6;
constexpr int nothing = -1;

using Span = std::pair<Py_ssize_t, Py_ssize_t>;

bool is_blank(Py_UCS4 c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// A Python text from some place on; its characters are one, two or four bytes wide.
template <typename Char>
class Reader {
 public:
  Py_ssize_t at;

  Reader(PyObject* text, Py_ssize_t start)
      : at(start < 0 ? 0 : start),
        data_(static_cast<const Char*>(PyUnicode_DATA(text))),
        size_(PyUnicode_GET_LENGTH(text)) {}

  Char next() const { return at < size_ ? data_[at] : Char{0}; }
  Char take() { return at < size_ ? data_[at++] : Char{0}; }
  void skip_blanks() {
    while (is_blank(next())) ++at;
  }
  // A property's name in capitals and digits; empty if none stands here.
  std::string_view take_name() {
    size_t size = 0;
    for (Char c = next(); size < sizeof name_ && ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9' && size));
         c = next()) {
      name_[size++] = static_cast<char>(c);
      ++at;
    }
    return {name_, size};
  }
  // Past the bracket that closes a value; false if there is none.
  bool skip_value() {
    while (at < size_) {
      const Char c = take();
      if (c == ']') return true;
      if (c == '\\') ++at;
    }
    return false;
  }
  // The same, for a short value of plain characters; empty if it is not such a one.
  std::string_view take_value() {
    for (size_t size = 0; size < sizeof value_; ++size) {
      const Char c = take();
      if (c == ']') return {value_, size};
      if (c == 0 || c == '\\' || c > 126) break;
      value_[size] = static_cast<char>(c);
    }
    return {};
  }

 private:
  const Char* data_;
  Py_ssize_t size_;
  char name_[16], value_[64];
};

// The words of an action, without the number in front.
struct Words {
  static constexpr int most = 7;
  std::string_view word[most];
  int count = 0;

  explicit Words(std::string_view text) {
    for (size_t at = 0; at < text.size() && count < most;) {
      if (is_blank(static_cast<unsigned char>(text[at]))) {
        ++at;
        continue;
      }
      size_t end = at;
      while (end < text.size() && !is_blank(static_cast<unsigned char>(text[end]))) ++end;
      word[count++] = text.substr(at, end - at);
      at = end;
    }
    if (count > 1 && is_number(word[0])) {
      for (int i = 1; i < count; ++i) word[i - 1] = word[i];
      word[--count] = {};
    }
  }

  bool is(std::string_view name) const {
    if (word[0].size() != name.size()) return false;
    for (size_t i = 0; i < name.size(); ++i)
      if (std::tolower(static_cast<unsigned char>(word[0][i])) != name[i]) return false;
    return true;
  }
  // -1 if it is not a whole number of a few digits.
  int whole(int i) const {
    if (i >= count || word[i].size() > 4 || !is_number(word[i])) return -1;
    int value = 0;
    for (const char c : word[i]) value = 10 * value + (c - '0');
    return value;
  }
  // The space whose column and row are two words; -1 if there is none.
  int space(int i) const {
    if (i + 1 >= count || word[i].size() != 1 || word[i + 1].front() == '0') return -1;
    return space_at(word[i][0] - 'A', whole(i + 1) - 1);
  }
  static bool is_number(std::string_view text) {
    for (const char c : text)
      if (c < '0' || c > '9') return false;
    return true;
  }
};

// The pieces by Boardspace's numbers, and the one that is not where it was at the last Done.
class Telling {
 public:
  Telling(Track& track, const uint8_t* orientations) : track_(track), orientations_(orientations) {}

  // Acts for a player; false if the library has to look at it.
  bool act(Colour player, const Words& words) {
    if (words.count == 0) return false;
    if (words.is("pick")) {
      const int number = words.whole(2);
      if (!is_piece(number) || id_of_[number] != no_piece) return false;
      return touch(number, false);  // what was in hand or just dropped goes back
    }
    if (words.is("pickb")) return pick_from_board(words.space(1));
    if (words.is("dropb")) return put(words.whole(1), words.space(2), words.whole(4));
    if (words.is("move")) return pick_from_board(words.space(1)) && put(number_, words.space(3), words.whole(5));
    if (words.is("drop")) {  // back into the set
      const int number = words.whole(2);
      if (!is_piece(number) || id_of_[number] != no_piece || (number_ != nothing && number_ != number)) return false;
      return touch(nothing, false);
    }
    if (words.is("resign")) {  // said a second time before Done, it is taken back
      resigning_ = resigning_ == player ? nothing : player;
      return true;
    }
    if (words.is("done")) return resigning_ == nothing && player == track_.position.to_move() && finish();
    // What ends a game or begins it is for the library; anything else (a rotation, the time) is no part of a turn.
    for (const char* name : {"offerdraw", "acceptdraw", "declinedraw", "loseontime", "winontime", "start", "id"})
      if (words.is(name)) return false;
    return true;
  }

  bool is_begun() const { return begun_; }  // something was touched since the last Done
  bool is_settled() const { return !begun_ && resigning_ == nothing; }

 private:
  bool is_piece(int number) const {
    return number >= 0 && number < 2 * per_set && orientations_[number * rotations] < orientation_count;
  }

  bool touch(int number, bool placed) {
    number_ = number;
    placed_ = placed;
    return begun_ = true;
  }

  bool put(int number, int space, int rotation) {
    if (!is_piece(number) || space < 0 || rotation < 0 || rotation >= rotations) return false;
    const int orientation = orientations_[number * rotations + rotation];
    if (orientation >= orientation_count) return false;
    to_ = placement_of(orientation, static_cast<Space>(space));
    return touch(number, true);
  }

  bool pick_from_board(int space) {
    if (space < 0) return false;
    if (placed_) {  // the piece just put down, or it is a second one
      const Dots& dots = placements[to_];
      return dots.on_board() && (dots.space[0] == space || dots.space[1] == space || dots.space[2] == space) &&
             touch(number_, false);
    }
    const int id = track_.position.top(static_cast<Space>(space));
    return id != no_piece && touch(number_of_[id], false);
  }

  // The difference to the last Done, played if it is a legal turn.
  bool finish() {
    Position& p = track_.position;
    if (number_ == nothing || !placed_ || !placements[to_].on_board() || number_ / per_set != p.to_move()) return false;
    const int id = id_of_[number_];
    const Space from = id == no_piece ? no_space : punct_of(p.piece(id).placement);
    if (id != no_piece && (p.top(from) != id || p.piece(id).placement == to_)) return false;
    if (!push(track_, id == no_piece ? make_add(to_) : make_move(from, to_))) return false;
    const int landed = p.top(punct_of(to_));
    id_of_[number_] = static_cast<uint8_t>(landed);
    number_of_[landed] = static_cast<int8_t>(number_);
    number_ = nothing;
    placed_ = begun_ = false;
    return true;
  }

  Track& track_;
  const uint8_t* orientations_;
  std::array<uint8_t, 2 * per_set> id_of_ = filled();  // by Boardspace's number: the kernel's, no_piece in the set
  std::array<int8_t, piece_count> number_of_{};        // and back
  int number_ = nothing;                               // the piece in hand or just put down
  int resigning_ = nothing;
  bool placed_ = false, begun_ = false;
  Placement to_ = no_placement;  // where it was put

  static constexpr std::array<uint8_t, 2 * per_set> filled() {
    std::array<uint8_t, 2 * per_set> out{};
    for (uint8_t& id : out) id = no_piece;
    return out;
  }
};

// The properties of one node, up to whatever follows; false if one is not understood.
template <typename Char>
bool read_node(Reader<Char>& reader, Telling& telling, Colour first_seat, std::vector<Span>& remarks) {
  for (;;) {
    reader.skip_blanks();
    const std::string_view name = reader.take_name();
    if (name.empty()) return true;
    const bool acts = name == "P0" || name == "P1", speaks = name == "C";
    const Colour player = name == "P1" ? other(first_seat) : first_seat;
    reader.skip_blanks();
    if (reader.next() != '[') return false;
    for (; reader.next() == '['; reader.skip_blanks()) {
      const Py_ssize_t begin = ++reader.at;
      if (acts) {
        if (!telling.act(player, Words(reader.take_value()))) return false;
      } else {
        if (!reader.skip_value()) return false;
        if (speaks && reader.at - 1 > begin) remarks.emplace_back(begin, reader.at - 1);
      }
    }
  }
}

using Comment = std::pair<size_t, Span>;  // with how many turns had been played, the one it is about included

struct Told {
  size_t turns = 0;  // played
  std::vector<Comment> comments;
  Py_ssize_t end;  // of the last node after which nothing was in hand
};

template <typename Char>
Told tell(Telling& telling, const Track& track, Reader<Char> reader, Colour first_seat) {
  Told told{0, {}, reader.at};
  std::vector<Span> remarks;
  std::vector<Comment> said;
  for (;;) {
    reader.skip_blanks();
    if (reader.take() != ';' || !read_node(reader, telling, first_seat, remarks)) return told;
    const Char after = reader.next();
    if (after != ';' && after != ')') return told;
    // What is said during a turn is about that turn.
    const size_t about = track.played.size() + telling.is_begun();
    for (const Span& remark : remarks) said.emplace_back(about, remark);
    remarks.clear();
    if (!telling.is_settled()) continue;
    told.turns = track.played.size();
    told.comments.insert(told.comments.end(), said.begin(), said.end());
    said.clear();
    told.end = reader.at;
  }
}

// Plays what is told from `at` on, on an empty board, node by node up to one that the library has to look at.
// `first_seat` is the colour of P0, and `orientations` has, by piece and rotation, the kernel's orientation or 255.
// Returns the moves; the hash after each; comments, as (index of the move they are about, begin, end); and where
// reading stopped.
nb::tuple push_actions(Track& track, const nb::str& text, Py_ssize_t at, int first_seat,
                       const nb::bytes& orientations) {
  if (orientations.size() != 2 * per_set * rotations) throw nb::value_error("an orientation for each piece is needed");
  if (first_seat != White && first_seat != Black) throw nb::value_error("a colour is 0 (White) or 1 (Black)");
  if (!track.played.empty() || track.position.placed(White) || track.position.placed(Black))
    throw nb::value_error("actions are told from an empty board on");
  Telling telling(track, reinterpret_cast<const uint8_t*>(orientations.c_str()));
  const auto first = static_cast<Colour>(first_seat);
  const int width = static_cast<int>(PyUnicode_KIND(text.ptr()));
  const Told told = width == 1   ? tell(telling, track, Reader<Py_UCS1>(text.ptr(), at), first)
                    : width == 2 ? tell(telling, track, Reader<Py_UCS2>(text.ptr(), at), first)
                                 : tell(telling, track, Reader<Py_UCS4>(text.ptr(), at), first);
  while (track.played.size() > told.turns) pop(track);
  nb::list numbers, hashes, comments;
  for (size_t i = 0; i < told.turns; ++i) {
    numbers.append(track.played[i].first);
    hashes.append(i + 1 < told.turns ? track.played[i + 1].second.hash : track.position.hash());
  }
  for (const auto& [turns, span] : told.comments)
    comments.append(nb::make_tuple(static_cast<Py_ssize_t>(turns) - 1, span.first, span.second));
  return nb::make_tuple(numbers, hashes, comments, told.end);
}

}  // namespace

void bind_boardspace(nb::module_& m) {
  m.def("push_actions", &push_actions, "track"_a, "text"_a, "at"_a, "first_seat"_a, "orientations"_a);
}

}  // namespace punct::bindings
