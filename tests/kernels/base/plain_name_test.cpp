// Names of files in letters that every tool takes: nothing is lost, nothing meets, nothing else comes out.

#include "kernels/base/plain_name.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cctype>
#include <cstring>
#include <random>
#include <set>

#include "tests/name_of_plain.h"

namespace lanescope {
namespace {

/// Up to 12 bytes of any value, most of them of the kind that does harm.
std::string random_name(std::mt19937& random) {
  static constexpr std::string_view harmful = "\"\\\n\t %-'<>()ü;#$lanescope-.probe/";
  std::string name;
  for (unsigned left = random() % 13; left > 0; --left)
    name += random() % 4 == 0 ? static_cast<char>(random() % 256) : harmful[random() % harmful.size()];
  if (random() % 8 == 0) name.insert(0, "lanescope-");
  return name;
}

TEST(PlainName, IsOfLettersAndLeadsBack) {
  std::mt19937 random(13);
  std::set<std::string> names, plain;
  for (int i = 0; i < 20'000; ++i) {
    const std::string name = random_name(random), p = plain_name(name);
    ASSERT_EQ(name_of_plain(p), name);
    for (const char c : p) ASSERT_TRUE(std::isalnum(static_cast<unsigned char>(c)) || strchr("/._+-%", c)) << p;
    ASSERT_FALSE(p.starts_with("lanescope-")) << p;
    names.insert(name), plain.insert(p);
  }
  EXPECT_EQ(names.size(), plain.size());
}

TEST(PlainName, OrdinaryNamesStay) {
  for (const char* name : {"k.cu", "/tmp/a-b_c+d/half2.cu", "../x.h", ""}) EXPECT_EQ(plain_name(name), name);
  EXPECT_EQ(plain_name("grün 1.cu"), "gr%C3%BCn%201.cu");
  EXPECT_EQ(plain_name("lanescope-probe"), "%6Canescope-probe");
  EXPECT_EQ(name_of_plain("100%, %zz %4"), "100%, %zz %4");
}

TEST(WithoutEscapes, UndoesWhatACompilerWrites) {
  std::mt19937 random(14);
  for (int i = 0; i < 20'000; ++i) {
    const std::string name = random_name(random);
    std::string literal;
    for (const char c : name) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\')
        literal += std::string("\\") + c;
      else if (c == '\n')
        literal += "\\n";
      else if (byte < 32 || byte > 126)
        literal += fmt::format("\\{:03o}", byte);
      else
        literal += c;
    }
    ASSERT_EQ(without_escapes(literal), name) << literal;
  }
  EXPECT_EQ(without_escapes("a\\q\\"), "a\\q\\");
}

}  // namespace
}  // namespace lanescope
