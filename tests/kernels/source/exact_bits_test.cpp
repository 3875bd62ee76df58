#include "kernels/source/data/number_format.h"

#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::source {
namespace {

TEST(ExactBits, AreWhatWasWritten) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<std::byte> bytes(1 + random() % 40);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random());
    std::string in_order = "bytes", number = "0x";
    for (const std::byte b : bytes) in_order += fmt::format(" {:02x}", static_cast<unsigned>(b));
    for (auto b = bytes.rbegin(); b != bytes.rend(); ++b)
      number += fmt::format("{}{:02X}", random() % 4 == 0 && b != bytes.rbegin() ? "_" : "", static_cast<unsigned>(*b));
    ASSERT_EQ(exact_bits(in_order), bytes) << in_order;
    ASSERT_EQ(exact_bits(number), bytes) << number;
    const std::size_t more = random() % 5;
    auto longer = bytes;
    longer.resize(bytes.size() + more);
    ASSERT_EQ(resized_bits(bytes, longer.size()), longer);
    ASSERT_EQ(resized_bits(longer, bytes.size()), bytes);
  }
}

TEST(ExactBits, NothingElse) {
  for (const char* text :
       {"0x", "0xg", "0x12 ", "bytes ", "bytes 1", "bytes 01 2", "bytes 0x01", "12", "", "x0", "0x-1"})
    EXPECT_FALSE(exact_bits(text)) << text;
  EXPECT_EQ(exact_bits("0x1"), (std::vector{std::byte{1}}));
  EXPECT_EQ(exact_bits("0x102"), (std::vector{std::byte{2}, std::byte{1}}));
  EXPECT_FALSE(resized_bits({std::byte{1}, std::byte{1}}, 1));
  EXPECT_FALSE(exact_bits("0x" + std::string(1 << 18, '1')));
}

}  // namespace
}  // namespace lanescope::source
