// Text written as a string of TOML is read back as the same bytes, on one line; the text has the parser's places.

#include <random>
#include <string>

#include <gtest/gtest.h>
#include <toml++/toml.h>

#include "kernels/base/toml_table.h"

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

/// A value stands where its place says, after anything else.
TEST(TomlPlaces, AreThoseOfTheParser) {
  std::mt19937 random(5);
  static const std::string before[] = {"", "\n", "# ü 名 x\n", "[t]\n", "a = 'ü'\n", "b = 1 # ü\n"};
  for (const std::string& lines : before)
    for (const std::string& key : {std::string("k"), std::string("\"ü名\""), std::string("  k  ")}) {
      const std::string head = lines + key + " = ";
      const std::string text = head + toml_string("é" + std::to_string(random() % 100)) + " # end\n";
      const toml::table table = toml::parse(text);
      const toml::source_region* region = nullptr;
      const auto find = [&](const toml::table& t) {
        for (const auto& [name, node] : t)
          if (name.str() == "k" || name.str() == "ü名") region = &node.source();
      };
      find(table);
      if (const toml::table* inner = table["t"].as_table()) find(*inner);
      ASSERT_NE(region, nullptr) << text;
      EXPECT_EQ(byte_at(text, region->begin.line, region->begin.column), head.size()) << text;
      EXPECT_EQ(byte_at(text, region->end.line, region->end.column), text.size() - std::string(" # end\n").size())
          << text;
      EXPECT_FALSE(byte_at(text, 9, 1));
    }
}

}  // namespace
}  // namespace lanescope
