#include "kernels/base/toml_text.h"

#include <fmt/format.h>

namespace lanescope {

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      out += c;
  }
  return out + '"';
}

std::optional<std::size_t> byte_at(std::string_view text, unsigned line, unsigned column) {
  std::size_t here = 0;
  for (unsigned l = 1; l < line; ++l) {
    here = text.find('\n', here);
    if (here == std::string_view::npos) return std::nullopt;
    ++here;
  }
  for (unsigned c = 1; c < column; ++c) {
    if (here >= text.size()) return std::nullopt;
    for (++here; here < text.size() && (static_cast<unsigned char>(text[here]) & 0xc0) == 0x80;) ++here;
  }
  return here;
}

}  // namespace lanescope
