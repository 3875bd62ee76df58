// Blocks of a cluster: side by side, with each other's shared memory, and a barrier of their own.

#include <algorithm>
#include <random>

#include "tests/kernels/emulator/forms/instances_of.h"
#include "tests/kernels/emulator/harness.h"
#include "tests/kernels/emulator/oracle/cases.h"

namespace lanescope::emulator::test {
namespace {

using u32 = std::uint32_t;

std::string cluster_module(const std::string& body, const std::string& directive = "") {
  std::string text = case_entry("k", body);
  text.replace(text.find("\n{\n"), 3, "\n" + directive + "\n{\n");
  return module_head("sm_90", "8.4") + text;
}

struct ClusterLaunch {
  trace::Dim3 grid{4, 1, 1}, cluster{2, 1, 1};
  u32 threads = 64;
  std::size_t words = 4096;
  std::uint64_t seed = 1;
  u32 slice = 1;
};

struct ClusterRun {
  Result result;
  std::vector<u32> words;
  std::string error;
};
ClusterRun run_cluster(const std::string& text, const ClusterLaunch& how) {
  const auto module = module_of(text);
  std::vector<trace::Buffer> buffers{buffer_of("words", std::vector<u32>(how.words))};
  trace::Launch launch = launch_of(1, how.threads, 1);
  launch.grid = how.grid;
  launch.cluster = how.cluster;
  Options options;
  options.seed = how.seed, options.slice = how.slice;
  auto result = run(module, launch, buffers, options);
  if (!result) return {{}, {}, result.error().front().message};
  return {*result, values_of<u32>(buffers[0]), {}};
}
#define LS_RAN(r)           \
  ASSERT_EQ((r).error, ""); \
  for (const Fault& f : (r).result.faults) FAIL() << f.message

/// %r10 the block's linear number, %r11 its rank, %r12 blocks in the cluster; %rd9 where this thread's word of the array is.
const std::string prologue = R"(
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; mov.u32 %r3, %ctaid.y; mov.u32 %r4, %nctaid.y; mov.u32 %r5, %ctaid.z;
mad.lo.u32 %r10, %r5, %r4, %r3; mad.lo.u32 %r10, %r10, %r2, %r1; mov.u32 %r11, %cluster_ctarank; mov.u32 %r12, %cluster_nctarank;
mov.u32 %r6, %ntid.x; mad.lo.u32 %r13, %r10, %r6, %t; mul.wide.u32 %rd9, %r13, 4; add.s64 %rd9, %rd0, %rd9;
mov.u32 %s32, shared_bytes; shl.b32 %r7, %t, 2; add.u32 %r7, %s32, %r7;
)";

/// Every block leaves numbers in its shared memory, and reads those of the next block, by 32-bit and by generic addresses.
TEST(Clusters, BlocksReadEachOthersSharedMemory) {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 40; ++trial) {
    ClusterLaunch how;
    how.cluster = {1 + static_cast<u32>(random() % 3), 1 + static_cast<u32>(random() % 2),
                   1 + static_cast<u32>(random() % 2)};
    how.grid = {how.cluster.x * (1 + static_cast<u32>(random() % 3)), how.cluster.y * 2, how.cluster.z};
    how.threads = 1 + static_cast<u32>(random() % 100);
    how.words = how.grid.count() * how.threads;
    how.seed = 1 + trial % 4;
    how.slice = static_cast<u32>(trial % 3 == 0 ? 0 : random() % 7 + 1);
    const bool generic = trial % 2 == 0;
    const std::string read =
        generic
            ? "cvta.shared.u64 %rd2, shared_bytes; cvt.u64.u32 %rd3, %r7; cvt.u64.u32 %rd4, %s32; sub.s64 %rd3, %rd3, "
              "%rd4; add.s64 %rd2, %rd2, %rd3; mapa.u64 %rd2, %rd2, %r8; getctarank.u64 %r15, %rd2; ld.b32 %r9, "
              "[%rd2];\n"
            : "mapa.shared::cluster.u32 %r14, %r7, %r8; getctarank.shared::cluster.u32 %r15, %r14; "
              "ld.shared::cluster.b32 %r9, [%r14];\n";
    const std::string body = prologue + R"(
mad.lo.u32 %r8, %r10, 1000, %t; st.shared.b32 [%r7], %r8;
barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
add.u32 %r8, %r11, 1; rem.u32 %r8, %r8, %r12;
)" + read + R"(
setp.ne.u32 %p, %r15, %r8; @%p mov.u32 %r9, 0xdead; st.global.b32 [%rd9], %r9;
barrier.cluster.arrive; barrier.cluster.wait;
)";
    const ClusterRun ran = run_cluster(cluster_module(body), how);
    LS_RAN(ran);
    const trace::Dim3 &g = how.grid, &k = how.cluster;
    for (u32 z = 0; z < g.z; ++z)
      for (u32 y = 0; y < g.y; ++y)
        for (u32 x = 0; x < g.x; ++x) {
          // The next rank is counted through x, then y, then z of the cluster.
          const u32 rank = x % k.x + k.x * (y % k.y + k.y * (z % k.z)), next = (rank + 1) % static_cast<u32>(k.count());
          const u32 nx = x / k.x * k.x + next % k.x, ny = y / k.y * k.y + next / k.x % k.y,
                    nz = z / k.z * k.z + next / k.x / k.y;
          const u32 block = x + g.x * (y + g.y * z), other = nx + g.x * (ny + g.y * nz);
          for (u32 t = 0; t < how.threads; ++t)
            ASSERT_EQ(ran.words[block * how.threads + t], other * 1000 + t) << trial << " block " << block << " " << t;
        }
  }
}

