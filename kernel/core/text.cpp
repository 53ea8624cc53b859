#include "text.hpp"

#include <algorithm>

namespace punct {
namespace {

// As the library's: every blank of ASCII.
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f); }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view t) {
  while (!t.empty() && is_blank(t.front())) t.remove_prefix(1);
  while (!t.empty() && is_blank(t.back())) t.remove_suffix(1);
  return t;
}

constexpr std::size_t max_move_length = sizeof "Ed10-h10se" - 1;
constexpr std::size_t max_blanks = 4096;
constexpr std::size_t max_position_length =
    sizeof "standard w" - 1 + piece_count * (sizeof " wTd10se" - 1) + max_blanks;

// The parts of a move or a piece, not yet interpreted.
struct Parts {
  std::string_view kind, first, second, heading;
};

// A letter and digits; empty if the text does not begin so.
std::string_view take_place(std::string_view& t) {
  std::size_t n = 0;
  if (!t.empty() && (is_upper(t[0]) || is_lower(t[0])))
    for (n = 1; n < t.size() && is_digit(t[n]);) ++n;
  const std::string_view place = n < 2 ? std::string_view() : t.substr(0, n);
  t.remove_prefix(place.size());
  return place;
}

// [kind] place [-place] [heading], and nothing else. "D5-h9se" begins with a space in upper case, not with a kind.
bool split(std::string_view t, Parts& out) {
  if (t.size() > max_move_length) return false;
  if (t.size() > 1 && is_upper(t[0]) && !is_digit(t[1])) {
    out.kind = t.substr(0, 1);
    t.remove_prefix(1);
  }
  out.first = take_place(t);
  if (out.first.empty()) return false;
  if (!t.empty() && t[0] == '-') {
    t.remove_prefix(1);
    out.second = take_place(t);
    if (out.second.empty()) return false;
  }
  out.heading = t;
  return std::all_of(t.begin(), t.end(), is_lower);
}

int space_from(std::string_view t) {
  if (t.size() > 3 || t[1] == '0') return -1;
  const int column = t[0] - (is_lower(t[0]) ? 'a' : 'A');
  const int row = t.size() == 2 ? t[1] - '0' : (t[1] - '0') * 10 + t[2] - '0';
  return space_at(column, row - 1);
}

int kind_from(std::string_view t) {
  for (int k = 0; k < kind_count; ++k)
    if (t[0] == kind_text[k]) return k;
  return -1;
}

int heading_from(std::string_view t) {
  for (int h = 0; h < heading_count; ++h)
    if (t == heading_text[h]) return h;
  return -1;
}

struct ParsedPiece {
  Colour colour;
  Kind kind;
  Space space;
  uint8_t heading;
};

// "wEd5ne", which need not fit the board.
ReadResult read_piece(std::string_view word, ParsedPiece& out) {
  Parts parts;
  const bool coloured = word[0] == 'w' || word[0] == 'b';
  // The colour counts as one more letter of the longest word.
  if (!coloured || word.size() > max_move_length || !split(word.substr(1), parts) || parts.kind.empty() ||
      !parts.second.empty())
    return {ReadError::NoPiece, word};
  const int k = kind_from(parts.kind);
  if (k < 0) return {ReadError::NoKind, word, parts.kind};
  const int h = heading_from(parts.heading);
  if (h < 0) return {ReadError::NoHeading, word, parts.heading};
  const int s = space_from(parts.first);
  if (s < 0) return {ReadError::NoSpace, word, parts.first};
  out = {word[0] == 'w' ? White : Black, static_cast<Kind>(k), static_cast<Space>(s), static_cast<uint8_t>(h)};
  return {};
}

void append_placement(std::string& out, Placement p) {
  out += kind_text[kind_of(p)];
  out += space_name(punct_of(p));
  out += heading_text[heading_of(p)];
}

}  // namespace

std::string space_name(Space s) { return static_cast<char>('a' + board.column[s]) + std::to_string(board.row[s] + 1); }

std::string text_of(Move m) {
  std::string out;
  const Placement to = placement_of(m);
  if (is_add(m)) {
    append_placement(out, to);
    return out;
  }
  return space_name(from_of(m)) + '-' + space_name(punct_of(to)) + heading_text[heading_of(to)];
}

