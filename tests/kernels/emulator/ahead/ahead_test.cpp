// Blocks on several cores: the run is the one that one core makes, event by event, for all interactions of blocks.

#include "tests/kernels/emulator/ahead/busy_blocks.h"
#include "tests/kernels/emulator/history/random_programs.h"

namespace lanescope::emulator::test {
namespace {

TEST(Ahead, BlocksThatDoNotMeetRunOnAllCores) {
  for (const std::uint64_t seed : {1u, 6u})
    for (const std::uint32_t slice : {0u, 1u, 7u}) {
      const auto [ahead, one] = same(busy() + "st.global.u32 [%rd42], %r1;\n", {.seed = seed, .slice = slice}, "",
                                     slice != 0 ? Observed::all : Observed::no);
      EXPECT_TRUE(one.result.faults.empty());
      EXPECT_EQ(ahead.discarded, 0u);
      EXPECT_GT(ahead.blocks, 2 * blocks) << "most blocks of each of the three runs";
    }
}

TEST(Ahead, ABlockThatReadsWhatAnotherStoredSeesIt) {
  // Each thread reads the word that the block before it (in each order: some block) has stored.
  for (const std::uint64_t seed : {1u, 3u}) {
    const auto [ahead, one] =
        same(busy() + "ld.global.u32 %r3, [%rd42+256];\nadd.u32 %r1, %r1, %r3;\n" + "st.global.u32 [%rd42], %r1;\n",
             {.seed = seed});
    if (seed == 1) {
      EXPECT_EQ(ahead.discarded, 0u) << "the block after stores after the one in front has read";
    }
    const auto [back, two] = same(busy() + "ld.global.u32 %r3, [%rd42];\nadd.u32 %r1, %r1, %r3;\n" +
                                      "st.global.u32 [%rd42+256], %r1;\nst.global.u32 [%rd42], %r3;\n",
                                  {.seed = seed});
    EXPECT_GT(back.discarded, 0u);
  }
}

TEST(Ahead, CountersAreCountedInOrder) {
  const std::string ticket = "atom.global.add.u32 %r4, [%rd1], 1;\nst.global.u32 [%rd42+256], %r4;\n";
  const auto [all, one] = same(busy() + ticket);
  EXPECT_GT(all.discarded, 0u);
  // Only few blocks conflict.
  const auto [few, two] = same(busy() + "rem.u32 %r5, %r63, 90;\nsetp.ne.u32 %p2, %r5, 50;\n@%p2 bra L2;\n" + ticket +
                               "L2:\nst.global.u32 [%rd42+256], %r1;\n");
  EXPECT_GT(few.blocks, 0u);
}

TEST(Ahead, PartsOfWordsBelongToSeveralBlocks) {
  // Bytes of one word, a block each: 64 threads store every 300th byte from their block's number on.
  const std::string bytes =
      "mov.u32 %r3, %tid.x;\nmad.lo.u32 %r3, %r3, 300, %r63;\ncvt.u64.u32 %rd43, %r3;\nadd.s64 %rd43, %rd1, %rd43;\n";
  const auto [ahead, one] = same(busy() + bytes + "st.global.u8 [%rd43], %r1;\n");
  EXPECT_GT(ahead.discarded, 0u);
  same(busy() + "mul.wide.u32 %rd43, %tid, 2;\nadd.s64 %rd43, %rd1, %rd43;\nst.global.u16 [%rd43+2], %r1;\n");
}

TEST(Ahead, LaterStoresToTheSameWordStay) {
  for (const std::uint64_t seed : {1u, 4u}) {
    const auto [ahead, one] = same(busy() +
                                       "and.b32 %r5, %tid, 127;\nmul.wide.u32 %rd43, %r5, 4;\nadd.s64 %rd43, %rd1, "
                                       "%rd43;\nst.global.u32 [%rd43], %r63;\nld.global.u32 %r6, [%rd43];\n"
                                       "st.global.u32 [%rd43], %r6;\n",
                                   {.seed = seed});
    EXPECT_EQ(ahead.discarded, 0u) << "each block reads what it has stored itself";
  }
}

TEST(Ahead, VariablesOfTheModuleVectorsAndGenericAddresses) {
  const ptx::Module module = module_of(
      header + ".global .align 4 .b8 table[4096];\n.const .align 4 .u32 factor = 5;\n" +
      kernel(busy() +
                 "and.b32 %r5, %tid, 1023;\nmov.u64 %rd44, table;\nmul.wide.u32 %rd43, %r5, 4;\nadd.s64 %rd43, %rd44, "
                 "%rd43;\ncvta.global.u64 %rd45, %rd43;\nld.const.u32 %r7, [factor];\nmul.lo.u32 %r1, %r1, %r7;\n"
                 "st.u32 [%rd45], %r1;\nand.b32 %r5, %tid, 1;\nsetp.eq.u32 %p3, %r5, 0;\n"
                 "@%p3 st.global.v2.u32 [%rd42], {%r1, %r7};\n",
             2)
          .substr(header.size()));
  const auto [ahead, one] = same_on_all_cores(module, launch_of(blocks, threads, 2), two_buffers());
  EXPECT_TRUE(one.result.faults.empty());
  EXPECT_GT(ahead.blocks, blocks);
}

/// Its parts run out of memory after some steps.
class SmallMemory final : public trace::Observer {
 public:
  explicit SmallMemory(std::uint64_t steps_left = ~std::uint64_t{0}) : steps_left_(steps_left) {}
  void on_step(const trace::Where&) override {
    if (steps_left_-- == 0) throw std::bad_alloc();
  }
  std::unique_ptr<trace::Observer> part() const override { return std::make_unique<SmallMemory>(700); }
  Atomics needs_atomics() const override { return Atomics::never; }

