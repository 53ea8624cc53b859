#include "wasm/words.hpp"

namespace punct::wasm {
namespace {

// By Reason, as in src/punct/reason.py.
constexpr ReasonWords reasons[reason_count] = {
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

// The first characters of a text, which may be of several bytes each, and how many there are in all.
constexpr std::size_t longest_token = 40;

std::size_t characters(std::string_view text) {
  std::size_t n = 0;
  for (const char c : text) n += (c & 0xc0) != 0x80;
  return n;
}

std::string_view first_characters(std::string_view text) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] & 0xc0) == 0x80) continue;
    if (seen++ == longest_token) return text.substr(0, i);
  }
  return text;
}

// In quotes, as Python shows a text; what is too long is cut.
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
  if (shown.size() < text.size()) out += "… (" + std::to_string(characters(text)) + " characters)";
  return out;
}

bool looks_like_a_space(std::string_view t) {
  const char column = static_cast<char>(t[0] | 0x20);
  return t.size() <= 3 && column >= 'a' && column <= 'q' && t[1] != '0';
}

// What is wrong with a part of a word.
std::string part_words(const ReadResult& read) {
  const std::string part(read.part);
  switch (read.fault) {
    case Fault::NoKind: return '\'' + part + "' is not a kind of piece: T, C, E, M, L or R";
    case Fault::NoHeading:
      return (part.empty() ? "the heading is missing" : '\'' + part + "' is not a heading") +
             ": write n, ne, se, s, sw or nw";
    case Fault::KindMissing: return "an add starts with the kind of the piece (T, C, E, M, L or R)";
    default:
      return looks_like_a_space(part)
                 ? part + " is not one of the board's 211 spaces"
                 : quoted(part) + " is not a space: write a column letter a–q and a row number 1–17, such as i9";
  }
}

std::string sentence(std::string words) {
  // (A quotation begins with its mark, which has no other case.)
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words + '.';
}

void write_unreadable(Json& out, const char* code, const char* fault, const ReadResult& read) {
  out.begin_object().key("error").begin_object();
  out.field("code", code).field("message", sentence(words_of(read)));
  out.key("detail").begin_object();
  out.field("fault", fault).field("token", token_of(read));
  out.end_object().end_object().end_object();
}

}  // namespace

const ReasonWords& words_of(Reason reason) { return reasons[static_cast<int>(reason)]; }

const char* position_code(Fault fault) {
  switch (fault) {
    case Fault::TooLong: return "length";
    case Fault::NoBeginning:
    case Fault::NoRules:
    case Fault::NoSide: return "beginning";
    case Fault::OffBoard: return "off_board";
    case Fault::TooMany: return "too_many";
    case Fault::NoSupport: return "support";
    case Fault::NoSpace: return "space";
    default: return "piece";
  }
}

std::string_view token_of(const ReadResult& read) {
  return first_characters(read.fault == Fault::NoSpace ? read.part : read.word);
}

std::string words_of(const ReadResult& read) {
  const std::string word = quoted(read.word);
  switch (read.fault) {
    case Fault::TooLong: return word + " is too long for a position: at most 36 pieces";
    case Fault::NoBeginning:
      return word + " is not a position: begin with the rules and the side to move, such as 'standard w'";
    case Fault::NoRules: return word + " is not a set of rules: write basic or standard";
    case Fault::NoSide: return word + " is not a side to move: write w or b";
    case Fault::NoPiece:
      return word + " is not a piece on the board: write colour, kind, space and heading, such as wTb9ne";
    case Fault::OffBoard: return std::string(read.word) + ": a dot of this piece would be off the board";
    case Fault::TooMany: {
      const std::string colour = read.word[0] == 'w' ? "White" : "Black";
      const std::string_view kinds = kind_text;
      const char count = static_cast<char>('0' + set_count[kinds.find(read.word[1])]);
      return std::string(read.word) + ": " + colour + " has only " + count + " pieces of kind " + read.word[1];
    }
    case Fault::NoSupport: return std::string(read.word) + ": the piece lies neither flat nor as a bridge";
    case Fault::NoMove: return word + " is not a turn: write an add as Ed5ne and a move as d5-h9se";
    default: return word + ": " + part_words(read);
  }
}

const char* code_of(Impossible what) {
  switch (what) {
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

void write_unreadable_position(Json& out, const ReadResult& read) {
  write_unreadable(out, "invalid_position", position_code(read.fault), read);
}

void write_unreadable_turn(Json& out, const ReadResult& read) {
  write_unreadable(out, "invalid_turn", read.fault == Fault::NoSpace ? "space" : "turn", read);
}

void write_illegal_turn(Json& out, std::string_view turn, Reason reason) {
  const ReasonWords& words = words_of(reason);
  out.begin_object().key("error").begin_object();
  out.field("code", "illegal_turn").field("message", sentence(words.sentence));
  out.key("detail").begin_object();
  out.field("turn", turn).field("reason", words.name).field("section", words.section);
  out.end_object().end_object().end_object();
}

}  // namespace punct::wasm
