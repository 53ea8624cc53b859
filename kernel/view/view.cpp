#include "view/view.hpp"

#include <algorithm>
#include <memory>

#include "core/chain.hpp"
#include "core/episode.hpp"
#include "core/generate.hpp"
#include "core/text.hpp"
#include "core/wins.hpp"

namespace punct::view {
namespace {

constexpr int max_listed_threats = 12;
constexpr std::string_view connection = "connection";

const char* letter_of(Colour c) { return c == White ? "w" : "b"; }
std::string letter_of(Kind k) { return {kind_text[k]}; }

template <class Spaces>
void write_spaces(Json& out, const Spaces& spaces) {
  out.begin_list();
  for (const Space s : spaces) out.value(space_name(s));
  out.end_list();
}

void write_dot(Json& out, Space s, int id) {
  out.begin_object().field("space", space_name(s)).field("piece", piece_name(id)).end_object();
}

void write_piece(Json& out, const Position& p, int id) {
  const Placement lies = p.piece(id).placement;
  const Dots& dots = placements[lies];
  const std::array<uint8_t, 3> above = pieces_above(p, id);
  out.begin_object();
  out.field("id", piece_name(id)).field("colour", letter_of(Position::owner(id)));
  out.field("kind", letter_of(Position::kind(id))).field("space", space_name(punct_of(lies)));
  out.field("heading", heading_text[heading_of(lies)]).field("level", p.piece(id).level);
  out.key("spaces");
  write_spaces(out, dots.space);
  out.field("bridge", lies_as_bridge(p, id)).field("free", p.is_free(id));
  out.key("blocked_by").begin_list();
  for (int i = 0; i < 3; ++i)
    if (above[i] != no_piece) write_dot(out, dots.space[i], above[i]);
  out.end_list().end_object();
}

void write_pieces(Json& out, const Position& p) {
  out.begin_list();
  for (const int id : pieces_in_order(p)) write_piece(out, p, id);
  out.end_list();
}

void write_set(Json& out, const Position& p, Colour c) {
  out.key(letter_of(c)).begin_object();
  for (int k = 0; k < kind_count; ++k) out.field(letter_of(static_cast<Kind>(k)), p.in_set(c, static_cast<Kind>(k)));
  out.end_object();
}

// A set of spaces as base64: a bit for each space by its number, 27 bytes, which need no padding.
std::string mask_of(const Bits& spaces) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr int bytes = (space_count + 7) / 8;
  static_assert(bytes % 3 == 0);
  uint8_t mask[bytes] = {};
  spaces.each([&](int bit) {
    const int s = board.space[bit];
    mask[s >> 3] = static_cast<uint8_t>(mask[s >> 3] | 1 << (s & 7));
  });
  std::string out;
  for (int i = 0; i < bytes; i += 3) {
    const unsigned three = static_cast<unsigned>(mask[i] << 16 | mask[i + 1] << 8 | mask[i + 2]);
    for (int shift = 18; shift >= 0; shift -= 6) out += digits[three >> shift & 63];
  }
  return out;
}

// Every legal move, as one mask for each piece and heading. Moves are listed by piece and heading, so those of a mask
// are contiguous. (From the list, not from the walk over landings: each use of that compiles to as much as this file.)
void write_legal(Json& out, const Position& p, bool open) {
  const auto moves = std::make_unique<MoveList>();
  if (open) list_moves(p, *moves);
  out.begin_object().field("count", moves->count).key("adds").begin_object();
  std::string key;  // the kind that is added, or the space of the piece that moves
  bool adding = true;
  for (const Move* m = moves->begin(); m != moves->end();) {
    const int orientation = placement_parts.orientation[placement_of(*m)];
    const std::string next_key = is_add(*m) ? letter_of(shapes[orientation].kind) : space_name(from_of(*m));
    if (next_key != key) {
      if (!key.empty()) out.end_object();
      if (adding && !is_add(*m)) out.end_object().key("moves").begin_object();
      adding = is_add(*m);
      out.key(next_key).begin_object();
      key = next_key;
    }
    Bits spaces;
    const Move first = *m;
    for (; m != moves->end() && from_of(*m) == from_of(first) &&
           placement_parts.orientation[placement_of(*m)] == orientation;
         ++m)
      spaces.set(board.bit[punct_of(placement_of(*m))]);
    out.field(heading_text[shapes[orientation].heading], mask_of(spaces));
  }
  if (!key.empty()) out.end_object();
  if (adding) out.end_object().key("moves").begin_object();
  out.end_object().end_object();
}

void write_threat(Json& out, const Position& p, Colour c, bool open) {
  const auto wins = std::make_unique<MoveList>();
  if (open) list_wins(p, c, *wins);
  Chain chain;
  if (wins->count) {
    Position after = p;  // as if it were this player's turn
    Undo undo;
    after.set_to_move(c);
    after.make(wins->move[0], undo);
    chain = shortest_chain(after.showing(c));
  }
  out.begin_object().field("count", wins->count).key("turns").begin_list();
  for (int i = 0; i < std::min(wins->count, max_listed_threats); ++i) out.value(text_of(wins->move[i]));
  out.end_list().key("chain");
  write_spaces(out, chain);
  out.end_object();
}

void write_outcome(Json& out, const std::optional<GameEnd>& end) {
  if (!end) {
    out.null();
    return;
  }
  out.begin_object().key("winner");
  if (end->winner)
    out.value(letter_of(*end->winner));
  else
    out.null();
  out.field("reason", end->reason).end_object();
}

const char* result_of(const std::optional<GameEnd>& end) {
  if (!end) return "*";
  return !end->winner ? "1/2-1/2" : *end->winner == White ? "1-0" : "0-1";
}

const char* word_of(Manner manner) {
  switch (manner) {
    case Manner::Added: return "add";
    case Manner::Moved: return "move";
    case Manner::Rotated: return "turn";
    case Manner::Jumped: return "jump";
    default: return "bridge";
  }
}

// The move that led here, with everything that changed.
void write_last(Json& out, const Track& track) {
  const Position& p = track.position;
  const auto& [move, undo] = track.played.back();
  const int id = undo.piece;
  const Piece &piece = p.piece(id), &before = undo.before;
  const bool added = is_add(move);
  const Dots& dots = placements[piece.placement];
  const Dots& left = added ? dots : placements[before.placement];  // not used for an added piece
  out.begin_object();
  out.field("text", text_of(move)).field("colour", letter_of(Position::owner(id)));
  out.field("kind", letter_of(Position::kind(id))).field("piece", piece_name(id));
  out.field("manner", word_of(manner_of(move, p)));
  if (added) {
    out.key("origin").null().key("origin_heading").null().key("origin_level").null();
  } else {
    out.field("origin", space_name(from_of(move)));
    out.field("origin_heading", heading_text[heading_of(before.placement)]).field("origin_level", before.level);
  }
  const Space to = punct_of(piece.placement);
  out.field("space", space_name(to)).field("heading", heading_text[heading_of(piece.placement)]);
  out.field("level", piece.level).key("path");
  write_spaces(out, spaces_between(added ? to : from_of(move), to));
  out.key("covered").begin_list();
  for (int i = 0; i < 3; ++i)
    if (piece.under[i] != no_piece) write_dot(out, dots.space[i], piece.under[i]);
  out.end_list();
  std::vector<Space> emptied;
  out.key("uncovered").begin_list();
  for (int i = 0; i < 3 && !added; ++i) {
    const Space s = left.space[i];
    if (std::find(dots.space, dots.space + 3, s) != dots.space + 3) continue;
    if (p.top(s) == no_piece)
      emptied.push_back(s);
    else
      write_dot(out, s, p.top(s));
  }
  out.end_list().key("emptied");
  write_spaces(out, emptied);
  out.end_object();
}

void write_offset(Json& out, int column, int row) {
  out.begin_object().field("column", column).field("row", row).end_object();
}

void write_space_set(Json& out, const Bits& spaces) {
  out.begin_list();
  spaces.each([&](int bit) { out.value(space_name(board.space[bit])); });
  out.end_list();
}

void write_kind(Json& out, Kind k) {
  out.begin_object().field("count", set_count[k]).key("middle");
  if (k == T)
    out.null();
  else
    out.value(punct_in_middle(k) ? 0 : 1);
  out.key("headings").begin_list();
  for (int h = 0; h < headings_of(k); ++h) out.value(heading_text[h]);
  out.end_list().key("dots").begin_object();
  for (int h = 0; h < heading_count; ++h) {
    const Shape& shape = shapes[orientation_of(k, h)];
    // A straight piece with its PÜNCT in the centre lies as with the opposite heading, its dots the other way round.
    const int sign = shape.heading == h ? 1 : -1;
    out.key(heading_text[h]).begin_list();
    for (int i = 0; i < 3; ++i) write_offset(out, sign * shape.columns[i], sign * shape.rows[i]);
    out.end_list();
  }
  out.end_object().end_object();
}

}  // namespace

