#include "kernels/base/nearest.h"

#include "kernels/base/text.h"

namespace lanescope {

std::string nearest_word(std::string_view typed, std::span<const std::string> known) {
  if (const std::string_view near = nearest_name(typed, known); !near.empty()) return std::string(near);
  if (typed.size() < 2) return {};
  const std::string* best = nullptr;
  for (const std::string& word : known) {
    if (!lower(word).starts_with(lower(typed))) continue;
    if (best != nullptr) return {};  // several begin with it
    best = &word;
  }
  return best == nullptr ? std::string() : *best;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string> known, std::string_view otherwise) {
  const std::string near = nearest_word(typed, known);
  return near.empty() ? std::string(otherwise) : "did you mean '" + near + "'?";
}

}  // namespace lanescope
