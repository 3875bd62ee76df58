// Compute capability 1.x: half warps, in transactions of 32, 64 and 128 bytes.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "profiling/access/traffic.h"
#include "tests/profiling/access/random_pattern.h"

namespace lanescope::access {
namespace {

Access words(int width, std::uint64_t first, std::uint64_t stride) {
  Access p{.width_bytes = width};
  for (std::uint64_t lane = 0; lane < 32; ++lane) p.addresses[lane] = first + lane * stride;
  return p;
}

/// "64 64": sizes in order.
std::string sizes(const Access& p, HalfWarps rule) {
  std::string out;
  for (const Transaction& t : half_warp_transactions(p, rule))
    out += (out.empty() ? "" : " ") + std::to_string(t.bytes);
  return out;
}

// The table of the header, and the cases of the guide's text.
TEST(HalfWarps, CasesOfTheGuide) {
  EXPECT_EQ(sizes(words(4, 0, 4), HalfWarps::in_order), "64 64");
  EXPECT_EQ(sizes(words(8, 0, 8), HalfWarps::in_order), "128 128");
  EXPECT_EQ(sizes(words(16, 0, 16), HalfWarps::in_order), "128 128 128 128");
  EXPECT_EQ(half_warp_transactions(words(4, 4, 4), HalfWarps::in_order).size(), 32u);
  EXPECT_EQ(half_warp_transactions(words(4, 4, 0), HalfWarps::in_order).size(), 32u) << "one word for all";
  EXPECT_EQ(half_warp_transactions(words(2, 0, 2), HalfWarps::in_order).size(), 32u) << "words of 2 bytes";
  EXPECT_EQ(sizes(words(16, 128, 16), HalfWarps::in_order).substr(0, 5), "32 32") << "not aligned to 256 bytes";
  Access some = words(4, 0, 4);
  some.mask = 0xfff0ff0fu;
  EXPECT_EQ(sizes(some, HalfWarps::in_order), "64 64") << "inactive lanes do not matter";

  EXPECT_EQ(sizes(words(4, 0, 4), HalfWarps::segments), "64 64");
  EXPECT_EQ(sizes(words(4, 4, 4), HalfWarps::segments), "128 64 32") << "the second half crosses byte 128";
  EXPECT_EQ(sizes(words(4, 4, 0), HalfWarps::segments), "32 32");
  EXPECT_EQ(sizes(words(4, 0, 128), HalfWarps::segments).size(), 32u * 3 - 1) << "32 transactions of 32 bytes";
  EXPECT_EQ(sizes(words(4, 0, 8), HalfWarps::segments), "128 128");
  EXPECT_EQ(sizes(words(1, 0, 1), HalfWarps::segments), "32 32");
  EXPECT_EQ(sizes(words(2, 0, 2), HalfWarps::segments), "32 32") << "segments of 64 bytes, one half of which is used";
  EXPECT_EQ(sizes(words(2, 0, 4), HalfWarps::segments), "64 64");
}

TEST(HalfWarps, EveryLaneIsServedOnceByATransactionThatHoldsItsWord) {
  std::mt19937_64 random(41);
  for (int i = 0; i < 4000; ++i) {
    Access p = random_pattern(random);
    for (auto& a : p.addresses) a &= ~std::uint64_t(p.width_bytes - 1);
    for (const HalfWarps rule : {HalfWarps::in_order, HalfWarps::segments}) {
      std::uint32_t served = 0;
      for (const Transaction& t : half_warp_transactions(p, rule)) {
        ASSERT_TRUE(t.bytes == 32 || t.bytes == 64 || t.bytes == 128);
        ASSERT_EQ(t.address % t.bytes, 0u);
        ASSERT_EQ(served & t.lanes, 0u);
        ASSERT_TRUE((t.lanes & 0xffffu) == 0 || (t.lanes & 0xffff0000u) == 0) << "of one half";
        served |= t.lanes;
        for (int lane = 0; lane < 32; ++lane)
          if (t.lanes >> lane & 1) {
            ASSERT_GE(p.addresses[lane], t.address);
            ASSERT_LE(p.addresses[lane] + static_cast<std::uint64_t>(p.width_bytes), t.address + t.bytes);
          }
      }
      ASSERT_EQ(served, p.mask);
    }
  }
}

// An oracle in another way: for each half, which pieces of 32 bytes each segment needs, and the smallest aligned block
// around them.
TEST(HalfWarps, SegmentsAgreeWithSetsOfPieces) {
  std::mt19937_64 random(42);
  for (int i = 0; i < 4000; ++i) {
    Access p = random_pattern(random);
    for (auto& a : p.addresses) a &= ~std::uint64_t(p.width_bytes - 1);
    const std::uint64_t segment = p.width_bytes >= 4 ? 128 : 32 * static_cast<std::uint64_t>(p.width_bytes);
    std::multiset<std::pair<std::uint64_t, std::uint32_t>> expected, found;
    for (const int half : {0, 16}) {
      std::map<std::uint64_t, std::set<std::uint64_t>> pieces;
      for (int lane = half; lane < half + 16; ++lane)
        if (p.mask >> lane & 1) pieces[p.addresses[lane] / segment].insert(p.addresses[lane] / 32);
      for (const auto& [which, used] : pieces) {
        std::uint32_t bytes = 32;
        while (*used.begin() * 32 / bytes != *used.rbegin() * 32 / bytes) bytes *= 2;
        expected.insert({*used.begin() * 32 / bytes * bytes, bytes});
      }
    }
    for (const Transaction& t : half_warp_transactions(p, HalfWarps::segments)) found.insert({t.address, t.bytes});
    ASSERT_EQ(found, expected) << i;
  }
}

TEST(HalfWarps, TrafficAddsThemUp) {
  const MemoryModel model{.global_loads_in_l1 = false,
                          .global_loads_in_l1_on_request = false,
                          .read_only_path = false,
                          .half_warps = HalfWarps::segments};
  const Traffic t = traffic(words(4, 4, 4), LoadPath::non_caching, model);
  EXPECT_EQ(t.requests, 2u);
  EXPECT_EQ(t.transactions, 3u);
  EXPECT_EQ(t.by_size, (std::array<std::uint32_t, 3>{1, 1, 1}));
  EXPECT_EQ(t.bytes_moved, 224u);
  EXPECT_EQ(t.bytes_wanted, 128u);
  EXPECT_FALSE(exists(LoadPath::caching, model));
  EXPECT_FALSE(exists(LoadPath::read_only, model));
  EXPECT_EQ(traffic(words(4, 0, 4), LoadPath::caching, model).transactions, 0u);
}

// Guide 4.2, F.4.3.2: 16 bytes a lane cost each quarter warp of compute capability 2.x one wavefront more.
TEST(OtherBanks, QuarterWarpsOfFermi) {
  const MemoryModel fermi{.quarter_warps_cost_one_more = true, .shared_loads_merge = false};
  EXPECT_EQ(shared_price(words(16, 0, 16), fermi).wavefronts, 8u);
  EXPECT_EQ(shared_price(words(8, 0, 8), fermi).wavefronts, 2u);
  EXPECT_EQ(shared_price(words(4, 0, 4), fermi).wavefronts, 1u);
}

}  // namespace
}  // namespace lanescope::access
