// Distances between spellings against the definition, and which name is proposed.

#include "kernels/base/nearest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace lanescope {
namespace {

/// The same by trying each step, without a table.
int tried(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return static_cast<int>(std::max(a.size(), b.size()));
  const auto rest = [](std::string_view s, std::size_t n) { return s.substr(n); };
  int best =
      std::min({tried(rest(a, 1), b) + 1, tried(a, rest(b, 1)) + 1, tried(rest(a, 1), rest(b, 1)) + (a[0] != b[0])});
  if (a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0])
    best = std::min(best, tried(rest(a, 2), rest(b, 2)) + 1);
  return best;
}

TEST(SpellingDistance, IsTheSmallestNumberOfSteps) {
  std::mt19937 random(11);
  const auto word = [&] {
    std::string s(random() % 6, ' ');
    for (char& c : s) c = static_cast<char>('a' + random() % 3);
    return s;
  };
  for (int n = 0; n < 2000; ++n) {
    const std::string a = word(), b = word();
    EXPECT_EQ(spelling_distance(a, b), tried(a, b)) << a << " " << b;
    EXPECT_EQ(spelling_distance(a, b), spelling_distance(b, a)) << a << " " << b;
  }
  EXPECT_EQ(spelling_distance("Grid", "grid"), 0);
}

TEST(NearestName, IsNearOrNone) {
  const std::vector<std::string> names = {"source", "target", "n"};
  EXPECT_EQ(nearest_name("sorce", names), "source");
  EXPECT_EQ(nearest_name("tagret", names), "target");
  EXPECT_EQ(nearest_name("SOURCE", names), "source");
  EXPECT_EQ(nearest_name("r", names), "") << "one letter for another says nothing";
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("something else", names), "");
  EXPECT_EQ(nearest_name(std::string(1000, 's'), names), "");
  EXPECT_EQ(nearest_name("anything", {}), "");
}

}  // namespace
}  // namespace lanescope
