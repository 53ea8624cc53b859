// The page's face of the kernel: a few C functions over the same core and search as Python's.
//
// A question is put into the room it asks for: texts, each ended by a zero byte. Every function answers with JSON,
// whose length it returns and which lies where punct_answer() says until the next question. A refusal is
// {"error": …}, in the server's shape.
//
// A search needs the network that the engine plays by, which is given once. Without it there is none: a level would be
// another one than on a server, and nobody would know.
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/generate.hpp"
#include "core/proof.hpp"
#include "core/symmetry.hpp"
#include "search/levels.hpp"
#include "search/network.hpp"
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
std::shared_ptr<const search::Network> network;

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

// Something under way: the page asks for the next slice, and for what it has come to.
struct Work {
  virtual ~Work() = default;
  // Goes on for about so many seconds; true when it is over.
  virtual bool advance(double seconds) = 0;
  virtual void write_report(Json& out) = 0;
  // What it has come to, over or not.
  virtual void write_end(Json& out) = 0;
};

// Several boards may be at work at once. A place is free when it is empty.
constexpr int most_works = 8;
constexpr std::size_t largest_tree = std::size_t{128} << 20;
std::unique_ptr<Work> works[most_works];

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

void write_report_of(Json& out, const search::Report& report) {
  out.field("nodes", report.nodes).field("depth", report.depth);
  out.field("microseconds", static_cast<uint64_t>(report.seconds * 1e6));
  out.key("variations").begin_list();
  for (const search::Variation& variation : report.variations) write_variation(out, variation);
  out.end_list();
}

constexpr char no_network[] = "no-network";

void write_failure(Json& out, const char* code, const std::string& message) {
  out.begin_object().key("error").begin_object();
  out.field("code", code).field("message", message).end_object().end_object();
}

void write_failure(Json& out, search::Status status) {
  if (status == search::Status::GameOver) return write_failure(out, "game_over", "The game is over.");
  if (status == search::Status::NoLimit)
    return write_failure(out, "malformed", "Give a number of nodes or of seconds.");
  write_failure(out, "no-memory", "There is no memory left for a search.");
}

struct Thinking : Work {
  search::Search search{largest_tree};
  Position root;
  const search::Level* level = nullptr;  // whose move is asked for; nobody's where it is an analysis
  uint64_t seed = 0;

  bool advance(double seconds) override { return search.advance(seconds); }
  void write_report(Json& out) override {
    out.begin_object();
    write_report_of(out, search.report());
    out.end_object();
  }
  // Of a level also the move it plays.
  void write_end(Json& out) override {
    search::Report found;
    const search::Status status = search.end(found);
    if (status != search::Status::Done) return write_failure(out, status);
    out.begin_object();
    if (level) {
      std::vector<search::Option> options;
      for (const search::Variation& v : found.variations) options.push_back({v.move, v.score(), v.proven});
      out.key("move").value(text_of(search::choose_as(*level, seed, root, options)));
    }
    write_report_of(out, found);
    out.end_object();
  }
};

struct Proving : Work {
  static constexpr int memory_bits = 16;
  static constexpr long few = 100;  // tries between two looks at the clock

  ProofMemory memory{memory_bits};
  ProvenLine line;
  const double budget;

  Proving(const Position& p, Proof::Mover mover, int turns, double tries)
      : line(p, mover, turns, memory), budget(tries) {}

  bool advance(double seconds) override {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (static_cast<double>(line.tries()) < budget) {
      if (line.go_on(static_cast<long>(std::min<double>(few, budget - static_cast<double>(line.tries()))))) return true;
      if (std::chrono::steady_clock::now() >= until) return false;
    }
    return true;
  }
  void write_report(Json& out) override { write_end(out); }
  void write_end(Json& out) override {
    out.begin_object().field("decided", line.decided()).field("won", line.won()).field("turns", line.reply().turns);
    out.key("line").begin_list();
    for (const Move m : line.moves()) out.value(text_of(m));
    out.end_list().end_object();
  }
};

