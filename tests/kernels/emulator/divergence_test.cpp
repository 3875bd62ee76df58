// Lanes that diverge, against an H100: random control flow, and small cases by hand.

#include <algorithm>
#include <fstream>
#include <set>

#include "tests/kernels/emulator/divergent_programs.h"
#include "tests/kernels/emulator/harness.h"
#include "tests/sample.h"

namespace lanescope::emulator::test {
namespace {

/// Programs of which ptxas lays the code out otherwise: most leave a loop at two places, and some lanes of a later round
/// are together on the H100, or apart.
const std::set<std::uint64_t> laid_out_otherwise = {31, 169, 260, 671, 683, 1049};

std::uint64_t hash_of(const std::vector<u32>& words) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](u32 word) { hash = (hash ^ word) * 0x100000001b3u; };
  for (std::size_t lane = 0; lane < 32; ++lane) {
    for (std::size_t event = 0; event < trace_events; ++event) {
      const u32* const at = &words[(event * 32 + lane) * 2];
      if (at[0] == 0) break;
      add(at[0]), add(at[1]);
    }
    add(~0u);
  }
  return hash;
}

TEST(Divergence, LanesAreTogetherAsOnAnH100) {
  std::ifstream file(std::string(LANESCOPE_TEST_DATA_DIR) + "/divergence/traces_h100.txt");
  std::string line;
  std::getline(file, line);
  std::uint64_t seed = 0;
  for (; file >> line; ++seed) {
    if (!lanescope::test::in_sample(seed, 4) && !laid_out_otherwise.contains(seed)) continue;
    std::vector<trace::Buffer> buffers{buffer_of("trace", std::vector<u32>(trace_bytes / 4)),
                                       buffer_of<u32>("zeros", {0})};
    run_ok(module_of(divergent_program(seed)), launch_of(1, 32, 2), buffers);
    const bool same = hash_of(values_of<u32>(buffers[0])) == std::stoull(line, nullptr, 16);
    EXPECT_EQ(same, !laid_out_otherwise.contains(seed)) << "seed " << seed;
  }
  EXPECT_EQ(seed, 1200u);
}

/// The words of the first buffer after one warp ran `body`: lane l stores word l. %lane is the lane's number.
std::vector<u32> stored(const std::string& body, const std::string& declarations = "") {
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(64))};
  run_ok(module_of(kernel(out_address + body, 1, declarations)), launch_of(1, 32, 1), buffers);
  return values_of<u32>(buffers[0]);
}

Fault fault_of(const std::string& body) {
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(64))};
  const auto result = run(module_of(kernel(out_address + body, 1)), launch_of(1, 32, 1), buffers, {});
  if (!result || result->faults.empty()) {
    ADD_FAILURE() << "no fault";
    return {};
  }
  return result->faults[0];
}

// if (lane < 16) r = sum(lane); else r = sum(2 * lane); with the sum inlined: 872 in all lanes of an H100.
TEST(Divergence, SumsOfBothBranchesAreOne) {
  std::string sum;
  for (const int d : {16, 8, 4, 2, 1})
    sum += "shfl.sync.bfly.b32 %r1, %r0, " + std::to_string(d) + ", 31, -1;\nadd.u32 %r0, %r0, %r1;\n";
  const auto out = stored("setp.ge.u32 %p1, %tid, 16;\n@%p1 bra other;\nmov.u32 %r0, %tid;\n" + sum +
                          "bra done;\nother:\nshl.b32 %r0, %tid, 1;\n" + sum + "done:\n" + store_r0);
  for (u32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], 872u) << l;
}

// Each lane brings its own distance: lanes of the first branch get the neighbour's word, the others the one two further.
TEST(Divergence, OperandsOfAJointOperationAreThoseOfTheLane) {
  const auto out = stored(
      "mul.lo.u32 %r2, %tid, 10;\nsetp.ge.u32 %p1, %tid, 16;\n@%p1 bra other;\n"
      "shfl.sync.bfly.b32 %r0, %r2, 1, 31, -1;\nbra done;\nother:\nadd.u32 %r3, %r2, 5;\n"
      "shfl.sync.bfly.b32 %r0, %r3, 18, 31, -1;\ndone:\n" +
      store_r0);
  for (u32 l = 0; l < 32; ++l) {
    const u32 from = l < 16 ? l ^ 1 : l ^ 18;
    EXPECT_EQ(out[l], from * 10 + (from < 16 ? 0 : 5)) << l;
  }
}

