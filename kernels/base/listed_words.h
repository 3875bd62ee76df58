#pragma once
// Tables of words: a list is one text, in which spaces separate the words.

#include <algorithm>
#include <string_view>
#include <vector>

namespace lanescope {

inline std::vector<std::string_view> listed_words(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (end > 0) words.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

}  // namespace lanescope