 private:
  std::uint64_t steps_left_;
};

TEST(Ahead, BlocksThatRunOutOfMemoryRunAgainInTheirTurn) {
  SmallMemory small;
  const auto [ahead, one] = same(busy() + "st.global.u32 [%rd42], %r1;\n", {.observers = {&small}});
  EXPECT_GT(ahead.discarded, 0u);
  EXPECT_EQ(one.result.coverage.ran(), blocks);
}

// Events that may happen in some block, while others run: `at` is its number, 230.
struct Happening {
  const char* name;
  const char* body;
};
const Happening happenings[] = {
    {"out_of_bounds", "st.global.u32 [%rd42+8388608], %r1;"},
    {"misaligned", "st.global.u32 [%rd42+2], %r1;"},
    {"trap", "trap;"},
    {"brkpt", "brkpt;"},
    {"clock", "mov.u32 %r1, %clock;"},
    {"globaltimer", "mov.u64 %rd50, %globaltimer;\ncvt.u32.u64 %r1, %rd50;"},
    {"unknown", "tcgen05.wait::ld.sync.aligned;"},
    {"waits_for_ever", "L7:\nld.volatile.global.u32 %r9, [%rd1];\nsetp.ne.u32 %p5, %r9, 12345;\n@%p5 bra L7;"},
    {"runs_for_ever", "L7:\nadd.u32 %r9, %r9, 1;\nbra L7;"},
    {"waits_for_the_next", "L7:\nld.volatile.global.u32 %r9, [%rd42+256];\nsetp.lt.u32 %p5, %r9, 9;\n@%p5 bra L7;"},
    {"barrier", "setp.lt.u32 %p5, %tid, 14725;\n@%p5 bra L6;\nbar.sync 0;"},
};

TEST(Ahead, WhateverOneBlockDoesIsToldAsOnOneCore) {
  for (const Happening& h : happenings)
    for (const std::uint64_t seed : {1u, 9u}) {
      SCOPED_TRACE(h.name);
      const std::string body =
          busy() + "add.u32 %r1, %r1, 9;\nor.b32 %r1, %r1, 16;\nsetp.ne.u32 %p4, %r63, 230;\n@%p4 bra L6;\n" + h.body +
          "\nL6:\nst.global.u32 [%rd42], %r1;\n";
      const auto [ahead, one] = same(body, {.seed = seed, .max_steps = 200'000}, "", Observed::no);
      EXPECT_GT(ahead.blocks, 0u);
    }
}

TEST(Ahead, PrintsComeInOrder) {
  const std::string text =
      header +
      ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n.global .align 1 .b8 words[4] = {120, "
      "10, 0, 0};\n" +
      kernel(busy() +
                 "rem.u32 %r5, %tid, 4000;\nsetp.ne.u32 %p4, %r5, 1234;\n@%p4 bra L6;\n{\n.param .b64 f;\n.param .b64 "
                 "a;\n.param .b32 r;\nmov.u64 %rd50, words;\ncvta.global.u64 %rd50, %rd50;\nst.param.b64 [f], %rd50;\n"
                 "st.param.b64 [a], 0;\ncall.uni (r), vprintf, (f, a);\n}\nL6:\nst.global.u32 [%rd42], %r1;\n",
             2)
          .substr(header.size());
  const auto [ahead, one] = same_on_all_cores(module_of(text), launch_of(blocks, threads, 2), two_buffers());
  EXPECT_EQ(one.result.printed.size(), 5u);
  EXPECT_GT(ahead.blocks, 0u);
  EXPECT_GT(ahead.discarded, 0u);
}

TEST(Ahead, LimitsCutWhereTheyWould) {
  const std::string body = busy() + "st.global.u32 [%rd42], %r1;\n";
  for (const std::uint64_t limit : {1u, 150u, 299u}) {
    Options options;
    options.limits.blocks = limit;
    options.limits.wanted = 290;
    options.limits.samples = 3;
    const auto [ahead, one] = same(body, options);
    EXPECT_EQ(one.result.coverage.in_order, limit);
  }
  for (const std::uint64_t steps : {20'000u, 31'001u, 50'000u, 62'011u})
    same(body, {.max_steps = steps}, "", Observed::no);
}

TEST(Ahead, WhatIsBeyondTheLimitOfStepsIsHardlyBegun) {
  const auto [ahead, one] = same(busy(400) + "st.global.u32 [%rd42], %r1;\n", {.max_steps = 100'000}, "", Observed::no);
  EXPECT_LT(one.result.coverage.ran(), 40u);
  EXPECT_GT(ahead.blocks, 40u) << "of three runs";
  EXPECT_LE(ahead.discarded, 3u);
}

TEST(Ahead, ACancelledRunSaysSo) {
  const ptx::Module module = module_of(kernel(busy() + "st.global.u32 [%rd42], %r1;\n", 2));
  const std::atomic<bool> cancel{true};
  const auto [ahead, one] =
      same_on_all_cores(module, launch_of(blocks, threads, 2), two_buffers(), {.cancel = &cancel});
  ASSERT_EQ(one.result.faults.size(), 1u);
  EXPECT_EQ(one.result.faults[0].kind, Fault::Kind::cancelled);
}

TEST(Ahead, AnObserverWithoutPartsSeesEveryBlockOnOneCore) {
  struct Watcher final : trace::Observer {
    std::uint64_t steps = 0;
    bool in_order = true;
    void on_step(const trace::Where& w) override { in_order = in_order && w.step == steps++; }
  } watcher;
  const ptx::Module module = module_of(kernel(busy() + "st.global.u32 [%rd42], %r1;\n", 2));
  const Ended e =
      run_on(module, launch_of(blocks, threads, 2), two_buffers(), {.observers = {&watcher}}, 4, Observed::no);
  EXPECT_EQ(e.ahead.units, 0u);
  EXPECT_TRUE(watcher.in_order);
  EXPECT_EQ(watcher.steps, e.result.warp_instructions);
}

/// `tags`: not null: with identities.
AheadCounts meet_sometimes(std::uint64_t programs, trace::TagPool* tags) {
  // Loads, stores and atomics of all widths at places that a block shares with others with a small probability.
  AheadCounts sum;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    SCOPED_TRACE(seed);
    Numbers numbers(seed);
    std::string body = busy(2 + static_cast<int>(numbers.below(4)));
    const std::uint64_t rare = 20 + numbers.below(400);
    for (std::uint64_t i = 0, n = 2 + numbers.below(5); i < n; ++i) {
      // The block's own 64 words, or, in a few blocks, those of another one.
      body += fmt::format("mad.lo.u32 %r10, %r63, {}, {};\nrem.u32 %r10, %r10, {};\nsetp.eq.u32 %p6, %r10, 0;\n",
                          1 + 2 * numbers.below(50), numbers.below(99), rare);
      body += fmt::format(
          "selp.u32 %r11, {}, %r63, %p6;\nmov.u32 %r12, %tid.x;\nadd.u32 %r13, %r12, {};\nand.b32 %r13, "
          "%r13, 63;\nmad.lo.u32 %r11, %r11, 64, %r13;\nmul.wide.u32 %rd43, %r11, 4;\n",
          numbers.below(blocks), numbers.below(64));
      body += fmt::format("add.s64 %rd43, %rd{}, %rd43;\n", numbers.below(2));
      static constexpr const char* what[] = {"ld.global.u32 %r14, [%rd43];\nadd.u32 %r1, %r1, %r14;\n",
                                             "st.global.u32 [%rd43], %r1;\n",
                                             "st.global.u8 [%rd43+1], %r1;\n",
                                             "ld.global.u16 %r14, [%rd43+2];\nxor.b32 %r1, %r1, %r14;\n",
                                             "atom.global.add.u32 %r14, [%rd43], %r1;\nadd.u32 %r1, %r1, %r14;\n",
                                             "red.global.max.u32 [%rd43], %r1;\n",
                                             "st.volatile.global.u32 [%rd43], %r1;\nmembar.gl;\n"};
      body += what[numbers.below(std::size(what))];
      if (numbers.below(3) == 0) body += "bar.sync 0;\n";
    }
    body += "st.global.u32 [%rd42], %r1;\n";
    const auto [ahead, one] =
        same(body, {.seed = 1 + seed % 3, .slice = static_cast<std::uint32_t>(seed % 2), .tags = tags}, "",
             seed % 5 == 0 ? Observed::all : Observed::no);
    EXPECT_TRUE(one.result.faults.empty());
    sum.blocks += ahead.blocks, sum.discarded += ahead.discarded;
  }
  return sum;
}

TEST(Ahead, RandomProgramsThatMeetSometimes) {
  const AheadCounts sum = meet_sometimes(25, nullptr);
  EXPECT_GT(sum.blocks, 25 * blocks) << "of 75 runs";
  EXPECT_GT(sum.discarded, 40u);
}

TEST(Ahead, IdentitiesHaveTheNumbersThatOneCoreGives) {
  trace::TagPool tags;
  const AheadCounts sum = meet_sometimes(3, &tags);
  EXPECT_GT(sum.blocks, 3 * identified) << "of 9 runs";
  EXPECT_GT(sum.discarded, 2u);
}

TEST(Ahead, ThePoolIsFullAtTheSameBlock) {
  for (const std::size_t kib : {40u, 600u, 16000u}) {
    trace::TagPool tags;
    tags.keep_at_most(kib << 10);
    const auto [ahead, one] =
        same_on_all_cores(module_of(kernel(busy(2) + "shl.b32 %r3, %r1, 3;\nadd.u32 %r1, %r1, %r3;\n"
                                                     "ld.global.u32 %r5, [%rd41+4];\nxor.b32 %r1, %r1, %r5;\n"
                                                     "st.global.u32 [%rd42], %r1;\n",
                                           2)),
                          launch_of(blocks, threads, 2), two_buffers(), {.tags = &tags});
    EXPECT_GT(one.result.identified_blocks, 0u);
    EXPECT_EQ(one.result.identified_blocks < blocks, kib < 16000u) << kib;
    EXPECT_GT(ahead.blocks, 0u) << "with identities, or without once the pool is full";
  }
}

TEST(Ahead, SumsOverManyElementsStayGraphs) {
  // Each thread adds 20 elements up, so that sets are unions; threads of a warp then exchange and add them.
  std::string body =
      "mul.wide.u32 %rd40, %tid, 4;\nadd.s64 %rd41, %rd0, %rd40;\nadd.s64 %rd42, %rd1, %rd40;\n"
      "mov.u32 %r1, 0;\n";
  for (int i = 0; i < 20; ++i) body += fmt::format("ld.global.u32 %r2, [%rd41+{}];\nadd.u32 %r1, %r1, %r2;\n", 4 * i);
  body += "shfl.sync.bfly.b32 %r3, %r1, 16, 31, -1;\nadd.u32 %r1, %r1, %r3;\nst.global.u32 [%rd42], %r1;\n";
  trace::TagPool tags;
  const auto [ahead, one] = same(body, {.tags = &tags});
  EXPECT_EQ(ahead.discarded, 0u);
  EXPECT_GT(ahead.blocks, 2 * identified);
}

TEST(Ahead, RandomProgramsThatAlwaysMeet) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const ptx::Module module = module_of(RandomProgram(seed).text());
    same_on_all_cores(module, launch_of(60, threads, 2), two_buffers(64), {.seed = seed});
    trace::TagPool tags;
    same_on_all_cores(module, launch_of(60, threads, 2), two_buffers(64), {.seed = seed, .tags = &tags});
  }
}

}  // namespace
}  // namespace lanescope::emulator::test
