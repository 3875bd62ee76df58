// What is written as a string of TOML is read back as the same bytes, on one line.

#include <random>
#include <string>

#include <gtest/gtest.h>
#include <toml++/toml.h>

#include "kernels/base/toml_string.h"

namespace lanescope {
namespace {

TEST(TomlString, IsReadBack) {
  std::mt19937 random(3);
  static const std::string some[] = {"a",  "\"", "\\", "\n", "\t", "\r", std::string(1, '\0'), "\x1f", "\x7f", "ü",
                                     "名", "'",  "#",  "=",  "{}", " "};
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (unsigned n = random() % 12; n > 0; --n) text += some[random() % std::size(some)];
    const std::string written = toml_string(text);
    EXPECT_EQ(written.find('\n'), std::string::npos);
    const toml::table table = toml::parse("key = " + written + "\n");
    EXPECT_EQ(table["key"].value<std::string>(), text) << written;
  }
}

}  // namespace
}  // namespace lanescope
