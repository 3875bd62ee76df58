#include "kernels/base/enum_size.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace lanescope {
namespace {

enum class Few : std::uint8_t { one, two, three };
enum class Single { only };
struct Holder {
  enum class Kind : std::uint16_t { a, b, c, d, e };
};

// Counted by the compiler, in namespaces without a name, in classes and in functions.
static_assert(enum_size<Few> == 3 && enum_size<Single> == 1 && enum_size<Holder::Kind> == 5);

TEST(EnumSize, ALocalEnumIsCountedToo) {
  enum class Local { x, y };
  static_assert(enum_size<Local> == 2);
  constexpr const char* names[] = {"x", "y"};
  EXPECT_STREQ(entry_for(names, Local::y), "y");
}

template <class Table>
concept FitsFew = requires(const Table& table) {
  entry_for(table, Few::one);
};

TEST(EnumSize, TheEntryIsThatOfTheValue) {
  constexpr int squares[] = {1, 4, 9};
  constexpr std::array words{'a', 'b', 'c'};
  for (const Few each : {Few::one, Few::two, Few::three}) {
    EXPECT_EQ(entry_for(squares, each), squares[static_cast<std::size_t>(each)]);
    EXPECT_EQ(entry_for(words, each), words[static_cast<std::size_t>(each)]);
  }
  EXPECT_TRUE(FitsFew<int[3]>);
  EXPECT_FALSE(FitsFew<int[2]>) << "a row is missing";
  EXPECT_FALSE((FitsFew<std::array<int, 4>>)) << "a row too many";
}

}  // namespace
}  // namespace lanescope
