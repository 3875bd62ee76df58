#include "profiling/access/access.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/profiling/access/oracle.h"
#include "tests/profiling/access/random_pattern.h"

namespace lanescope::access {
namespace {

TEST(Access, AgreesWithPlainSetsOnRandomPatterns) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const Access p = random_pattern(random);
    const Cost g = global_price(p), g_expected = oracle::global_cost(p);
    ASSERT_EQ(g.requests, g_expected.requests) << i;
    ASSERT_EQ(g.sectors, g_expected.sectors) << i;
    ASSERT_EQ(g.lines, g_expected.lines) << i;
    ASSERT_EQ(g.bytes_wanted, g_expected.bytes_wanted) << i;
    ASSERT_EQ(g.bytes_moved, g_expected.bytes_moved) << i;
    ASSERT_EQ(g.ideal_sectors, (g.bytes_wanted + 31) / 32) << i;
    ASSERT_LE(g.ideal_sectors, g.sectors) << i;
    const Cost s = shared_price(p), s_expected = oracle::shared_cost(p);
    ASSERT_EQ(s.requests, s_expected.requests) << i;
    ASSERT_EQ(s.wavefronts, s_expected.wavefronts) << i;
    ASSERT_EQ(s.ideal_wavefronts, s_expected.ideal_wavefronts) << i;
    ASSERT_EQ(s.bank_conflicts, s_expected.bank_conflicts) << i;
    ASSERT_GE(s.wavefronts, s.ideal_wavefronts) << i;
  }
}

TEST(Access, ARunCostsTheSameByItsEnds) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 2000; ++i) {
    std::array<std::uint64_t, 32> addresses{};
    trace::AccessEvent e{.where = {.active = ~0u}, .width_bytes = i % 2 == 0 ? 4 : 8, .is_run = true};
    e.kind = i % 3 == 0 ? AccessKind::store : AccessKind::load;
    const std::uint64_t first = random() % 4096 * static_cast<std::uint64_t>(e.width_bytes);
    for (std::uint64_t l = 0; l < 32; ++l) addresses[l] = first + l * static_cast<std::uint64_t>(e.width_bytes);
    e.addresses = addresses;
    Sum sum = cost(access_of(e)), expected = sum;
    expected += sum;
    ASSERT_TRUE(add_cost_of_run(e, sum));
    EXPECT_EQ(sum, expected) << first;
    e.is_run = false;
    EXPECT_FALSE(add_cost_of_run(e, sum));
  }
}

TEST(Access, NoActiveLaneCostsNothing) {
  const Access p{.mask = 0};
  EXPECT_EQ(global_price(p).requests, 0u);
  EXPECT_EQ(global_price(p).sectors, 0u);
  EXPECT_EQ(shared_price(p).requests, 0u);
  EXPECT_EQ(shared_price(p).wavefronts, 0u);
}

// Law: the sectors of a global access and the wavefronts of one of at most 4 bytes do not depend on the order of lanes.
TEST(Access, LaneOrderDoesNotMatterUpToFourBytes) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 2000; ++i) {
    Access p = random_pattern(random);
    p.width_bytes = std::min(p.width_bytes, 4);
    p.mask = ~0u;
    Access q = p;
    std::shuffle(q.addresses.begin(), q.addresses.end(), random);
    EXPECT_EQ(global_price(p).sectors, global_price(q).sectors);
    EXPECT_EQ(shared_price(p).wavefronts, shared_price(q).wavefronts);
  }
}

// A column of a 32x32 array of 4-byte words lies in one bank; with a row of 33 words in 32 different ones.
TEST(Access, PaddingRemovesTheConflictsOfAColumn) {
  Access p;
  for (int lane = 0; lane < 32; ++lane) p.addresses[lane] = lane * 32 * 4;
  EXPECT_EQ(shared_price(p).wavefronts, 32u);
  EXPECT_EQ(shared_price(p).bank_conflicts, 31u);
  EXPECT_EQ(shared_price(p).turns_per_bank[0], 32);
  for (int lane = 0; lane < 32; ++lane) p.addresses[lane] = lane * 33 * 4;
  EXPECT_EQ(shared_price(p).wavefronts, 1u);
}

}  // namespace
}  // namespace lanescope::access
