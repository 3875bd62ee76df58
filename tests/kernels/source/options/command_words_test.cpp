#include "kernels/source/options/command_words.h"

#include <gtest/gtest.h>

#include <random>

namespace lanescope::options {
namespace {

std::vector<std::string> texts(std::string_view command) {
  std::vector<std::string> out;
  for (const CommandWord& w : command_words(command).words) out.push_back(w.is_operator ? "op " + w.text : w.text);
  return out;
}
using Words = std::vector<std::string>;

TEST(CommandWords, AreThoseOfAShell) {
  EXPECT_EQ(texts("nvcc  -O3\t-I.. k.cu"), (Words{"nvcc", "-O3", "-I..", "k.cu"}));
  EXPECT_EQ(texts(R"(-DX='a b' -DY="c \"d\" \e" a\ b '')"), (Words{"-DX=a b", "-DY=c \"d\" \\e", "a b", ""}));
  EXPECT_EQ(texts("a \\\n  b\\\r\n c"), (Words{"a", "b", "c"}));
  EXPECT_EQ(texts("nvcc k.cu && ./a > log 2>&1 # done\nls"),
            (Words{"nvcc", "k.cu", "op &&", "./a", "op >", "log", "2", "op >", "op &", "1", "op \n", "ls"}));
  EXPECT_EQ(texts("-DX=#1 #-DY"), (Words{"-DX=#1"}));
  EXPECT_TRUE(texts("").empty());
}

TEST(CommandWords, WhatAShellWouldPutInIsMarked) {
  const CommandWords w = command_words("$A \"$B\" '$C' \\$D `e`");
  ASSERT_EQ(w.words.size(), 5U);
  const bool expected[] = {true, true, false, false, true};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(w.words[i].expands, expected[i]) << i;
}

TEST(CommandWords, AQuoteThatIsNotClosedIsSaid) {
  EXPECT_EQ(command_words("a 'b").mistake, "a quote ' is not closed");
  EXPECT_EQ(command_words("a \"b").mistake, "a quote \" is not closed");
  EXPECT_TRUE(command_words("a \\").mistake.empty());
}

TEST(CommandWords, WhatWasQuotedComesBack) {
  // Words of any bytes but NUL, which no argument can hold; the alphabet favours what quoting has to survive.
  std::mt19937 random(7);
  constexpr std::string_view alphabet = "ab-=/ \t\n\r'\"\\$`#;&|<>()*?[]{}~!\x80\xc3";
  for (int round = 0; round < 5000; ++round) {
    Words words(random() % 5);
    for (std::string& word : words)
      for (std::size_t n = random() % 9; n > 0; --n) word += alphabet[random() % alphabet.size()];
    const std::string line = shell_text(words);
    const CommandWords back = command_words(line);
    EXPECT_TRUE(back.mistake.empty()) << line;
    ASSERT_EQ(back.words.size(), words.size()) << line;
    for (std::size_t i = 0; i < words.size(); ++i) {
      EXPECT_EQ(back.words[i].text, words[i]) << line;
      EXPECT_FALSE(back.words[i].is_operator || back.words[i].expands) << line;
    }
  }
}

}  // namespace
}  // namespace lanescope::options
