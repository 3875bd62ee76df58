#include "profiling/access/patterns.h"

#include <gtest/gtest.h>

#include <set>

#include "profiling/access/formula.h"
#include "tests/profiling/access/random_pattern.h"

namespace lanescope::access {
namespace {

std::int64_t value(std::string_view text, std::int64_t lane = 0, std::int64_t warp = 0) {
  const auto formula = Formula::parse(text);
  EXPECT_TRUE(formula) << text;
  return formula ? formula->value(lane, warp).value_or(-999) : -999;
}

// C's own answer stands beside each.
TEST(Formula, PrecedenceIsThatOfC) {
  EXPECT_EQ(value("1 + 2 * 3"), 1 + 2 * 3);
  EXPECT_EQ(value("(1 + 2) * 3"), (1 + 2) * 3);
  EXPECT_EQ(value("10 - 4 - 3"), 10 - 4 - 3);
  EXPECT_EQ(value("100 / 7 % 4 * 2"), 100 / 7 % 4 * 2);
  EXPECT_EQ(value("1 << 2 + 3"), 1 << (2 + 3));
  EXPECT_EQ(value("12 & 10 ^ 5 | 1"), ((12 & 10) ^ 5) | 1);
  EXPECT_EQ(value("-3 * -2"), 6);
  EXPECT_EQ(value("~0 & 0xff"), 255);
  EXPECT_EQ(value("--+5"), 5);
  EXPECT_EQ(value("-7 / 2"), -3);
  EXPECT_EQ(value("-7 % 2"), -1);
  EXPECT_EQ(value("4*(lane ^ (lane >> 3)) + 128*warp", 9, 2), 4 * (9 ^ 1) + 256);
  EXPECT_EQ(value("lane\t%4 ", 7), 3);
}

TEST(Formula, MistakesHaveTheirColumn) {
  const auto column = [](std::string_view text) {
    const auto formula = Formula::parse(text);
    EXPECT_FALSE(formula) << text;
    return formula ? -1 : formula.error().front().column;
  };
  EXPECT_EQ(column(""), 1);
  EXPECT_EQ(column("4 * "), 5);
  EXPECT_EQ(column("4 * row"), 5);
  EXPECT_EQ(column("(lane"), 6);
  EXPECT_EQ(column("lane)"), 5);
  EXPECT_EQ(column("lane lane"), 6);
  EXPECT_EQ(column("99999999999999999999"), 1);
  EXPECT_EQ(column("0x"), 1);
  EXPECT_EQ(column("2 $ 3"), 3);
  EXPECT_FALSE(Formula::parse(std::string(5000, '(')));
  EXPECT_FALSE(Formula::parse("4 / lane")->value(0, 0)) << "lane 0 divides by zero";
  EXPECT_TRUE(Formula::parse("4 / lane")->value(1, 0));
  EXPECT_EQ(value("(0-9223372036854775807-1) / -1"), INT64_MIN) << "wraps, as the hardware does";
}

std::set<std::uint64_t> addresses(const Access& p) { return {p.addresses.begin(), p.addresses.end()}; }

TEST(Patterns, PermutedTakesTheSameElements) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Access aligned = make_pattern({.warp = 3}).value();
    const Access permuted = make_pattern({.shape = Shape::permuted, .warp = 3, .seed = seed}).value();
    EXPECT_EQ(addresses(aligned), addresses(permuted));
    EXPECT_EQ(global_price(aligned).sectors, global_price(permuted).sectors);
    EXPECT_EQ(permuted.addresses, make_pattern({.shape = Shape::permuted, .warp = 3, .seed = seed})->addresses);
  }
  EXPECT_NE(make_pattern({.shape = Shape::permuted, .seed = 1})->addresses,
            make_pattern({.shape = Shape::permuted, .seed = 2})->addresses);
}

TEST(Patterns, ScatteredTakesDistinctElementsInsideItsRange) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Access p =
        make_pattern({.shape = Shape::scattered, .width_bytes = 8, .seed = seed, .range_bytes = 512}).value();
    EXPECT_EQ(addresses(p).size(), 32u);
    EXPECT_LE(*addresses(p).rbegin(), 504u);
    for (const std::uint64_t address : p.addresses) EXPECT_EQ(address % 8, 0u);
  }
  EXPECT_FALSE(make_pattern({.shape = Shape::scattered, .width_bytes = 8, .range_bytes = 255}));
}

