#include "kernels/source/notation/comment_shapes.h"

#include <charconv>

namespace lanescope::source {
namespace {

std::size_t skip_blanks(std::string_view s, std::size_t i) {
  while (i < s.size() && is_blank(s[i])) ++i;
  return i;
}

/// "(16,16,16)", "{ 128, 32 }" at `i`, with or without a blank or `=` before it.
std::vector<std::uint64_t> numbers_at(std::string_view s, std::size_t i) {
  std::vector<std::uint64_t> out;
  i = skip_blanks(s, i);
  if (i < s.size() && (s[i] == '=' || s[i] == ':')) i = skip_blanks(s, i + 1);
  if (s.substr(i).starts_with("dim3")) i = skip_blanks(s, i + 4);
  if (i >= s.size() || (s[i] != '(' && s[i] != '{' && s[i] != '[')) return out;
  const std::size_t end = s.find_first_of(")}]", i);
  if (end == std::string_view::npos) return out;
  for (++i; i < end;) {
    i = skip_blanks(s, i);
    std::uint64_t v = 0;
    const auto [behind, problem] = std::from_chars(s.data() + i, s.data() + end, v);
    if (problem != std::errc() || v == 0) return i == end ? out : std::vector<std::uint64_t>{};
    out.push_back(v);
    i = skip_blanks(s, static_cast<std::size_t>(behind - s.data()));
    if (i < end && s[i] != ',') return {};
    ++i;
  }
  return out;
}

/// Where `name` stands as a word of its own.
std::size_t find_word(std::string_view s, std::string_view name, std::size_t from = 0) {
  for (std::size_t at = s.find(name, from); at != std::string_view::npos; at = s.find(name, at + 1)) {
    const bool starts = at == 0 || !is_word(s[at - 1]);
    const bool ends = at + name.size() >= s.size() || !is_word(s[at + name.size()]);
    if (starts && ends) return at;
  }
  return std::string_view::npos;
}

/// "[i,j,k]" right after a name.
std::vector<std::string> index_names(std::string_view s, std::size_t i) {
  std::vector<std::string> out;
  if (i >= s.size() || s[i] != '[') return out;
  const std::size_t end = s.find(']', i);
  if (end == std::string_view::npos) return out;
  std::string word;
  for (++i; i <= end; ++i) {
    if (i < end && is_word(s[i])) {
      word += s[i];
    } else if (i == end || s[i] == ',') {
      if (word.empty() || !is_word_start(word.front())) return {};
      out.push_back(std::move(word));
      word.clear();
    } else if (!is_blank(s[i])) {
      return {};
    }
  }
  return out;
}

}  // namespace

std::vector<Axis> shape_of(const std::vector<CommentLine>& lines, std::string_view name) {
  std::vector<Axis> unnamed;
  for (const CommentLine& l : lines)
    for (std::size_t at = find_word(l.text, name); at != std::string_view::npos;
         at = find_word(l.text, name, at + name.size())) {
      const std::size_t shape = l.text.find("shape", at);
      if (shape == std::string_view::npos) break;
      const std::vector<std::uint64_t> extents = numbers_at(l.text, shape + 5);
      const std::vector<std::string> names = index_names(l.text, at + name.size());
      if (extents.empty() || (names.size() != extents.size() && !unnamed.empty())) continue;
      constexpr std::string_view usual = "ijklmn";
      std::vector<Axis> out;
      for (std::size_t i = 0; i < extents.size(); ++i) {
        Axis a{.name = "a" + std::to_string(i), .extent = extents[i], .stride_elements = 0};
        if (names.size() == extents.size()) {
          a.name = names[i];
        } else if (extents.size() <= usual.size()) {
          a.name = std::string(1, usual[i]);
        }
        out.push_back(std::move(a));
      }
      if (names.size() == extents.size()) return out;
      unnamed = std::move(out);
    }
  return unnamed;
}

namespace {

/// "=16" of "--blockDim=16": one number, and no part of a formula.
std::optional<std::uint32_t> number_behind(std::string_view s, std::size_t i) {
  i = skip_blanks(s, i);
  if (i >= s.size() || s[i] != '=') return std::nullopt;
  i = skip_blanks(s, i + 1);
  std::uint32_t v = 0;
  const auto [behind, problem] = std::from_chars(s.data() + i, s.data() + s.size(), v);
  if (problem != std::errc() || v == 0) return std::nullopt;
  const std::size_t end = static_cast<std::size_t>(behind - s.data());
  const std::size_t next = skip_blanks(s, end);
  const bool whole = end == s.size() || s[end] == ' ' || s[end] == ',' || s[end] == ';' || s[end] == '\r';
  const bool formula = next < s.size() && (s[next] == '*' || s[next] == '+' || s[next] == '/' || s[next] == 'x');
  return whole && !formula ? std::optional(v) : std::nullopt;
}

}  // namespace

std::optional<std::array<std::uint32_t, 3>> extents_of(const std::vector<CommentLine>& lines, std::string_view what) {
  for (const CommentLine& l : lines) {
    const std::size_t at = find_word(l.text, what);
    if (at == std::string_view::npos) continue;
    const std::vector<std::uint64_t> v = numbers_at(l.text, at + what.size());
    if (const auto one = number_behind(l.text, at + what.size())) return std::array<std::uint32_t, 3>{*one, 1, 1};
    if (v.empty() || v.size() > 3) continue;
    std::array<std::uint32_t, 3> out{1, 1, 1};
    for (std::size_t i = 0; i < v.size(); ++i) out[i] = static_cast<std::uint32_t>(v[i]);
    return out;
  }
  return std::nullopt;
}

}  // namespace lanescope::source
