// `.sync` operations where lanes of a warp name different members: each mask at one instruction is a group of its own.

#include "tests/kernels/emulator/sync_trials.h"

#include <array>
#include <cstring>

#include "tests/kernels/emulator/harness.h"
#include "tests/rounds.h"

namespace lanescope::emulator::test {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct SyncRun {
  std::vector<u32> out;
  Result result;
};

SyncRun run_trials(const std::vector<SyncWarp>& warps, const Options& options) {
  static const ptx::Module module = module_of(sync_trials_ptx());
  std::vector<trace::Buffer> buffers(2);
  buffers[0] = {"in", "u32", 32, std::vector<std::byte>(warps.size() * sizeof(SyncWarp)), true};
  std::memcpy(buffers[0].bytes.data(), warps.data(), buffers[0].bytes.size());
  buffers[1] = {"out", "u32", 32, std::vector<std::byte>(warps.size() * 32 * sync_operation_count * 8), true};
  trace::Launch launch = launch_of(static_cast<u32>(warps.size() * 32 / sync_block_threads), sync_block_threads, 2);
  launch.kernel = "sync_trials";
  Options o = options;
  trace::TagPool pool;
  pool.space = tag_space(buffers);
  if (options.tags != nullptr) o.tags = &pool;
  SyncRun run;
  run.result = run_ok(module, launch, buffers, o);
  run.out = values_of<u32>(buffers[1]);
  return run;
}

/// 4,096 warps, each cut into parts at random, times 22 operations: 90,112 operations of a warp.
TEST(SyncOperations, ActForEachMaskApart) {
  std::mt19937_64 random(9);
  trace::TagPool with_tags;
  std::size_t checked = 0;
  const auto rounds = static_cast<u32>(test_rounds(8));
  for (u32 round = 0; round < rounds; ++round) {
    std::vector<SyncWarp> warps;
    for (u32 w = 0; w < 128; ++w) warps.push_back(random_sync_warp(random, true));
    Options o;
    o.seed = 1 + round / 2;
    o.slice = round % 3;
    if (round % 4 == 3) o.tags = &with_tags;
    const SyncRun run = run_trials(warps, o);
    const SyncMismatch m = sync_compare(warps, run.out);
    ASSERT_EQ(m.different, 0u) << "of " << m.checked << ", round " << round << ": " << m.first;
    checked += m.checked;
  }
  EXPECT_GT(checked, rounds * 60'000);
}

/// A lane with the whole warp for a mask acts once, as before.
TEST(SyncOperations, OneMaskIsOneStep) {
  const auto steps = [](const char* mask) {
    const auto module = module_of(kernel(std::string("mov.u32 %r5, %laneid;\nmov.u32 %r1, -1;\n") + mask +
                                             "vote.sync.ballot.b32 %r0, 1, %r1;\nmul.wide.u32 %rd20, %tid, 4;\n"
                                             "add.s64 %rd21, %rd0, %rd20;\nst.global.u32 [%rd21], %r0;\n",
                                         1));
    std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(32))};
    const u64 count = run_ok(module, launch_of(1, 32, 1), buffers).warp_instructions;
    return std::pair{count, values_of<u32>(buffers[0])};
  };
  const auto [whole, all] = steps("shl.b32 %r1, %r1, 0;\nshl.b32 %r2, %r1, 0;\n");
  const auto [halves, parts] = steps("setp.lt.u32 %p1, %r5, 16;\nselp.b32 %r1, 0xffff, 0xffff0000, %p1;\n");
  EXPECT_EQ(all, std::vector<u32>(32, ~0u));
  for (u32 l = 0; l < 32; ++l) EXPECT_EQ(parts[l], l < 16 ? 0xffffu : 0xffff0000u);
  EXPECT_EQ(halves, whole + 1);
}

std::vector<u32> words_of(const std::string& body) {
  const auto module =
      module_of(kernel("mov.u32 %r5, %laneid;\nmul.wide.u32 %rd20, %tid, 4;\nadd.s64 %rd21, %rd0, "
                       "%rd20;\n" +
                           body + "st.global.u32 [%rd21], %r0;\n",
                       1));
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(64))};
  run_ok(module, launch_of(1, 32, 1), buffers);
  return values_of<u32>(buffers[0]);
}

