// Launches that end before all their blocks have run.

#include <algorithm>
#include <set>

#include "kernels/emulator/machine/schedule.h"
#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {
namespace {

using std::uint32_t;
using trace::Coverage;

/// Each block writes 1 into its element.
const std::string mark =
    "mul.wide.u32 %rd1, %r63, 4;\nadd.s64 %rd2, %rd0, %rd1;\nmov.u32 %r0, 1;\nst.global.u32 [%rd2], %r0;\n";

struct Ran {
  Result result;
  std::set<uint32_t> blocks;  ///< that wrote
};

Ran run_blocks(uint32_t blocks, const Options& options, const std::string& body = mark) {
  const auto module = module_of(kernel(body, 1));
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<uint32_t>(blocks))};
  Ran ran;
  ran.result = run_ok(module, launch_of(blocks, 32, 1), buffers, options);
  const auto out = values_of<uint32_t>(buffers[0]);
  for (uint32_t b = 0; b < blocks; ++b)
    if (out[b] != 0) ran.blocks.insert(b);
  return ran;
}

std::set<uint32_t> blocks_of(const Coverage& c, std::uint64_t seed) {
  std::set<uint32_t> all(c.others.begin(), c.others.end());
  for (std::uint64_t n = 0; n < c.in_order; ++n) all.insert(static_cast<uint32_t>(block_in_order(n, c.blocks, seed)));
  return all;
}

constexpr auto past = Limits::Clock::time_point::min() + std::chrono::hours(1);

TEST(Coverage, AWholeLaunchSaysSo) {
  const Ran ran = run_blocks(7, {});
  EXPECT_EQ(ran.result.coverage, (Coverage{.blocks = 7, .in_order = 7, .others = {}}));
  EXPECT_EQ(ran.blocks.size(), 7u);
}

TEST(Coverage, TheWantedBlockTheLastAndSomeBetweenStandForTheRest) {
  const Ran ran = run_blocks(100, {.limits = {.blocks = 3, .samples = 4, .wanted = 50}});
  const Coverage& c = ran.result.coverage;
  EXPECT_EQ(c.ended, Coverage::Ended::asked);
  EXPECT_EQ(c.in_order, 3u);
  ASSERT_EQ(c.others.size(), 5u);
  EXPECT_EQ(c.others[0], 50u);
  EXPECT_EQ(c.others[1], 99u);
  EXPECT_EQ(ran.blocks, blocks_of(c, 1));
  EXPECT_EQ(words_of(c), "8 of 100 blocks ran");
}

/// The blocks that wrote are the reported ones, each once, for any numbers.
TEST(Coverage, SaysExactlyWhatRan) {
  Numbers numbers(7);
  for (int trial = 0; trial < 300; ++trial) {
    const auto blocks = static_cast<uint32_t>(1 + numbers.below(200));
    Options o;
    o.seed = 1 + numbers.below(3);
    o.limits.blocks = numbers.below(blocks + 10);
    o.limits.samples = static_cast<uint32_t>(numbers.below(20));
    if (numbers.below(2) == 0) o.limits.wanted = static_cast<uint32_t>(numbers.below(blocks + 3));
    if (numbers.below(4) == 0) o.limits.no_block_after = past;
    if (numbers.below(4) == 0) o.limits.no_sample_after = past;
    const Ran ran = run_blocks(blocks, o);
    const Coverage& c = ran.result.coverage;
    ASSERT_EQ(ran.blocks, blocks_of(c, o.seed)) << trial;
    ASSERT_EQ(c.ran(), ran.blocks.size()) << trial;
    ASSERT_EQ(c.whole(), ran.blocks.size() == blocks) << trial;
    ASSERT_EQ(c.midway, 0u);
    if (o.limits.wanted && *o.limits.wanted < blocks) {
      ASSERT_TRUE(ran.blocks.contains(*o.limits.wanted)) << trial;
    }
  }
}

TEST(Coverage, TheFirstBlockRunsHoweverLateItIs) {
  Options o;
  o.limits.no_block_after = o.limits.no_sample_after = past;
  o.limits.samples = 8;
  const Ran ran = run_blocks(1000, o);
  EXPECT_EQ(ran.result.coverage.ended, Coverage::Ended::time);
  EXPECT_EQ(ran.blocks, (std::set<uint32_t>{0, 999}));
}

