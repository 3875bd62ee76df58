#include "viz/page/html/escape.h"

#include <fmt/format.h>

#include "kernels/base/visible.h"
#include "viz/paint/fonts.h"
#include "viz/paint/shapes.h"

namespace lanescope::page {
namespace {

/// Characters that HTML or JavaScript take for something else than text, or drop, and those that make a line look like
/// another one.
bool is_refused(char32_t code) {
  const bool control = (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
  return control || changes_direction(code) || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ||
         (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code < 0xfdf0);
}

/// One character at a time: its code and its bytes, U+FFFD where it cannot be written.
template <class Each>
void each_character(std::string_view text, Each each) {
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t code = paint::next_code(text);
    const std::size_t bytes = before.size() - text.size(), least = code < 0x80      ? 1
                                                                   : code < 0x800   ? 2
                                                                   : code < 0x10000 ? 3
                                                                                    : 4;
    if (is_refused(code) || bytes != least)  // longer than it need be: no UTF-8
      each(U'\uFFFD', std::string_view("\xef\xbf\xbd"));
    else
      each(code, before.substr(0, bytes));
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  each_character(text, [&](char32_t code, std::string_view bytes) {
    const std::string_view entity = code == '\'' ? "&#39;" : paint::xml_entity(code);
    out += entity.empty() ? bytes : entity;
  });
  return out;
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  each_character(text, [&](char32_t code, std::string_view bytes) {
    if (code == '"' || code == '\\')
      out += '\\', out += bytes;
    else if (code < 0x20 || code == '<' || code == 0x2028 || code == 0x2029)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(code));
    else
      out += bytes;
  });
  return out + '"';
}

std::string number(float value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace lanescope::page