TEST(Divergence, OtherOperationsDoNotJoin) {
  for (const auto& [first, second] : std::vector<std::pair<const char*, const char*>>{
           {"shfl.sync.bfly.b32 %r0, %r1, 1, 31, -1;", "shfl.sync.down.b32 %r0, %r1, 1, 31, -1;"},
           {"vote.sync.any.pred %p2, %p1, -1;", "vote.sync.all.pred %p2, %p1, -1;"},
           {"redux.sync.add.s32 %r0, %r1, -1;", "redux.sync.add.u32 %r0, %r1, -1;"},
           {"match.any.sync.b32 %r0, %r1, -1;", "match.any.sync.b64 %r0, %rd0, -1;"},
           {"bar.warp.sync -1;", "vote.sync.any.pred %p2, %p1, -1;"}}) {
    const Fault f = fault_of(std::string("setp.ge.u32 %p1, %tid, 16;\n@%p1 bra other;\n") + first +
                             "\nbra done;\nother:\n" + second + "\ndone:\n");
    EXPECT_EQ(f.kind, Fault::Kind::sync_mismatch) << first << ": " << f.message;
  }
}

TEST(Divergence, AnAlignedBarrierIsForTheWholeWarp) {
  const Fault f =
      fault_of("setp.ge.u32 %p1, %tid, 16;\n@%p1 bra other;\nbar.sync 0;\nbra done;\nother:\nbar.sync 0;\ndone:\n");
  EXPECT_EQ(f.kind, Fault::Kind::barrier_divergent) << f.message;
  // The one without .aligned joins, and so do lanes that exit.
  (void)stored(
      "setp.ge.u32 %p1, %tid, 16;\n@%p1 bra other;\nbarrier.sync 0;\nbra done;\nother:\nbarrier.sync 0;\ndone:\n");
  (void)stored("setp.ge.u32 %p1, %tid, 16;\n@%p1 exit;\nbar.sync 0;\n");
}

// if (lane < 16) { if (all) goto far; ...; } ...; far: as an H200, all lanes are together there, although those that come to
// the first join come alone.
TEST(Divergence, LanesThatAllGoFartherAreExpectedThere) {
  const auto out = stored(
      "setp.ge.u32 %p1, %tid, 16;\nsetp.lt.u32 %p2, %tid, 16;\n@%p1 bra inner;\n@%p2 bra far;\nst.global.u32 [%rd21], "
      "1;\n"
      "inner:\nst.global.u32 [%rd21], 2;\nfar:\nactivemask.b32 %r0;\n" +
      store_r0);
  for (u32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], ~0u) << l;
}

// if (lane < 17) goto one; if (lane < 22) if (lane > 31) goto one; end: ...; return; one: ...; as an H200, lanes come to the
// end from two places and stay apart: other lanes can go elsewhere.
TEST(Divergence, LanesStayApartInABlockThatEndsTheKernel) {
  const auto out = stored(
      "setp.lt.u32 %p1, %tid, 17;\nsetp.ge.u32 %p2, %tid, 22;\nsetp.gt.u32 %p3, %tid, 31;\n@%p1 bra one;\n@%p2 bra "
      "end;\n"
      "st.global.u32 [%rd21], 1;\n@%p3 bra one;\nend:\nactivemask.b32 %r0;\n" +
      store_r0 + "ret;\none:\nactivemask.b32 %r0;\n" + store_r0);
  for (u32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], l < 17 ? 0x0001ffffu : l < 22 ? 0x003e0000u : 0xffc00000u) << l;
}

// Lanes at a join do not hold up one that spins until a lane of theirs stores, nor a `.sync` operation that names them.
TEST(Divergence, LanesThatWaitAtAJoinMakeProgress) {
  const auto spun = stored(
      "setp.eq.u32 %p1, %tid, 0;\n@%p1 bra join;\nspin:\nld.volatile.global.u32 %r2, [%rd0+128];\n"
      "setp.eq.u32 %p2, %r2, 0;\n@%p2 bra spin;\njoin:\nst.volatile.global.u32 [%rd0+128], 7;\nactivemask.b32 %r0;\n" +
      store_r0);
  EXPECT_EQ(spun[0], 1u);
  for (u32 l = 1; l < 32; ++l) EXPECT_EQ(spun[l], 0xfffffffeu) << l;
  const auto synced = stored(
      "setp.ge.u32 %p1, %tid, 16;\n@%p1 bra join;\nbar.warp.sync -1;\njoin:\nactivemask.b32 %r0;\n@!%p1 bra done;\n"
      "bar.warp.sync -1;\ndone:\n" +
      store_r0);
  for (u32 l = 0; l < 32; ++l) EXPECT_EQ(synced[l], l < 16 ? 0xffffu : 0xffff0000u) << l;
}

TEST(Divergence, AShuffleFromALaneThatHasExitedGivesZero) {
  const auto out = stored(
      "add.u32 %r1, %tid, 100;\nsetp.ge.u32 %p1, %tid, 16;\n@%p1 exit;\n"
      "shfl.sync.bfly.b32 %r0, %r1, 16, 31, -1;\n" +
      store_r0);
  for (u32 l = 0; l < 16; ++l) EXPECT_EQ(out[l], 0u) << l;
}

}  // namespace
}  // namespace lanescope::emulator::test
