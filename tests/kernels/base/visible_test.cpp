#include "kernels/base/visible.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

namespace lanescope {
namespace {

TEST(Visible, PlainTextStays) {
  for (const char* text : {"", "grün 1.cu", "a\tb\n", "a\r\nb\r\n", "\xf0\x9f\x98\x80 \xe2\x86\x92 \xcf\x80", "\\x1b"})
    EXPECT_EQ(visible(text), text);
}

TEST(Visible, ControlCharactersAreWritten) {
  EXPECT_EQ(visible("\x1b[31mred\x1b]0;title\a"), "\\x1b[31mred\\x1b]0;title\\x07");
  EXPECT_EQ(visible("100 %\rdone\x7f\b"), "100 %\\rdone\\x7f\\x08");
  EXPECT_EQ(visible(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(visible("\xc2\x9b"
                    "31m"),
            "\\u009b31m")
      << "CSI in UTF-8";
  EXPECT_EQ(visible("\x9b"
                    "31m"),
            "\\x9b31m")
      << "CSI of one byte";
  EXPECT_EQ(visible("if (admin\xe2\x80\xae) {\xe2\x81\xa6"), "if (admin\\u202e) {\\u2066");
  EXPECT_EQ(visible("\xc0\x9b \xed\xa0\x80 \xe2\x80"), "\\xc0\\x9b \\xed\\xa0\\x80 \\xe2\\x80") << "no UTF-8";
}

TEST(Visible, ANameIsOneLine) { EXPECT_EQ(visible_name("a\nb\tc\r\n\x1b"), "a\\nb\\tc\\r\\n\\x1b"); }

// For any bytes, nothing is left that a terminal acts upon, and what is visible stays as it is.
TEST(Visible, LeavesNothingToActUpon) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text;
    for (int i = 0; i < 40; ++i)
      text += static_cast<char>(random() % 3 == 0 ? random() % 256 : " \n\x1b\xc2\x9b\xe2\x80\xae"[random() % 8]);
    const std::string shown = visible(text);
    EXPECT_EQ(visible(shown), shown);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const auto byte = static_cast<unsigned char>(shown[i]);
      EXPECT_TRUE(byte >= 0x20 || byte == '\n' || byte == '\t' || (byte == '\r' && shown[i + 1] == '\n')) << int{byte};
    }
    EXPECT_EQ(visible_name(text).find_first_of("\n\t\r"), std::string::npos);
    const nlohmann::json json = visible(text);
    EXPECT_EQ(nlohmann::json::parse(visible_json(json.dump())), json);
  }
}

TEST(Visible, JsonMeansTheSame) {
  const nlohmann::json json = {{"a\xc2\x9b", "\x1b[31m \xe2\x80\xae \x7f grün \n"}};
  const std::string shown = visible_json(json.dump());
  EXPECT_EQ(shown, "{\"a\\u009b\":\"\\u001b[31m \\u202e \\u007f grün \\n\"}");
  EXPECT_EQ(nlohmann::json::parse(shown), json);
}

}  // namespace
}  // namespace lanescope
