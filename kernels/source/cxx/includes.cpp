#include "kernels/source/cxx/includes.h"

#include "kernels/base/text.h"

namespace lanescope::source {

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