/// Reports to observers about accesses by addresses from mapa: offsets, and the block whose shared memory it is.
TEST(Clusters, ObserversAreToldOffsetsAndOwners) {
  struct Seen final : trace::Observer {
    void on_access(const trace::AccessEvent& e) override {
      if (e.space == trace::MemorySpace::shared && e.kind == trace::AccessKind::load) own.push_back(e.addresses[1]);
    }
    void on_remote_access(const trace::RemoteAccessEvent& e) override {
      remote.emplace_back(e.access.where.block, e.blocks[1], e.access.addresses[1], e.access.values[1]);
    }
    std::vector<std::uint64_t> own;
    std::vector<std::tuple<u32, u32, std::uint64_t, u32>> remote;
  } seen;
  const std::string body = prologue + R"(
mad.lo.u32 %r8, %r10, 1000, %t; st.shared.b32 [%r7], %r8; barrier.cluster.arrive; barrier.cluster.wait;
mapa.shared::cluster.u32 %r14, %r7, %r11; ld.shared::cluster.b32 %r9, [%r14];
xor.b32 %r8, %r11, 1; mapa.shared::cluster.u32 %r14, %r7, %r8; ld.shared::cluster.b32 %r9, [%r14];
barrier.cluster.arrive; barrier.cluster.wait;
)";
  const auto module = module_of(cluster_module(body));
  std::vector<trace::Buffer> buffers{buffer_of("words", std::vector<u32>(4096))};
  trace::Launch launch = launch_of(1, 32, 1);
  launch.grid = {4, 1, 1}, launch.cluster = {2, 1, 1};
  Options options;
  options.observers = {&seen};
  ASSERT_TRUE(run(module, launch, buffers, options));
  EXPECT_EQ(seen.own, std::vector<std::uint64_t>(4, 4));
  std::ranges::sort(seen.remote);
  const std::vector<std::tuple<u32, u32, std::uint64_t, u32>> want{
      {0, 1, 4, 1001}, {1, 0, 4, 1}, {2, 3, 4, 3001}, {3, 2, 4, 2001}};
  EXPECT_EQ(seen.remote, want);
}

