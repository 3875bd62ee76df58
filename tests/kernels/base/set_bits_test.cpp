#include "kernels/base/set_bits.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace lanescope {
namespace {

template <class Mask>
void compare_with_every_position(Mask mask) {
  std::vector<std::size_t> expected, seen;
  for (std::size_t i = 0; i < 8 * sizeof(Mask); ++i)
    if ((mask >> i & 1) != 0) expected.push_back(i);
  for (const std::size_t bit : set_bits(mask)) seen.push_back(bit);
  ASSERT_EQ(seen, expected) << +mask;
  if (mask == 0) return;
  ASSERT_EQ(first_bit(mask), expected.front());
  ASSERT_EQ(without_first_bit(mask), static_cast<Mask>(mask & ~(Mask{1} << expected.front())));
}

TEST(SetBits, AreThePositionsInAscendingOrder) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 2'000; ++i) {
    const std::uint64_t dense = random(), sparse = dense & random() & random();
    compare_with_every_position(dense);
    compare_with_every_position(sparse);
    compare_with_every_position(static_cast<std::uint32_t>(dense));
    compare_with_every_position(static_cast<std::uint32_t>(sparse));
    compare_with_every_position(static_cast<std::uint8_t>(sparse));
  }
  for (const std::uint64_t mask : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63})
    compare_with_every_position(mask);
}

TEST(SetBits, LoopsMayChangeTheMask) {
  std::uint32_t mask = 0xff;
  int turns = 0;
  for (const std::size_t bit : set_bits(mask)) {
    mask &= ~(2u << bit);
    ++turns;
  }
  EXPECT_EQ(turns, 8);
}

}  // namespace
}  // namespace lanescope
