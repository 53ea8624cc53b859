#include "text.hpp"

#include <algorithm>

namespace punct {
namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view trimmed(std::string_view t) {
  while (!t.empty() && is_blank(t.front())) t.remove_prefix(1);
  while (!t.empty() && is_blank(t.back())) t.remove_suffix(1);
  return t;
}

std::string_view next_word(std::string_view& rest) {
  rest = trimmed(rest);
  std::size_t n = 0;
  while (n < rest.size() && !is_blank(rest[n])) ++n;
  const std::string_view word = rest.substr(0, n);
  rest.remove_prefix(n);
  return word;
}

// Takes a space off the front; -1 if there is none.
int take_space(std::string_view& t) {
  if (t.size() < 2) return -1;
  int column = t[0] >= 'a' && t[0] <= 'q' ? t[0] - 'a' : t[0] >= 'A' && t[0] <= 'Q' ? t[0] - 'A' : -1;
  if (column < 0 || t[1] < '1' || t[1] > '9') return -1;
  int row = t[1] - '0';
  std::size_t n = 2;
  if (t.size() > 2 && t[2] >= '0' && t[2] <= '9') row = row * 10 + (t[2] - '0'), n = 3;
  t.remove_prefix(n);
  return space_at(column, row - 1);
}

int take_kind(std::string_view& t) {
  if (t.empty()) return -1;
  for (int k = 0; k < kind_count; ++k)
    if (t[0] == kind_text[k]) {
      t.remove_prefix(1);
      return k;
    }
  return -1;
}

int heading_from(std::string_view t) {
  for (int h = 0; h < heading_count; ++h)
    if (t == heading_text[h]) return h;
  return -1;
}

// "Ed5ne" to a placement; no_placement if it is not one on the board.
Placement placement_from(std::string_view t) {
  const int k = take_kind(t);
  if (k < 0) return no_placement;
  const int s = take_space(t);
  const int h = heading_from(t);
  if (s < 0 || h < 0) return no_placement;
  const Placement p = placement_of(orientation_of(static_cast<Kind>(k), h), static_cast<Space>(s));
  return placements[p].on_board() ? p : no_placement;
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
  int order[piece_count], n = 0;
  for (int id = 0; id < piece_count; ++id)
    if (p.on_board(id)) order[n++] = id;
  // Two pieces on one level never share a space, so this decides every pair.
  const auto rank = [&](int id) { return p.piece(id).level << 8 | punct_of(p.piece(id).placement); };
  std::sort(order, order + n, [&](int a, int b) { return rank(a) < rank(b); });
  for (int i = 0; i < n; ++i) {
    out += Position::owner(order[i]) == White ? " w" : " b";
    append_placement(out, p.piece(order[i]).placement);
  }
  return out;
}

ReadResult read_position(std::string_view text, Position& out) {
  std::string_view rest = text;
  const std::string_view rules = next_word(rest);
  if (rules != "standard" && rules != "basic") return {TextError::BadRules, 0};
  const std::string_view side = next_word(rest);
  if (side != "w" && side != "b") return {TextError::BadSideToMove, 1};
  Position p(rules == "standard" ? Standard : Basic);
  p.set_to_move(side == "w" ? White : Black);
  for (int token = 2;; ++token) {
    std::string_view word = next_word(rest);
    if (word.empty()) break;
    const char colour = word[0];
    word.remove_prefix(1);
    const Placement placement = placement_from(word);
    if ((colour != 'w' && colour != 'b') || placement == no_placement) return {TextError::BadPiece, token};
    if (!p.place(colour == 'w' ? White : Black, placement)) return {TextError::DoesNotRest, token};
  }
  out = p;
  return {};
}

ReadResult read_move(std::string_view text, const Position& p, Move& out) {
  const ReadResult wrong{TextError::BadMove, 0};
  std::string_view t = trimmed(text);
  const int named = take_kind(t);
  const int first = take_space(t);
  if (first < 0 || t.empty()) return wrong;
  if (t[0] != '-') {
    const int h = heading_from(t);
    if (named < 0 || h < 0) return wrong;
    const Placement to = placement_of(orientation_of(static_cast<Kind>(named), h), static_cast<Space>(first));
    if (!placements[to].on_board()) return wrong;
    out = make_add(to);
    return {};
  }
  t.remove_prefix(1);
  const int second = take_space(t);
  const int h = heading_from(t);
  const int id = p.top(static_cast<Space>(first));
  if (second < 0 || h < 0 || id == no_piece) return wrong;
  const Kind k = Position::kind(id);
  if (named >= 0 && named != k) return wrong;
  const Placement to = placement_of(orientation_of(k, h), static_cast<Space>(second));
  if (!placements[to].on_board()) return wrong;
  out = make_move(static_cast<Space>(first), to);
  return {};
}

}  // namespace punct
