#include "view/json.hpp"

namespace punct::view {

Json& Json::value(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  separate();
  text_ += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      text_ += "\\u00";
      text_ += digits[c >> 4];
      text_ += digits[c & 15];
    } else {
      text_ += c;
    }
  }
  text_ += '"';
  return *this;
}

}  // namespace punct::view
