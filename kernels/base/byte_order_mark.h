#pragma once
// The three bytes by which some editors mark a file as UTF-8. They are no part of its first line: readers of the text
// do not count them, and writers of the file keep them.

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
