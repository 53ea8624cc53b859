#include "view/sentences.hpp"

namespace punct::view {
namespace {

// By Reason, as in src/punct/reason.py.
constexpr ReasonText reasons[reason_count] = {
    {"GAME_OVER", "F", "the game is over, so nobody may play on"},
    {"NOT_IN_SET", "D1", "the set has no piece of this kind left"},
    {"OFF_BOARD", "E1.1", "all three dots of a piece must be on the board"},
    {"SPACE_TAKEN", "E1.3", "a new piece starts at board level, on three empty spaces"},
    {"SPACE_UNDER_BRIDGE", "E4.4", "the empty space under a bridge is blocked; nothing can be put there"},
    {"FIRST_PIECE_IN_CENTRE", "E1.2", "White's first piece may not touch the central hexagon"},
    {"ADDED_IN_CENTRE", "G",
     "in the standard game a new piece may not touch the central hexagon, not even with one dot"},
    {"NO_PIECE", "E2.1", "there is no piece on this space"},
    {"OPPONENTS_PIECE", "E2.1", "this piece belongs to the opponent; you may move only your own"},
    {"NOT_ITS_PUNCT", "E2.2", "this is a minor dot; a move starts from the space of the piece's PÜNCT"},
    {"OTHER_KIND", "E2.2", "the piece whose PÜNCT is there is of another kind than the one written"},
    {"COVERED", "E3.3", "a piece lies on one of its dots, so it can neither move nor turn"},
    {"UNDER_BRIDGE", "E4.4", "one of its dots is under a bridge, so it can neither move nor turn"},
    {"NOT_IN_LINE", "E2.2", "the PÜNCT moves in a straight line along one of the six directions"},
    {"NO_CHANGE", "E2.5", "the piece must move, turn or both; it would lie exactly as before"},
    {"MOVED_OFF_BOARD", "E2.6", "the piece must be turned so that its minor dots stay on the board"},
    {"PUNCT_ON_OPPONENT", "E3.1", "the PÜNCT must land on one of your own pieces, never on the opponent's"},
    {"UNEVEN", "E3.4", "its three dots would not lie level, and the middle dot must not be higher than the ends"},
    {"TRIANGLE_BRIDGE", "E4.2", "a triangle cannot bridge: all three of its dots must lie at the same level"},
    {"ENDS_NOT_LEVEL", "E4.3", "both ends of the piece must rest at the same level; an end may not stick out"},
    {"PUNCT_OVER_EMPTY", "E4.4",
     "the PÜNCT in the middle of a bridge must be above your own piece, not an empty space"},
};

constexpr std::size_t max_token_characters = 40;

// Characters of UTF-8, which may be of several bytes each.
std::size_t count_characters(std::string_view text) {
  std::size_t n = 0;
  for (const char c : text) n += (c & 0xc0) != 0x80;
  return n;
}

std::string_view first_characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] & 0xc0) == 0x80) continue;
    if (count++ == max_token_characters) return text.substr(0, i);
  }
  return text;
}

// Quotes a text as Python's repr does; long ones are cut.
std::string quoted(std::string_view text) {
  const std::string_view shown = first_characters(text);
  const bool apostrophe = shown.find('\'') != shown.npos;
  const char quote = apostrophe && shown.find('"') == shown.npos ? '"' : '\'';
  std::string out(1, quote);
  for (const char c : shown) {
    static constexpr char digits[] = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\')
      out += {'\\', c};
    else if (c == '\n' || c == '\r' || c == '\t')
      out += {'\\', c == '\n' ? 'n' : c == '\r' ? 'r' : 't'};
    else if (byte < 0x20 || byte == 0x7f)
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    else
      out += c;
  }
  out += quote;
  if (shown.size() < text.size()) out += "… (" + std::to_string(count_characters(text)) + " characters)";
  return out;
}

bool looks_like_a_space(std::string_view t) {
  const char column = static_cast<char>(t[0] | 0x20);
  return t.size() <= 3 && column >= 'a' && column <= 'q' && t[1] != '0';
}

