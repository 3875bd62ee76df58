// Divergence, spinning, barriers, calls, schedules, faults, checkpoints.

#include <algorithm>
#include <numeric>

#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

std::vector<u32> run_words(const std::string& body, u32 blocks, u32 threads, const Options& options = {},
                           const std::string& declarations = "") {
  const auto module = module_of(kernel(out_address + body, 1, declarations));
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(std::max(64u, blocks * threads)))};
  run_ok(module, launch_of(blocks, threads, 1), buffers, options);
  return values_of<u32>(buffers[0]);
}

Result run_fault(const std::string& body, u32 blocks, u32 threads, Options options = {},
                 const std::string& declarations = "") {
  const auto module = module_of(kernel(out_address + body, 1, declarations));
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(std::max(64u, blocks * threads)))};
  auto result = run(module, launch_of(blocks, threads, 1), buffers, options);
  if (!result) {
    ADD_FAILURE() << to_string(result.error().front());
    return {};
  }
  EXPECT_EQ(result->faults.size(), 1u);
  if (result->faults.empty()) result->faults.emplace_back();
  return *result;
}

TEST(Control, LanesLoopAsOftenAsTheyLike) {
  const auto out = run_words(
      "mov.u32 %r0, 0;\nmov.u32 %r1, 0;\nloop:\nadd.s32 %r0, %r0, %r1;\nadd.s32 %r1, %r1, 1;\n"
      "setp.le.u32 %p1, %r1, %tid;\n@%p1 bra loop;\n" +
          store_r0,
      1, 48);
  for (u32 t = 0; t < 48; ++t) EXPECT_EQ(out[t], t * (t + 1) / 2);
}

/// Lanes that took different ways are together again after the branch: a full-mask shuffle there has all lanes.
TEST(Control, DivergedLanesMeetAgain) {
  const auto out = run_words(
      "and.b32 %r1, %tid, 1;\nsetp.eq.u32 %p1, %r1, 0;\nmov.u32 %r0, %tid;\n@%p1 bra even;\nadd.s32 %r0, %r0, 100;\n"
      "bra join;\neven:\nadd.s32 %r0, %r0, 200;\njoin:\nshfl.sync.bfly.b32 %r0, %r0, 1, 31, -1;\n" +
          store_r0,
      1, 32);
  for (u32 t = 0; t < 32; ++t) EXPECT_EQ(out[t], (t ^ 1) + ((t ^ 1) % 2 == 0 ? 200 : 100));
}

/// Each lane takes the lock in turn. A reconvergence stack would wait for ever for the lanes that spin.
TEST(Control, SpinLockAmongLanesAndWarps) {
  const std::string body =
      "spin:\natom.shared.cas.b32 %r1, [lock], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra spin;\n"
      "ld.volatile.shared.u32 %r2, [lock+4];\nadd.s32 %r2, %r2, 1;\nst.volatile.shared.u32 [lock+4], "
      "%r2;\nmembar.cta;\n"
      "atom.shared.exch.b32 %r1, [lock], 0;\nbar.sync 0;\nld.shared.u32 %r0, [lock+4];\n" +
      store_r0;
  for (u64 seed : {1, 2, 3}) {
    const auto out = run_words(body, 1, 96, {.seed = seed}, ".shared .align 4 .b8 lock[8];\n");
    for (u32 t = 0; t < 96; ++t) ASSERT_EQ(out[t], 96u);
  }
}

/// Blocks wait for all others through global memory: every block must have started before any can end.
TEST(Control, GridBarrier) {
  const std::string body =
      "setp.ne.u32 %p1, %tid, 0;\nmov.u32 %r5, %tid.x;\nsetp.ne.u32 %p2, %r5, 0;\n@%p2 bra wait;\natom.global.add.u32 "
      "%r1, [%rd0+200], 1;\n"
      "wait:\nld.acquire.gpu.global.u32 %r2, [%rd0+200];\nsetp.lt.u32 %p3, %r2, 8;\n@%p3 bra wait;\nbar.sync "
      "0;\nmov.u32 %r0, %r2;\n@!%p2 st.global.u32 [%rd0], %r0;\n";
  for (u64 seed : {1, 9}) {
    const auto out = run_words(body, 8, 64, {.seed = seed});
    EXPECT_EQ(out[0], 8u);
    EXPECT_EQ(out[50], 8u);
  }
}

