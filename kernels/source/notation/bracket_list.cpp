#include "kernels/source/notation/bracket_list.h"

#include <optional>

#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

constexpr std::size_t most_listed = 8;

/// The text of a bracket that opens at `at`, and what follows it; nullopt where it does not close on this line.
std::optional<std::string_view> bracket_at(std::string_view s, std::size_t& at) {
  const char open = s[at], close = open == '(' ? ')' : ']';
  int depth = 0;
  for (std::size_t i = at; i < s.size(); ++i) {
    if (s[i] == open) ++depth;
    if (s[i] != close || --depth > 0) continue;
    const std::string_view inside = s.substr(at + 1, i - at - 1);
    at = i + 1;
    return inside;
  }
  return std::nullopt;
}

}  // namespace

std::size_t behind_blanks(std::string_view s, std::size_t at) {
  while (at < s.size() && is_blank(s[at])) ++at;
  return at;
}

std::vector<std::string> list_of(std::string_view s, std::size_t& at) {
  std::vector<std::string> out;
  while (at < s.size() && (s[at] == '(' || s[at] == '[')) {
    const bool round = s[at] == '(';
    std::size_t end = at;
    const std::optional<std::string_view> inside = bracket_at(s, end);
    if (!inside) return {};
    int depth = 0;
    for (std::size_t i = 0, start = 0; i <= inside->size(); ++i) {
      const char c = i < inside->size() ? (*inside)[i] : ',';
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (c != ',' || depth > 0) continue;
      const std::string_view part = trimmed(inside->substr(start, i - start));
      start = i + 1;
      if (part.empty() || out.size() >= most_listed) return {};
      out.emplace_back(part);
    }
    at = end;
    if (round) break;
  }
  return out;
}

}  // namespace lanescope::source