TEST(Clusters, SpecialRegistersSayWhereABlockIs) {
  const char* names[] = {"cluster_ctaid.x",  "cluster_ctaid.y",  "cluster_ctaid.z", "cluster_nctaid.x",
                         "cluster_nctaid.y", "cluster_nctaid.z", "clusterid.x",     "clusterid.y",
                         "clusterid.z",      "nclusterid.x",     "nclusterid.y",    "nclusterid.z",
                         "cluster_ctarank",  "cluster_nctarank"};
  const ClusterLaunch how{.grid = {4, 6, 4}, .cluster = {2, 3, 2}, .threads = 1, .words = 96 * 16};
  std::string body = prologue + "mul.wide.u32 %rd9, %r10, 64; add.s64 %rd9, %rd0, %rd9;\n";
  for (std::size_t i = 0; i < std::size(names); ++i)
    body += fmt::format("mov.u32 %r9, %{}; st.global.b32 [%rd9+{}], %r9;\n", names[i], 4 * i);
  body += "mov.pred %p, %is_explicit_cluster; selp.u32 %r9, 1, 0, %p; st.global.b32 [%rd9+56], %r9;\n";
  const ClusterRun ran = run_cluster(cluster_module(body), how);
  LS_RAN(ran);
  for (u32 z = 0; z < 4; ++z)
    for (u32 y = 0; y < 6; ++y)
      for (u32 x = 0; x < 4; ++x) {
        const std::vector<u32> want{
            x % 2, y % 3, z % 2, 2, 3, 2, x / 2, y / 3, z / 2, 2, 2, 2, x % 2 + 2 * (y % 3) + 6 * (z % 2), 12, 1};
        const std::size_t at = (x + 4 * (y + 6 * z)) * 16;
        ASSERT_EQ(std::vector<u32>(ran.words.begin() + static_cast<std::ptrdiff_t>(at),
                                   ran.words.begin() + static_cast<std::ptrdiff_t>(at + 15)),
                  want)
            << x << y << z;
      }
}

/// Block 0 waits in a loop for what block 1 stores into its shared memory, and the other way round: neither ends alone.
TEST(Clusters, BlocksRunSideBySide) {
  const std::string body = prologue + R"(
st.shared.b32 [%s32], 0; barrier.cluster.arrive; barrier.cluster.wait;
setp.ne.u32 %q, %t, 0; @%q bra done; mov.u32 %r15, 0;
round: xor.b32 %r8, %r11, 1; mapa.shared::cluster.u32 %r14, %s32, %r8; and.b32 %r9, %r15, 1;
setp.ne.u32 %p, %r9, %r11; @%p bra waits;
add.u32 %r9, %r15, 1; st.release.cluster.shared::cluster.b32 [%r14], %r9; bra.uni next;
waits: ld.acquire.cluster.shared::cluster.b32 %r9, [%s32]; setp.le.u32 %p, %r9, %r15; @%p bra waits;
next: add.u32 %r15, %r15, 1; setp.lt.u32 %p, %r15, 20; @%p bra round;
done: barrier.cluster.arrive; barrier.cluster.wait;
st.global.b32 [%rd9], %r15;
)";
  for (const std::uint64_t seed : {1, 2, 3})
    for (const u32 slice : {0u, 1u, 5u}) {
      const ClusterRun ran =
          run_cluster(cluster_module(body, ".reqnctapercluster 2, 1, 1"),
                      {.grid = {6, 1, 1}, .cluster = {0, 0, 0}, .threads = 32, .seed = seed, .slice = slice});
      LS_RAN(ran);
      for (u32 b = 0; b < 6; ++b) ASSERT_EQ(ran.words[b * 32], 20u);
    }
}

/// Sums over the cluster by atomics in the shared memory of block 0; threads that have exited are not waited for.
TEST(Clusters, AtomicsAndThreadsThatExited) {
  const std::string body = prologue + R"(
setp.eq.u32 %p, %t, 0; @%p st.shared.b32 [%s32], 0;
barrier.cluster.arrive; barrier.cluster.wait;
mapa.shared::cluster.u32 %r14, %s32, 0; add.u32 %r8, %r13, 1; atom.shared::cluster.add.u32 %r9, [%r14], %r8;
setp.gt.u32 %p, %t, 40; @%p bra done;
barrier.cluster.arrive; barrier.cluster.wait;
ld.shared::cluster.b32 %r9, [%r14]; st.global.b32 [%rd9], %r9;
barrier.cluster.arrive; barrier.cluster.wait;
done:
)";
  const ClusterRun ran = run_cluster(cluster_module(body), {.grid = {8, 1, 1}, .cluster = {4, 1, 1}});
  LS_RAN(ran);
  for (u32 c = 0; c < 2; ++c) {
    u32 sum = 0;
    for (u32 i = 0; i < 256; ++i) sum += c * 256 + i + 1;
    for (u32 b = 0; b < 4; ++b) ASSERT_EQ(ran.words[(c * 4 + b) * 64], sum) << c << b;
  }
}

