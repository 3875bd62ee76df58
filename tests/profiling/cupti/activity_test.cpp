// Records as the library lays them out, and the tables made of them. The layouts are written out here once more, from
// the documentation, as structs.

#include "profiling/cupti/child.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "profiling/cupti/interfaces.h"

namespace lanescope::cupti {
namespace {

struct KernelRecord {
  std::uint32_t kind = 10;
  std::uint8_t cache = 0, shared_config = 0;
  std::uint16_t registers = 24;
  std::uint32_t carveout_requested = 0, carveout = 0;
  std::uint64_t start = 1000, end = 3500, completed = 0;
  std::uint32_t device = 0, context = 1, stream = 7;
  std::int32_t grid[3] = {10, 2, 1}, block[3] = {32, 8, 1};
  std::int32_t static_shared = 4096, dynamic_shared = 512;
  std::uint32_t local = 16, local_total = 0, correlation = 99;
  std::int64_t grid_id = 0;
  const char* name = "transpose";
  std::uint64_t more[12] = {};
};
struct CopyLayout {
  std::uint32_t kind = 1;
  std::uint8_t copy_kind = 2, source = 0, destination = 0, flags = 0;
  std::uint64_t bytes = 4096, start = 50, end = 40;
  std::uint32_t device = 0, context = 0, stream = 0, correlation = 5;
  std::uint64_t more[6] = {};
};
struct CallLayout {
  std::uint32_t kind = 4, number = 307;
  std::uint64_t start = 100, end = 160;
  std::uint32_t process = 0, thread = 0, correlation = 99, returned = 0;
};

std::string numbered(std::uint32_t number) { return "call " + std::to_string(number); }

template <class T>
std::span<const std::uint8_t> bytes_of(const T& record) {
  return {reinterpret_cast<const std::uint8_t*>(&record), sizeof record};
}

TEST(Records, AreReadAtTheirPlaces) {
  ActivityReport r;
  EXPECT_TRUE(add_record(bytes_of(KernelRecord{}), numbered, r));
  EXPECT_TRUE(add_record(bytes_of(CopyLayout{}), numbered, r));
  EXPECT_TRUE(add_record(bytes_of(CopyLayout{.kind = 2}), numbered, r));
  EXPECT_TRUE(add_record(bytes_of(CallLayout{}), numbered, r));
  ASSERT_EQ(r.launches.size(), 1u);
  EXPECT_EQ(r.launches[0], (LaunchRecord{.kernel = "transpose",
                                         .start = 1000,
                                         .duration = 2500,
                                         .registers = 24,
                                         .static_shared = 4096,
                                         .dynamic_shared = 512,
                                         .local = 16,
                                         .grid = {10, 2, 1},
                                         .block = {32, 8, 1},
                                         .correlation = 99,
                                         .stream = 7}));
  ASSERT_EQ(r.copies.size(), 2u);
  EXPECT_EQ(r.copies[0],
            (CopyRecord{.kind = "device to host", .start = 50, .duration = 0, .bytes = 4096, .correlation = 5}));
  EXPECT_EQ(r.copies[1].kind, "set");
  ASSERT_EQ(r.calls.size(), 1u);
  EXPECT_EQ(r.calls[0], (CallRecord{.name = "call 307", .start = 100, .duration = 60, .correlation = 99}));
}

TEST(Records, OfOtherKindsOrTooShortAreLeft) {
  ActivityReport r;
  const CallLayout other{.kind = 5};
  EXPECT_FALSE(add_record(bytes_of(other), numbered, r));
  const KernelRecord kernel;
  for (std::size_t n = 0; n < 144; ++n) EXPECT_FALSE(add_record(bytes_of(kernel).first(n), numbered, r)) << n;
  EXPECT_TRUE(r.launches.empty() && r.copies.empty() && r.calls.empty());
}

TEST(Records, OfVersionsNotKnownAreRefused) {
  for (const std::uint32_t known : {24u, 26u, 28u, 130000u, 130001u, 130100u}) EXPECT_TRUE(knows_records_of(known));
  for (const std::uint32_t other : {18u, 23u, 120000u, 130200u, 140000u}) EXPECT_FALSE(knows_records_of(other));
}

/// Records of three rounds, shuffled as overlapping streams shuffle them; the library's numbers of streams say nothing.
TEST(Streams, AreThoseOfTheLaunchesInTheOrderOfTheCalls) {
  std::mt19937 random(9);
  std::vector<trace::Launch> launches(5);
  for (trace::Launch& l : launches) l.stream = random() % 4;
  constexpr std::size_t rounds = 3;
  std::vector<LaunchRecord> records(rounds * launches.size());
  for (std::size_t n = 0; n < records.size(); ++n) {
    records[n].correlation = 100 + 7 * static_cast<std::uint32_t>(n);  // calls of other kinds lie between
    records[n].registers = static_cast<int>(n % launches.size());      // shows which launch it is
    records[n].stream = 13;
  }
  std::shuffle(records.begin(), records.end(), random);
  const auto before = records;
  number_streams(launches, rounds, records);
  for (std::size_t n = 0; n < records.size(); ++n) {
    EXPECT_EQ(records[n].correlation, before[n].correlation) << "the order of records stays";
    EXPECT_EQ(records[n].stream, launches[static_cast<std::size_t>(records[n].registers)].stream);
  }
  records.pop_back();
  number_streams(launches, rounds, records);
  for (const LaunchRecord& r : records) EXPECT_EQ(r.stream, 0u) << "one is missing, it is unknown which";
}

TEST(Profile, AddsUpWhatTheRecordsSay) {
  std::mt19937 random(5);
  std::vector<CallRecord> calls;
  std::uint64_t total = 0;
  for (int i = 0; i < 200; ++i) {
    calls.push_back({.name = "f" + std::to_string(random() % 5), .start = 0, .duration = random() % 1000});
    total += calls.back().duration;
  }
  const auto rows = profile(calls);
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ProfileRow& row = rows[i];
    count += row.calls, total -= row.total;
    EXPECT_LE(static_cast<double>(row.least), row.average());
    EXPECT_LE(row.average(), static_cast<double>(row.most));
    EXPECT_LE(row.total, rows[i > 0 ? i - 1 : 0].total);
    for (const CallRecord& c : calls)
      EXPECT_TRUE(c.name != row.name || (row.least <= c.duration && c.duration <= row.most));
  }
  EXPECT_EQ(count, calls.size());
  EXPECT_EQ(total, 0u);
  EXPECT_TRUE(profile(std::vector<LaunchRecord>{}).empty());
}

TEST(Stalls, HaveShortNamesAndWords) {
  EXPECT_EQ(stall_name("smsp__pcsamp_warps_issue_stalled_long_scoreboard"), "long_scoreboard");
  EXPECT_EQ(stall_name("smsp__pcsamp_warps_issue_stalled_wait_not_issued"), "wait_not_issued");
  EXPECT_EQ(stall_name("other"), "other");
  EXPECT_FALSE(stall_words("smsp__pcsamp_warps_issue_stalled_wait_not_issued").empty());
  EXPECT_EQ(stall_words("smsp__pcsamp_warps_issue_stalled_wait"),
            stall_words("smsp__pcsamp_warps_issue_stalled_wait_not_issued"));
  EXPECT_EQ(stall_words("of another kind"), "");
}

}  // namespace
}  // namespace lanescope::cupti
