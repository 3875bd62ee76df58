#include "kernels/source/notation/stated_array.h"

#include <algorithm>
#include <charconv>

#include "kernels/base/text.h"
#include "kernels/source/notation/phrases.h"

namespace lanescope::source {
namespace {

constexpr std::size_t longest_list = 200;  ///< bytes of a list of extents or names, and what is before it

/// The words after byte `at`, a list's worth of them.
Words words_after(std::string_view text, std::size_t at) { return words_of(text, at, at + longest_list); }

/// Numbers of "(16,16,16)", "= { 128, 32 }", "dim3(4, 2)" in the words; empty where they begin otherwise or one is 0.
std::vector<std::uint64_t> extents_in(const Words& words) {
  std::vector<std::uint64_t> out;
  const auto found = comment_phrases().at("extents", words);
  for (std::size_t k = 0; found && k < found->end; ++k) {
    const std::string_view text = words[k].text;
    if (!is_digit(text.front())) continue;
    std::uint64_t v = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), v).ec != std::errc() || v == 0) return {};
    out.push_back(v);
  }
  return out;
}

}  // namespace

std::vector<Axis> shape_of(const std::vector<CommentLine>& lines, std::string_view name) {
  constexpr std::string_view usual = "ijklmn";
  std::vector<Axis> unnamed;
  for (const CommentLine& l : lines)
    for (std::size_t at = find_word(l.text, name); at != std::string_view::npos;
         at = find_word(l.text, name, at + name.size())) {
      const std::size_t shape = l.text.find("shape", at);
      if (shape == std::string_view::npos) break;
      const std::vector<std::uint64_t> extents = extents_in(words_after(l.text, shape + 5));
      const Words after = words_after(l.text, at + name.size());
      std::vector<std::string> names;
      if (const auto found = comment_phrases().at("index_names", after); found && after.front().at == at + name.size())
        for (std::size_t k = 1; k < found->end; k += 2) names.emplace_back(after[k].text);
      const bool named = names.size() == extents.size();
      if (extents.empty() || (!named && !unnamed.empty())) continue;
      std::vector<Axis> out;
      for (std::size_t i = 0; i < extents.size(); ++i)
        out.push_back({.name = named                            ? names[i]
                               : extents.size() <= usual.size() ? std::string(1, usual[i])
                                                                : "a" + std::to_string(i),
                       .extent = extents[i],
                       .stride_elements = 0});
      if (named) return out;
      unnamed = std::move(out);
    }
  return unnamed;
}

std::optional<std::array<std::uint32_t, 3>> extents_of(const std::vector<CommentLine>& lines, std::string_view what) {
  for (const CommentLine& l : lines) {
    const std::size_t at = find_word(l.text, what);
    if (at == std::string_view::npos) continue;
    const Words words = words_after(l.text, at + what.size());
    std::vector<std::uint64_t> v = extents_in(words);
    // "=16" of "--blockDim=16": one number, and no part of a formula.
    std::uint32_t one = 0;
    if (comment_phrases().is("extent_one", words, 0)) {
      const std::size_t end = words[1].end();
      const bool whole = end == l.text.size() || is_blank(l.text[end]) || l.text[end] == ',' || l.text[end] == ';';
      const auto [after, problem] =
          std::from_chars(words[1].text.data(), words[1].text.data() + words[1].text.size(), one);
      if (whole && problem == std::errc() && one > 0) v = {one};
    }
    if (v.empty() || v.size() > 3) continue;
    std::array<std::uint32_t, 3> out{1, 1, 1};
    for (std::size_t i = 0; i < v.size(); ++i) out[i] = static_cast<std::uint32_t>(v[i]);
    return out;
  }
  return std::nullopt;
}

}  // namespace lanescope::source
