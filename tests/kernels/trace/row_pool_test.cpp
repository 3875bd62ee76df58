// Rows that come back from a pool are those that were put in, lane by lane, in any form.

#include <array>
#include <random>

#include <gtest/gtest.h>

#include "kernels/trace/trace.h"

namespace lanescope::trace {
namespace {

using Row = std::array<std::uint32_t, 32>;

/// Rows of every form, and rows that miss it by one lane.
Row make_row(std::mt19937& random, int form) {
  Row r{};
  const auto first = static_cast<std::uint32_t>(random()),
             step = static_cast<std::uint32_t>(random() % 3 == 0 ? random() : random() % 64);
  std::array<std::uint32_t, 5> d;
  for (auto& x : d) x = static_cast<std::uint32_t>(random() % 2 == 0 ? random() : random() % 1024);
  for (std::uint32_t l = 0; l < 32; ++l) {
    std::uint32_t sum = first, exored = first;
    for (std::size_t b = 0; b < 5; ++b)
      if (l >> b & 1) sum += d[b], exored ^= d[b];
    const std::array<std::uint32_t, 6> choices{0,   first,  first + l * step,
                                               sum, exored, static_cast<std::uint32_t>(random())};
    r[l] = choices[static_cast<std::size_t>(form)];
  }
  if (random() % 4 == 0) r[random() % 32] ^= 1u << random() % 32;
  return r;
}

TEST(RowPool, GivesBackWhatWasPut) {
  std::mt19937 random(11);
  RowPool pool;
  struct Put {
    std::uint32_t handle, mask;
    std::vector<std::uint32_t> rows;
  };
  std::vector<Put> puts;
  for (int i = 0; i < 20000; ++i) {
    const std::size_t count = 1 + random() % (i % 100 == 0 ? RowPool::most_rows : 4);
    const std::array<std::uint32_t, 5> masks{~0u, ~0u, static_cast<std::uint32_t>(random()), 0x0000ffffu,
                                             1u << random() % 32};
    Put p{0, masks[random() % 5], {}};
    for (std::size_t r = 0; r < count; ++r) {
      const Row row = make_row(random, static_cast<int>(random() % 6));
      p.rows.insert(p.rows.end(), row.begin(), row.end());
    }
    p.handle = pool.put(p.rows, p.mask);
    for (std::size_t k = 0; k < p.rows.size(); ++k)
      if (!(p.mask >> k % 32 & 1)) p.rows[k] = 0;
    puts.push_back(std::move(p));
  }
  for (const Put& p : puts) {
    std::vector<std::uint32_t> got(p.rows.size(), 0xdeadbeef);
    pool.get(p.handle, p.mask, got);
    ASSERT_EQ(got, p.rows);
  }
}

TEST(RowPool, RegularRowsCostLittleAndRepeatedOnesNothing) {
  RowPool pool;
  Row lanes;
  for (std::uint32_t l = 0; l < 32; ++l) lanes[l] = (l & 7) * 132 + (l >> 3) * 4;
  EXPECT_EQ(pool.put(Row{}, ~0u), 0u);
  const std::uint32_t first = pool.put(lanes, ~0u);
  EXPECT_EQ(pool.put(lanes, ~0u), first);
  for (auto& x : lanes) x += 4;
  EXPECT_EQ(pool.put(lanes, ~0u) - first, 7u);  // one word of forms, first value, five strides
}

TEST(AccessLog, ExpandsEveryField) {
  AccessLog log;
  std::array<std::uint64_t, 32> addresses{};
  std::vector<std::uint32_t> values(128), tags(128);
  for (std::size_t l = 0; l < 32; ++l) addresses[l] = (std::uint64_t{0x100} << 32) - 64 + l * 16;  // across a high word
  for (std::size_t k = 0; k < 128; ++k)
    values[k] = static_cast<std::uint32_t>(k * k), tags[k] = TagPool::source_word(static_cast<std::uint32_t>(k));
  AccessEvent e;
  e.where.active = 0xffff;
  e.kind = AccessKind::store;
  e.space = MemorySpace::local;
  e.width_bytes = 16;
  e.matrix = 2;
  e.addresses = addresses;
  e.values = values;
  e.tags = tags;
  log.append(7, e);
  e.tags = {};
  e.read_only = true;
  log.append(9, e);
  const AccessRecord a = log[0], b = log[1];
  EXPECT_EQ(a.step, 7u);
  EXPECT_EQ(a.kind, AccessKind::store);
  EXPECT_EQ(a.space, MemorySpace::local);
  EXPECT_EQ(a.width_bytes, 16);
  EXPECT_EQ(a.matrix, 2);
  EXPECT_EQ(a.mask, 0xffffu);
  EXPECT_FALSE(a.read_only);
  EXPECT_TRUE(b.read_only);
  EXPECT_TRUE(b.tags.empty());
  for (std::size_t l = 0; l < 32; ++l) {
    EXPECT_EQ(a.addresses[l], l < 16 ? addresses[l] : 0);
    for (std::size_t w = 0; w < 4; ++w) EXPECT_EQ(a.values[w * 32 + l], l < 16 ? values[w * 32 + l] : 0);
    for (std::size_t w = 0; w < 4; ++w) EXPECT_EQ(a.tags[w * 32 + l], l < 16 ? tags[w * 32 + l] : 0);
  }
  EXPECT_EQ(log.count_until(6), 0u);
  EXPECT_EQ(log.count_until(7), 1u);
  EXPECT_EQ(log.count_until(9), 2u);
  EXPECT_EQ((*(log.begin() + 1)).step, 9u);
  EXPECT_EQ(log.end() - log.begin(), 2);
}

}  // namespace
}  // namespace lanescope::trace
