#include "kernels/base/text.h"

#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <cmath>
#include <random>
#include <sstream>

#include "kernels/base/numbers.h"

namespace lanescope {
namespace {

std::string random_text(std::mt19937& random, std::string_view letters, unsigned most) {
  std::string text;
  for (unsigned left = random() % (most + 1); left > 0; --left) text += letters[random() % letters.size()];
  return text;
}

// The functions of the C library in its own locale, which the process may have left.
TEST(Text, CharactersAreThoseOfAscii) {
  for (int i = 0; i < 256; ++i) {
    const char c = static_cast<char>(i);
    const bool ascii = i < 128;
    EXPECT_EQ(is_digit(c), ascii && std::isdigit(i) != 0) << i;
    EXPECT_EQ(is_letter(c), ascii && std::isalpha(i) != 0) << i;
    EXPECT_EQ(is_word(c), is_letter(c) || is_digit(c) || c == '_') << i;
    EXPECT_EQ(is_blank(c), ascii && std::isspace(i) != 0 && c != '\n') << i;
    EXPECT_EQ(lower(c), ascii ? static_cast<char>(std::tolower(i)) : c) << i;
    EXPECT_EQ(upper(c), ascii ? static_cast<char>(std::toupper(i)) : c) << i;
  }
  EXPECT_EQ(lower("Half2 ÄÖ"), "half2 ÄÖ");
}

TEST(Text, TrimmingTakesAllBlanksAtTheEndsAndNothingElse) {
  EXPECT_EQ(trimmed(" \t a b\r"), "a b");
  EXPECT_EQ(trimmed("\n a"), "\n a");
  EXPECT_EQ(without_indent("  a "), "a ");
  std::mt19937 random(5);
  for (int i = 0; i < 2'000; ++i) {
    const std::string text = random_text(random, " \t\r\f\vab\n", 12);
    const std::string_view inner = trimmed(text);
    ASSERT_TRUE(inner.empty() || (!is_blank(inner.front()) && !is_blank(inner.back())));
    ASSERT_EQ(inner.empty(), is_blank(text));
    std::string rest = text;
    if (!inner.empty()) rest.erase(static_cast<std::size_t>(inner.data() - text.data()), inner.size());
    ASSERT_TRUE(is_blank(rest));
  }
}

TEST(Text, TrailingDigits) {
  EXPECT_EQ(without_trailing_digits("s12"), "s");
  EXPECT_EQ(without_trailing_digits("2x"), "2x");
  EXPECT_EQ(without_trailing_digits("12"), "");
}

TEST(Text, OneOfAList) {
  constexpr std::array<std::string_view, 2> names = {"const", "volatile"};
  static_assert(one_of("const", names) && !one_of("con", names));
  static_assert(one_of("b", {"a", "b"}) && !one_of("", {"a", "b"}));
}

TEST(Text, LinesAreThoseOfGetline) {
  std::mt19937 random(6);
  for (int i = 0; i < 2'000; ++i) {
    const std::string text = random_text(random, "ab\n\r", 10);
    std::istringstream stream(text);
    std::vector<std::string_view> expected;
    std::vector<std::string> kept;
    for (std::string line; std::getline(stream, line);) kept.push_back(line);
    expected.assign(kept.begin(), kept.end());
    ASSERT_EQ(split_lines(text), expected);
  }
}

TEST(Text, WrappedLinesFitAndTakeNoWordTheyHaveRoomFor) {
  std::mt19937 random(7);
  for (int i = 0; i < 2'000; ++i) {
    std::vector<std::string> words(random() % 8);
    std::string text;
    for (std::string& word : words) {
      word = std::string(1 + random() % 9, 'x');
      text += (text.empty() ? "" : " ") + word;
    }
    const std::size_t width = 1 + random() % 20;
    const auto fits = [&](const std::string& line) { return line.size() <= width; };
    const std::vector<std::string> lines = wrapped(text, fits);
    std::string joined;
    for (std::size_t n = 0; n < lines.size(); ++n) {
      joined += (n == 0 ? "" : " ") + lines[n];
      ASSERT_TRUE(fits(lines[n]) || lines[n].find(' ') == std::string::npos) << lines[n];
      if (n > 0) {
        ASSERT_FALSE(fits(lines[n - 1] + " " + lines[n].substr(0, lines[n].find(' ')))) << text;
      }
    }
    ASSERT_EQ(joined, text);
  }
}

TEST(Numbers, OfAnySizeHaveAText) {
  EXPECT_EQ(number_text(1e300), "1e+300");
  EXPECT_EQ(number_text(-1e15), "-1e+15");
  EXPECT_EQ(number_text(999999999999999.9), "1e+15");
  EXPECT_EQ(number_text(HUGE_VAL), "inf");
  EXPECT_EQ(number_text(12.0), "12");
}

}  // namespace
}  // namespace lanescope
