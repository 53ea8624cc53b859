// Refusals and read errors in the API's words: codes for programs, and English sentences.
//
// The sentences are the library's (src/punct/reason.py and the messages of its errors), which is the authority; tests
// hold these to them.
#pragma once

#include "core/refusal.hpp"
#include "core/status.hpp"
#include "view/json.hpp"

namespace punct::view {

struct ReasonText {
  const char* name;
  const char* section;
  const char* sentence;
};
const ReasonText& reason_text(Reason reason);

// What is wrong with a text: the API's code for a position ("support"), the word concerned, and a sentence.
const char* position_code(ReadError error);
std::string_view token_of(const ReadResult& read);
std::string sentence_of(const ReadResult& read);

const char* code_of(Impossible impossible);

// {"error": …} as the server's.
void write_invalid_position(Json& out, const ReadResult& read);
void write_invalid_move(Json& out, const ReadResult& read);
void write_illegal_move(Json& out, std::string_view move, Reason reason);

}  // namespace punct::view