TEST(Patterns, EachShapeByItsMeaning) {
  const auto at = [](const PatternSpec& spec, std::size_t lane) { return make_pattern(spec)->addresses[lane]; };
  EXPECT_EQ(at({.width_bytes = 8, .warp = 1, .base_bytes = 1024}, 3), 1024u + 8 * 35);
  EXPECT_EQ(at({.shape = Shape::misaligned, .amount = 4}, 31), 128u);
  EXPECT_EQ(at({.shape = Shape::broadcast, .warp = 2}, 17), 8u);
  EXPECT_EQ(at({.shape = Shape::stride, .amount = 33}, 2), 264u);
  EXPECT_EQ(at({.shape = Shape::structure, .amount = 12, .field_bytes = 8}, 5), 68u);
  EXPECT_EQ(at({.shape = Shape::formula, .warp = 1, .formula = "lane * 128 + warp"}, 2), 257u);
  EXPECT_EQ(at({.shape = Shape::map, .columns = {4, 8, 16, 32 | 4, 64}}, 9), std::uint64_t{4 ^ 36});
  EXPECT_EQ(at({.shape = Shape::stride, .base_bytes = 4096, .amount = -1}, 31), 4096u - 124);
}

// A map is linear: the offset of a XOR b is the XOR of the offsets.
TEST(Patterns, MapsAreLinear) {
  const Access p = make_pattern({.shape = Shape::map, .columns = {12, 260, 8, 1024, 96}}).value();
  for (std::size_t a = 0; a < 32; ++a)
    for (std::size_t b = 0; b < 32; ++b) EXPECT_EQ(p.addresses[a ^ b], p.addresses[a] ^ p.addresses[b]);
}

TEST(Patterns, MistakesAreNamed) {
  EXPECT_FALSE(make_pattern({.width_bytes = 3}));
  EXPECT_FALSE(make_pattern({.width_bytes = 32}));
  EXPECT_FALSE(make_pattern({.shape = Shape::stride, .amount = -1})) << "before the array";
  EXPECT_FALSE(make_pattern({.shape = Shape::formula, .formula = "lane * "}));
  for (const Shape shape : {Shape::stride, Shape::structure})
    for (const std::int64_t amount : {INT64_MAX, INT64_MAX / 4, INT64_MAX / 31 / 4 + 5, INT64_MIN}) {
      if (shape == Shape::structure && amount < INT64_MAX / 4) continue;
      EXPECT_FALSE(make_pattern({.shape = shape, .amount = amount})) << amount << " wraps";
    }
  EXPECT_FALSE(make_pattern({.shape = Shape::misaligned, .amount = INT64_MAX}));
  // The address of an inactive lane is 0, not an address near 2^64.
  const auto inactive = make_pattern({.shape = Shape::misaligned, .mask = 0xfffffffeu, .amount = -4});
  ASSERT_TRUE(inactive);
  EXPECT_EQ(inactive->addresses[0], 0u);
  EXPECT_EQ(inactive->addresses[2], 4u);
  EXPECT_FALSE(make_pattern({.shape = Shape::formula, .formula = "8 / lane"}));
  EXPECT_TRUE(make_pattern({.shape = Shape::misaligned, .amount = 2})) << "what the calculator shows as misaligned";
}

TEST(Patterns, NamesReadBack) {
  for (const Shape s : shapes()) EXPECT_EQ(shape_of(name_of(s)), s);
  EXPECT_EQ(shapes().size(), 9u);
  EXPECT_FALSE(shape_of("diagonal"));
  EXPECT_EQ(meaning_of_amount(Shape::stride), "elements between lanes");
}

// Utilisation of the references, today's sectors: 100 %, 100 %, 80 %, 12.5 %.
TEST(Patterns, UtilisationOfTheReferences) {
  const auto percent = [](const PatternSpec& spec) {
    const Cost c = cost(make_pattern(spec).value());
    return bus_utilisation_percent(c.bytes_wanted, c.bytes_moved);
  };
  EXPECT_EQ(percent({}), 100);
  EXPECT_EQ(percent({.shape = Shape::permuted}), 100);
  EXPECT_EQ(percent({.shape = Shape::misaligned, .amount = 4}), 80);
  EXPECT_EQ(percent({.shape = Shape::broadcast}), 12.5);
  EXPECT_EQ(percent({.shape = Shape::stride, .amount = 8}), 12.5);
}

}  // namespace
}  // namespace lanescope::access
