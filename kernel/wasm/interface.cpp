// The page's face of the kernel: a few C functions over the same core and search as Python's.
//
// A question is put into the room it asks for: texts, each ended by a zero byte. Every function answers with JSON,
// whose length it returns and which lies where punct_answer() says until the next question. A refusal is
// {"error": …}, in the server's shape.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/generate.hpp"
#include "core/symmetry.hpp"
#include "search/levels.hpp"
#include "wasm/insight.hpp"
#include "wasm/view.hpp"
#include "wasm/words.hpp"

// Where the library would print why it gives up, which takes a fifth of all the code: the page only needs to know that.
#ifdef _LIBCPP_VERSION
_LIBCPP_BEGIN_NAMESPACE_STD
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) noexcept { __builtin_trap(); }
_LIBCPP_END_NAMESPACE_STD
#endif

#define PUNCT_EXPORT(name) extern "C" __attribute__((export_name(#name))) auto name

namespace {

using namespace punct;
using namespace punct::wasm;

std::vector<char> question;
std::string answer;

int tell(const Json& json) {
  answer = json.text();
  return static_cast<int>(answer.size());
}

// The texts of a question.
class Texts {
 public:
  explicit Texts(int length) : rest_(question.data(), static_cast<std::size_t>(length)) {}

  bool more() const { return !rest_.empty(); }
  std::string_view next() {
    const std::size_t end = rest_.find('\0');
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
    return text;
  }

 private:
  std::string_view rest_;
};

// The rules alone stand for their empty board.
std::string start_text(std::string_view text) {
  std::string_view rest = text;
  const std::string_view word = next_word(rest);
  const bool alone = next_word(rest).empty() && (word == "standard" || word == "basic");
  return std::string(alone ? word : text) + (alone ? " w" : "");
}

// A position, and the turns to play there; false with the refusal told.
bool set_up(Texts& texts, Track& track, Json& refused) {
  const std::string start = start_text(texts.next());
  const ReadResult read = read_position(start, track.position);
  if (!read) {
    write_unreadable_position(refused, read);
    return false;
  }
  read_position(text_of(track.position), track.position);  // as it is written canonically: so are the pieces named
  while (texts.more()) {
    const std::string_view text = texts.next();
    WrittenMove written;
    const ReadResult turn = read_move(text, written);
    if (!turn) {
      write_unreadable_turn(refused, turn);
      return false;
    }
    const std::optional<Refusal> refusal = refuse(track.position, written);
    if (refusal) {
      write_illegal_turn(refused, text_of(written), refusal->reason);
      return false;
    }
    Move m;
    pack(written, track.position, m);
    push(track, m);
  }
  return true;
}

}  // namespace

PUNCT_EXPORT(punct_room)(int length)->char* {
  question.resize(static_cast<std::size_t>(length));
  return question.data();
}

PUNCT_EXPORT(punct_answer)()->const char* { return answer.data(); }

PUNCT_EXPORT(punct_board)()->int {
  Json json;
  write_board(json);
  return tell(json);
}

// A position and turns.
PUNCT_EXPORT(punct_view)(int length)->int {
  Texts texts(length);
  Track track;
  Json json;
  if (set_up(texts, track, json)) write_view(json, track);
  return tell(json);
}

// A position and turns: with everything that a game adds to its position.
PUNCT_EXPORT(punct_game)(int length)->int {
  Texts texts(length);
  Track track;
  Json json;
  if (set_up(texts, track, json)) write_game(json, track);
  return tell(json);
}

// The text to judge, a position, and turns.
PUNCT_EXPORT(punct_explain)(int length, bool any_heading)->int {
  Texts texts(length);
  const std::string_view text = texts.next();
  Track track;
  Json json;
  if (set_up(texts, track, json)) write_explanation(json, track.position, text, any_heading);
  return tell(json);
}

// A position.
PUNCT_EXPORT(punct_status)(int length)->int {
  Texts texts(length);
  Json json;
  write_status(json, start_text(texts.next()));
  return tell(json);
}

// A position and turns.
PUNCT_EXPORT(punct_canonical)(int length)->int {
  Texts texts(length);
  Track track;
  Json json;
  if (set_up(texts, track, json)) {
    const Canonical found = canonical(track.position);
    json.begin_object().field("text", found.text).field("symmetry", found.symmetry).end_object();
  }
  return tell(json);
}

// A position and turns.
PUNCT_EXPORT(punct_insight)(int length)->int {
  Texts texts(length);
  Track track;
  Json json;
  if (set_up(texts, track, json)) write_insight(json, track.position);
  return tell(json);
}

// How many ways the game can go on; counted plainly, which is enough for tests.
static uint64_t count_ways(Position& p, int depth) {
  if (depth == 0) return 1;
  if (p.outcome() != Outcome::Open) return 0;
  const auto moves = std::make_unique<MoveList>();
  list_moves(p, *moves);
  if (depth == 1) return static_cast<uint64_t>(moves->count);
  uint64_t ways = 0;
  for (const Move m : *moves) {
    Undo undo;
    p.make(m, undo);
    ways += count_ways(p, depth - 1);
    p.unmake(m, undo);
  }
  return ways;
}

