// Two accesses side by side, from traces made by hand.

#include "app/engine/summary/access_info.h"

#include <gtest/gtest.h>

namespace lanescope::engine {
namespace {

/// One warp that stores to y, `shift` bytes from where it belongs; buffers lie at `base`.
trace::Trace one_store(std::uint64_t base, std::uint64_t shift, std::uint32_t mask) {
  trace::Trace t;
  t.buffers = {{.name = "x", .element_type = "f32", .bytes = std::vector<std::byte>(64)},
               {.name = "y", .element_type = "f32", .bytes = std::vector<std::byte>(4096)}};
  t.buffer_addresses = {base, base + 65536};
  t.steps = {{.block = 2, .warp = 1, .pc = 7, .active = ~0u}};
  std::array<std::uint64_t, 32> addresses{};
  for (std::size_t lane = 0; lane < 32; ++lane)
    if ((mask >> lane & 1) != 0) addresses[lane] = base + 65536 + 4 * lane + shift;
  const std::vector<std::uint32_t> values(32);
  t.accesses.append(0, {.where = {.block = 2, .warp = 1, .pc = 7, .active = mask},
                        .kind = trace::AccessKind::store,
                        .addresses = addresses,
                        .values = values,
                        .tags = {}});
  return t;
}

TEST(AccessPair, PlacesAreSaidWithoutAddresses) {
  const trace::Trace emulated = one_store(4096, 0, ~0u), gpu = one_store(0x7f0000000000, 128, 0xffff);
  instrument::Difference d;
  d.block = 2, d.warp = 1, d.index = 5, d.pc = 7, d.line = 23;
  d.expected_access = d.found_access = 0;
  const auto pair = access_pair(emulated, gpu, d);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->line, 23);
  EXPECT_EQ(pair->index, 5u);
  EXPECT_EQ(pair->emulated, "store of 4 bytes to global memory");
  EXPECT_EQ(pair->emulated_mask, ~0u);
  EXPECT_EQ(pair->gpu_mask, 0xffffu);
  ASSERT_EQ(pair->emulated_places.size(), 32u);
  ASSERT_EQ(pair->gpu_places.size(), 32u);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(pair->emulated_places[lane], "y + " + std::to_string(4 * lane));
    EXPECT_EQ(pair->gpu_places[lane], lane < 16 ? "y + " + std::to_string(4 * lane + 128) : "");
  }
}

TEST(AccessPair, ASideThatMakesNoneIsEmptyAndShufflesHaveNoPair) {
  const trace::Trace emulated = one_store(4096, 0, ~0u), gpu = one_store(4096, 0, ~0u);
  instrument::Difference d;
  d.block = 2, d.warp = 1, d.index = 1;
  EXPECT_FALSE(access_pair(emulated, gpu, d));
  d.expected_access = 0;
  const auto pair = access_pair(emulated, gpu, d);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->gpu_mask, 0u);
  EXPECT_TRUE(pair->gpu.empty());
  EXPECT_TRUE(pair->gpu_places.empty());
}

}  // namespace
}  // namespace lanescope::engine
