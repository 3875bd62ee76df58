#include "kernels/source/host/program/host_tokens.h"

#include <algorithm>
#include <optional>

#include "kernels/source/cxx/macros.h"

namespace lanescope::source::host {
namespace {

HostTokens from_lexed(const Lexed& lexed, int first, int last) {
  HostTokens out;
  out.reserve(static_cast<std::size_t>(std::max(last - first, 0)));
  for (int i = first; i < last; ++i) {
    const Token& t = lexed.token(i);
    const bool glued = i > 0 && lexed.token(i - 1).end() == t.offset;
    out.push_back({.kind = t.kind, .text = lexed.of(i), .line = t.line, .glued = glued});
  }
  return out;
}

/// The tokens of a macro's arguments, cut at commas outside brackets; `at` is after the `(`, and after the `)` after it.
/// False when it is never closed.
bool arguments_of(const HostTokens& in, std::size_t& at, std::vector<HostTokens>& out) {
  int depth = 0;
  out.emplace_back();
  for (; at < in.size(); ++at) {
    const std::string_view t = in[at].text;
    const bool single = t.size() == 1 && in[at].kind == TokenKind::punctuator;
    if (single && depth == 0 && t == ")") return ++at, true;
    if (single && depth == 0 && t == ",") {
      out.emplace_back();
      continue;
    }
    if (single && (t == "(" || t == "[" || t == "{")) ++depth;
    if (single && (t == ")" || t == "]" || t == "}")) --depth;
    out.back().push_back(in[at]);
  }
  return false;
}

std::string spelled(const HostTokens& tokens) {
  std::string out;
  for (const HostToken& t : tokens) {
    if (!out.empty() && !t.glued) out += ' ';
    out += t.text;
  }
  return out;
}

}  // namespace

std::string_view MacroTable::kept(std::string text) const { return texts_.emplace_back(std::move(text)); }

HostTokens MacroTable::tokens_of(std::string_view text) const {
  std::string line(text);
  for (std::size_t i = 0; i < line.size(); ++i)  // continued lines
    if (line[i] == '\\' && i + 1 < line.size() && (line[i + 1] == '\n' || line[i + 1] == '\r')) line[i] = ' ';
  std::replace(line.begin(), line.end(), '#', '\x01');  // else a line that begins with it is a directive
  const std::string_view own = kept(std::move(line));
  const Lexed lexed = lex(own);
  HostTokens out = from_lexed(lexed, 0, lexed.count());
  for (HostToken& t : out)
    if (t.text == "\x01") t.text = "#";
  return out;
}

MacroTable::MacroTable(const Lexed& lexed) {
  for (const Macro& m : macros(lexed)) {
    if (macros_.contains(m.name)) continue;
    Definition d{.like_function = m.like_function};
    d.body = tokens_of(m.body);
    if (m.like_function) {
      std::size_t at = 1;
      for (; at < d.body.size() && d.body[at].text != ")"; ++at) {
        if (d.body[at].text == "...") d.variadic = true;
        if (d.body[at].kind == TokenKind::identifier) d.parameters.push_back(d.body[at].text);
      }
      d.body.erase(d.body.begin(), d.body.begin() + static_cast<std::ptrdiff_t>(std::min(at + 1, d.body.size())));
    }
    macros_.emplace(m.name, std::move(d));
  }
}

HostTokens MacroTable::substituted(const Definition& m, const std::vector<HostTokens>& given, int line) const {
  HostTokens out;
  const auto argument = [&](std::string_view name) -> std::optional<HostTokens> {
    for (std::size_t p = 0; p < m.parameters.size(); ++p)
      if (m.parameters[p] == name) return p < given.size() ? given[p] : HostTokens{};
    if (!m.variadic || name != "__VA_ARGS__") return std::nullopt;
    HostTokens rest;
    for (std::size_t p = m.parameters.size(); p < given.size(); ++p) {
      if (p > m.parameters.size()) rest.push_back({.kind = TokenKind::punctuator, .text = ",", .line = line});
      rest.insert(rest.end(), given[p].begin(), given[p].end());
    }
    return rest;
  };
  bool paste = false;
  for (std::size_t i = 0; i < m.body.size() && out.size() < most_of_macro && budget_ > 0; ++i) {
    HostToken t = m.body[i];
    t.line = line;
    if (t.text == "##" || (t.text == "#" && i + 1 < m.body.size() && m.body[i + 1].text == "#")) {
      if (t.text == "#") ++i;
      paste = true;
      continue;
    }
    HostTokens piece{t};
    if (m.like_function && t.text == "#" && i + 1 < m.body.size()) {
      const auto given_here = argument(m.body[i + 1].text);
      ++i;
      piece = {{.kind = TokenKind::string,
                .text = kept('"' + spelled(given_here.value_or(HostTokens{})) + '"'),
                .line = line}};
    } else if (t.kind == TokenKind::identifier) {
      if (auto given_here = argument(t.text)) piece = std::move(*given_here);
      for (HostToken& p : piece) p.line = line;
    }
    if (paste && !out.empty() && !piece.empty() && out.back().kind != TokenKind::punctuator) {
      out.back().text = kept(std::string(out.back().text) + std::string(piece.front().text));
      piece.erase(piece.begin());
    }
    paste = false;
    budget_ -= std::min(budget_, piece.size() + 1);
    out.insert(out.end(), piece.begin(), piece.end());
  }
  return out;
}

void MacroTable::expand(const HostTokens& in, std::vector<std::string_view>& open, int depth, HostTokens& out) const {
  for (std::size_t i = 0; i < in.size() && out.size() < (depth > 0 ? most_of_macro : most_expanded) && budget_ > 0;) {
    const HostToken& t = in[i];
    if (depth > 0) --budget_;
    const auto found = t.kind == TokenKind::identifier && depth < deepest ? macros_.find(t.text) : macros_.end();
    const bool within_itself = std::find(open.begin(), open.end(), t.text) != open.end();
    if (found == macros_.end() || within_itself) {
      out.push_back(t);
      ++i;
      continue;
    }
    const Definition& m = found->second;
    std::vector<HostTokens> given;
    std::size_t behind = i + 1;
    if (m.like_function) {
      const bool called = behind < in.size() && in[behind].text == "(";
      if (!called || !arguments_of(in, ++behind, given)) {
        out.push_back(t);
        ++i;
        continue;
      }
      for (HostTokens& g : given) {
        HostTokens whole;
        expand(g, open, depth + 1, whole);
        g = std::move(whole);
      }
    }
    open.push_back(t.text);
    expand(substituted(m, given, t.line), open, depth + 1, out);
    open.pop_back();
    i = behind;
  }
}

HostTokens MacroTable::expanded(const Lexed& lexed, int first, int last) const {
  HostTokens out;
  std::vector<std::string_view> open;
  HostTokens in = from_lexed(lexed, first, last);
  for (std::size_t i = 0; i < in.size(); ++i) in[i].token = first + static_cast<int>(i);
  expand(in, open, 0, out);
  return out;
}

}  // namespace lanescope::source::host