// A position and turns: for tests.
PUNCT_EXPORT(punct_perft)(int length, int depth)->int {
  Texts texts(length);
  Track track;
  Json json;
  if (set_up(texts, track, json)) json.value(count_ways(track.position, depth));
  return tell(json);
}

namespace {

// One search under way: the page asks for the next slice, and for what it has found.
struct Thinking {
  search::Search search;
  Position root;
  const search::Level* level = nullptr;  // whose move is asked for; nobody's where it is an analysis
  uint64_t seed = 0;

  explicit Thinking(std::size_t bytes) : search(bytes) {}
};

// Several boards may think at once. A place is free when it is empty.
constexpr int most_searches = 8;
constexpr std::size_t largest_tree = std::size_t{128} << 20;
std::unique_ptr<Thinking> searches[most_searches];

// A chance from 0 to 1 as a whole number: what is left of it to the page is a division. Exact, for a search reckons in
// floats.
uint64_t exact(double chance) { return static_cast<uint64_t>(chance * 0x1p60); }

void write_variation(Json& out, const search::Variation& variation) {
  out.begin_object().field("move", text_of(variation.move)).field("score", exact(variation.score()));
  out.field("visits", static_cast<int64_t>(variation.visits)).field("proven", variation.proven);
  out.key("pv").begin_list();
  for (const Move m : variation.moves) out.value(text_of(m));
  out.end_list().end_object();
}

void write_report(Json& out, const search::Report& report) {
  out.field("nodes", report.nodes).field("depth", report.depth);
  out.field("microseconds", static_cast<uint64_t>(report.seconds * 1e6));
  out.key("variations").begin_list();
  for (const search::Variation& variation : report.variations) write_variation(out, variation);
  out.end_list();
}

void write_failure(Json& out, const char* code, const char* message) {
  out.begin_object().key("error").begin_object();
  out.field("code", code).field("message", message).end_object().end_object();
}

void write_failure(Json& out, search::Status status) {
  if (status == search::Status::GameOver) return write_failure(out, "game_over", "The game is over.");
  if (status == search::Status::NoLimit)
    return write_failure(out, "malformed", "Give a number of nodes or of seconds.");
  write_failure(out, "no-memory", "There is no memory left for a search.");
}

// Begins a search of a position and turns; tells its number.
int begin(int length, search::Request request, const search::Level* level, bool threat) {
  Texts texts(length);
  Track track;
  Json json;
  if (!set_up(texts, track, json)) return tell(json);
  search::Start start;
  if (threat) {
    start.position = track.position;
    start.position.pass();
  } else {
    start.position = track.position;
    while (const auto m = pop(track)) start.history.push_back(track.position.hash());
    std::reverse(start.history.begin(), start.history.end());
  }
  int number = 0;
  while (number < most_searches && searches[number]) ++number;
  if (number == most_searches) {
    write_failure(json, "busy", "Too many searches are under way.");
    return tell(json);
  }
  auto thinking = std::make_unique<Thinking>(largest_tree);
  thinking->root = start.position;
  thinking->level = level;
  thinking->seed = request.seed;
  const search::Status status = thinking->search.begin(start, request);
  if (status == search::Status::Done) {
    searches[number] = std::move(thinking);
    json.value(number);
  } else {
    write_failure(json, status);
  }
  return tell(json);
}

}  // namespace

// A position and turns, to be analysed within limits (0: none); with `threat` as if it were the other's turn.
PUNCT_EXPORT(punct_search)
(int length, double nodes, double seconds, int variations, double seed, bool threat)->int {
  search::Request request;
  request.limits = {static_cast<uint64_t>(nodes), seconds};
  request.seed = static_cast<uint64_t>(seed);
  request.variations = variations;
  return begin(length, request, nullptr, threat);
}

// A position and turns, for a move of one of the levels.
PUNCT_EXPORT(punct_play)(int length, int number, double seed)->int {
  const search::Level& level = search::levels[static_cast<std::size_t>(std::clamp(number, 1, 8) - 1)];
  search::Request request;
  request.limits = {level.nodes, level.seconds};
  request.seed = static_cast<uint64_t>(seed);
  request.variations = level.candidates;
  return begin(length, request, &level, false);
}

// Goes on for about so many seconds; 1 when it is over.
PUNCT_EXPORT(punct_advance)(int number, double seconds)->int { return searches[number]->search.advance(seconds); }

PUNCT_EXPORT(punct_report)(int number)->int {
  Json json;
  json.begin_object();
  write_report(json, searches[number]->search.report());
  json.end_object();
  return tell(json);
}

// Ends it, over or not, and tells the best it has; of a level also the move it plays.
PUNCT_EXPORT(punct_end)(int number)->int {
  const std::unique_ptr<Thinking> thinking = std::move(searches[number]);
  search::Report found;
  Json json;
  const search::Status status = thinking->search.end(found);
  if (status != search::Status::Done) {
    write_failure(json, status);
    return tell(json);
  }
  json.begin_object();
  if (thinking->level) {
    std::vector<search::Option> options;
    for (const search::Variation& v : found.variations) options.push_back({v.move, v.score(), v.proven});
    const Move m = search::choose_as(*thinking->level, thinking->seed, thinking->root, options);
    json.key("move").value(text_of(m));
  }
  write_report(json, found);
  json.end_object();
  return tell(json);
}
