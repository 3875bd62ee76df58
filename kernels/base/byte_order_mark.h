#pragma once
// The three bytes by which some editors mark a file as UTF-8. They are no part of its first line: nothing that reads the
// text counts them, and what writes the file back keeps them.

#include <string_view>

namespace lanescope {

/// The mark, where `text` begins with it; else empty.
inline std::string_view byte_order_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(0, 3) : std::string_view();
}

inline std::string_view without_byte_order_mark(std::string_view text) {
  text.remove_prefix(byte_order_mark(text).size());
  return text;
}

}  // namespace lanescope