TEST(Control, BarrierAndExitedThreads) {
  const std::string shared = ".shared .align 4 .b8 s[512];\n";
  const std::string body =
      "mov.u32 %r10, s;\nshl.b32 %r11, %tid, 2;\nadd.s32 %r10, %r10, %r11;\nst.shared.u32 [%r10], %tid;\nsetp.ge.u32 "
      "%p1, %tid, 80;\n"
      "@%p1 exit;\nbar.sync 0;\nmov.u32 %r12, s;\nsub.s32 %r13, 127, %tid;\nshl.b32 %r13, %r13, 2;\nadd.s32 %r12, "
      "%r12, %r13;\n"
      "ld.shared.u32 %r0, [%r12];\n" +
      store_r0;
  const auto out = run_words(body, 1, 128, {}, shared);
  for (u32 t = 0; t < 80; ++t) EXPECT_EQ(out[t], 127 - t);
}

TEST(Control, BarrierReductionsAndCounts) {
  const auto out = run_words(
      "setp.lt.u32 %p1, %tid, 37;\nbar.red.popc.u32 %r0, 0, %p1;\nbar.red.or.pred %p2, 0, %p1;\n"
      "@%p2 add.s32 %r0, %r0, 1000;\nbarrier.cta.sync 3, 96;\n" +
          store_r0,
      1, 96);
  for (u32 t = 0; t < 96; ++t) EXPECT_EQ(out[t], 1037u);
}

TEST(Control, ProducerArrivesConsumerWaits) {
  const std::string shared = ".shared .align 4 .b8 s[4];\n";
  const auto out = run_words(
      "setp.ge.u32 %p1, %tid, 32;\n@%p1 bra consumer;\nst.shared.u32 [s], 42;\nbar.arrive 1, 64;\nmov.u32 %r0, 1;\n" +
          store_r0 + "exit;\nconsumer:\nbar.sync 1, 64;\nld.shared.u32 %r0, [s];\n" + store_r0,
      1, 64, {.seed = 4}, shared);
  EXPECT_EQ(out[0], 1u);
  EXPECT_EQ(out[63], 42u);
}

TEST(Control, WarpWideOperations) {
  const auto out = run_words(
      "setp.lt.u32 %p1, %tid, 5;\nvote.sync.ballot.b32 %r0, %p1, -1;\nredux.sync.add.s32 %r1, %tid, -1;\nadd.s32 %r0, "
      "%r0, %r1;\n"
      "and.b32 %r2, %tid, 3;\nmatch.any.sync.b32 %r3, %r2, -1;\npopc.b32 %r3, %r3;\nmad.lo.s32 %r0, %r3, 10000, "
      "%r0;\n" +
          store_r0,
      1, 32);
  for (u32 t = 0; t < 32; ++t) EXPECT_EQ(out[t], 31u + 496u + 80000u);
}

TEST(Control, CallsReturnPerLane) {
  const std::string text = header +
                           ".func (.param .b32 r) fact(.param .b32 n)\n{\n.reg .b32 %a<8>;\n.reg .pred "
                           "%q;\nld.param.u32 %a1, [n];\nmov.u32 %a2, 1;\nsetp.le.u32 %q, %a1, 1;\n@%q bra done;\n"
                           "sub.s32 %a3, %a1, 1;\n{\n.param .b32 x;\n.param .b32 y;\nst.param.b32 [x], %a3;\ncall.uni "
                           "(y), fact, (x);\nld.param.b32 %a4, [y];\n}\n"
                           "mul.lo.s32 %a2, %a4, %a1;\ndone:\nst.param.b32 [r], %a2;\nret;\n}\n" +
                           kernel(out_address +
                                      "and.b32 %r1, %tid, 7;\n{\n.param .b32 x;\n.param .b32 y;\nst.param.b32 [x], "
                                      "%r1;\ncall.uni (y), fact, (x);\nld.param.b32 %r0, [y];\n}\n" +
                                      store_r0,
                                  1)
                               .substr(header.size());
  const auto module = module_of(text);
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(64))};
  run_ok(module, launch_of(1, 64, 1), buffers);
  const auto out = values_of<u32>(buffers[0]);
  const u32 factorial[] = {1, 1, 2, 6, 24, 120, 720, 5040};
  for (u32 t = 0; t < 64; ++t) EXPECT_EQ(out[t], factorial[t & 7]) << t;
}

