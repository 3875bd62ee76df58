#include "kernels/base/nearest.h"

#include <algorithm>
#include <vector>

#include "kernels/base/text.h"

namespace lanescope {
namespace {

/// Insertions, omissions, changes, and exchanges of neighbours that turn one word into the other.
std::size_t word_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool exchanged = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (exchanged) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last), std::swap(last, now);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest_word(std::string_view typed, std::span<const std::string> known) {
  const std::string* best = nullptr;
  std::size_t fewest = 0;
  for (const std::string& word : known) {
    const std::size_t distance = word_distance(typed, word);
    if (distance * 3 > std::max(typed.size(), word.size())) continue;
    if (best == nullptr || distance < fewest) best = &word, fewest = distance;
  }
  if (best != nullptr) return *best;
  if (typed.size() < 2) return {};
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
