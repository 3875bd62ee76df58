#include "profiling/access/wavefronts.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/profiling/access/random_pattern.h"

namespace lanescope::access {
namespace {

/// A load or store, an atomic, or rows of matrices.
Pattern random_access(std::mt19937_64& random) {
  Pattern p = random_pattern(random);
  const auto kind = random() % 4;
  if (kind == 1) {
    p.width_bytes = random() % 2 == 0 ? 4 : 8;
    p.atomic = static_cast<Turns>(random() % 3);
    for (auto& a : p.addresses) a &= ~std::uint64_t{7};
    if (p.atomic == Turns::one) p.addresses.fill(p.addresses[0]);  // one lane acts for all: they have one address
  } else if (kind == 2) {
    p.width_bytes = 16;
    p.matrices = 1 << random() % 3;
    p.mask = p.matrices == 4 ? ~0u : (1u << 8 * p.matrices) - 1;
    for (auto& a : p.addresses) a &= ~std::uint64_t{15};
  }
  return p;
}

// Each kind of access has one price: that of its own rule, whoever asks.
TEST(SharedCost, IsThatOfTheOperation) {
  std::mt19937_64 random(22);
  for (int i = 0; i < 5000; ++i) {
    const Pattern p = random_access(random);
    const SharedCost cost = shared_cost(p);
    if (p.mask == 0) continue;
    if (p.matrices > 0) {
      const auto rows = std::span(p.addresses).first(8 * static_cast<std::size_t>(p.matrices));
      ASSERT_EQ(cost.wavefronts, matrix_cost(rows).wavefronts) << i;
      ASSERT_EQ(cost.bank_conflicts, matrix_cost(rows).bank_conflicts) << i;
    } else if (p.atomic) {
      const AtomicCost atomic = shared_atomic_cost(p, *p.atomic);
      ASSERT_EQ(cost.wavefronts, atomic.serial_passes) << i;
      ASSERT_EQ(cost.bank_conflicts, atomic.bank_conflicts) << i;
      ASSERT_EQ(cost.bytes_requested, atomic.addresses * static_cast<std::uint32_t>(p.width_bytes)) << i;
    }
    ASSERT_GE(cost.wavefronts, *std::ranges::max_element(cost.turns_per_bank)) << i;
  }
}

// 32 lanes that exchange one word take turns; those that load it do not.
TEST(SharedCost, LanesOfAnAtomicTakeTurns) {
  Pattern p{.direction = Direction::store};
  EXPECT_EQ(shared_cost(p).wavefronts, 1u);
  p.atomic = Turns::lanes;
  EXPECT_EQ(shared_cost(p).wavefronts, 32u);
  EXPECT_EQ(shared_cost(p).turns_per_bank[0], 32);
  EXPECT_EQ(wavefront_groups(p).size(), 32u);
}

// Laws of the breakdown, for every pattern: as many wavefronts as are counted; none asks a bank for two words; every
// lane gets each of its words; nobody is served who did not ask.
TEST(Wavefronts, ServeEveryLaneAndNoBankTwice) {
  std::mt19937_64 random(21);
  for (int i = 0; i < 5000; ++i) {
    const Pattern p = random_access(random);
    const auto groups = wavefront_groups(p);
    ASSERT_EQ(groups.size(), shared_cost(p).wavefronts) << i;
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
  Pattern p;
  for (std::uint64_t lane = 0; lane < 32; ++lane) p.addresses[lane] = lane * 128;
  const auto groups = wavefront_groups(p);
  ASSERT_EQ(groups.size(), 32u);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(groups[i].lanes, 1u << i);
}

// Eight rows of 16 bytes side by side fill the banks once; a row length of 128 bytes puts all eight into four banks.
TEST(Wavefronts, MatrixRows) {
  std::array<std::uint64_t, 32> rows;
  for (std::uint64_t r = 0; r < 32; ++r) rows[r] = r * 16;
  EXPECT_EQ(matrix_cost(rows).wavefronts, 4u);
  EXPECT_EQ(matrix_cost(rows).ideal_wavefronts, 4u);
  EXPECT_EQ(matrix_cost(rows).bank_conflicts, 0u);
  for (std::uint64_t r = 0; r < 32; ++r) rows[r] = r * 128;
  EXPECT_EQ(matrix_cost(rows).wavefronts, 32u);
  EXPECT_EQ(matrix_cost(rows).wavefronts_per_matrix[3], 8u);
  EXPECT_EQ(matrix_cost(std::span(rows).first(16)).wavefronts, 16u);
  for (std::uint64_t r = 0; r < 32; ++r) rows[r] = r * (128 + 16);
  EXPECT_EQ(matrix_cost(rows).wavefronts, 4u) << "16 bytes of padding shift each row by four banks";
  for (std::uint64_t r = 0; r < 32; ++r) rows[r] = swizzled_offset(r * 128, {.row_bytes = 128, .unit_bytes = 16});
  EXPECT_EQ(matrix_cost(rows).wavefronts, 4u);
  EXPECT_EQ(matrix_cost(std::span(rows).first(7)).requests, 0u);
}

TEST(Wavefronts, MatrixConflictsAreWhatIsBeyondOneEach) {
  std::mt19937_64 random(22);
  for (int i = 0; i < 1000; ++i) {
    std::array<std::uint64_t, 32> rows;
    for (auto& r : rows) r = random() % 64 * 16;
    const auto part = std::span(rows).first(std::size_t{8} << random() % 3);
    ASSERT_EQ(matrix_cost(part).bank_conflicts, matrix_cost(part).wavefronts - part.size() / 8);
  }
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
  Pattern column;
  for (std::uint64_t lane = 0; lane < 32; ++lane) column.addresses[lane] = lane * 128 + 20;
  EXPECT_EQ(shared_cost(column).wavefronts, 32u);
  EXPECT_EQ(shared_cost(padded(column, 128, 1)).wavefronts, 1u);
  EXPECT_EQ(shared_cost(swizzled(column, {.row_bytes = 128})).wavefronts, 1u);
  EXPECT_EQ(shared_cost(padded(column, 128, 2)).wavefronts, 2u);
  Pattern row;
  for (std::uint64_t lane = 0; lane < 32; ++lane) row.addresses[lane] = 640 + lane * 4;
  EXPECT_EQ(shared_cost(swizzled(row, {.row_bytes = 128})).wavefronts, 1u) << "rows stay free of conflicts";
  EXPECT_EQ(swizzled_offset(77, {.row_bytes = 0}), 77u);
}

}  // namespace
}  // namespace lanescope::access
