// Words in a text and brackets that belong together, against slow oracles.

#include "app/document/document.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace lanescope::document {
namespace {

using Places = std::vector<std::size_t>;

TEST(Find, PlacesDoNotOverlapAndCapitalsMatterWhenAsked) {
  EXPECT_EQ(find_all("aaaa", "aa", true), (Places{0, 2}));
  EXPECT_EQ(find_all("Tmp tmp TMP", "tmp", true), (Places{4}));
  EXPECT_EQ(find_all("Tmp tmp TMP", "tMp", false), (Places{0, 4, 8}));
  EXPECT_EQ(find_all("abc", "", false), Places{}) << "nothing is no word";
  EXPECT_EQ(find_all("", "a", false), Places{});
  EXPECT_EQ(find_all("a\nb", "a\nb", true), (Places{0}));
}

TEST(Find, ReplacementIsNotLookedThroughAgain) {
  EXPECT_EQ(replace_all("x = x0 + x1;", "x", "xx", true), "xx = xx0 + xx1;");
  EXPECT_EQ(replace_all("aaa", "aa", "", true), "a");
  EXPECT_EQ(replace_all("same", "other", "x", true), "same");
}

TEST(Find, RandomTextsAgreeWithLookingEverywhere) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 500; ++trial) {
    std::string text, words;
    for (unsigned i = random() % 60; i > 0; --i) text += static_cast<char>("abA\n"[random() % 4]);
    for (unsigned i = 1 + random() % 3; i > 0; --i) words += static_cast<char>("abA"[random() % 3]);
    Places slow;
    for (std::size_t at = 0; at + words.size() <= text.size();) {
      if (text.compare(at, words.size(), words) == 0)
        slow.push_back(at), at += words.size();
      else
        ++at;
    }
    EXPECT_EQ(find_all(text, words, true), slow) << text << " / " << words;
    // Replacing by the same words changes nothing; the length shows how many there were.
    EXPECT_EQ(replace_all(text, words, words, true), text);
    EXPECT_EQ(replace_all(text, words, "", true).size(), text.size() - slow.size() * words.size());
  }
}

TEST(Brackets, PairWithinCodeOnly) {
  const std::string text = "f(a[(i)], \")\", /* ) */ g());  // (";
  EXPECT_EQ(brackets_at(text, 1), (BracketPair{1, text.find(";") - 1}));
  EXPECT_EQ(brackets_at(text, 2), (BracketPair{1, text.find(";") - 1})) << "just after it, too";
  EXPECT_EQ(brackets_at(text, text.find(";")), (BracketPair{1, text.find(";") - 1})) << "from the other end";
  EXPECT_EQ(brackets_at(text, 4), (BracketPair{4, 6})) << "at one bracket and after another: the one at the caret";
  EXPECT_EQ(brackets_at(text, 0), std::nullopt);
  EXPECT_EQ(brackets_at(text, text.size()), std::nullopt) << "open in a comment";
  EXPECT_EQ(brackets_at("(]", 0), std::nullopt) << "crossed";
  EXPECT_EQ(brackets_at("((", 1), std::nullopt);
  EXPECT_EQ(brackets_at("", 0), std::nullopt);
  EXPECT_EQ(brackets_at("(1'000)", 0), (BracketPair{0, 6})) << "a separator of digits begins no literal";
}

/// The law: who requests at one end gets the same pair as who requests at the other.
TEST(Brackets, BothEndsTellTheSamePair) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 800; ++trial) {
    std::string text;
    for (unsigned i = random() % 40; i > 0; --i) text += "()[]{}a \"/*\n'"[random() % 13];
    for (std::size_t at = 0; at <= text.size(); ++at) {
      const auto pair = brackets_at(text, at);
      if (!pair) continue;
      ASSERT_LT(pair->open, pair->close);
      EXPECT_EQ(brackets_at(text, pair->open), pair) << text;
      const auto other = brackets_at(text, pair->close);
      EXPECT_EQ(other, pair) << text;
    }
  }
}

}  // namespace
}  // namespace lanescope::document
