#include "kernels/source/cxx/comments.h"

#include <algorithm>

#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

/// Drops `//`, `///`, `/*`, a leading `*` and a closing `*/`, then blanks.
std::string_view without_markers(std::string_view s) {
  s = trimmed(s);
  if (s.starts_with("//") || s.starts_with("/*")) {
    s.remove_prefix(2);
    while (!s.empty() && (s.front() == '/' || s.front() == '*' || s.front() == '!')) s.remove_prefix(1);
  } else if (s.starts_with("*") && !s.starts_with("*/")) {
    s.remove_prefix(1);
  }
  if (s.ends_with("*/")) s.remove_suffix(2);
  return trimmed(s);
}

}  // namespace

std::vector<CommentLine> comment_lines(const Lexed& lexed) {
  std::vector<CommentLine> out;
  int group = -1;
  int token_before = -2;
  for (const Comment& c : lexed.comments) {
    const int token = lexed.last_before(c.offset);
    // Code between two comments parts them; so does an empty line.
    const bool same = !out.empty() && token == token_before && c.line <= out.back().line + 2;
    if (!same) ++group;
    token_before = token;
    std::size_t start = c.offset;
    int line = c.line;
    int column = c.column;
    const std::size_t end = c.offset + c.length;
    while (start <= end) {
      const std::size_t stop = std::min(lexed.text.find('\n', start), end);
      const std::string_view raw = lexed.text.substr(start, stop - start);
      const std::string_view text = without_markers(raw);
      const auto shift = text.data() == nullptr ? std::size_t{0} : static_cast<std::size_t>(text.data() - raw.data());
      out.push_back({.text = text,
                     .offset = static_cast<std::uint32_t>(start + shift),
                     .line = line,
                     .column = column + static_cast<int>(shift),
                     .group = group,
                     .comment = static_cast<int>(&c - lexed.comments.data())});
      start = stop + 1;
      ++line;
      column = 1;
    }
  }
  return out;
}

bool after_code(const Lexed& lexed, const CommentLine& line) {
  const int before = lexed.last_before(line.offset);
  return before >= 0 && lexed.token(before).line == line.line;
}

}  // namespace lanescope::source