// A place for work; its number is told, or that there is none.
template <class Make>
int begin(Json& json, Make&& make) {
  int number = 0;
  while (number < most_works && works[number]) ++number;
  if (number == most_works)
    write_failure(json, "busy", "Too many searches are under way.");
  else if ((works[number] = make()))
    json.value(number);
  return tell(json);
}

// Begins a search of a position and turns.
int begin_search(int length, search::Request request, const search::Level* level, bool threat) {
  Texts texts(length);
  Track track;
  Json json;
  if (!set_up(texts, track, json)) return tell(json);
  if (!network) {
    write_failure(json, no_network, "There is no network to play by.");
    return tell(json);
  }
  search::Start start;
  start.position = track.position;
  if (threat) {
    start.position.pass();
  } else {
    while (const auto m = pop(track)) start.history.push_back(track.position.hash());
    std::reverse(start.history.begin(), start.history.end());
  }
  return begin(json, [&]() -> std::unique_ptr<Work> {
    auto thinking = std::make_unique<Thinking>();
    thinking->search.settings.network = network;
    thinking->root = start.position;
    thinking->level = level;
    thinking->seed = request.seed;
    const search::Status status = thinking->search.begin(start, request);
    if (status == search::Status::Done) return thinking;
    write_failure(json, status);
    return nullptr;
  });
}

}  // namespace

// A network's file as it is, for all searches that begin from now on. One that cannot be used changes nothing.
PUNCT_EXPORT(punct_network)(int length)->int {
  const char* wrong = nullptr;
  const auto* bytes = reinterpret_cast<const uint8_t*>(question.data());
  auto read = search::Network::read({bytes, static_cast<std::size_t>(length)}, wrong);
  std::vector<char>().swap(question);  // a megabyte that no other question needs
  Json json;
  if (!read) {
    write_failure(json, no_network, std::string("The network cannot be used: ") + wrong + ".");
    return tell(json);
  }
  network = std::move(read);
  return tell(json.value(true));
}

// A position and turns, to be analysed within limits (0: none); with `threat` as if it were the other's turn.
PUNCT_EXPORT(punct_search)
(int length, double nodes, double seconds, int variations, double seed, bool threat)->int {
  search::Request request;
  request.limits = {static_cast<uint64_t>(nodes), seconds};
  request.seed = static_cast<uint64_t>(seed);
  request.variations = variations;
  return begin_search(length, request, nullptr, threat);
}

// A position and turns, for a move of one of the levels.
PUNCT_EXPORT(punct_play)(int length, int number, double seed)->int {
  const search::Level& level = search::levels[static_cast<std::size_t>(std::clamp(number, 1, 8) - 1)];
  search::Request request;
  request.limits = {level.nodes, level.seconds};
  request.seed = static_cast<uint64_t>(seed);
  request.variations = level.candidates;
  return begin_search(length, request, &level, false);
}

// A position and turns: whether the player to move wins within so many turns, or loses within so many of the other's if
// it is the defender's turn. At most so many turns are tried.
PUNCT_EXPORT(punct_prove)(int length, bool defends, int turns, double tries)->int {
  Texts texts(length);
  Track track;
  Json json;
  if (!set_up(texts, track, json)) return tell(json);
  const Proof::Mover mover = defends ? Proof::Mover::Defender : Proof::Mover::Attacker;
  return begin(json, [&] {
    return std::make_unique<Proving>(track.position, mover, std::clamp(turns, 1, Proof::most_turns), tries);
  });
}

// Goes on for about so many seconds; 1 when it is over.
PUNCT_EXPORT(punct_advance)(int number, double seconds)->int { return works[number]->advance(seconds); }

PUNCT_EXPORT(punct_report)(int number)->int {
  Json json;
  works[number]->write_report(json);
  return tell(json);
}

// Ends it, over or not, and tells the best it has.
PUNCT_EXPORT(punct_end)(int number)->int {
  const std::unique_ptr<Work> work = std::move(works[number]);
  Json json;
  work->write_end(json);
  return tell(json);
}
