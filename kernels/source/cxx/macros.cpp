#include "kernels/source/cxx/macros.h"

#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

std::string_view take_next_word(std::string_view& text) {
  text = without_indent(text);
  std::size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

}  // namespace

DirectiveText directive_text(const Lexed& lexed, const Directive& directive) {
  DirectiveText out{.word = {}, .rest = lexed.text.substr(directive.offset + 1, directive.length - 1)};
  out.word = take_next_word(out.rest);
  return out;
}

std::vector<Macro> macros(const Lexed& lexed) {
  std::vector<Macro> out;
  for (const Directive& d : lexed.directives) {
    auto [word, rest] = directive_text(lexed, d);
    if (word != "define") continue;
    const std::string_view name = take_next_word(rest);
    if (!name.empty()) out.push_back({.name = name, .body = rest, .like_function = rest.starts_with('(')});
  }
  return out;
}

}  // namespace lanescope::source