/// st.async into the next block, which waits for the bytes; then a bulk copy from block 0 to all.
TEST(Clusters, CopiesReachSeveralBlocks) {
  const std::string body = prologue + R"(
add.u32 %m32, %s32, 1024; setp.ne.u32 %q, %t, 0; @%q bra set;
mbarrier.init.shared.b64 [%m32], 1; mbarrier.init.shared.b64 [%m32+8], 1;
mbarrier.arrive.expect_tx.shared::cta.b64 %rd5, [%m32], 256; mbarrier.arrive.expect_tx.shared::cta.b64 %rd5, [%m32+8], 128;
set: fence.mbarrier_init.release.cluster; barrier.cluster.arrive; barrier.cluster.wait;
add.u32 %r8, %r11, 1; rem.u32 %r8, %r8, %r12; mapa.shared::cluster.u32 %r14, %r7, %r8; mapa.shared::cluster.u32 %r15, %m32, %r8;
mad.lo.u32 %r8, %r10, 1000, %t; st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r14], %r8, [%r15];
first: mbarrier.try_wait.parity.shared::cta.b64 %p, [%m32], 0; @!%p bra first;
ld.shared.b32 %r16, [%r7];
or.b32 %r8, %t, %r11; setp.ne.u32 %q, %r8, 0; @%q bra second; add.u32 %r8, %s32, 2048; mov.b16 %a16, 0x0b; add.u32 %r9, %m32, 8;
add.s64 %rd6, %rd0, 3072;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r8], [%rd6], 128, [%r9], %a16;
second: setp.eq.u32 %p, %r11, 2; @%p bra none;
third: mbarrier.try_wait.parity.shared::cta.b64 %p, [%m32+8], 0; @!%p bra third;
none: ld.shared.b32 %r17, [%r7+2048]; add.u32 %r16, %r16, %r17; st.global.b32 [%rd9], %r16;
barrier.cluster.arrive; barrier.cluster.wait;
)";
  // Words 768.. hold what is copied to blocks 0, 1 and 3 of the cluster: to 32 threads of each.
  const auto module = module_of(cluster_module(body));
  std::vector<u32> words(1024);
  for (u32 i = 0; i < 32; ++i) words[768 + i] = 1000000 * (i + 1);
  std::vector<trace::Buffer> buffers{buffer_of("words", words)};
  trace::Launch launch = launch_of(4, 64, 1);
  launch.cluster = {4, 1, 1};
  run_ok(module, launch, buffers);
  const auto got = values_of<u32>(buffers[0]);
  for (u32 b = 0; b < 4; ++b)
    for (u32 t = 0; t < 64; ++t)
      ASSERT_EQ(got[b * 64 + t], (b + 3) % 4 * 1000 + t + (t < 32 && b != 2 ? 1000000 * (t + 1) : 0)) << b << " " << t;
}

/// A request to cancel a launch completes its barrier object and says that nothing was cancelled.
TEST(Clusters, EveryBlockIsLaunched) {
  const std::string body = R"(
.reg .b128 %a128; add.u32 %m32, %s32, 1024; mbarrier.init.shared.b64 [%m32], 1; mbarrier.arrive.expect_tx.shared::cta.b64 %rd5, [%m32], 16;
mov.u32 %r8, 7; st.shared.b32 [%s32+4], %r8; cvta.shared.u64 %n64, shared_bytes;
clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%s32], [%m32];
first: mbarrier.try_wait.parity.shared::cta.b64 %p, [%m32], 0; @!%p bra first;
ld.shared.v2.b64 {%rd6, %rd7}, [%s32]; mov.b128 %a128, {%rd6, %rd7};
clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %q, %a128; selp.u32 %r9, 1, 2, %q; st.global.b32 [%rd9], %r9;
)";
  const ClusterRun ran =
      run_cluster(cluster_module(prologue + body), {.grid = {3, 1, 1}, .cluster = {0, 0, 0}, .threads = 1});
  LS_RAN(ran);
  for (u32 i = 0; i < 3; ++i) EXPECT_EQ(ran.words[i], 2u);
}

