#pragma once
// Characters, words and lines of a text. Letters and digits are those of ASCII in any locale; a blank is what
// separates words within a line (a line break is none).

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// Letter, digit or underscore: what the names of C++ and PTX consist of.
constexpr bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
std::string lower(std::string_view text);

/// With a capital at its beginning.
inline std::string capitalised(std::string text) {
  if (!text.empty()) text.front() = upper(text.front());
  return text;
}

/// Without the blanks before it.
constexpr std::string_view without_indent(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}
/// Without the blanks before and after it.
constexpr std::string_view trimmed(std::string_view text) {
  text = without_indent(text);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}
constexpr bool is_blank(std::string_view text) { return without_indent(text).empty(); }

/// "s" of "s12".
constexpr std::string_view without_trailing_digits(std::string_view name) {
  while (!name.empty() && is_digit(name.back())) name.remove_suffix(1);
  return name;
}

/// Whether a list has this word: one_of(word, names) of an array, a vector or one_of(word, {"a", "b"}).
constexpr bool one_of(std::string_view word, const auto& words) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}
constexpr bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The words of a text apart by any of `separators`; none is empty.
std::vector<std::string> words_between(std::string_view text, std::string_view separators = " \t\r\n\f\v");

/// The lines without their '\n'; a '\n' at the end begins no further line.
std::vector<std::string_view> split_lines(std::string_view text);

/// Lines of whole words, each as long as `fits` lets it be, but at least one word. Words are separated by one space.
std::vector<std::string> wrapped(std::string_view text, const std::function<bool(const std::string& line)>& fits);

}  // namespace lanescope
