// What is refused, as the server words it: codes for the page, and English for whoever reads logs.
#pragma once

#include "core/refusal.hpp"
#include "core/status.hpp"
#include "wasm/json.hpp"

namespace punct::wasm {

struct ReasonWords {
  const char* name;
  const char* section;
  const char* sentence;
};
const ReasonWords& words_of(Reason reason);

// What is wrong with a position's text, in a word ("support"); which of its words; and the library's own sentence.
const char* position_code(Fault fault);
std::string_view token_of(const ReadResult& read);
std::string words_of(const ReadResult& read);

const char* code_of(Impossible what);

// {"error": …} as the server's.
void write_unreadable_position(Json& out, const ReadResult& read);
void write_unreadable_turn(Json& out, const ReadResult& read);
void write_illegal_turn(Json& out, std::string_view turn, Reason reason);

}  // namespace punct::wasm