std::string text_of(const Position& p) {
  std::string out = p.rules() == Standard ? "standard " : "basic ";
  out += p.to_move() == White ? 'w' : 'b';
  for (const int id : pieces_in_order(p)) {
    out += Position::owner(id) == White ? " w" : " b";
    append_placement(out, p.piece(id).placement);
  }
  return out;
}

std::string_view next_word(std::string_view& rest) {
  rest = trimmed(rest);
  std::size_t n = 0;
  while (n < rest.size() && !is_blank(rest[n])) ++n;
  const std::string_view word = rest.substr(0, n);
  rest.remove_prefix(n);
  return word;
}

ReadResult read_position(std::string_view text, Position& out) {
  if (text.size() > max_position_length) return {ReadError::TooLong, text};
  std::string_view rest = text;
  const std::string_view rules = next_word(rest);
  const std::string_view side = next_word(rest);
  if (side.empty()) return {ReadError::NoBeginning, text};
  if (rules != "standard" && rules != "basic") return {ReadError::NoRules, rules};
  if (side != "w" && side != "b") return {ReadError::NoSide, side};
  Position p(rules == "standard" ? Standard : Basic);
  p.set_to_move(side == "w" ? White : Black);
  ReadResult result;
  for (;;) {
    const std::string_view word = next_word(rest);
    if (word.empty()) break;
    ParsedPiece piece;
    const ReadResult read = read_piece(word, piece);
    if (!read) return read;
    if (!result) continue;  // a word that cannot be read is reported before a piece that cannot lie there
    const Placement to = placement_of(orientation_of(piece.kind, piece.heading), piece.space);
    if (!placements[to].on_board())
      result = {ReadError::OffBoard, word};
    else if (!p.in_set(piece.colour, piece.kind))
      result = {ReadError::TooMany, word};
    else if (!p.place(piece.colour, to))
      result = {ReadError::NoSupport, word};
  }
  if (result) out = p;
  return result;
}

ReadResult read_move(std::string_view text, ParsedMove& out) {
  const std::string_view word = trimmed(text);
  Parts parts;
  if (!split(word, parts)) return {ReadError::NoMove, text};
  const int k = parts.kind.empty() ? -1 : kind_from(parts.kind);
  if (k < 0 && !parts.kind.empty()) return {ReadError::NoKind, word, parts.kind};
  if (k < 0 && parts.second.empty()) return {ReadError::KindMissing, word};
  const int first = space_from(parts.first);
  if (first < 0) return {ReadError::NoSpace, word, parts.first};
  const int second = parts.second.empty() ? first : space_from(parts.second);
  if (second < 0) return {ReadError::NoSpace, word, parts.second};
  const int h = heading_from(parts.heading);
  if (h < 0) return {ReadError::NoHeading, word, parts.heading};
  out.kind = static_cast<int8_t>(k);
  out.from = parts.second.empty() ? no_space : static_cast<Space>(first);
  out.to = static_cast<Space>(second);
  out.heading = static_cast<uint8_t>(h);
  return {};
}

int heading_of(const ParsedMove& m) {
  return m.is_add() ? shapes[orientation_of(static_cast<Kind>(m.kind), m.heading)].heading : m.heading;
}

std::string text_of(const ParsedMove& m) {
  std::string out = m.is_add() ? std::string(1, kind_text[m.kind]) : space_name(m.from) + '-';
  return out + space_name(m.to) + heading_text[heading_of(m)];
}

bool pack(const ParsedMove& parsed, const Position& p, Move& out) {
  int k = parsed.kind;
  if (!parsed.is_add()) {
    const int id = p.top(parsed.from);
    if (id == no_piece || (k >= 0 && k != Position::kind(id))) return false;
    k = Position::kind(id);
  }
  const Placement to = placement_of(orientation_of(static_cast<Kind>(k), parsed.heading), parsed.to);
  if (!placements[to].on_board()) return false;
  out = parsed.is_add() ? make_add(to) : make_move(parsed.from, to);
  return true;
}

}  // namespace punct
