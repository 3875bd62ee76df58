#include "profiling/access/traffic.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/profiling/access/oracle.h"
#include "tests/profiling/access/random_pattern.h"

namespace lanescope::access {
namespace {

std::set<std::uint64_t> pieces(const Access& p, std::uint64_t bytes, int first = 0, int count = 32) {
  std::set<std::uint64_t> out;
  for (int lane = first; lane < first + count; ++lane)
    for (int b = 0; (p.mask >> lane & 1) && b < p.width_bytes; ++b) out.insert((p.addresses[lane] + b) / bytes);
  return out;
}

std::size_t sum_of_pieces(const Access& p, std::uint64_t bytes, int lanes) {
  std::size_t sum = 0;
  for (int first = 0; first < 32; first += lanes) sum += pieces(p, bytes, first, lanes).size();
  return sum;
}

TEST(Traffic, AgreesWithPlainSets) {
  std::mt19937_64 random(31);
  const MemoryModel& model = classic_memory();
  for (int i = 0; i < 4000; ++i) {
    const Access p = random_pattern(random);
    const int lanes = p.width_bytes <= 4 ? 32 : 128 / p.width_bytes;
    const Traffic c = traffic(p, LoadPath::caching, model), n = traffic(p, LoadPath::non_caching, model),
                  r = traffic(p, LoadPath::read_only, model);
    ASSERT_EQ(c.segments, pieces(p, 128).size()) << i;
    ASSERT_EQ(c.transactions, sum_of_pieces(p, 128, lanes)) << i;
    ASSERT_EQ(n.segments, pieces(p, 32).size()) << i;
    ASSERT_EQ(n.transactions, c.transactions) << i;
    ASSERT_EQ(r.transactions, sum_of_pieces(p, 32, 4)) << i;
    ASSERT_EQ(r.segments, n.segments) << "a segment misses once, however many queries ask for it";
    ASSERT_EQ(r.replays, 0u);
    ASSERT_EQ(c.replays, p.mask == 0 ? 0 : c.transactions - 1);
    ASSERT_EQ(c.bytes_wanted, pieces(p, 1).size());
    ASSERT_GE(c.bytes_moved, n.bytes_moved);
    ASSERT_LE(c.bytes_moved, 4 * n.bytes_moved) << "at most a line for each segment";
    ASSERT_LE(n.utilisation_percent(), 100);
  }
}

TEST(Traffic, TodaysLoadsMoveSectorsWithoutReplays) {
  std::mt19937_64 random(32);
  for (int i = 0; i < 1000; ++i) {
    const Access p = random_pattern(random);
    const Traffic t = traffic(p, LoadPath::caching, h200_memory());
    ASSERT_EQ(t.transactions, global_price(p).sectors);
    ASSERT_EQ(t.requests, global_price(p).requests);
    ASSERT_EQ(t.replays, 0u);
  }
}

TEST(Traffic, PathsThatAGenerationLacks) {
  const MemoryModel kepler{
      .global_loads_in_l1 = false, .global_loads_in_l1_on_request = false, .read_only_path = false};
  const Access p;
  EXPECT_EQ(traffic(p, LoadPath::caching, kepler).transactions, 0u);
  EXPECT_EQ(traffic(p, LoadPath::read_only, kepler).transactions, 0u);
  EXPECT_EQ(traffic(p, LoadPath::read_only, kepler).bytes_wanted, 4u);
}

// Kepler's read-only cache takes four lanes at a time: 8 queries at least, one a lane when each is in its own segment.
TEST(Traffic, ReadOnlyQueries) {
  Access p;
  EXPECT_EQ(traffic(p, LoadPath::read_only, classic_memory()).transactions, 8u);
  EXPECT_EQ(traffic(p, LoadPath::read_only, classic_memory()).segments, 1u);
  for (std::uint64_t lane = 0; lane < 32; ++lane) p.addresses[lane] = lane * 32;
  EXPECT_EQ(traffic(p, LoadPath::read_only, classic_memory()).transactions, 32u);
}

// Banks of 8 bytes: what two lanes need of one 8-byte word comes together, and a warp of doubles needs one wavefront.
TEST(OtherBanks, EightBytesWide) {
  const MemoryModel kepler{.banks = 32, .bank_bytes = 8, .shared_loads_merge = false};
  Access p{.width_bytes = 8};
  for (std::uint64_t lane = 0; lane < 32; ++lane) p.addresses[lane] = lane * 8;
  EXPECT_EQ(shared_price(p, kepler).wavefronts, 1u);
  EXPECT_EQ(shared_price(p).wavefronts, 2u);
  p.width_bytes = 4;
  for (std::uint64_t lane = 0; lane < 32; ++lane) p.addresses[lane] = lane / 2 * 256 + lane % 2 * 4;
  EXPECT_EQ(shared_price(p, kepler).wavefronts, 16u);
  EXPECT_EQ(shared_price(p).wavefronts, 16u);
  for (std::uint64_t lane = 0; lane < 32; ++lane) p.addresses[lane] = lane * 128;
  EXPECT_EQ(shared_price(p, kepler).wavefronts, 16u) << "128 bytes are half the way around the banks";
}

TEST(Meetings, ConstantsAndGlobalAtomicsAgreeWithPlainMaps) {
  std::mt19937_64 random(33);
  for (int i = 0; i < 3000; ++i) {
    Access p = random_pattern(random);
    std::map<std::uint64_t, std::uint32_t> lanes_at;
    for (int lane = 0; lane < 32; ++lane)
      if (p.mask >> lane & 1) ++lanes_at[p.addresses[lane]];
    std::uint32_t most = 0;
    for (const auto& [address, lanes] : lanes_at) most = std::max(most, lanes);
    p.space = MemorySpace::constant;
    const Cost c = cost(p);
    ASSERT_EQ(c.broadcasts, lanes_at.size());
    ASSERT_EQ(c.words, pieces(p, 4).size());
    ASSERT_EQ(c.replays() + c.requests, c.broadcasts);
    p.kind = AccessKind::atomic;
    ASSERT_EQ(global_price(p).passes, most);
    ASSERT_EQ(global_price(p).sectors, pieces(p, 32).size());
    p.turns = AtomicTurns::words;
    ASSERT_EQ(shared_price(p).bytes_requested, lanes_at.size() * static_cast<std::uint64_t>(p.width_bytes));
  }
}

Cost local_cost(Access p) {
  p.space = MemorySpace::local;
  return cost(p);
}

TEST(Local, SameOffsetIsCoalesced) {
  Access p;
  for (auto& a : p.addresses) a = 8;
  EXPECT_EQ(local_cost(p).sectors, 4u);
  EXPECT_EQ(local_cost(p).lines, 1u);
  EXPECT_EQ(local_cost(p).bytes_moved, local_cost(p).bytes_wanted);
  p.width_bytes = 16;
  EXPECT_EQ(local_cost(p).sectors, 16u);
  p.width_bytes = 4;
  for (std::uint64_t lane = 0; lane < 32; ++lane) p.addresses[lane] = lane * 4;  // a[lane] of an array in local memory
  EXPECT_EQ(local_cost(p).sectors, 32u);
}

TEST(Local, AgreesWithTheLayoutByteByByte) {
  std::mt19937_64 random(34);
  for (int i = 0; i < 2000; ++i) {
    const Access p = random_pattern(random);
    std::set<std::uint64_t> bytes, sectors, lines;
    for (int lane = 0; lane < 32; ++lane)
      for (int b = 0; (p.mask >> lane & 1) && b < p.width_bytes; ++b)
        bytes.insert(local_to_physical(p.addresses[lane] + b, lane));
    for (const auto b : bytes) sectors.insert(b / 32), lines.insert(b / 128);
    ASSERT_EQ(local_cost(p).bytes_wanted, bytes.size());
    ASSERT_EQ(local_cost(p).sectors, sectors.size());
    ASSERT_EQ(local_cost(p).lines, lines.size());
  }
}

}  // namespace
}  // namespace lanescope::access
