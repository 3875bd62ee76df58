#include "profiling/access/wavefronts.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/profiling/access/oracle.h"
#include "tests/profiling/access/random_pattern.h"

namespace lanescope::access {
namespace {

/// A load or store, an atomic, or rows of matrices.
Access random_access(std::mt19937_64& random) {
  Access p = random_pattern(random);
  const auto kind = random() % 4;
  if (kind == 1) {
    p.width_bytes = random() % 2 == 0 ? 4 : 8;
    p.kind = random() % 2 == 0 ? AccessKind::atomic : AccessKind::reduction;
    p.turns = static_cast<AtomicTurns>(random() % 3);
    for (auto& a : p.addresses) a &= ~std::uint64_t{7};
    if (p.turns == AtomicTurns::one) p.addresses.fill(p.addresses[0]);  // one lane acts for all: they have one address
  } else if (kind == 2) {
    p.width_bytes = 16;
    p.matrices = 1 << random() % 3;
    p.mask = p.matrices == 4 ? ~0u : (1u << 8 * p.matrices) - 1;
    for (auto& a : p.addresses) a &= ~std::uint64_t{15};
  }
  return p;
}

TEST(SharedCost, AgreesWithPlainSetsForEachKindOfAccess) {
  std::mt19937_64 random(22);
  for (int i = 0; i < 5000; ++i) {
    const Access p = random_access(random);
    const Cost c = shared_price(p), expected = oracle::shared_cost(p);
    ASSERT_EQ(c.wavefronts, expected.wavefronts) << i;
    ASSERT_EQ(c.ideal_wavefronts, expected.ideal_wavefronts) << i;
    ASSERT_EQ(c.bank_conflicts, expected.bank_conflicts) << i;
    ASSERT_GE(c.wavefronts, *std::ranges::max_element(c.turns_per_bank)) << i;
    ASSERT_EQ(c.sectors + c.broadcasts + c.passes, 0u) << "figures of other memories";
  }
}

// 32 lanes that exchange one word take turns; those that load it do not.
TEST(SharedCost, LanesOfAnAtomicTakeTurns) {
  Access p{.space = MemorySpace::shared, .kind = AccessKind::store};
  EXPECT_EQ(shared_price(p).wavefronts, 1u);
  p.kind = AccessKind::atomic;
  EXPECT_EQ(shared_price(p).wavefronts, 32u);
  EXPECT_EQ(shared_price(p).turns_per_bank[0], 32);
  EXPECT_EQ(wavefront_groups(p).size(), 32u);
}

// Laws of the breakdown, for every access: as many wavefronts as are counted; none has two words of a bank; every lane
// gets each of its words; no other lane is served.
TEST(Wavefronts, ServeEveryLaneAndNoBankTwice) {
  std::mt19937_64 random(21);
  for (int i = 0; i < 5000; ++i) {
    const Access p = random_access(random);
    const auto groups = wavefront_groups(p);
    ASSERT_EQ(groups.size(), shared_price(p).wavefronts) << i;
    std::map<int, std::set<std::uint64_t>> served;
    for (const WavefrontGroup& g : groups) {
      ASSERT_FALSE(g.words.empty());
      std::set<std::uint64_t> banks;
      for (const std::uint64_t word : g.words) ASSERT_TRUE(banks.insert(word % 32).second) << i;
      ASSERT_NE(g.lanes, 0u);
      ASSERT_EQ(g.lanes & ~p.mask, 0u);
      for (int lane = 0; lane < 32; ++lane)
        if (g.lanes >> lane & 1) served[lane].insert(g.words.begin(), g.words.end());
    }
    for (int lane = 0; lane < 32; ++lane) {
      if (!(p.mask >> lane & 1)) continue;
      for (int b = 0; b < p.width_bytes; ++b)
        ASSERT_TRUE(served[lane].contains((p.addresses[lane] + b) / 4)) << i << " lane " << lane;
    }
  }
}

TEST(Wavefronts, ColumnServesOneLaneAtATime) {
  Access p;
  for (std::uint64_t lane = 0; lane < 32; ++lane) p.addresses[lane] = lane * 128;
  const auto groups = wavefront_groups(p);
  ASSERT_EQ(groups.size(), 32u);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(groups[i].lanes, 1u << i);
}

// Eight rows of 16 bytes side by side fill the banks once; a row length of 128 bytes puts all eight into four banks.
TEST(Wavefronts, MatrixRows) {
  Access p{.space = MemorySpace::shared, .width_bytes = 16, .matrices = 4};
  const auto wavefronts = [&](auto address) {
    for (std::uint64_t r = 0; r < 32; ++r) p.addresses[r] = address(r);
    return cost(p).wavefronts;
  };
  EXPECT_EQ(wavefronts([](std::uint64_t r) { return r * 16; }), 4u);
  EXPECT_EQ(cost(p).ideal_wavefronts, 4u);
  EXPECT_EQ(cost(p).bank_conflicts, 0u);
  EXPECT_EQ(wavefronts([](std::uint64_t r) { return r * (128 + 16); }), 4u)
      << "16 bytes of padding shift each row by four banks";
  EXPECT_EQ(wavefronts([](std::uint64_t r) { return swizzled_offset(r * 128, {.row_bytes = 128, .unit_bytes = 16}); }),
            4u);
  EXPECT_EQ(wavefronts([](std::uint64_t r) { return r * 128; }), 32u);
  EXPECT_EQ(cost(p).bank_conflicts, 28u) << "beyond one each";
  p.matrices = 2, p.mask = 0xffff;
  EXPECT_EQ(cost(p).wavefronts, 16u);
}

// A layout may move elements, never merge or tear them: both what-ifs are one to one, and a swizzle stays in its row.
TEST(WhatIf, LayoutsAreOneToOne) {
  for (const std::uint64_t row : {32u, 48u, 96u, 128u, 384u, 2048u})
    for (const std::uint64_t unit : {4u, 8u, 16u})
      for (const std::uint64_t step : {1u, 2u, 4u}) {
        std::set<std::uint64_t> swizzled_to, padded_to;
        for (std::uint64_t o = 0; o < 8192; ++o) {
          const std::uint64_t s = swizzled_offset(o, {.row_bytes = row, .unit_bytes = unit, .rows_per_step = step});
          ASSERT_EQ(s / row, o / row) << "stays in its row";
          ASSERT_EQ(s % row % unit, o % row % unit) << "pieces stay whole";
          ASSERT_TRUE(swizzled_to.insert(s).second) << row << ' ' << unit << ' ' << o;
          const std::uint64_t p = padded_offset(o, row, 1);
          ASSERT_EQ(p, o + o / row * 4);
          ASSERT_TRUE(padded_to.insert(p).second);
        }
      }
}

// The transpose's column before and after, as the shared-memory course has it: 32 wavefronts, then 1.
TEST(WhatIf, BothRemoveTheConflictsOfAColumn) {
  Access column;
  for (std::uint64_t lane = 0; lane < 32; ++lane) column.addresses[lane] = lane * 128 + 20;
  EXPECT_EQ(shared_price(column).wavefronts, 32u);
  EXPECT_EQ(shared_price(padded(column, 128, 1)).wavefronts, 1u);
  EXPECT_EQ(shared_price(swizzled(column, {.row_bytes = 128})).wavefronts, 1u);
  EXPECT_EQ(shared_price(padded(column, 128, 2)).wavefronts, 2u);
  Access row;
  for (std::uint64_t lane = 0; lane < 32; ++lane) row.addresses[lane] = 640 + lane * 4;
  EXPECT_EQ(shared_price(swizzled(row, {.row_bytes = 128})).wavefronts, 1u) << "rows stay free of conflicts";
  EXPECT_EQ(swizzled_offset(77, {.row_bytes = 0}), 77u);
}

}  // namespace
}  // namespace lanescope::access