Fault fault_at_sync(const std::string& body, u32 threads = 32, u64 steps = 100'000) {
  const auto module = module_of(kernel("mov.u32 %r5, %laneid;\n" + body, 1));
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(64))};
  Options o;
  o.max_steps = steps;
  const auto result = run(module, launch_of(1, threads, 1), buffers, o);
  if (!result || result->faults.empty()) {
    ADD_FAILURE() << "no fault";
    return {};
  }
  return result->faults[0];
}

/// The two numbers of the defect: ballots and sums of half warps.
TEST(SyncOperations, HalvesOfAWarp) {
  const std::string masks = "setp.lt.u32 %p1, %r5, 16;\nselp.b32 %r1, 0xffff, 0xffff0000, %p1;\n";
  const auto ballot =
      words_of(masks + "and.b32 %r2, %r5, 1;\nsetp.eq.u32 %p2, %r2, 0;\nvote.sync.ballot.b32 %r0, %p2, %r1;\n");
  const auto sum = words_of(masks + "redux.sync.add.s32 %r0, %r5, %r1;\n");
  for (u32 l = 0; l < 32; ++l) {
    EXPECT_EQ(ballot[l], l < 16 ? 0x5555u : 0x55550000u);
    EXPECT_EQ(sum[l], l < 16 ? 120u : 376u);
  }
}

/// After it the lanes continue together: activemask is whole again.
TEST(SyncOperations, PartsMeetAgain) {
  EXPECT_EQ(words_of("shl.b32 %r1, 1, %r5;\nbar.warp.sync %r1;\nactivemask.b32 %r0;\n"), [] {
    std::vector<u32> all(64, ~0u);
    std::fill(all.begin() + 32, all.end(), 0u);
    return all;
  }());
}

/// A guard leaves lanes out, for any contents of their mask's register.
TEST(SyncOperations, GuardedLanesHaveNoMask) {
  const auto out = words_of(
      "and.b32 %r2, %r5, 1;\nsetp.eq.u32 %p1, %r2, 1;\nselp.b32 %r1, 0xaaaaaaaa, 3, %p1;\nmov.u32 %r0, 7;\n"
      "@%p1 redux.sync.add.s32 %r0, %r5, %r1;\n");
  for (u32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], l % 2 == 1 ? 256u : 7u);
}

/// A lane that comes with another mask first has not come yet: lane 0 waits for lane 1 through its detour.
TEST(SyncOperations, TheSameMaskIsWhatCounts) {
  const auto out = words_of(
      "setp.gt.u32 %p1, %r5, 1;\n@%p1 exit;\nmov.u32 %r6, 0;\nagain:\nsetp.eq.u32 %p2, %r5, 1;\nsetp.eq.u32 %p3, %r6, "
      "0;\nand.pred %p4, %p2, %p3;\nselp.b32 %r1, 2, 3, %p4;\nadd.s32 %r6, %r6, 1;\nadd.s32 %r7, %r5, %r6;\n"
      "redux.sync.add.s32 %r0, %r7, %r1;\n@%p4 bra again;\n");
  EXPECT_EQ(out[0], 1u + 3u);  // lane 0 in its first turn, lane 1 in its second
  EXPECT_EQ(out[1], 1u + 3u);
}

/// Halves of an `if` that both synchronise the whole warp continue, though another lane of the block polls for what comes after.
TEST(SyncOperations, OneMaskAtTwoPlacesWhileOthersPoll) {
  const auto out = words_of(
      "setp.eq.u32 %p3, %r5, 31;\n@%p3 bra poll;\nsetp.lt.u32 %p1, %r5, 16;\n@%p1 bra low;\n"
      "bar.warp.sync 0x7fffffff;\nmov.u32 %r0, 2;\nbra both;\nlow:\nbar.warp.sync 0x7fffffff;\nmov.u32 %r0, 1;\nboth:\n"
      "st.volatile.global.u32 [%rd0+128], 5;\nbra done;\n"
      "poll:\nld.volatile.global.u32 %r0, [%rd0+128];\nsetp.ne.u32 %p4, %r0, 5;\n@%p4 bra poll;\ndone:\n");
  for (u32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], l == 31 ? 5u : l < 16 ? 1u : 2u);
}