TEST(Control, ShapesWhereLaneIsNotThreadX) {
  const auto module =
      module_of(kernel("mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\nmov.u32 %r3, %tid.z;\nmov.u32 %r4, %laneid;\n"
                       "mad.lo.s32 %r5, %r2, 5, %r1;\nmad.lo.s32 %r5, %r3, 35, %r5;\nmul.wide.u32 %rd20, %r5, "
                       "4;\nadd.s64 %rd21, %rd0, %rd20;\n"
                       "mov.u32 %r6, %warpid;\nshl.b32 %r6, %r6, 5;\nadd.s32 %r0, %r6, %r4;\n" +
                           store_r0,
                       1));
  auto launch = launch_of(1, 1, 1);
  launch.block = {5, 7, 3};
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(105))};
  const Result r = run_ok(module, launch, buffers);
  std::vector<u32> expected(105);
  std::iota(expected.begin(), expected.end(), 0u);
  EXPECT_EQ(values_of<u32>(buffers[0]), expected);
  EXPECT_EQ(r.thread_instructions % 105, 0u);
}

TEST(Faults, OutOfBoundsCountsFromTheFirstByteBehind) {
  const auto words = [](int more) {
    const Result r = run_fault(
        "setp.eq.u32 %p1, %tid, 37;\n@%p1 add.s64 %rd21, %rd21, " + std::to_string(more) + ";\n" + store_r0, 1, 64);
    return r.faults.at(0).message;
  };
  // Thread 37 writes bytes 148 to 151 of 256; with 108 more it begins at byte 256.
  for (const auto& [more, said] : {std::pair{108, "right after the end of buffer `out` (256 bytes)"},
                                   std::pair{112, "4 bytes beyond the end of buffer `out` (256 bytes)"}})
    EXPECT_NE(words(more).find(said), std::string::npos) << words(more);
}

TEST(Faults, OutOfBoundsSaysWhereAndHowFar) {
  const Result r = run_fault("setp.eq.u32 %p1, %tid, 37;\n@%p1 add.s64 %rd21, %rd21, 4096;\n" + store_r0, 1, 64);
  const Fault& f = r.faults[0];
  EXPECT_EQ(f.kind, Fault::Kind::out_of_bounds);
  EXPECT_EQ(f.where.warp, 1u);
  EXPECT_EQ(f.lane, 5);
  EXPECT_NE(f.message.find("3988 bytes beyond the end of buffer `out` (256 bytes)"), std::string::npos) << f.message;
}

TEST(Faults, Misaligned) {
  const Result r = run_fault("add.s64 %rd21, %rd21, 2;\n" + store_r0, 1, 32);
  EXPECT_EQ(r.faults[0].kind, Fault::Kind::misaligned);
  EXPECT_EQ(r.faults[0].lane, 0);
}

TEST(Faults, BarrierThatNeverCompletes) {
  // Half of the threads wait at another barrier.
  const Result r =
      run_fault("setp.lt.u32 %p1, %tid, 32;\n@%p1 bra other;\nbar.sync 0;\nexit;\nother:\nbar.sync 1;\n", 1, 64);
  EXPECT_EQ(r.faults[0].kind, Fault::Kind::barrier_never_completes);
  EXPECT_NE(r.faults[0].message.find("deadlock: barrier"), std::string::npos) << r.faults[0].message;
}

TEST(Faults, LanesThatWaitForLanesAtABarrier) {
  const Result r = run_fault(
      "setp.lt.u32 %p1, %tid, 16;\n@%p1 bra other;\nbar.sync 0;\nexit;\nother:\nshfl.sync.bfly.b32 %r0, %tid, 1, 31, "
      "-1;\n",
      1, 32);
  EXPECT_EQ(r.faults[0].kind, Fault::Kind::sync_mismatch);
}

TEST(Faults, RunawayAndTrapAndCancel) {
  Options o;
  o.max_steps = 1000;
  const Result r = run_fault("loop:\nbra loop;\n", 1, 32, o);
  EXPECT_EQ(r.faults[0].kind, Fault::Kind::runaway);
  EXPECT_EQ(r.warp_instructions, 1000u);
  EXPECT_EQ(run_fault("trap;\n", 1, 32).faults[0].kind, Fault::Kind::trap);
  std::atomic<bool> cancel = true;
  Options c;
  c.cancel = &cancel;
  EXPECT_EQ(run_fault("loop:\nbra loop;\n", 1, 32, c).faults[0].kind, Fault::Kind::cancelled);
}

