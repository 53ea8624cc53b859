// Why a turn is not allowed, and what is impossible about a position.
#include <algorithm>

#include "wasm/view.hpp"
#include "wasm/words.hpp"

namespace punct::wasm {
namespace {

struct Judged {
  int heading;
  std::optional<Refusal> refusal;  // nothing: it may lie so
};

bool is_legal(const std::vector<Judged>& headings) {
  return std::any_of(headings.begin(), headings.end(), [](const Judged& judged) { return !judged.refusal; });
}

// The rule that forbids most headings; of several, the first.
Reason reason_of(const std::vector<Judged>& headings) {
  int count[reason_count] = {};
  for (const Judged& judged : headings) ++count[static_cast<int>(judged.refusal->reason)];
  const Judged* most = &headings.front();
  const auto weight = [&](const Judged& judged) { return count[static_cast<int>(judged.refusal->reason)]; };
  for (const Judged& judged : headings)
    if (weight(judged) > weight(*most)) most = &judged;
  return most->refusal->reason;
}

// What is in the way whatever the heading; if there is no such space, what is in the way of any.
std::vector<Space> spaces_of(const std::vector<Judged>& headings) {
  const auto blames = [](const Judged& judged, Space s) {
    const Refusal& r = *judged.refusal;
    return std::find(r.space, r.space + r.count, s) != r.space + r.count;
  };
  std::vector<Space> always, ever;
  for (const Judged& judged : headings)
    for (int i = 0; i < judged.refusal->count; ++i) {
      const Space s = judged.refusal->space[i];
      if (std::find(ever.begin(), ever.end(), s) == ever.end()) ever.push_back(s);
    }
  for (const Space s : ever)
    if (std::all_of(headings.begin(), headings.end(), [&](const Judged& judged) { return blames(judged, s); }))
      always.push_back(s);
  return always.empty() ? ever : always;
}

void write_judged(Json& out, const std::vector<Judged>& headings, const std::string* turn) {
  const bool legal = is_legal(headings);
  out.begin_object().field("legal", legal).key("turn");
  if (turn)
    out.value(*turn);
  else
    out.null();
  if (legal) {
    out.key("reason").null().key("section").null().key("sentence").null().key("spaces").begin_list().end_list();
  } else {
    const ReasonWords& words = words_of(reason_of(headings));
    out.field("reason", words.name).field("section", words.section).field("sentence", words.sentence);
    out.key("spaces").begin_list();
    for (const Space s : spaces_of(headings)) out.value(space_name(s));
    out.end_list();
  }
  out.key("headings").begin_list();
  for (const Judged& judged : headings) {
    out.begin_object().field("heading", heading_text[judged.heading]).key("reason");
    if (judged.refusal)
      out.value(words_of(judged.refusal->reason).name);
    else
      out.null();
    out.end_object();
  }
  out.end_list().end_object();
}

void write_unreadable(Json& out, const ReadResult& read) {
  out.begin_object().field("legal", false).key("turn").null().field("reason", "UNREADABLE").key("section").null();
  out.field("sentence", words_of(read)).key("spaces").begin_list().end_list();
  out.key("headings").begin_list().end_list().end_object();
}

int kind_shown(const Position& p, const WrittenMove& m) {
  if (m.is_add()) return m.kind;
  const int id = p.top(m.from);
  return id == no_piece ? -1 : Position::kind(id);
}

std::string text_of_piece(const Position& p, int id) {
  const Placement lies = p.piece(id).placement;
  const char* colour = Position::owner(id) == White ? "w" : "b";
  return colour + text_of(make_add(lies));
}

void write_spaces_of(Json& out, const Position& p, int id) {
  for (const Space s : placements[p.piece(id).placement].space) out.value(space_name(s));
}

// A text that is no position, as one more thing that is impossible.
void write_unreadable_status(Json& out, const ReadResult& read) {
  out.begin_object().field("code", position_code(read.fault)).key("spaces").begin_list();
  Position alone;
  if ((read.fault == Fault::TooMany || read.fault == Fault::NoSupport) &&
      read_position("basic w " + std::string(read.word), alone))
    for (int id = 0; id < piece_count; ++id)
      if (alone.on_board(id)) write_spaces_of(out, alone, id);
  out.end_list().key("values").begin_object().field("token", token_of(read)).end_object().end_object();
}

}  // namespace

void write_explanation(Json& out, const Position& p, std::string_view text, bool any_heading) {
  std::vector<Judged> headings;
  if (!any_heading) {
    WrittenMove m;
    const ReadResult read = read_move(text, m);
    if (!read) return write_unreadable(out, read);
    std::optional<Refusal> refusal = refuse(p, m);
    // A turn that may be played is written as it is in records; another as somebody wrote it.
    Move packed = no_move;
    if (!refusal) pack(m, p, packed);
    const std::string turn = refusal ? text_of(m) : text_of(packed);
    headings.push_back({heading_of(m), std::move(refusal)});
    return write_judged(out, headings, &turn);
  }
  for (const char* heading : heading_text) {
    const std::string whole = std::string(text) + heading;
    WrittenMove m;
    const ReadResult read = read_move(whole, m);
    if (!read) return write_unreadable(out, read);
    if (!m.is_add()) m.kind = -1;
    const int kind = kind_shown(p, m);
    if (kind >= 0 && shapes[orientation_of(static_cast<Kind>(kind), m.heading)].heading != m.heading) continue;
    headings.push_back({m.heading, refuse(p, m)});
  }
  write_judged(out, headings, nullptr);
}

void write_status(Json& out, std::string_view text) {
  Position p;
  const ReadResult read = read_position(text, p);
  out.begin_list();
  if (!read) write_unreadable_status(out, read);
  for (const Finding& finding : read ? impossible(p) : std::vector<Finding>()) {
    out.begin_object().field("code", code_of(finding.what)).key("spaces").begin_list();
    if (finding.what == Impossible::FirstInCentre)
      write_spaces_of(out, p, finding.piece);
    else if (finding.piece != no_piece)
      out.value(space_name(punct_of(p.piece(finding.piece).placement)));
    out.end_list().key("values").begin_object();
    if (finding.what == Impossible::WhiteAhead) out.field("count", p.placed(White));
    if (finding.what == Impossible::AllAdded || finding.what == Impossible::EndedBefore)
      out.field("colour", p.to_move() == White ? "w" : "b");
    if (finding.piece != no_piece) {
      out.field("piece", text_of_piece(p, finding.piece)).field("level", p.piece(finding.piece).level);
      if (finding.below != no_piece) out.field("below", text_of_piece(p, finding.below));
    }
    out.end_object().end_object();
  }
  out.end_list();
}

}  // namespace punct::wasm
