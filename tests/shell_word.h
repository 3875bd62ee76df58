#pragma once
// A word for a shell. The folder of a checkout, and with it that of the program, may be called anything.

#include <string>
#include <string_view>

namespace lanescope {

inline std::string shell_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

}  // namespace lanescope
