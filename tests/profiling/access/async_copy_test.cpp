// cp.async.cg: sectors depend on the places in shared memory, too.

#include <gtest/gtest.h>

#include "profiling/access/access.h"

namespace lanescope::access {
namespace {

using Lanes = std::array<std::uint64_t, 32>;

Lanes lanes(std::uint64_t (*address)(std::uint64_t)) {
  Lanes out{};
  for (std::uint64_t l = 0; l < 32; ++l) out[l] = address(l);
  return out;
}

const Lanes side_by_side = lanes([](std::uint64_t l) { return 16 * l; });

std::uint64_t sectors(std::uint32_t mask, const Lanes& from, const Lanes& to) {
  const Cost c =
      cost({.kind = AccessKind::async_copy, .width_bytes = 16, .mask = mask, .addresses = from, .destinations = to});
  EXPECT_EQ(c.bytes_moved, c.sectors * 32);
  return c.sectors;
}

TEST(AsyncCopy, TheSameOrderSharesEverySector) {
  EXPECT_EQ(sectors(~0u, side_by_side, side_by_side), 16u);
  EXPECT_EQ(sectors(0, side_by_side, side_by_side), 0u);
  EXPECT_EQ(sectors(0x55555555u, side_by_side, side_by_side), 16u) << "half of each sector is still a sector";
}

TEST(AsyncCopy, ASwizzleOfSectorsCostsNothing) {
  EXPECT_EQ(sectors(~0u, side_by_side, lanes([](std::uint64_t l) { return 16 * (l ^ 6); })), 16u);
  EXPECT_EQ(sectors(~0u, side_by_side, lanes([](std::uint64_t l) { return 16 * (l ^ 1); })), 16u);
}

TEST(AsyncCopy, HalvesOfASectorWithDifferentPlacesAreFetchedTwice) {
  EXPECT_EQ(sectors(~0u, side_by_side, lanes([](std::uint64_t l) { return 16 * (l * 5 % 32); })), 32u);
  EXPECT_EQ(sectors(~0u, lanes([](std::uint64_t) { return std::uint64_t{0}; }), side_by_side), 32u)
      << "one sector to 32 places";
}

TEST(AsyncCopy, TheLastLaneThatWritesAPlaceFetches) {
  EXPECT_EQ(
      sectors(~0u, lanes([](std::uint64_t l) { return 4096 * l; }), lanes([](std::uint64_t l) { return l % 2 * 16; })),
      2u);
}

}  // namespace
}  // namespace lanescope::access
