#include "kernels/source/cxx/condition.h"

#include "kernels/base/text.h"
#include "kernels/source/cxx/constant_expression.h"

namespace lanescope::source {
namespace {

bool is(const MacroTokens& tokens, std::size_t i, std::string_view word) {
  return i < tokens.size() && tokens[i].text == word;
}

MacroToken answer(bool yes) { return {.kind = TokenKind::number, .text = yes ? "1" : "0", .spaced = true}; }

std::optional<IncludeName> include_of(const MacroTokens& tokens, std::size_t first, std::size_t after) {
  if (first >= after) return std::nullopt;
  const std::string& word = tokens[first].text;
  if (tokens[first].kind == TokenKind::string && word.size() > 2 && word.front() == '"' && word.back() == '"')
    return IncludeName{.name = word.substr(1, word.size() - 2), .quoted = true};
  if (word != "<") return std::nullopt;
  IncludeName out;
  for (std::size_t i = first + 1; i < after && tokens[i].text != ">"; ++i) {
    if (tokens[i].spaced && !out.name.empty()) out.name += ' ';
    out.name += tokens[i].text;
  }
  return out.name.empty() ? std::nullopt : std::optional(out);
}

/// The value of __has_cpp_attribute as NVRTC 13.0 has it: the standard's for C++17, a year and a month.
int attribute_value(const MacroTokens& tokens, std::size_t first, std::size_t after, const MacroTable& macros) {
  static constexpr struct {
    std::string_view name;
    int value;
  } known[] = {{"nodiscard", 201907},   {"maybe_unused", 201603},       {"deprecated", 201309},
               {"fallthrough", 201603}, {"noreturn", 200809},           {"likely", 201803},
               {"unlikely", 201803},    {"carries_dependency", 200809}, {"__nodiscard__", 201907}};
  if (after != first + 1) return 0;  // of a namespace: none is known
  const std::string& name = tokens[first].text;
  // The table of macros has the number as the compiler gets it; before 2020 this attribute is none.
  const auto standard = macros.find("__cplusplus");
  const bool of_2020 =
      standard != macros.end() && !standard->second.body.empty() && standard->second.body.front().text >= "202002L";
  if (name == "no_unique_address") return of_2020 ? 201803 : 0;
  for (const auto& k : known)
    if (k.name == name) return k.value;
  return 0;
}

/// `defined X`, `__has_include(...)` and `__has_cpp_attribute(...)` answered; nothing when one of them is not well formed,
/// or is a question that only the compiler can answer.
std::optional<MacroTokens> asked(const MacroTokens& tokens, const MacroTable& macros, const HasInclude& has_include) {
  MacroTokens out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string& word = tokens[i].text;
    const bool name = tokens[i].kind == TokenKind::identifier;
    if (name && word == "defined") {
      const bool bracket = is(tokens, i + 1, "(");
      const std::size_t at = i + (bracket ? 2 : 1);
      if (at >= tokens.size() || tokens[at].kind != TokenKind::identifier || (bracket && !is(tokens, at + 1, ")")))
        return std::nullopt;
      out.push_back(answer(is_defined(tokens[at].text, macros)));
      i = at + (bracket ? 1 : 0);
    } else if (name && word.starts_with("__has_") && is(tokens, i + 1, "(")) {
      std::size_t close = i + 1;
      for (int depth = 0; close < tokens.size(); ++close) {
        depth += tokens[close].text == "(" ? 1 : tokens[close].text == ")" ? -1 : 0;
        if (depth == 0) break;
      }
      if (close >= tokens.size()) return std::nullopt;
      if (word == "__has_cpp_attribute") {
        out.push_back(answer(false));
        out.back().text = std::to_string(attribute_value(tokens, i + 2, close, macros));
        i = close;
        continue;
      }
      if (!word.starts_with("__has_include")) return std::nullopt;
      bool yes = false;
      {
        std::optional<IncludeName> asked_for = include_of(tokens, i + 2, close);
        if (!asked_for) {
          const MacroTokens inside(tokens.begin() + static_cast<std::ptrdiff_t>(i) + 2,
                                   tokens.begin() + static_cast<std::ptrdiff_t>(close));
          if (const auto e = expanded(macros, inside)) asked_for = include_of(*e, 0, e->size());
        }
        yes = asked_for && has_include && has_include(asked_for->name, asked_for->quoted);
      }
      out.push_back(answer(yes));
      i = close;
    } else {
      out.push_back(tokens[i]);
    }
  }
  return out;
}

}  // namespace

bool is_defined(std::string_view name, const MacroTable& macros) {
  return macros.contains(name) ||
         one_of(name, {"__has_include", "__has_include_next", "__has_cpp_attribute", "__has_attribute", "__has_builtin",
                       "__has_feature", "__has_extension", "__FILE__", "__LINE__", "__DATE__", "__TIME__",
                       "__INCLUDE_LEVEL__", "__BASE_FILE__"});
}

std::optional<bool> condition(std::string_view text, const MacroTable& macros, const HasInclude& has_include) {
  std::optional<MacroTokens> tokens = asked(macro_tokens(text), macros, has_include);
  if (!tokens) return std::nullopt;
  tokens = expanded(macros, *tokens);
  if (!tokens) return std::nullopt;
  tokens = asked(*tokens, macros, has_include);  // a macro may have brought further questions
  if (!tokens) return std::nullopt;
  std::string words;
  for (const MacroToken& t : *tokens) words += (t.text == ">" && !t.spaced ? "" : " ") + t.text;
  const ConstantValue value = preprocessor_value(words);
  return value ? std::optional(*value != 0) : std::nullopt;
}

std::optional<IncludeName> include_name(std::string_view text, const MacroTable& macros) {
  text = without_indent(text);
  if (text.starts_with('"') || text.starts_with('<')) {
    const std::size_t close = text.find(text.front() == '"' ? '"' : '>', 1);
    if (close == std::string_view::npos || close < 2) return std::nullopt;
    return IncludeName{.name = std::string(text.substr(1, close - 1)), .quoted = text.front() == '"'};
  }
  const std::optional<MacroTokens> tokens = expanded(macros, macro_tokens(text));
  return tokens ? include_of(*tokens, 0, tokens->size()) : std::nullopt;
}

}  // namespace lanescope::source
