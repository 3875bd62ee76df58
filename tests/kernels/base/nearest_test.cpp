#include "kernels/base/nearest.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace lanescope {
namespace {

const std::vector<std::string> commands = {"check",  "review",    "run",     "measure", "render", "annotate",
                                           "access", "occupancy", "figures", "doctor",  "worker", "child"};

TEST(NearestWord, IsTheOneThatWasMeant) {
  EXPECT_EQ(nearest_word("chek", commands), "check");
  EXPECT_EQ(nearest_word("cehck", commands), "check");
  EXPECT_EQ(nearest_word("CHECK", commands), "check");
  EXPECT_EQ(nearest_word("reveiw", commands), "review");
  EXPECT_EQ(nearest_word("anotate", commands), "annotate");
  EXPECT_EQ(nearest_word("occupency", commands), "occupancy");
  EXPECT_EQ(nearest_word("occ", commands), "occupancy");
  EXPECT_EQ(nearest_word("re", commands), "") << "review and render begin with it";
  EXPECT_EQ(nearest_word("banana", commands), "");
  EXPECT_EQ(nearest_word("", commands), "");
  EXPECT_EQ(nearest_word("x", {}), "");
  EXPECT_EQ(did_you_mean("chek", commands, "see the help"), "did you mean 'check'?");
  EXPECT_EQ(did_you_mean("banana", commands, "see the help"), "see the help");
}

// One mistake in a word of six letters or more leaves it the nearest.
TEST(NearestWord, OneMistakeIsForgiven) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    const std::string& word = commands[random() % commands.size()];
    if (word.size() < 6) continue;
    std::string typed = word;
    const std::size_t at = random() % typed.size();
    switch (random() % 4) {
      case 0:
        typed.erase(at, 1);
        break;
      case 1:
        typed.insert(at, 1, static_cast<char>('a' + random() % 26));
        break;
      case 2:
        typed[at] = static_cast<char>('a' + random() % 26);
        break;
      default:
        if (at + 1 < typed.size()) std::swap(typed[at], typed[at + 1]);
    }
    EXPECT_EQ(nearest_word(typed, commands), word) << typed;
  }
}

}  // namespace
}  // namespace lanescope