void write_board(Json& out) {
  out.begin_object().key("spaces").begin_list();
  for (int s = 0; s < space_count; ++s)
    out.begin_object()
        .field("name", space_name(static_cast<Space>(s)))
        .field("column", board.column[s])
        .field("row", board.row[s] + 1)
        .end_object();
  out.end_list().key("headings").begin_object();
  for (int h = 0; h < heading_count; ++h) {
    out.key(heading_text[h]);
    write_offset(out, column_step[h], row_step[h]);
  }
  out.end_object().key("centre");
  write_space_set(out, board.centre);
  out.key("sides").begin_list();
  for (const auto& [near, far] : shown_sides) {
    out.begin_list();
    write_space_set(out, board.side[near]);
    write_space_set(out, board.side[far]);
    out.end_list();
  }
  out.end_list().key("kinds").begin_object();
  for (int k = 0; k < kind_count; ++k) {
    out.key(letter_of(static_cast<Kind>(k)));
    write_kind(out, static_cast<Kind>(k));
  }
  out.end_object().end_object();
}

std::optional<GameEnd> end_of(const Position& p) {
  const Verdict verdict = p.verdict();
  if (verdict.outcome == Outcome::Open) return std::nullopt;
  GameEnd end;
  if (verdict.outcome != Outcome::Draw) end.winner = verdict.outcome == Outcome::WhiteWins ? White : Black;
  const char* last_piece = p.rules() == Standard ? "centre_count" : "last_piece";
  end.reason = verdict.ending == Ending::Connection ? connection
               : verdict.ending == Ending::NoMove   ? "no_turn"
                                                    : last_piece;
  return end;
}

