// Effects of another order of two threads.

#include "results/problems.h"

#include <gtest/gtest.h>

namespace lanescope::results {
namespace {

using access::Verb;

access::ThreadAccess by(std::int64_t step, int lane, Verb does, std::uint32_t value, std::int64_t block = 0) {
  return {.step = step, .block = block, .warp = 0, .lane = lane, .line = 10 + lane, .does = does, .value = value};
}

FindingInfo finding(std::vector<access::ThreadAccess> rows) {
  FindingInfo f;
  f.interleaving = std::move(rows);
  return f;
}

TEST(Interleaving, ALostUpdateIsSaidOfTheThreadThatWroteFirst) {
  const Interleaving t = interleaving_of(finding(
      {by(1, 0, Verb::reads, 0), by(2, 1, Verb::reads, 0), by(3, 0, Verb::writes, 1), by(4, 1, Verb::writes, 1)}));
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
  const auto said = [](Verb a, Verb b) {
    return interleaving_of(finding({by(1, 0, a, 7), by(2, 1, b, 8, 3)})).consequence;
  };
  EXPECT_EQ(said(Verb::writes, Verb::reads),
            "Here block 3, warp 0, lane 1 read after the write. Nothing orders the two: in another run it reads the "
            "old value");
  EXPECT_EQ(
      said(Verb::reads, Verb::writes),
      "Here block 0, warp 0, lane 0 read first. Nothing orders the two: in another run it reads what block 3, warp "
      "0, lane 1 writes");
  EXPECT_EQ(said(Verb::writes, Verb::writes),
            "Here the value of block 3, warp 0, lane 1 stays. Nothing orders the two: in another run that of block 0, "
            "warp 0, lane 0 does");
  EXPECT_EQ(said(Verb::reads, Verb::reads), "");
}

TEST(Interleaving, OneThreadHasNoTable) {
  EXPECT_TRUE(interleaving_of({}).rows.empty());
  EXPECT_TRUE(interleaving_of(finding({by(1, 0, Verb::reads, 0), by(2, 0, Verb::writes, 0)})).rows.empty());
}

}  // namespace
}  // namespace lanescope::results
