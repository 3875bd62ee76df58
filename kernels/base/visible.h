#pragma once
// Text from files and kernels as it is shown to people. A terminal takes an escape sequence as a command (to move, to
// change its title, to answer), and a character that changes the direction of the text makes a line look like another
// one.

#include <string>
#include <string_view>

namespace lanescope {

/// A mark, embedding, override or isolate of direction (Unicode 15, Bidi_Control).
constexpr bool changes_direction(char32_t code) {
  return code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

/// Control characters and those that change the direction of the text, written as C++ would: ESC is \x1b, U+202E is
/// \u202e; so is each byte that is no UTF-8. Newline, tab and a carriage return before a newline stay, and so does
/// everything else.
std::string visible(std::string_view text);

/// The same in one line: newline is \n, tab is \t, carriage return is \r. Of names.
std::string visible_name(std::string_view name);

/// JSON text whose characters above ASCII that a terminal acts upon are written \u202e, so that it means the same.
std::string visible_json(std::string json);

}  // namespace lanescope