void write_view(Json& out, const Track& track, const std::optional<GameEnd>& end) {
  const Position& p = track.position;
  Chain chain;
  if (end && end->winner && end->reason == connection) chain = shortest_chain(p.showing(*end->winner));
  out.begin_object();
  out.field("ply", static_cast<int64_t>(track.played.size())).field("text", text_of(p));
  out.field("rules", p.rules() == Standard ? "standard" : "basic").field("turn", letter_of(p.to_move()));
  out.key("pieces");
  write_pieces(out, p);
  out.key("sets").begin_object();
  write_set(out, p, White);
  write_set(out, p, Black);
  out.end_object();
  out.key("centre").begin_object();
  out.field("w", p.centre_count(White)).field("b", p.centre_count(Black)).end_object();
  out.key("chain");
  write_spaces(out, chain);
  out.key("outcome");
  write_outcome(out, end);
  out.field("result", result_of(end)).key("legal");
  write_legal(out, p, !end);
  out.key("threats").begin_object().key("w");
  write_threat(out, p, White, !end);
  out.key("b");
  write_threat(out, p, Black, !end);
  out.end_object().key("last");
  if (track.played.empty())
    out.null();
  else
    write_last(out, track);
  out.end_object();
}

void write_game(Json& out, const Track& track) {
  const Position& p = track.position;
  struct PlayedMove {
    Move move;
    Colour colour;
    Kind kind;
    Manner manner;
    int level;
  };
  std::vector<PlayedMove> moves;  // the latest first
  int occurrences = 1;
  bool could_repeat = true;  // an added piece never leaves the board: no earlier position can be equal
  for (Track back = track; !back.played.empty();) {
    const auto& [m, undo] = back.played.back();
    const int id = undo.piece;
    moves.push_back(
        {m, Position::owner(id), Position::kind(id), manner_of(m, back.position), back.position.piece(id).level});
    could_repeat = could_repeat && !is_add(m);
    pop(back);
    if (could_repeat && back.position.hash() == p.hash() && text_of(back.position) == text_of(p)) ++occurrences;
  }
  out.begin_object().key("turns").begin_list();
  for (auto move = moves.rbegin(); move != moves.rend(); ++move) {
    out.begin_object().field("ply", static_cast<int64_t>(move - moves.rbegin())).field("text", text_of(move->move));
    out.field("colour", letter_of(move->colour)).field("kind", letter_of(move->kind));
    out.field("manner", word_of(move->manner)).field("level", move->level).end_object();
  }
  out.end_list().field("repetitions", occurrences).key("view");
  std::optional<GameEnd> end = end_of(p);
  if (!end && occurrences >= repetitions_to_draw) end = GameEnd{std::nullopt, "repetition"};
  write_view(out, track, end);
  out.end_object();
}

}  // namespace punct::view
