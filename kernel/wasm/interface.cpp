// The page's interface to the kernel: C functions over the same core and search as Python's.
//
// The caller writes its arguments into the buffer that punct_room() returns: texts, each ended by a zero byte. Every
// function answers with JSON: it returns the length, and punct_answer() the address until the next call. An error is
// {"error": …}, in the server's shape.
//
// A search needs the engine's network, which the page passes once. Without it searches are refused: a level would play
// differently than on a server, without notice.
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
#include "view/explain.hpp"
#include "view/sentences.hpp"
#include "view/view.hpp"
#include "wasm/insight.hpp"

// Replaces the C++ library's abort, whose message printing would be a fifth of all the code: a trap is enough here.
#ifdef _LIBCPP_VERSION
_LIBCPP_BEGIN_NAMESPACE_STD
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) noexcept { __builtin_trap(); }
_LIBCPP_END_NAMESPACE_STD
#endif

#define PUNCT_EXPORT(name) extern "C" __attribute__((export_name(#name))) auto name

namespace {

using namespace punct;
using namespace punct::view;
using punct::wasm::write_insight;

std::vector<char> request_buffer;
std::string answer;
std::shared_ptr<const search::Network> network;

int set_answer(const Json& json) {
  answer = json.text();
  return static_cast<int>(answer.size());
}

// The texts of a request.
class Texts {
 public:
  explicit Texts(int length) : rest_(request_buffer.data(), static_cast<std::size_t>(length)) {}

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

// A name of rules alone means their empty board.
std::string start_text(std::string_view text) {
  std::string_view rest = text;
  const std::string_view word = next_word(rest);
  const bool is_rules_only = next_word(rest).empty() && (word == "standard" || word == "basic");
  return std::string(is_rules_only ? word : text) + (is_rules_only ? " w" : "");
}

// Reads a position and plays the moves that follow; false, with the error written, if that fails.
bool set_up(Texts& texts, Track& track, Json& refused) {
  const std::string text = start_text(texts.next());
  const ReadResult read = read_position(text, track.position);
  if (!read) {
    write_invalid_position(refused, read);
    return false;
  }
  read_position(text_of(track.position), track.position);  // in canonical order, by which the pieces are named
  while (texts.more()) {
    ParsedMove parsed;
    const ReadResult move_read = read_move(texts.next(), parsed);
    if (!move_read) {
      write_invalid_move(refused, move_read);
      return false;
    }
    const std::optional<Refusal> refusal = refuse(track.position, parsed);
    if (refusal) {
      write_illegal_move(refused, text_of(parsed), refusal->reason);
      return false;
    }
    Move m;
    pack(parsed, track.position, m);
    push(track, m);
  }
  return true;
}

}  // namespace

PUNCT_EXPORT(punct_room)(int length)->char* {
  request_buffer.resize(static_cast<std::size_t>(length));
  return request_buffer.data();
}

PUNCT_EXPORT(punct_answer)()->const char* { return answer.data(); }

PUNCT_EXPORT(punct_board)()->int {
  Json json;
  write_board(json);
  return set_answer(json);
}

// A position and moves.
PUNCT_EXPORT(punct_view)(int length)->int {
  Texts texts(length);
  Track track;
  Json json;
  if (set_up(texts, track, json)) write_view(json, track, end_of(track.position));
  return set_answer(json);
}

// A position and moves: with everything that a game adds to its position.
PUNCT_EXPORT(punct_game)(int length)->int {
  Texts texts(length);
  Track track;
  Json json;
  if (set_up(texts, track, json)) write_game(json, track);
  return set_answer(json);
}

// The move to explain, a position, and moves.
PUNCT_EXPORT(punct_explain)(int length, bool any_heading)->int {
  Texts texts(length);
  const std::string_view text = texts.next();
  Track track;
  Json json;
  if (set_up(texts, track, json)) write_explanation(json, track.position, text, any_heading);
  return set_answer(json);
}

// A position.
PUNCT_EXPORT(punct_status)(int length)->int {
  Texts texts(length);
  Json json;
  write_status(json, start_text(texts.next()));
  return set_answer(json);
}

// A position and moves.
PUNCT_EXPORT(punct_canonical)(int length)->int {
  Texts texts(length);
  Track track;
  Json json;
  if (set_up(texts, track, json)) {
    const Canonical image = canonical(track.position);
    json.begin_object().field("text", image.text).field("symmetry", image.symmetry).end_object();
  }
  return set_answer(json);
}

// A position and moves.
PUNCT_EXPORT(punct_insight)(int length)->int {
  Texts texts(length);
  Track track;
  Json json;
  if (set_up(texts, track, json)) write_insight(json, track.position);
  return set_answer(json);
}

// Perft without the fast counting of the last ply, which is enough for tests.
static uint64_t count_leaves(Position& p, int depth) {
  if (depth == 0) return 1;
  if (p.outcome() != Outcome::Open) return 0;
  const auto moves = std::make_unique<MoveList>();
  list_moves(p, *moves);
  if (depth == 1) return static_cast<uint64_t>(moves->count);
  uint64_t leaves = 0;
  for (const Move m : *moves) {
    Undo undo;
    p.make(m, undo);
    leaves += count_leaves(p, depth - 1);
    p.unmake(m, undo);
  }
  return leaves;
}

// A position and moves: for tests.
PUNCT_EXPORT(punct_perft)(int length, int depth)->int {
  Texts texts(length);
  Track track;
  Json json;
  if (set_up(texts, track, json)) json.value(count_leaves(track.position, depth));
  return set_answer(json);
}

namespace {

// Work in slices: the page asks for the next slice, and for the result so far.
struct Job {
  virtual ~Job() = default;
  // Runs for about `seconds`; true when it is over.
  virtual bool advance(double seconds) = 0;
  virtual void write_report(Json& out) = 0;
  // Writes the final result, whether it is over or not.
  virtual void write_end(Json& out) = 0;
};

// Several boards may have jobs at once. A null entry is free.
constexpr int max_jobs = 8;
constexpr std::size_t max_tree_bytes = std::size_t{128} << 20;
std::unique_ptr<Job> jobs[max_jobs];

// A chance from 0 to 1 as an integer, which the page divides. Exact, for the search's values are floats.
uint64_t scaled(double chance) { return static_cast<uint64_t>(chance * 0x1p60); }

void write_variation(Json& out, const search::Variation& variation) {
  out.begin_object().field("move", text_of(variation.move)).field("score", scaled(variation.score()));
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

struct SearchJob : Job {
  search::Search search{max_tree_bytes};
  Position root;
  const search::Level* level = nullptr;  // whose move is wanted; null for an analysis
  uint64_t seed = 0;

  bool advance(double seconds) override { return search.advance(seconds); }
  void write_report(Json& out) override {
    out.begin_object();
    write_report_of(out, search.report());
    out.end_object();
  }
  // For a level also the move it plays.
  void write_end(Json& out) override {
    search::Report report;
    const search::Status status = search.end(report);
    if (status != search::Status::Done) return write_failure(out, status);
    out.begin_object();
    if (level) {
      std::vector<search::ScoredMove> options;
      for (const search::Variation& v : report.variations) options.push_back({v.move, v.score(), v.proven});
      out.key("move").value(text_of(search::choose_move_as(*level, seed, root, options)));
    }
    write_report_of(out, report);
    out.end_object();
  }
};

struct ProofJob : Job {
  static constexpr int cache_bits = 16;
  static constexpr int64_t tries_per_slice = 100;  // between two readings of the clock

  ProofCache cache{cache_bits};
  ProvenVariation variation;
  const double budget;

  ProofJob(const Position& p, Proof::Mover mover, int depth, double tries)
      : variation(p, mover, depth, cache), budget(tries) {}

  bool advance(double seconds) override {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (static_cast<double>(variation.tries()) < budget) {
      if (variation.advance(
              static_cast<int64_t>(std::min<double>(tries_per_slice, budget - static_cast<double>(variation.tries())))))
        return true;
      if (std::chrono::steady_clock::now() >= until) return false;
    }
    return true;
  }
  void write_report(Json& out) override { write_end(out); }
  void write_end(Json& out) override {
    out.begin_object()
        .field("decided", variation.decided())
        .field("won", variation.won())
        .field("turns", variation.reply().depth);
    out.key("line").begin_list();
    for (const Move m : variation.moves()) out.value(text_of(m));
    out.end_list().end_object();
  }
};

// Starts a job; writes its number, or an error if too many are running.
template <class Make>
int begin(Json& json, Make&& make) {
  int number = 0;
  while (number < max_jobs && jobs[number]) ++number;
  if (number == max_jobs)
    write_failure(json, "busy", "Too many searches are under way.");
  else if ((jobs[number] = make()))
    json.value(number);
  return set_answer(json);
}

// Begins a search of a position and moves.
int begin_search(int length, search::Request request, const search::Level* level, bool threat) {
  Texts texts(length);
  Track track;
  Json json;
  if (!set_up(texts, track, json)) return set_answer(json);
  if (!network) {
    write_failure(json, no_network, "There is no network to play by.");
    return set_answer(json);
  }
  search::SearchRoot root;
  root.position = track.position;
  if (threat) {
    root.position.pass();
  } else {
    while (const auto m = pop(track)) root.history.push_back(track.position.hash());
    std::reverse(root.history.begin(), root.history.end());
  }
  return begin(json, [&]() -> std::unique_ptr<Job> {
    auto job = std::make_unique<SearchJob>();
    job->search.settings.network = network;
    job->root = root.position;
    job->level = level;
    job->seed = request.seed;
    const search::Status status = job->search.begin(root, request);
    if (status == search::Status::Done) return job;
    write_failure(json, status);
    return nullptr;
  });
}

}  // namespace

// The content of a network's file, for all searches that begin later. One that cannot be used changes nothing.
PUNCT_EXPORT(punct_network)(int length)->int {
  const char* error = nullptr;
  const auto* bytes = reinterpret_cast<const uint8_t*>(request_buffer.data());
  auto read = search::Network::read({bytes, static_cast<std::size_t>(length)}, error);
  std::vector<char>().swap(request_buffer);  // a megabyte that no other request needs
  Json json;
  if (!read) {
    write_failure(json, no_network, std::string("The network cannot be used: ") + error + ".");
    return set_answer(json);
  }
  network = std::move(read);
  return set_answer(json.value(true));
}

// A position and moves, to be analysed within limits (0: none); with `threat` as if it were the opponent's turn.
PUNCT_EXPORT(punct_search)
(int length, double nodes, double seconds, int variations, double seed, bool threat)->int {
  search::Request request;
  request.limits = {static_cast<uint64_t>(nodes), seconds};
  request.seed = static_cast<uint64_t>(seed);
  request.variations = variations;
  return begin_search(length, request, nullptr, threat);
}

// A position and moves, for a move of one of the levels.
PUNCT_EXPORT(punct_play)(int length, int number, double seed)->int {
  const search::Level& level = search::levels[static_cast<std::size_t>(std::clamp(number, 1, 8) - 1)];
  search::Request request;
  request.limits = {level.nodes, level.seconds};
  request.seed = static_cast<uint64_t>(seed);
  request.variations = level.candidates;
  return begin_search(length, request, &level, false);
}

// A position and moves: whether the player to move wins within `depth` moves, or, as the defender, loses within `depth`
// of the opponent's. Tries at most `tries` moves.
PUNCT_EXPORT(punct_prove)(int length, bool defends, int depth, double tries)->int {
  Texts texts(length);
  Track track;
  Json json;
  if (!set_up(texts, track, json)) return set_answer(json);
  const Proof::Mover mover = defends ? Proof::Mover::Defender : Proof::Mover::Attacker;
  return begin(json, [&] {
    return std::make_unique<ProofJob>(track.position, mover, std::clamp(depth, 1, Proof::max_depth), tries);
  });
}

// Runs for about `seconds`; 1 when it is over.
PUNCT_EXPORT(punct_advance)(int number, double seconds)->int { return jobs[number]->advance(seconds); }

PUNCT_EXPORT(punct_report)(int number)->int {
  Json json;
  jobs[number]->write_report(json);
  return set_answer(json);
}

// Ends a job, over or not, and answers with its result.
PUNCT_EXPORT(punct_end)(int number)->int {
  const std::unique_ptr<Job> job = std::move(jobs[number]);
  Json json;
  job->write_end(json);
  return set_answer(json);
}
