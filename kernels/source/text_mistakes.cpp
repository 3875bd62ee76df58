#include "kernels/source/source.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "kernels/base/nearest.h"
#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {
namespace {

bool closes(const Lexed& lexed, int opening, int closing) {
  const char c = lexed.of(closing).front();
  return lexed.of(opening).front() == (c == ')' ? '(' : c == ']' ? '[' : '{');
}

/// The token where brackets stop to pair up: one that nothing closes, or one that closes nothing; -1: all do.
int unpaired_bracket(const Lexed& lexed) {
  if (lexed.balanced) return -1;
  std::vector<int> open;
  for (int i = 0; i < lexed.count(); ++i) {
    if (lexed.token(i).kind != TokenKind::punctuator || lexed.of(i).size() != 1) continue;
    const char c = lexed.of(i).front();
    if (c == '(' || c == '[' || c == '{') {
      open.push_back(i);
    } else if (c == ')' || c == ']' || c == '}') {
      if (!open.empty() && closes(lexed, open.back(), i)) {
        open.pop_back();
        continue;
      }
      const bool closes_another = std::ranges::any_of(open, [&](int o) { return closes(lexed, o, i); });
      return closes_another ? open.back() : i;
    }
  }
  return open.empty() ? -1 : open.back();
}

/// The first word in the text that was to be `__global__`; -1: there is none.
int nearly_global(const Lexed& lexed) {
  const std::array<std::string, 1> meant = {"__global__"};
  constexpr std::size_t shortest = 6;  // that three letters away from ten may be
  for (int i = 0; i < lexed.count(); ++i)
    if (lexed.token(i).kind == TokenKind::identifier && lexed.of(i).size() > shortest && lexed.of(i) != meant.front() &&
        lexed.of(i).find('_') != std::string_view::npos && !nearest_word(lexed.of(i), meant).empty())
      return i;
  return -1;
}

}  // namespace

bool has_kernel(const Source& source) {
  return std::ranges::any_of(source.functions, [](const Function& f) { return f.is_kernel; });
}

std::optional<Diagnostic> text_mistake(const Source& source) {
  const Lexed text = lexed(source);
  const auto at = [&](int token, std::string message, std::string remedy) {
    const SourceLines::Place place = source.lines.place(text.token(token).line);
    return Diagnostic{.file = place.file > 0 ? source.lines.files[place.file].path : source.file,
                      .line = place.line,
                      .column = text.token(token).column,
                      .message = std::move(message),
                      .remedy = std::move(remedy)};
  };
  if (const int bracket = unpaired_bracket(text); bracket >= 0) {
    const bool opens = std::string_view("([{").find(text.of(bracket).front()) != std::string_view::npos;
    return at(bracket, fmt::format("this `{}` {}", text.of(bracket), opens ? "is never closed" : "closes nothing"),
              "brackets come in pairs");
  }
  if (has_kernel(source)) return std::nullopt;
  if (const int word = nearly_global(text); word >= 0)
    return at(word, fmt::format("`{}` is no word of CUDA C++", text.of(word)), "did you mean `__global__`?");
  return std::nullopt;
}

}  // namespace lanescope::source