TEST(Refusals, UnknownInstructionsByName) {
  const auto module = module_of(kernel("tcgen05.wait::ld.sync.aligned;\n", 1));
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(64))};
  const auto result = run(module, launch_of(1, 32, 1), buffers, {});
  ASSERT_TRUE(result);
  EXPECT_NE(result->faults.at(0).message.find("the emulator does not support `tcgen05.wait::ld.sync.aligned`"),
            std::string::npos);
}

TEST(Refusals, ArgumentsAndShapes) {
  const auto module = module_of(kernel(store_r0, 1));
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(64))};
  auto launch = launch_of(1, 32, 1);
  launch.arguments.clear();
  EXPECT_FALSE(run(module, launch, buffers, {}));
  launch = launch_of(1, 2048, 1);
  EXPECT_FALSE(run(module, launch, buffers, {}));
  launch = launch_of(1, 32, 1);
  launch.kernel = "nothing";
  EXPECT_FALSE(run(module, launch, buffers, {}));
  launch.kernel = "k";
  launch.arguments = {value_of<u32>(3)};
  EXPECT_FALSE(run(module, launch, buffers, {}));
}

/// A race on purpose: every thread exchanges one word. Who wins depends on the seed alone.
const std::string race = "atom.global.exch.b32 %r0, [%rd0+4092], %tid;\n" + store_r0;

TEST(Schedule, ASeedFixesIt) {
  const auto run_seed = [&](u64 seed, u32 slice) { return run_words(race, 8, 128, {.seed = seed, .slice = slice}); };
  for (u32 slice : {0u, 1u, 7u})
    for (u64 seed : {1, 2, 3}) EXPECT_EQ(run_seed(seed, slice), run_seed(seed, slice));
  EXPECT_NE(run_seed(1, 1), run_seed(2, 1));
  const auto plain = run_seed(1, 0);
  EXPECT_EQ(plain[1], 0u);
  EXPECT_EQ(plain[200], 199u);
}

TEST(Schedule, EverySeedRunsEveryBlockOnce) {
  for (u64 seed : {1, 5, 77})
    for (u32 blocks : {1u, 2u, 3u, 31u, 64u, 257u}) {
      const auto out = run_words("atom.global.add.u32 %r1, [%rd21], 1;\n", blocks, 1, {.seed = seed});
      EXPECT_EQ(std::accumulate(out.begin(), out.end(), 0u), blocks);
      EXPECT_EQ(*std::max_element(out.begin(), out.end()), 1u);
    }
}

TEST(Checkpoints, RestoredRunEqualsTheStraightOne) {
  const std::string body =
      "mov.u32 %r10, s;\nshl.b32 %r11, %tid, 2;\nand.b32 %r11, %r11, 255;\nadd.s32 %r10, %r10, %r11;\nmov.u32 %r0, "
      "0;\nmov.u32 %r1, 0;\n"
      "loop:\nst.shared.u32 [%r10], %r1;\nbar.sync 0;\natom.global.add.u32 %r2, [%rd0+1020], 1;\nadd.s32 %r0, %r0, "
      "%r2;\n"
      "add.s32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 6;\n@%p1 bra loop;\n" +
      store_r0;
  const auto module = module_of(kernel(out_address + body, 1, ".shared .align 4 .b8 s[256];\n"));
  for (u64 seed : {1, 6}) {
    std::vector<trace::Buffer> straight{buffer_of("out", std::vector<u32>(256))};
    const Result expected = run_ok(module, launch_of(3, 64, 1), straight, {.seed = seed});
    for (u64 stop : {1, 17, 100, 150}) {
      std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(256))};
      auto machine = Machine::create(module, launch_of(3, 64, 1), buffers, {.seed = seed});
      ASSERT_TRUE(machine);
      machine->advance(stop);
      EXPECT_EQ(machine->step_count(), stop);
      const auto checkpoint = machine->checkpoint();
      machine->advance(60);
      machine->restore(*checkpoint);
      EXPECT_EQ(machine->step_count(), stop);
      while (machine->advance(13)) {}
      EXPECT_EQ(machine->result().warp_instructions, expected.warp_instructions);
      EXPECT_EQ(buffers[0].bytes, straight[0].bytes) << "stopped at " << stop;
    }
  }
}

}  // namespace
}  // namespace lanescope::emulator::test
