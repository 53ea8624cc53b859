// Writes JSON and puts the commas.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace punct::view {

class Json {
 public:
  Json& begin_object() { return open('{'); }
  Json& end_object() { return close('}'); }
  Json& begin_list() { return open('['); }
  Json& end_list() { return close(']'); }

  Json& key(std::string_view name) {
    value(name);
    text_ += ':';
    return *this;
  }
  Json& value(std::string_view text);
  Json& value(const char* text) { return value(std::string_view(text)); }
  Json& value(bool truth) { return raw(truth ? "true" : "false"); }
  Json& value(int64_t number) { return raw(std::to_string(number)); }
  Json& value(int number) { return value(static_cast<int64_t>(number)); }
  Json& value(uint64_t number) { return raw(std::to_string(number)); }
  Json& null() { return raw("null"); }

  template <class T>
  Json& field(std::string_view name, const T& v) {
    key(name);
    return value(v);
  }

  const std::string& text() const { return text_; }

 private:
  void separate() {
    if (!text_.empty() && text_.back() != '{' && text_.back() != '[' && text_.back() != ':') text_ += ',';
  }
  Json& raw(std::string_view written) {
    separate();
    text_ += written;
    return *this;
  }
  Json& open(char bracket) {
    separate();
    text_ += bracket;
    return *this;
  }
  Json& close(char bracket) {
    text_ += bracket;
    return *this;
  }

  std::string text_;
};

}  // namespace punct::view
