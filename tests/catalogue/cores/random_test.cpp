// Random programs whose threads race in shared and in global memory: what a review watches is the same on several cores.

#include <gtest/gtest.h>

#include "kernels/emulator/ahead/ahead.h"
#include "tests/catalogue/cores/collected.h"
#include "tests/kernels/emulator/harness.h"
#include "tests/kernels/emulator/history/random_programs.h"

namespace lanescope::catalogue {
namespace {

using emulator::test::Numbers;

constexpr std::uint32_t grid = 90, block = 96;

/// Accesses at places of the thread, of its neighbours and, in few blocks, of other blocks, with barriers here and there.
std::string random_body(Numbers& numbers) {
  std::string out =
      "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd40, %tid, 4;\nadd.s64 %rd41, %rd0, %rd40;\nadd.s64 %rd42, %rd1, "
      "%rd40;\nld.global.u32 %r2, [%rd41];\nmov.u32 %r20, s;\nshl.b32 %r3, %r1, 2;\nadd.u32 %r21, %r20, %r3;\nand.b32 "
      "%r30, %r1, 7;\nmul.wide.u32 %rd44, %r30, 8;\nadd.s64 %rd44, %rd1, "
      "%rd44;\n";
  const std::uint64_t rare = 3 + numbers.below(80);
  for (std::uint64_t i = 0, n = 4 + numbers.below(8); i < n; ++i) {
    const std::uint64_t shift = numbers.below(4) == 0 ? numbers.below(block) : 0;
    out += fmt::format("add.u32 %r4, %r1, {};\nrem.u32 %r4, %r4, {};\nshl.b32 %r4, %r4, 2;\nadd.u32 %r21, %r20, %r4;\n",
                       shift, 1 + numbers.below(block));
    // In some blocks, the words of another one.
    out += fmt::format(
        "rem.u32 %r5, %r63, {};\nsetp.eq.u32 %p1, %r5, {};\nselp.u32 %r6, {}, %r63, %p1;\nmad.lo.u32 %r6, %r6, {}, "
        "%r1;\ncvt.u64.u32 %rd45, %r2;\nmul.wide.u32 %rd43, %r6, 4;\nadd.s64 %rd43, %rd1, %rd43;\n",
        rare, numbers.below(rare), numbers.below(grid), block);
    static constexpr const char* what[] = {"st.shared.u32 [%r21], %r2;\n",
                                           "ld.shared.u32 %r7, [%r21];\nadd.u32 %r2, %r2, %r7;\n",
                                           "st.shared.u8 [%r21+1], %r2;\n",
                                           "st.shared.u32 [%r21], %r1;\n",
                                           "ld.volatile.shared.u32 %r7, [%r21];\nadd.u32 %r2, %r2, %r7;\n",
                                           "atom.shared.add.u32 %r7, [%r21], 1;\n",
                                           "ld.global.u32 %r7, [%rd43];\nadd.u32 %r2, %r2, %r7;\n",
                                           "st.global.u32 [%rd43], %r2;\n",
                                           "red.global.add.u32 [%rd43], %r2;\n",
                                           "atom.global.max.u32 %r50, [%rd43], %r2;\n",
                                           "red.global.add.u64 [%rd44], %rd45;\n",
                                           "ld.global.nc.u32 %r7, [%rd41];\nadd.u32 %r2, %r2, %r7;\n",
                                           "ld.global.u32 %r7, [%rd43];\nadd.u32 %r7, %r7, 1;\nst.global.u32 [%rd43], "
                                           "%r7;\n",
                                           "ld.shared.u32 %r7, [%r21];\nadd.u32 %r7, %r7, 1;\nst.shared.u32 [%r21], "
                                           "%r7;\n",
                                           "shfl.sync.down.b32 %r7, %r2, 3, 31, -1;\nadd.u32 %r2, %r2, %r7;\n"};
    const bool parts = numbers.below(5) == 0;
    if (parts) out += fmt::format("setp.lt.u32 %p2, %r1, {};\n@%p2 bra M{};\n", numbers.below(block), i);
    const std::size_t choice = numbers.below(std::size(what) - (parts ? 1 : 0));
    out += what[choice];
    if (numbers.below(3) == 0) out += "ld.global.u32 %r8, [%rd41];\nld.global.u32 %r9, [%rd41+4];\n";
    if (parts) out += fmt::format("M{}:\n", i);
    const std::uint64_t sync = numbers.below(6);
    if (sync < 2) out += "bar.sync 0;\n";
    if (sync == 2) out += "bar.warp.sync -1;\n";
    if (sync == 3 && numbers.below(6) == 0) out += "membar.gl;\n";
  }
  return out + "st.global.u32 [%rd42], %r2;\n";
}

struct Seen {
  Collected collected;
  std::vector<trace::Buffer> buffers;
  emulator::AheadCounts ahead;
};

Seen run(const ptx::Module& module, std::uint64_t seed, std::uint32_t cores) {
  Seen out;
  for (const char* name : {"in", "out"}) {
    std::vector<std::uint32_t> words(std::size_t{grid} * block + 64);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::uint32_t>(i % 7);
    out.buffers.push_back(emulator::test::buffer_of(name, words));
  }
  review::LaunchReview watched;
  watched.launch = emulator::test::launch_of(grid, block, 2);
  watched.entry = &module.entries.front();
  watched.code = emulator::code_sites(module, *watched.entry, "");
  const auto addresses = emulator::place_buffers(out.buffers);
  for (std::size_t b = 0; b < out.buffers.size(); ++b)
    watched.buffers.push_back({out.buffers[b].name, addresses[b], out.buffers[b].bytes.size(), 32});
  Collecting collecting(watched, out.buffers);
  const emulator::Options options{
      .seed = seed, .observers = {&collecting.collector}, .cores = cores, .alone_steps = 1 << 11};
  auto machine = emulator::Machine::create(module, watched.launch, out.buffers, options);
  if (!machine) return ADD_FAILURE() << to_string(machine.error().front()), std::move(out);
  out.ahead = machine->run_ahead();
  while (machine->advance(std::uint64_t{1} << 40)) {}
  EXPECT_TRUE(machine->result().faults.empty()) << machine->result().faults.front().message;
  out.collected = collecting.end();
  return out;
}

TEST(Cores, RandomProgramsThatRaceAreReviewedAlike) {
  std::uint64_t blocks = 0, races = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Numbers numbers(seed);
    const ptx::Module module =
        emulator::test::module_of(emulator::test::kernel(random_body(numbers), 2, ".shared .align 4 .b8 s[1024];\n"));
    const Seen one = run(module, 1 + seed % 3, 1);
    for (const std::string& line : one.collected) races += line.starts_with("race ") ? 1 : 0;
    const Seen several = run(module, 1 + seed % 3, 2 + seed % 5);
    blocks += several.ahead.blocks;
    for (std::size_t b = 0; b < 2; ++b) EXPECT_TRUE(several.buffers[b].bytes == one.buffers[b].bytes);
    ASSERT_EQ(several.collected.size(), one.collected.size());
    for (std::size_t i = 0; i < one.collected.size(); ++i) ASSERT_EQ(several.collected[i], one.collected[i]);
  }
  EXPECT_GT(blocks, 12 * grid) << "of 40 runs";
  EXPECT_GT(races, 100u);
}

}  // namespace
}  // namespace lanescope::catalogue
