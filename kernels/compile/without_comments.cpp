#include "kernels/compile/texts.h"

#include <algorithm>
#include <vector>

#include "kernels/source/cxx/lexer.h"

namespace lanescope::compile {
namespace {

constexpr std::string_view blanks = " \t";

/// For each comment: nothing stands after it on its line but such comments.
std::vector<bool> end_lines(const source::Lexed& lexed) {
  std::vector<bool> out(lexed.comments.size());
  for (std::size_t i = out.size(); i-- > 0;) {
    const std::size_t end = lexed.comments[i].offset + lexed.comments[i].length;
    const std::size_t next = lexed.text.find_first_not_of(" \t\r", end);
    out[i] = next == std::string_view::npos || lexed.text[next] == '\n' ||
             (i + 1 < out.size() && out[i + 1] && lexed.comments[i + 1].offset == next);
  }
  return out;
}

/// Where the blanks begin that stand before `at`, not before `from`.
std::size_t before_blanks(std::string_view text, std::size_t at, std::size_t from) {
  while (at > from && blanks.find(text[at - 1]) != std::string_view::npos) --at;
  return at;
}

}  // namespace

std::string without_comments(std::string_view text) {
  const source::Lexed lexed = source::lex_plainly(text);
  if (!lexed.mistakes.empty()) return std::string(text);
  std::string out;
  out.reserve(text.size());
  std::size_t at = 0;
  const std::vector<bool> at_end = end_lines(lexed);
  for (std::size_t i = 0; i < at_end.size(); ++i) {
    const source::Comment& c = lexed.comments[i];
    const std::size_t end = c.offset + c.length;
    const std::size_t begin = before_blanks(text, c.offset, at);
    const bool would_splice = begin > 0 && text[begin - 1] == '\\';
    if (would_splice || !at_end[i]) continue;
    out += text.substr(at, begin - at);
    out.append(static_cast<std::size_t>(std::ranges::count(text.substr(c.offset, c.length), '\n')), '\n');
    at = std::min(text.find_first_not_of(blanks, end), text.size());
  }
  return out += text.substr(at);
}

}  // namespace lanescope::compile
