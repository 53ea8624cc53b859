// Boardspace's game records: SGF nodes of player actions, where only the difference between two "Done" actions is a
// move. This reads and plays them in one pass as long as a move concerns one piece, however often it was picked up and
// put down; at anything else it stops, and the library handles each action (punct.records.sgf) and its errors.
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

constexpr int per_set = 19;  // piece numbers of a set; the first is the marker's
constexpr int rotations = 6;
constexpr int none = -1;

using Span = std::pair<Py_ssize_t, Py_ssize_t>;

bool is_blank(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// A Python text as UTF-8, which the stable ABI has without a copy if it is ASCII, and otherwise once for each text.
// Python counts characters: those before an offset are counted from another one on whose both counts are known.
class Utf8 {
 public:
  Utf8(const nb::str& text, Py_ssize_t start) : first_(start < 0 ? 0 : start), begin_(first_) {
    data_ = PyUnicode_AsUTF8AndSize(text.ptr(), &size_);
    if (!data_) PyErr_Clear();  // half of a surrogate pair: nothing that the kernel could read
    is_ascii_ = size_ == PyUnicode_GetLength(text.ptr());
    if (is_ascii_ || !data_) return;
    Py_ssize_t characters = 0;
    for (begin_ = 0; begin_ < size_; ++begin_)
      if (!is_inside(begin_) && characters++ == first_) return;
    begin_ += first_ - characters;  // beyond the end
  }

  Py_ssize_t begin() const { return begin_; }
  Py_ssize_t size() const { return data_ ? size_ : 0; }
  unsigned char operator[](Py_ssize_t at) const { return static_cast<unsigned char>(data_[at]); }
  // The characters before a byte, which is not before the first.
  Py_ssize_t characters(Py_ssize_t byte) const {
    if (is_ascii_) return byte;
    Py_ssize_t count = first_;
    for (Py_ssize_t at = begin_; at < byte; ++at) count += at >= size() || !is_inside(at);
    return count;
  }

 private:
  bool is_inside(Py_ssize_t at) const { return at < size_ && ((*this)[at] & 0xC0) == 0x80; }

  const char* data_;
  Py_ssize_t size_ = 0, first_, begin_;
  bool is_ascii_;
};

// Reads a text from an offset on. All that it looks for is ASCII; the bytes of other characters are never taken for it.
class Reader {
 public:
  Py_ssize_t at;

  explicit Reader(const Utf8& text) : at(text.begin()), text_(text), size_(text.size()) {}

  unsigned char next() const { return at < size_ ? text_[at] : 0; }
  unsigned char take() { return at < size_ ? text_[at++] : 0; }
  void skip_blanks() {
    while (is_blank(next())) ++at;
  }
  // A property's name in capitals and digits; empty if there is none here.
  std::string_view take_name() {
    size_t size = 0;
    for (unsigned char c = next(); size < sizeof name_ && ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9' && size));
         c = next()) {
      name_[size++] = static_cast<char>(c);
      ++at;
    }
    return {name_, size};
  }
  // Past the bracket that closes a value; false if there is none.
  bool skip_value() {
    while (at < size_) {
      const unsigned char c = take();
      if (c == ']') return true;
      if (c == '\\') ++at;
    }
    return false;
  }
  // Takes a short ASCII value; empty if it is longer or has other characters.
  std::string_view take_value() {
    for (size_t size = 0; size < sizeof value_; ++size) {
      const unsigned char c = take();
      if (c == ']') return {value_, size};
      if (c == 0 || c == '\\' || c > 126) break;
      value_[size] = static_cast<char>(c);
    }
    return {};
  }

 private:
  const Utf8& text_;
  Py_ssize_t size_;
  char name_[16], value_[64];
};

// The words of an action, without its leading number.
struct Words {
  static constexpr int max_words = 7;
  std::string_view word[max_words];
  int count = 0;

  explicit Words(std::string_view text) {
    for (size_t at = 0; at < text.size() && count < max_words;) {
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

// Replays actions: the pieces by Boardspace's numbers, and the one that has changed place since the last Done.
class ActionReplay {
 public:
  ActionReplay(Track& track, const uint8_t* orientations) : track_(track), orientations_(orientations) {}

  // Applies a player's action; false if the library has to handle it.
  bool act(Colour player, const Words& words) {
    if (words.count == 0) return false;
    if (words.is("pick")) {
      const int number = words.whole(2);
      if (!is_piece(number) || id_of_[number] != no_piece) return false;
      return touch(number, false);  // a piece in hand or just dropped goes back
    }
    if (words.is("pickb")) return pick_from_board(words.space(1));
    if (words.is("dropb")) return put(words.whole(1), words.space(2), words.whole(4));
    if (words.is("move")) return pick_from_board(words.space(1)) && put(number_, words.space(3), words.whole(5));
    if (words.is("drop")) {  // back into the set
      const int number = words.whole(2);
      if (!is_piece(number) || id_of_[number] != no_piece || (number_ != none && number_ != number)) return false;
      return touch(none, false);
    }
    if (words.is("resign")) {  // a second one before Done takes it back
      resigning_ = resigning_ == player ? none : player;
      return true;
    }
    if (words.is("done")) return resigning_ == none && player == track_.position.to_move() && finish();
    // Actions that end or start a game are for the library; all others (a rotation, the time) are no part of a move.
    for (const char* name : {"offerdraw", "acceptdraw", "declinedraw", "loseontime", "winontime", "start", "id"})
      if (words.is(name)) return false;
    return true;
  }

  bool has_begun() const { return has_begun_; }  // a piece was touched since the last Done
  bool is_settled() const { return !has_begun_ && resigning_ == none; }

 private:
  bool is_piece(int number) const {
    return number >= 0 && number < 2 * per_set && orientations_[number * rotations] < orientation_count;
  }

  bool touch(int number, bool placed) {
    number_ = number;
    placed_ = placed;
    return has_begun_ = true;
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
    if (placed_) {  // must be the piece just put down
      const Dots& dots = placements[to_];
      return dots.on_board() && (dots.space[0] == space || dots.space[1] == space || dots.space[2] == space) &&
             touch(number_, false);
    }
    const int id = track_.position.top(static_cast<Space>(space));
    return id != no_piece && touch(number_of_[id], false);
  }

  // Plays the difference to the last Done if it is a legal move.
  bool finish() {
    Position& p = track_.position;
    if (number_ == none || !placed_ || !placements[to_].on_board() || number_ / per_set != p.to_move()) return false;
    const int id = id_of_[number_];
    const Space from = id == no_piece ? no_space : punct_of(p.piece(id).placement);
    if (id != no_piece && (p.top(from) != id || p.piece(id).placement == to_)) return false;
    if (!push(track_, id == no_piece ? make_add(to_) : make_move(from, to_))) return false;
    const int landed = p.top(punct_of(to_));
    id_of_[number_] = static_cast<uint8_t>(landed);
    number_of_[landed] = static_cast<int8_t>(number_);
    number_ = none;
    placed_ = has_begun_ = false;
    return true;
  }

  Track& track_;
  const uint8_t* orientations_;
  std::array<uint8_t, 2 * per_set> id_of_ = no_ids();  // by Boardspace's number: the kernel's, no_piece in the set
  std::array<int8_t, piece_count> number_of_{};        // and back
  int number_ = none;                                  // the piece in hand or just put down
  int resigning_ = none;
  bool placed_ = false, has_begun_ = false;
  Placement to_ = no_placement;  // where it was put

  static constexpr std::array<uint8_t, 2 * per_set> no_ids() {
    std::array<uint8_t, 2 * per_set> out{};
    for (uint8_t& id : out) id = no_piece;
    return out;
  }
};

// Reads the properties of one node; false if one is not understood.
bool read_node(Reader& reader, ActionReplay& replay, Colour first_seat, std::vector<Span>& comments) {
  for (;;) {
    reader.skip_blanks();
    const std::string_view name = reader.take_name();
    if (name.empty()) return true;
    const bool is_action = name == "P0" || name == "P1", is_comment = name == "C";
    const Colour player = name == "P1" ? other(first_seat) : first_seat;
    reader.skip_blanks();
    if (reader.next() != '[') return false;
    for (; reader.next() == '['; reader.skip_blanks()) {
      const Py_ssize_t begin = ++reader.at;
      if (is_action) {
        if (!replay.act(player, Words(reader.take_value()))) return false;
      } else {
        if (!reader.skip_value()) return false;
        if (is_comment && reader.at - 1 > begin) comments.emplace_back(begin, reader.at - 1);
      }
    }
  }
}

using Comment = std::pair<size_t, Span>;  // with the number of moves played, the one it is about included

struct Replayed {
  size_t moves = 0;  // played
  std::vector<Comment> comments;
  Py_ssize_t end;  // of the last node after which no piece was in hand
};

Replayed replay_nodes(ActionReplay& replay, const Track& track, Reader reader, Colour first_seat) {
  Replayed result{0, {}, reader.at};
  std::vector<Span> comments;
  std::vector<Comment> pending;
  for (;;) {
    reader.skip_blanks();
    if (reader.take() != ';' || !read_node(reader, replay, first_seat, comments)) return result;
    const unsigned char after = reader.next();
    if (after != ';' && after != ')') return result;
    // A comment during a move is about that move.
    const size_t move_count = track.played.size() + replay.has_begun();
    for (const Span& comment : comments) pending.emplace_back(move_count, comment);
    comments.clear();
    if (!replay.is_settled()) continue;
    result.moves = track.played.size();
    result.comments.insert(result.comments.end(), pending.begin(), pending.end());
    pending.clear();
    result.end = reader.at;
  }
}

// Replays the actions from `at` on, on an empty board, node by node up to one that the library has to handle.
// `first_seat` is the colour of P0, and `orientations` has, by piece and rotation, the kernel's orientation or 255.
// Returns the moves; the hash after each; comments, as (index of the move they are about, begin, end); and where
// reading stopped.
nb::tuple push_actions(Track& track, const nb::str& text, Py_ssize_t at, int first_seat,
                       const nb::bytes& orientations) {
  if (orientations.size() != 2 * per_set * rotations) throw nb::value_error("an orientation for each piece is needed");
  if (!track.played.empty() || track.position.placed(White) || track.position.placed(Black))
    throw nb::value_error("actions are replayed from an empty board on");
  ActionReplay replay(track, reinterpret_cast<const uint8_t*>(orientations.c_str()));
  const Colour first = colour_from(first_seat);
  const Utf8 utf8(text, at);
  const Replayed result = replay_nodes(replay, track, Reader(utf8), first);
  while (track.played.size() > result.moves) pop(track);
  nb::list numbers, hashes, comments;
  for (size_t i = 0; i < result.moves; ++i) {
    numbers.append(track.played[i].first);
    hashes.append(i + 1 < result.moves ? track.played[i + 1].second.hash : track.position.hash());
  }
  for (const auto& [moves, span] : result.comments)
    comments.append(
        nb::make_tuple(static_cast<Py_ssize_t>(moves) - 1, utf8.characters(span.first), utf8.characters(span.second)));
  return nb::make_tuple(numbers, hashes, comments, utf8.characters(result.end));
}

}  // namespace

void bind_boardspace(nb::module_& m) {
  m.def("push_actions", &push_actions, "track"_a, "text"_a, "at"_a, "first_seat"_a, "orientations"_a);
}

}  // namespace punct::bindings
