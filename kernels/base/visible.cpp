#include "kernels/base/visible.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace lanescope {
namespace {

/// One character of UTF-8; of no bytes where the text begins with none.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;
};

constexpr bool is_continuation(unsigned char byte) { return (byte & 0xc0) == 0x80; }

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t bytes = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || bytes > text.size()) return {};
  char32_t code = byte(0) & (0xff >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!is_continuation(byte(i))) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < least[bytes] || surrogate || code > 0x10ffff ? Character{} : Character{code, bytes};
}

/// Beyond ASCII: C1 controls, and what changes the direction.
constexpr bool acts(char32_t code) { return (code >= 0x80 && code < 0xa0) || changes_direction(code); }

bool is_visible(char c) { return (c >= ' ' && c < 0x7f) || c == '\n' || c == '\t'; }

std::string escaped(std::string_view text, bool in_one_line) {
  std::string out;
  out.reserve(text.size() + 8);
  while (!text.empty()) {
    const char c = text.front();
    const Character one = first_character(text);
    const std::size_t bytes = std::max<std::size_t>(one.bytes, 1);
    if (in_one_line && (c == '\n' || c == '\t' || c == '\r'))
      out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
    else if (is_visible(c) || text.starts_with("\r\n") || (one.code >= 0x80 && !acts(one.code)))
      out += text.substr(0, bytes);
    else if (c == '\r')
      out += "\\r";
    else if (one.code >= 0x80)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(one.code));
    else
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace

std::string visible(std::string_view text) {
  return std::ranges::all_of(text, is_visible) ? std::string(text) : escaped(text, false);
}

std::string visible_name(std::string_view name) { return escaped(name, true); }

std::string visible_json(std::string json) {
  if (std::ranges::all_of(json, is_visible)) return json;
  std::string out;
  for (std::string_view rest = json; !rest.empty();) {
    const Character one = first_character(rest);
    const std::size_t bytes = std::max<std::size_t>(one.bytes, 1);
    if (one.code == 0x7f || acts(one.code))
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(one.code));
    else
      out += rest.substr(0, bytes);
    rest.remove_prefix(bytes);
  }
  return out;
}

}  // namespace lanescope
