#include "kernels/base/coded.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

enum class Colour : std::uint8_t { none, pale_red, green };
constexpr Sentence colour_sentences[] = {{"none", ""}, {"pale-red", "{} is {}"}, {"green", "it is green"}};
constexpr const Sentence& sentence_of(Colour c) { return entry_for(colour_sentences, c); }
constexpr auto name = [](const Sentence& s) { return s.name; };

TEST(Coded, WordsHaveTheOperandsInTheirOrder) {
  const Coded<Colour> red = coded<Colour::pale_red>("it", 7);
  EXPECT_EQ(red.words(), "it is 7");
  EXPECT_EQ(red.name(), "pale-red");
  EXPECT_EQ(coded<Colour::green>().words(), "it is green");
  EXPECT_TRUE(Coded<Colour>{}.empty());
  EXPECT_FALSE(red.empty());
  EXPECT_NE(red, coded<Colour::pale_red>("it", 8));
}

// Sentences of another process may have any number of operands, and braces in them.
TEST(Coded, AnyOperandsAreReadable) {
  EXPECT_EQ((Coded<Colour>{Colour::pale_red, {}}.words()), " is ");
  EXPECT_EQ((Coded<Colour>{Colour::pale_red, {"{}", "b", "c"}}.words()), "{} is b");
  EXPECT_EQ((Coded<Colour>{Colour::green, {"a"}}.words()), "it is green");
}

TEST(Coded, NamesAreThoseOfTheEnumerators) {
  static_assert(names_enumerators<Colour>(colour_sentences, name));
  constexpr Sentence exchanged[] = {{"none", ""}, {"green", ""}, {"pale-red", ""}};
  static_assert(!names_enumerators<Colour>(exchanged, name));
  static_assert(enum_name(Colour::pale_red) == "pale_red" && enum_named<Colour>("green") == Colour::green);
  static_assert(!enum_named<Colour>("pale-red"));
  for (const Colour c : all_of<Colour>) EXPECT_EQ(enum_named<Colour>(enum_name(c)), c);
}

}  // namespace
}  // namespace lanescope
