#pragma once
// A sentence as a value: a code and the operands of its words. Logic compares codes; words are made where they are
// shown.
//
// The enum of the codes has a table beside it with a row for each value, and `sentence_of(code)` returns the row. The
// first value, 0, stands for no sentence.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"

namespace lanescope {

struct Sentence {
  std::string_view name;   ///< in JSON, kebab-case; stays if the words change
  std::string_view words;  ///< with {} for each operand
};

/// A {} without an operand is empty, and further operands are left out: a message of another process may have either.
std::string filled(std::string_view words, const std::vector<std::string>& operands);

template <class Code>
struct Coded {
  Code code{};
  std::vector<std::string> operands{};

  bool empty() const { return code == Code{}; }
  std::string_view name() const { return sentence_of(code).name; }
  std::string words() const { return filled(sentence_of(code).words, operands); }
  bool operator==(const Coded&) const = default;
};

/// Does not compile where the number of operands is not that of the words.
template <auto code, class... Operand>
Coded<decltype(code)> coded(const Operand&... operands) {
  constexpr std::string_view words = sentence_of(code).words;
  constexpr auto places = [](std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = text.find("{}"); at != std::string_view::npos; at = text.find("{}", at + 2)) ++count;
    return count;
  };
  static_assert(places(words) == sizeof...(Operand));
  return {code, {fmt::format("{}", operands)...}};
}

/// The words of each, for lists that people read.
template <class Code>
std::vector<std::string> words_of(const std::vector<Coded<Code>>& sentences) {
  std::vector<std::string> out;
  for (const Coded<Code>& s : sentences) out.push_back(s.words());
  return out;
}

}  // namespace lanescope
