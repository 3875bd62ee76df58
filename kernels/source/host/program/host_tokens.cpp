#include "kernels/source/host/program/host_tokens.h"

#include "kernels/source/cxx/macros.h"

namespace lanescope::source::host {

FileMacros::FileMacros(const Lexed& lexed) {
  for (const Macro& m : macros(lexed))
    if (auto definition = read_definition(std::string(m.name) + std::string(m.body)))
      table_.try_emplace(definition->name, std::move(*definition));
}

HostTokens FileMacros::expanded(const Lexed& lexed, int first, int last) const {
  HostTokens out;
  const auto glued = [&](int i) { return i > 0 && lexed.token(i - 1).end() == lexed.token(i).offset; };
  for (int i = first; i < last && out.size() < most_expanded; ++i) {
    const Token& name = lexed.token(i);
    const auto macro = name.kind == TokenKind::identifier ? table_.find(lexed.of(i)) : table_.end();
    const int close = macro != table_.end() && macro->second.like_function
                          ? lexed.is(i + 1, "(") && lexed.partner(i + 1) < last ? lexed.partner(i + 1) : -1
                          : i;
    std::optional<MacroTokens> whole;
    if (macro != table_.end() && close >= i && budget_ > 0) {
      MacroTokens call;
      for (int t = i; t <= close; ++t)
        call.push_back({.kind = lexed.token(t).kind, .text = std::string(lexed.of(t)), .spaced = !glued(t)});
      whole = source::expanded(table_, call);
    }
    if (!whole) {
      out.push_back({.kind = name.kind, .text = lexed.of(i), .line = name.line, .glued = glued(i)});
      continue;
    }
    budget_ -= std::min(budget_, whole->size());
    for (MacroToken& t : *whole)
      out.push_back(
          {.kind = t.kind, .text = texts_.emplace_back(std::move(t.text)), .line = name.line, .glued = !t.spaced});
    i = close;
  }
  return out;
}

}  // namespace lanescope::source::host
