#include "view/explain.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "view/sentences.hpp"

namespace punct::view {
namespace {

struct HeadingResult {
  int heading;
  std::optional<Refusal> refusal;  // none: the piece may lie so
};

bool is_legal(const std::vector<HeadingResult>& headings) {
  return std::any_of(headings.begin(), headings.end(), [](const HeadingResult& result) { return !result.refusal; });
}

// The rule that forbids most headings; of several, the first.
Reason reason_of(const std::vector<HeadingResult>& headings) {
  int count[reason_count] = {};
  for (const HeadingResult& result : headings) ++count[static_cast<int>(result.refusal->reason)];
  const HeadingResult* commonest = &headings.front();
  const auto weight = [&](const HeadingResult& result) { return count[static_cast<int>(result.refusal->reason)]; };
  for (const HeadingResult& result : headings)
    if (weight(result) > weight(*commonest)) commonest = &result;
  return commonest->refusal->reason;
}

// The spaces in the way of all headings; if there is none, those in the way of any.
std::vector<Space> spaces_of(const std::vector<HeadingResult>& headings) {
  const auto blocks = [](const HeadingResult& result, Space s) {
    const Refusal& r = *result.refusal;
    return std::find(r.space, r.space + r.count, s) != r.space + r.count;
  };
  std::vector<Space> always, any;
  for (const HeadingResult& result : headings)
    for (int i = 0; i < result.refusal->count; ++i) {
      const Space s = result.refusal->space[i];
      if (std::find(any.begin(), any.end(), s) == any.end()) any.push_back(s);
    }
  for (const Space s : any)
    if (std::all_of(headings.begin(), headings.end(), [&](const HeadingResult& result) { return blocks(result, s); }))
      always.push_back(s);
  return always.empty() ? any : always;
}

void write_results(Json& out, const std::vector<HeadingResult>& headings, const std::string* move) {
  const bool legal = is_legal(headings);
  out.begin_object().field("legal", legal).key("turn");
  if (move)
    out.value(*move);
  else
    out.null();
  if (legal) {
    out.key("reason").null().key("section").null().key("sentence").null().key("spaces").begin_list().end_list();
  } else {
    const ReasonText& reason = reason_text(reason_of(headings));
    out.field("reason", reason.name).field("section", reason.section).field("sentence", reason.sentence);
    out.key("spaces").begin_list();
    for (const Space s : spaces_of(headings)) out.value(space_name(s));
    out.end_list();
  }
  out.key("headings").begin_list();
  for (const HeadingResult& result : headings) {
    out.begin_object().field("heading", heading_text[result.heading]).key("reason");
    if (result.refusal)
      out.value(reason_text(result.refusal->reason).name);
    else
      out.null();
    out.end_object();
  }
  out.end_list().end_object();
}

void write_unreadable(Json& out, const ReadResult& read) {
  out.begin_object().field("legal", false).key("turn").null().field("reason", "UNREADABLE").key("section").null();
  out.field("sentence", sentence_of(read)).key("spaces").begin_list().end_list();
  out.key("headings").begin_list().end_list().end_object();
}

int kind_of(const Position& p, const ParsedMove& m) {
  if (m.is_add()) return m.kind;
  const int id = p.top(m.from);
  return id == no_piece ? -1 : Position::kind(id);
}

std::string text_of_piece(const Position& p, int id) {
  std::string text(1, Position::owner(id) == White ? 'w' : 'b');
  return text += text_of(make_add(p.piece(id).placement));
}

void write_spaces_of(Json& out, const Position& p, int id) {
  for (const Space s : placements[p.piece(id).placement].space) out.value(space_name(s));
}

// A text that is not a position counts as one more impossibility.
void write_unreadable_status(Json& out, const ReadResult& read) {
  out.begin_object().field("code", position_code(read.error)).key("spaces").begin_list();
  Position alone;
  if ((read.error == ReadError::TooMany || read.error == ReadError::NoSupport) &&
      read_position("basic w " + std::string(read.word), alone))
    for (int id = 0; id < piece_count; ++id)
      if (alone.on_board(id)) write_spaces_of(out, alone, id);
  out.end_list().key("values").begin_object().field("token", token_of(read)).end_object().end_object();
}

}  // namespace

void write_explanation(Json& out, const Position& p, std::string_view text, bool any_heading, bool is_over) {
  const auto refusal_of = [&](const ParsedMove& m) {
    return is_over ? std::optional<Refusal>(Reason::GameOver) : refuse(p, m);
  };
  std::vector<HeadingResult> headings;
  if (!any_heading) {
    ParsedMove m;
    const ReadResult read = read_move(text, m);
    if (!read) return write_unreadable(out, read);
    std::optional<Refusal> refusal = refusal_of(m);
    // A legal move is written in canonical form, another as it was given.
    Move packed = no_move;
    if (!refusal) pack(m, p, packed);
    const std::string move = refusal ? text_of(m) : text_of(packed);
    headings.push_back({heading_of(m), std::move(refusal)});
    return write_results(out, headings, &move);
  }
  for (const char* heading : heading_text) {
    const std::string whole = std::string(text) + heading;
    ParsedMove m;
    const ReadResult read = read_move(whole, m);
    if (!read) return write_unreadable(out, read);
    if (!m.is_add()) m.kind = -1;
    const int kind = kind_of(p, m);
    if (kind >= 0 && shapes[orientation_of(static_cast<Kind>(kind), m.heading)].heading != m.heading) continue;
    headings.push_back({m.heading, refusal_of(m)});
  }
  write_results(out, headings, nullptr);
}

void write_status(Json& out, std::string_view text) {
  Position p;
  const ReadResult read = read_position(text, p);
  out.begin_list();
  if (!read) write_unreadable_status(out, read);
  for (const Finding& finding : read ? impossible(p) : std::vector<Finding>()) {
    out.begin_object().field("code", code_of(finding.reason)).key("spaces").begin_list();
    if (finding.reason == Impossible::FirstInCentre)
      write_spaces_of(out, p, finding.piece);
    else if (finding.piece != no_piece)
      out.value(space_name(punct_of(p.piece(finding.piece).placement)));
    out.end_list().key("values").begin_object();
    if (finding.reason == Impossible::WhiteAhead) out.field("count", p.placed(White));
    if (finding.reason == Impossible::AllAdded || finding.reason == Impossible::EndedBefore)
      out.field("colour", p.to_move() == White ? "w" : "b");
    if (finding.piece != no_piece) {
      out.field("piece", text_of_piece(p, finding.piece)).field("level", p.piece(finding.piece).level);
      if (finding.below != no_piece) out.field("below", text_of_piece(p, finding.below));
    }
    out.end_object().end_object();
  }
  out.end_list();
}

}  // namespace punct::view
