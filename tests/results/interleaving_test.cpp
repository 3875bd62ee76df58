// What another order of two threads would do.

#include "results/problems.h"

#include <gtest/gtest.h>

namespace lanescope::results {
namespace {

InterleavedAccess access(std::int64_t step, int lane, const char* does, std::uint32_t value, std::int64_t block = 0) {
  return {.step = step, .block = block, .warp = 0, .lane = lane, .line = 10 + lane, .does = does, .value = value};
}

FindingInfo finding(std::vector<InterleavedAccess> rows) {
  FindingInfo f;
  f.interleaving = std::move(rows);
  return f;
}

TEST(Interleaving, ALostUpdateIsSaidOfTheThreadThatWroteFirst) {
  const Interleaving t = interleaving_of(finding(
      {access(1, 0, "reads", 0), access(2, 1, "reads", 0), access(3, 0, "writes", 1), access(4, 1, "writes", 1)}));
  EXPECT_EQ(t.first, "warp 0, lane 0");
  EXPECT_EQ(t.second, "warp 0, lane 1");
  ASSERT_EQ(t.rows.size(), 4u);
  EXPECT_EQ(t.rows[1], (Interleaving::Row{true, "reads 0", 11}));
  EXPECT_EQ(t.rows[2], (Interleaving::Row{false, "writes 1", 10}));
  EXPECT_EQ(
      t.consequence,
      "Both read before either wrote: the value of warp 0, lane 1 replaces that of warp 0, lane 0, whose update is "
      "lost");
}

TEST(Interleaving, OrdersOfTwoAccessesAreToldApart) {
  const auto said = [](const char* a, const char* b) {
    return interleaving_of(finding({access(1, 0, a, 7), access(2, 1, b, 8, 3)})).consequence;
  };
  EXPECT_EQ(said("writes", "reads"),
            "Here block 3, warp 0, lane 1 read after the write. Nothing orders the two: in another run it reads the "
            "old value");
  EXPECT_EQ(
      said("reads", "writes"),
      "Here block 0, warp 0, lane 0 read first. Nothing orders the two: in another run it reads what block 3, warp "
      "0, lane 1 writes");
  EXPECT_EQ(said("writes", "writes"),
            "Here the value of block 3, warp 0, lane 1 stays. Nothing orders the two: in another run that of block 0, "
            "warp 0, lane 0 does");
  EXPECT_EQ(said("reads", "reads"), "");
}

TEST(Interleaving, OneThreadHasNoTable) {
  EXPECT_TRUE(interleaving_of({}).rows.empty());
  EXPECT_TRUE(interleaving_of(finding({access(1, 0, "reads", 0), access(2, 0, "writes", 0)})).rows.empty());
}

}  // namespace
}  // namespace lanescope::results
