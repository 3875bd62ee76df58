#include "kernels/base/nearest.h"

#include <algorithm>
#include <vector>

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

namespace {

constexpr std::size_t longest_name = 200;
constexpr int letters_for_each_difference = 3;

}  // namespace

int spelling_distance(std::string_view a, std::string_view b) {
  // Rows of the table of distances between beginnings of `a` and `b`: the two before, because neighbours may change places.
  std::vector<int> before, row(b.size() + 1), next(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = lower(a[i - 1]), y = lower(b[j - 1]);
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (x == y ? 0 : 1)});
      if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y)
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before = row;
    std::swap(row, next);
  }
  return row[b.size()];
}

std::string_view nearest_name(std::string_view word, std::span<const std::string> names) {
  std::string_view best;
  int fewest = 0;
  if (word.size() > longest_name) return best;
  for (const std::string& name : names) {
    if (name.size() > longest_name) continue;
    const int distance = spelling_distance(word, name);
    const int most = static_cast<int>(std::max(word.size(), name.size())) / letters_for_each_difference;
    if (distance > most || (!best.empty() && distance >= fewest)) continue;
    best = name;
    fewest = distance;
  }
  return best;
}

}  // namespace lanescope
