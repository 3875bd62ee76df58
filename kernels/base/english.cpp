#include "kernels/base/english.h"

#include <array>

#include "kernels/base/text.h"

namespace lanescope {

bool is_english(std::string_view word) {
  static constexpr std::array<std::string_view, 41> words = {
      "all", "an",  "and", "any",  "are",  "as",  "at",   "be",    "by",   "each", "for",  "from", "has", "have",
      "id",  "if",  "in",  "into", "is",   "it",  "its",  "keeps", "new",  "no",   "none", "not",  "now", "of",
      "on",  "one", "or",  "per",  "same", "see", "that", "the",   "this", "to",   "two",  "we",   "with"};
  return one_of(lower(word), words);
}

}  // namespace lanescope