/// Lanes that exit are waited for no more, though others of the warp still run.
TEST(SyncOperations, WhoExitsIsNotWaitedFor) {
  const auto out = words_of(
      "setp.eq.u32 %p3, %r5, 31;\n@%p3 bra poll;\nsetp.eq.u32 %p1, %r5, 30;\n@%p1 bra leave;\n"
      "redux.sync.add.s32 %r0, %r5, 0x7fffffff;\nst.volatile.global.u32 [%rd0+128], 5;\nbra done;\n"
      "poll:\nld.volatile.global.u32 %r0, [%rd0+128];\nsetp.ne.u32 %p4, %r0, 5;\n@%p4 bra poll;\nbra done;\n"
      "leave:\nexit;\ndone:\n");
  for (u32 l = 0; l < 30; ++l) EXPECT_EQ(out[l], 435u);
  EXPECT_EQ(out[31], 5u);
}

TEST(SyncFaults, ALaneThatIsNotInItsMask) {
  for (const char* operation :
       {"shfl.sync.bfly.b32 %r0, %r5, 1, 31, %r1;", "vote.sync.any.pred %p5, %p1, %r1;",
        "match.any.sync.b32 %r0, %r5, %r1;", "redux.sync.add.s32 %r0, %r5, %r1;", "bar.warp.sync %r1;",
        "elect.sync %r0|%p5, %r1;", "vote.sync.ballot.b32 %r0, %p1, 0xff;"}) {
    const Fault f =
        fault_at_sync(std::string("setp.gt.u32 %p1, %r5, 7;\nmov.u32 %r1, 0x000000ff;\n") + operation + "\n");
    EXPECT_EQ(f.kind, Fault::Kind::member_mask) << operation;
    EXPECT_EQ(f.lane, 8) << operation;
    EXPECT_NE(f.message.find("0x000000ff, which does not name this lane"), std::string::npos) << f.message;
  }
}

/// Lanes that wait for each other with different masks wait for ever on hardware. Here that is reported at once, though another
/// warp polls and would do so for ever.
TEST(SyncFaults, MasksThatDisagree) {
  const std::string overlapping = "setp.lt.u32 %p1, %r5, 16;\nselp.b32 %r1, 0x0001ffff, 0xffff8000, %p1;\n";
  const Fault f = fault_at_sync(overlapping + "vote.sync.any.pred %p5, %p1, %r1;\n");
  EXPECT_EQ(f.kind, Fault::Kind::deadlock);
  EXPECT_NE(f.message.find("waits for lanes 0x00010000 of its warp, named by its member mask 0x0001ffff"),
            std::string::npos)
      << f.message;
  EXPECT_NE(f.message.find("with the member mask 0xffff8000"), std::string::npos) << f.message;
  const Fault polled = fault_at_sync(
      "setp.ge.u32 %p6, %tid, 32;\n@!%p6 bra first;\npoll:\nld.volatile.global.u32 %r0, [%rd0];\nsetp.eq.u32 %p7, %r0, "
      "0;\n@%p7 bra poll;\nexit;\nfirst:\n" +
          overlapping + "vote.sync.any.pred %p5, %p1, %r1;\n",
      64);
  EXPECT_EQ(polled.kind, Fault::Kind::deadlock) << polled.message;
}

TEST(SyncFaults, WarpsThatWaitAtDifferentBarriersAreAllNamed) {
  const Fault f = fault_at_sync(
      "setp.ge.u32 %p1, %tid, 64;\n@%p1 bra other;\nbar.sync 1, 96;\nexit;\nother:\nbar.sync 2, 96;\n", 96);
  EXPECT_EQ(f.kind, Fault::Kind::barrier_never_completes);
  EXPECT_NE(f.message.find("64 threads wait at barrier 1"), std::string::npos) << f.message;
  EXPECT_NE(f.message.find("(warps 0 to 1), 32 at barrier 2"), std::string::npos) << f.message;
}