TEST(Clusters, MistakesAreFaults) {
  const auto fault_of = [](const std::string& body, trace::Dim3 grid = {4, 1, 1}) -> std::string {
    const ClusterRun ran = run_cluster(cluster_module(prologue + body), {.grid = grid});
    if (!ran.error.empty()) return ran.error;
    return ran.result.faults.empty() ? "" : ran.result.faults.front().message;
  };
  const auto has = [](const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; };
  EXPECT_PRED2(has, fault_of("mapa.shared::cluster.u32 %r14, %s32, 2;"), "block 2 of a cluster of 2");
  EXPECT_PRED2(has, fault_of("barrier.cluster.wait;"), "without having arrived");
  EXPECT_PRED2(has, fault_of("barrier.cluster.arrive; barrier.cluster.arrive;"), "again without having waited");
  EXPECT_PRED2(
      has,
      fault_of("setp.eq.u32 %p, %r11, 0; @%p bra b; barrier.cluster.arrive; barrier.cluster.wait; bra.uni end; b: "
               "bar.sync 1, 96; end:"),
      "deadlock");
  EXPECT_PRED2(has, fault_of("", {3, 1, 1}), "whole number of clusters");
  // Block 1 ends at once; block 0 reads its shared memory when that is gone.
  const std::string late = R"(
setp.eq.u32 %p, %r11, 1; @%p bra end; mov.u32 %r8, 0;
spin: add.u32 %r8, %r8, 1; setp.lt.u32 %p, %r8, 200; @%p bra spin;
mapa.shared::cluster.u32 %r14, %s32, 1; ld.shared::cluster.b32 %r9, [%r14]; end:
)";
  EXPECT_PRED2(has, fault_of(late), "which has exited");
  // An address of the cluster is none of the block's own memory.
  EXPECT_PRED2(has, fault_of("mapa.shared::cluster.u32 %r14, %s32, 1; ld.shared::cta.b32 %r9, [%r14];"),
               "shared memory");
}

/// In a cluster of one block the cluster's barrier is a barrier of the block.
TEST(Clusters, OneBlockWaitsForItself) {
  const std::string body = prologue + R"(
st.shared.b32 [%r7], %r13; barrier.cluster.arrive; barrier.cluster.wait;
xor.b32 %r8, %t, 63; shl.b32 %r8, %r8, 2; add.u32 %r8, %r8, %s32; ld.shared.b32 %r9, [%r8]; st.global.b32 [%rd9], %r9;
)";
  const ClusterRun ran = run_cluster(cluster_module(body), {.grid = {2, 1, 1}, .cluster = {0, 0, 0}});
  LS_RAN(ran);
  for (u32 i = 0; i < 128; ++i) ASSERT_EQ(ran.words[i], i / 64 * 64 + (i % 64 ^ 63));
}

/// A value that a block reads from another block keeps its identity.
TEST(Clusters, IdentitiesGoWithTheData) {
  const std::string body = prologue + R"(
ld.global.b32 %r8, [%rd9]; st.shared.b32 [%r7], %r8; barrier.cluster.arrive; barrier.cluster.wait;
xor.b32 %r8, %r11, 1; mapa.shared::cluster.u32 %r14, %r7, %r8; ld.shared::cluster.b32 %r9, [%r14]; st.global.b32 [%rd9+512], %r9;
barrier.cluster.arrive; barrier.cluster.wait;
)";
  struct Stores : trace::Observer {
    std::uint64_t base = 0;
    std::map<std::uint64_t, trace::WordTag> tags;
    void on_access(const trace::AccessEvent& e) override {
      if (e.kind != trace::AccessKind::store || e.space != trace::MemorySpace::global) return;
      for (std::size_t l = 0; l < 32; ++l) tags[(e.addresses[l] - base) / 4] = e.tags[l];
    }
  } stored;
  std::vector<u32> words(256);
  std::vector<trace::Buffer> buffers{buffer_of("words", words)};
  trace::TagPool pool;
  pool.space = tag_space(buffers);
  stored.base = place_buffers(buffers)[0];
  trace::Launch launch = launch_of(2, 64, 1);
  launch.cluster = {2, 1, 1};
  Options options;
  options.tags = &pool;
  options.observers = {&stored};
  run_ok(module_of(cluster_module(body)), launch, buffers, options);
  for (u32 i = 0; i < 128; ++i) {
    const auto sources = pool.sources(stored.tags[128 + i], 0, 32);
    ASSERT_EQ(sources.size(), 1u) << i;
    EXPECT_EQ(sources[0].second, i ^ 64) << i;
  }
}

}  // namespace
}  // namespace lanescope::emulator::test