// What is wrong with the part of a word.
std::string part_sentence(const ReadResult& read) {
  const std::string part(read.part);
  switch (read.error) {
    case ReadError::NoKind: return '\'' + part + "' is not a kind of piece: T, C, E, M, L or R";
    case ReadError::NoHeading:
      return (part.empty() ? "the heading is missing" : '\'' + part + "' is not a heading") +
             ": write n, ne, se, s, sw or nw";
    case ReadError::KindMissing: return "an add starts with the kind of the piece (T, C, E, M, L or R)";
    default:
      return looks_like_a_space(part)
                 ? part + " is not one of the board's 211 spaces"
                 : quoted(part) + " is not a space: write a column letter a–q and a row number 1–17, such as i9";
  }
}

std::string as_sentence(std::string words) {
  // (A quotation begins with its mark, which has no upper case.)
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words + '.';
}

void write_invalid(Json& out, const char* code, const char* fault, const ReadResult& read) {
  out.begin_object().key("error").begin_object();
  out.field("code", code).field("message", as_sentence(sentence_of(read)));
  out.key("detail").begin_object();
  out.field("fault", fault).field("token", token_of(read));
  out.end_object().end_object().end_object();
}

}  // namespace

const ReasonText& reason_text(Reason reason) { return reasons[static_cast<int>(reason)]; }

const char* position_code(ReadError error) {
  switch (error) {
    case ReadError::TooLong: return "length";
    case ReadError::NoBeginning:
    case ReadError::NoRules:
    case ReadError::NoSide: return "beginning";
    case ReadError::OffBoard: return "off_board";
    case ReadError::TooMany: return "too_many";
    case ReadError::NoSupport: return "support";
    case ReadError::NoSpace: return "space";
    default: return "piece";
  }
}

std::string_view token_of(const ReadResult& read) {
  return first_characters(read.error == ReadError::NoSpace ? read.part : read.word);
}

std::string sentence_of(const ReadResult& read) {
  const std::string word = quoted(read.word);
  switch (read.error) {
    case ReadError::TooLong: return word + " is too long for a position: at most 36 pieces";
    case ReadError::NoBeginning:
      return word + " is not a position: begin with the rules and the side to move, such as 'standard w'";
    case ReadError::NoRules: return word + " is not a set of rules: write basic or standard";
    case ReadError::NoSide: return word + " is not a side to move: write w or b";
    case ReadError::NoPiece:
      return word + " is not a piece on the board: write colour, kind, space and heading, such as wTb9ne";
    case ReadError::OffBoard: return std::string(read.word) + ": a dot of this piece would be off the board";
    case ReadError::TooMany: {
      const std::string colour = read.word[0] == 'w' ? "White" : "Black";
      const std::string_view kinds = kind_text;
      const char count = static_cast<char>('0' + set_count[kinds.find(read.word[1])]);
      return std::string(read.word) + ": " + colour + " has only " + count + " pieces of kind " + read.word[1];
    }
    case ReadError::NoSupport: return std::string(read.word) + ": the piece lies neither flat nor as a bridge";
    case ReadError::NoMove: return word + " is not a turn: write an add as Ed5ne and a move as d5-h9se";
    default: return word + ": " + part_sentence(read);
  }
}

const char* code_of(Impossible impossible) {
  switch (impossible) {
    case Impossible::BlackWithoutWhite: return "black_without_white";
    case Impossible::BlackMissed: return "black_missed";
    case Impossible::WhiteMissed: return "white_missed";
    case Impossible::WhiteAhead: return "white_ahead";
    case Impossible::FirstInCentre: return "first_in_centre";
    case Impossible::AllAdded: return "all_added";
    case Impossible::PunctOverEmpty: return "punct_over_empty";
    case Impossible::PunctOnOpponent: return "punct_on_opponent";
    case Impossible::EndedBefore: return "ended_before";
  }
  return "";
}

void write_invalid_position(Json& out, const ReadResult& read) {
  write_invalid(out, "invalid_position", position_code(read.error), read);
}

void write_invalid_move(Json& out, const ReadResult& read) {
  write_invalid(out, "invalid_turn", read.error == ReadError::NoSpace ? "space" : "turn", read);
}

void write_illegal_move(Json& out, std::string_view move, Reason reason) {
  const ReasonText& text = reason_text(reason);
  out.begin_object().key("error").begin_object();
  out.field("code", "illegal_turn").field("message", as_sentence(text.sentence));
  out.key("detail").begin_object();
  out.field("turn", move).field("reason", text.name).field("section", text.section);
  out.end_object().end_object().end_object();
}

}  // namespace punct::view
