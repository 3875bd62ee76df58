#include "kernels/source/notation/bracket_list.h"

#include <algorithm>

#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

constexpr std::size_t most_listed = 8;
constexpr std::string_view openers = "([{", closers = ")]}";

}  // namespace

std::size_t after_blanks(std::string_view s, std::size_t at) {
  while (at < s.size() && is_blank(s[at])) ++at;
  return at;
}

std::optional<std::string_view> bracket_at(std::string_view s, std::size_t& at) {
  const char open = s[at], close = closers[openers.find(open)];
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

std::vector<std::string_view> all_parts(std::string_view s, std::string_view marks) {
  std::vector<std::string_view> out;
  int depth = 0;
  for (std::size_t k = 0, start = 0; k <= s.size(); ++k) {
    const char c = k < s.size() ? s[k] : marks.front();
    if (openers.find(c) != std::string_view::npos) ++depth;
    if (closers.find(c) != std::string_view::npos) depth = std::max(depth - 1, 0);
    if (k < s.size() && (depth > 0 || marks.find(c) == std::string_view::npos)) continue;
    out.push_back(trimmed(s.substr(start, k - start)));
    start = k + 1;
  }
  return out;
}

std::vector<std::string_view> parts_between(std::string_view s, std::string_view marks) {
  std::vector<std::string_view> out = all_parts(s, marks);
  std::erase_if(out, [](std::string_view part) { return part.empty(); });
  return out;
}

std::vector<std::string> list_of(std::string_view s, std::size_t& at) {
  std::vector<std::string> out;
  while (at < s.size() && (s[at] == '(' || s[at] == '[')) {
    const bool round = s[at] == '(';
    std::size_t end = at;
    const std::optional<std::string_view> inside = bracket_at(s, end);
    if (!inside) return {};
    const std::vector<std::string_view> parts = all_parts(*inside, ",");
    out.insert(out.end(), parts.begin(), parts.end());
    if (one_of("", parts) || out.size() > most_listed) return {};
    at = end;
    if (round) break;
  }
  return out;
}

}  // namespace lanescope::source
