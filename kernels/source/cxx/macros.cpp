#include "kernels/source/cxx/macros.h"

#include <algorithm>

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
  const auto add = [&](std::string_view definition) {
    const std::string_view name = take_next_word(definition);
    if (!name.empty()) out.push_back({.name = name, .body = definition, .like_function = definition.starts_with('(')});
  };
  for (const Directive& d : lexed.directives)
    if (auto [word, rest] = directive_text(lexed, d); word == "define") add(rest);
  const std::size_t of_text = out.size();
  for (std::size_t i = 0; lexed.option_macros != nullptr && i < lexed.option_macros->size(); ++i) {
    add((*lexed.option_macros)[i]);
    const auto end = out.begin() + static_cast<std::ptrdiff_t>(of_text);
    if (out.size() > of_text &&
        std::find_if(out.begin(), end, [&](const Macro& m) { return m.name == out.back().name; }) != end)
      out.pop_back();
  }
  return out;
}

Include include_on(std::string_view line) {
  Include out;
  line = without_indent(line);
  if (!line.starts_with('#')) return out;
  line = without_indent(line.substr(1));
  constexpr std::string_view word = "include";
  if (!line.starts_with(word)) return out;
  line = without_indent(line.substr(word.size()));
  if (line.empty() || (line.front() != '"' && line.front() != '<')) return out;
  out.angle = line.front() == '<';
  const std::size_t close = line.find_first_of(out.angle ? ">\n" : "\"\n", 1);
  if (close == std::string_view::npos || line[close] == '\n') return out;
  out.written = line.substr(0, close + 1);
  out.name = line.substr(1, close - 1);
  return out;
}

std::vector<Include> includes(const Lexed& lexed) {
  std::vector<Include> out;
  for (const Directive& d : lexed.directives) {
    Include one = include_on(lexed.text.substr(d.offset, d.length));
    if (one.name.empty()) continue;
    one.offset = d.offset;
    one.line = d.line;
    out.push_back(one);
  }
  return out;
}

}  // namespace lanescope::source