TEST(Coverage, ABlockThatDoesNotEndIsLeft) {
  Options o;
  o.limits.leave_at = Limits::Clock::now() + std::chrono::milliseconds(20);
  const Ran ran = run_blocks(5, o, "setp.eq.u32 %p1, %r63, 2;\nloop:\n@%p1 bra loop;\n" + mark);
  EXPECT_EQ(ran.result.coverage.ended, Coverage::Ended::time);
  EXPECT_EQ(ran.result.coverage.in_order, 3u);
  EXPECT_EQ(ran.result.coverage.midway, 1u);
  EXPECT_EQ(ran.result.unfinished.blocks, 1u);
  EXPECT_EQ(ran.blocks, (std::set<uint32_t>{0, 1}));
  EXPECT_EQ(words_of(ran.result.coverage), "3 of 5 blocks ran, 1 of them not to its end");
}

/// The limit of steps is for a loop that never ends, not for a grid that is large.
TEST(Coverage, ManyBlocksAreNoRunawayLoop) {
  Options o;
  o.max_steps = 1000;
  const Ran ran = run_blocks(1000, o);
  EXPECT_EQ(ran.result.coverage.ended, Coverage::Ended::steps);
  EXPECT_GT(ran.blocks.size(), 10u);
  EXPECT_LT(ran.blocks.size(), 200u);
  EXPECT_TRUE(ran.blocks.contains(999));
  EXPECT_EQ(ran.blocks, blocks_of(ran.result.coverage, 1));
}

TEST(Coverage, ALoopThatNeverEndsBehindOtherBlocksIsOne) {
  const auto module = module_of(kernel("setp.eq.u32 %p1, %r63, 2;\nloop:\n@%p1 bra loop;\n", 1));
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<uint32_t>(64))};
  Options o;
  o.max_steps = 1000;
  const auto result = run(module, launch_of(5, 32, 1), buffers, o);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->faults.size(), 1u);
  EXPECT_EQ(result->faults[0].kind, Fault::Kind::runaway);
}

/// A block that waits for one that does not run is left; the others run to their ends.
TEST(Coverage, WhoWaitsForABlockThatDoesNotRunIsLeft) {
  // Each block waits until the one before it has written.
  const std::string body =
      "setp.eq.u32 %p1, %r63, 0;\n@%p1 bra go;\nsub.u32 %r1, %r63, 1;\nmul.wide.u32 %rd3, %r1, 4;\n"
      "add.s64 %rd4, %rd0, %rd3;\nwait:\nld.volatile.global.u32 %r2, [%rd4];\n"
      "setp.eq.u32 %p2, %r2, 0;\n@%p2 bra wait;\ngo:\n" +
      mark;
  Options o;
  o.limits.no_block_after = past;
  o.limits.samples = 2;
  const Ran ran = run_blocks(100, o, body);
  EXPECT_EQ(ran.blocks, std::set<uint32_t>{0});
  EXPECT_EQ(ran.result.coverage.others.size(), 2u);
  EXPECT_EQ(ran.result.coverage.midway, 2u);
}

/// Blocks that wait for later ones get them, even where only the first was requested.
TEST(Coverage, ABlockThatWaitsForLaterOnesGetsThem) {
  const std::string body =
      "setp.ge.u32 %p1, %r63, 9;\n@%p1 bra go;\nadd.u32 %r1, %r63, 1;\nmul.wide.u32 %rd3, %r1, 4;\n"
      "add.s64 %rd4, %rd0, %rd3;\nwait:\nld.volatile.global.u32 %r2, [%rd4];\n"
      "setp.eq.u32 %p2, %r2, 0;\n@%p2 bra wait;\ngo:\n" +
      mark;
  const Ran ran = run_blocks(20, {.limits = {.blocks = 1, .samples = 0}}, body);
  for (uint32_t b = 0; b < 10; ++b) EXPECT_TRUE(ran.blocks.contains(b)) << b;
  EXPECT_EQ(ran.result.coverage.midway, 0u);
}

}  // namespace
}  // namespace lanescope::emulator::test
