#include "kernels/source/cxx/lex_parts.h"

#include <algorithm>
#include <iterator>

#include "kernels/source/cxx/structural_macros.h"

namespace lanescope::source {

Lexed lex(std::string_view text, std::span<const TextPart> parts, const MacroTable& known) {
  Lexed out;
  out.text = text;
  for (const TextPart& part : parts) {
    Lexed one = lex(text.substr(part.begin, part.end - part.begin), known);
    const int tokens = out.count(), lines = part.first_line - 1;
    const auto shift = [&](auto& all, auto& into) {
      for (auto& thing : all) {
        thing.offset += part.begin;
        thing.line += lines;
        into.push_back(thing);
      }
    };
    for (Token& t : one.tokens)
      if (t.spelling >= 0) t.spelling += static_cast<int>(out.spellings.size());
    std::ranges::move(one.spellings, std::back_inserter(out.spellings));
    shift(one.tokens, out.tokens);
    shift(one.comments, out.comments);
    shift(one.directives, out.directives);
    for (const int partner : one.match) out.match.push_back(partner < 0 ? partner : partner + tokens);
    out.balanced = out.balanced && one.balanced;
    if (out.too_deep < 0 && one.too_deep >= 0) out.too_deep = one.too_deep + tokens;
    for (Diagnostic& d : one.mistakes) {
      d.line += lines;
      out.mistakes.push_back(std::move(d));
    }
  }
  return out;
}

}  // namespace lanescope::source