// A barrier counts whole warps: lanes of one warp at two barriers are a fault of an H100.
TEST(SyncFaults, LanesAtDifferentBarriers) {
  const Fault f = fault_at_sync(
      "and.b32 %r1, %tid, 1;\nadd.s32 %r1, %r1, 3;\nsetp.lt.u32 %p1, %tid, 41;\n"
      "barrier.cta.red.popc.u32 %r0, %r1, 32, %p1;\n",
      64);
  EXPECT_EQ(f.kind, Fault::Kind::barrier_never_completes) << f.message;
}

/// An H200 ends the launch, but for the last pair.
TEST(SyncFaults, AllThatComeToABarrierHaveOneOperationAndOneCount) {
  const std::string popc = "bar.red.popc.u32 %r1, 2, 64, %p2";
  const std::vector<std::array<std::string, 3>> rows = {{"bar.arrive 2, 64", "bar.sync 2, 96", "number of threads"},
                                                        {"bar.sync 2, 96", "bar.arrive 2, 64", "number of threads"},
                                                        {"bar.arrive 2, 64", popc, "operation"},
                                                        {popc, "bar.arrive 2, 64", "operation"},
                                                        {"bar.sync 2, 64", popc, "operation"},
                                                        {"bar.sync 2", "bar.sync 2, 64", "number of threads"},
                                                        {"bar.sync 2, 64", "barrier.sync 2, 64", ""}};
  for (const auto& [first, second, words] : rows) {
    const Fault f = fault_at_sync("setp.lt.u32 %p1, %tid, 32;\nsetp.lt.u32 %p2, %tid, 99;\n@!%p1 bra other;\n" + first +
                                      ";\nexit;\nother:\nbar.warp.sync -1;\nbar.warp.sync -1;\n" + second +
                                      (words.empty() ? ";\ntrap;\n" : ";\nexit;\n"),
                                  64);
    EXPECT_EQ(f.kind, words.empty() ? Fault::Kind::trap : Fault::Kind::sync_mismatch) << f.message;
    EXPECT_NE(f.message.find(words), std::string::npos) << f.message;
  }
}

// A flag that is never set: the run ends before the limit of steps and names the waiting threads.
TEST(SyncFaults, PollingForWhatNobodyWritesIsADeadlock) {
  const Fault f = fault_at_sync(
      "poll:\nld.volatile.global.u32 %r0, [%rd0];\nsetp.eq.u32 %p7, %r0, 0;\n@%p7 bra poll;\n", 64, 10'000'000);
  EXPECT_EQ(f.kind, Fault::Kind::deadlock) << f.message;
  EXPECT_NE(f.message.find("waits for a value in memory that no thread changes any more"), std::string::npos)
      << f.message;
}

TEST(SyncFaults, MembersThatWaitAtABarrier) {
  const Fault f = fault_at_sync(
      "setp.lt.u32 %p1, %r5, 16;\n@%p1 bra other;\nbar.sync 0;\nexit;\nother:\nvote.sync.any.pred %p5, %p1, -1;\n");
  EXPECT_EQ(f.kind, Fault::Kind::sync_mismatch);
  EXPECT_NE(f.message.find("waits at `vote.sync.any.pred` for lanes 0xffff0000 of its warp"), std::string::npos)
      << f.message;
  EXPECT_NE(f.message.find("which wait at `bar.sync`"), std::string::npos) << f.message;
}

/// A mask that data decides decides who acts together.
TEST(SyncOperations, AMaskOfDataSteers) {
  struct Steers : trace::Observer {
    void on_steer(const trace::SteerEvent& e) override { what.push_back(e.what); }
    std::vector<trace::SteerEvent::What> what;
  };
  const auto module =
      module_of(kernel("mul.wide.u32 %rd20, %tid, 4;\nadd.s64 %rd21, %rd0, %rd20;\n"
                       "ld.global.u32 %r1, [%rd21];\nvote.sync.ballot.b32 %r0, 1, %r1;\n",
                       1));
  std::vector<trace::Buffer> buffers{buffer_of("in", std::vector<u32>(32, ~0u))};
  trace::TagPool pool;
  pool.space = tag_space(buffers);
  Steers steers;
  Options o;
  o.tags = &pool;
  o.observers = {&steers};
  run_ok(module, launch_of(1, 32, 1), buffers, o);
  EXPECT_EQ(steers.what, std::vector{trace::SteerEvent::What::lane});
}

}  // namespace
}  // namespace lanescope::emulator::test
