#pragma once
// Canonical PTX as text: "@%p1 mul.f64 %fd2, %fd1, 0d3BF921FB54442D19;".

#include <algorithm>
#include <string_view>

namespace lanescope::review {

inline std::string_view without_guard(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.size(), text.find(' ') + 1));
  return text;
}

/// The n-th operand, from 0: "%fd2". Empty where there are fewer.
inline std::string_view operand(std::string_view text, int n) {
  text = without_guard(text);
  text.remove_prefix(std::min(text.size(), text.find(' ') + 1));
  for (; n > 0 && !text.empty(); --n) text.remove_prefix(std::min(text.size(), text.find(", ") + 2));
  return text.substr(0, text.find_first_of(",;"));
}

/// Whether it begins so after its guard.
inline bool is(std::string_view text, std::string_view opcode) { return without_guard(text).starts_with(opcode); }

}  // namespace lanescope::review
