// Instructions that move data between lanes, memories and code places, beyond the common forms: old shuffles,
// elect, redux of floats, tables of branches, cp.async, atomics on packed halves and doubles in shared memory.

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

std::vector<u32> run_in_block(const std::string& body, u32 threads, const std::string& declarations = "") {
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(std::max(64u, threads)))};
  run_ok(module_of(kernel(out_address + body, 1, declarations)), launch_of(1, threads, 1), buffers);
  return values_of<u32>(buffers[0]);
}

TEST(Movement, ShufflesWithoutSync) {
  const auto down = run_in_block("shfl.down.b32 %r0, %tid, 3, 31;\n" + store_r0, 32);
  const auto up = run_in_block("shfl.up.b32 %r0|%p1, %tid, 5, 0;\n@!%p1 mov.u32 %r0, 99;\n" + store_r0, 32);
  const auto bfly = run_in_block("shfl.bfly.b32 %r0, %tid, 6, 31;\n" + store_r0, 32);
  const auto idx = run_in_block("shfl.idx.b32 %r0, %tid, 9, 0x1807;\n" + store_r0, 32);  // in segments of 8 lanes
  for (u32 t = 0; t < 32; ++t) {
    EXPECT_EQ(down[t], t + 3 < 32 ? t + 3 : t);
    EXPECT_EQ(up[t], t >= 5 ? t - 5 : 99);
    EXPECT_EQ(bfly[t], t ^ 6);
    EXPECT_EQ(idx[t], (t & 24) | 1);
  }
}

TEST(Movement, ElectNamesOneLane) {
  const auto out = run_in_block(
      "mov.u32 %r0, 7;\nsetp.lt.u32 %p2, %tid, 6;\n@%p2 bra skip;\nelect.sync %r1|%p1, 0xffffffc0;\nselp.u32 %r2, 100, "
      "0, %p1;\n"
      "add.u32 %r0, %r1, %r2;\nskip:\n" +
          store_r0,
      32);
  for (u32 t = 0; t < 32; ++t) EXPECT_EQ(out[t], t < 6 ? 7u : t == 6 ? 106u : 6u);
}

TEST(Movement, ReductionsOfFloats) {
  const std::string value = "cvt.rn.f32.u32 %f0, %tid;\nsub.f32 %f0, %f0, 0f41200000;\n";  // -10 .. 21
  const auto word = [](float x) { return std::bit_cast<u32>(x); };
  const std::string nan_at_9 = "setp.eq.u32 %p1, %tid, 9;\n@%p1 mov.f32 %f0, 0f7FC00000;\n";
  const auto redux = [&](const std::string& before, const std::string& op) {
    return run_in_block(value + before + "redux.sync." + op + ".f32 %f1, %f0, -1;\nmov.b32 %r0, %f1;\n" + store_r0,
                        32)[17];
  };
  EXPECT_EQ(redux("", "min"), word(-10));
  EXPECT_EQ(redux("", "max"), word(21));
  EXPECT_EQ(redux("", "min.abs"), word(0));
  EXPECT_EQ(redux(nan_at_9, "max"), word(21));
  EXPECT_EQ(redux(nan_at_9, "max.NaN"), 0x7fffffffu);
}

TEST(Movement, TablesOfBranches) {
  const auto out = run_in_block(
      "and.b32 %r1, %tid, 3;\nts: .branchtargets one, two, three, four;\nbrx.idx %r1, ts;\n"
      "one: mov.u32 %r0, 11;\nbra done;\ntwo: mov.u32 %r0, 22;\nbra done;\nthree: mov.u32 %r0, 33;\nbra done;\n"
      "four: mov.u32 %r0, 44;\ndone:\nshfl.sync.bfly.b32 %r0, %r0, 1, 31, -1;\n" +
          store_r0,
      64);
  for (u32 t = 0; t < 64; ++t) EXPECT_EQ(out[t], 11 * (((t ^ 1) & 3) + 1));
}

TEST(Movement, AsynchronousCopiesKeepIdentities) {
  const std::string body =
      "shl.b32 %r60, %tid, 4;\ncvt.u64.u32 %rd60, %r60;\nadd.s64 %rd61, %rd0, %rd60;\nadd.s64 %rd62, %rd1, "
      "%rd60;\nmov.u32 %r50, buf;\n"
      "xor.b32 %r51, %tid, 1;\nshl.b32 %r51, %r51, 4;\nadd.u32 %r51, %r51, %r50;\nadd.u32 %r52, %r50, %r60;\nadd.u32 "
      "%r52, %r52, 512;\n"
      "cp.async.cg.shared.global [%r51], [%rd61], 16;\n"
      "cp.async.ca.shared.global [%r52], [%rd61+4], 4;\ncp.async.ca.shared.global [%r52+8], [%rd61], 8, 4;\n"
      "cp.async.commit_group;\ncp.async.wait_group 0;\nbar.sync 0;\nadd.u32 %r53, %r50, %r60;\n"
      "ld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [%r53];\nst.global.v4.u32 [%rd62], {%r0, %r1, %r2, %r3};\n"
      "ld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [%r52];\nst.global.v4.u32 [%rd62+512], {%r0, %r1, %r2, %r3};\n";
  struct Stored : trace::Observer {
    std::vector<trace::WordTag> words = std::vector<trace::WordTag>(256);
    u64 base = 0;
    int copies = 0;
    void on_access(const trace::AccessEvent& e) override {
      copies += e.kind == trace::AccessKind::async_copy ? 1 : 0;
      if (e.space != trace::MemorySpace::global || e.kind != trace::AccessKind::store) return;
      for (std::size_t l = 0; l < 32; ++l)
        for (std::size_t w = 0; w < 4; ++w) words.at((e.addresses[l] - base) / 4 + w) = e.tags[w * 32 + l];
    }
  } stored;
  std::vector<u32> in(128);
  for (u32 i = 0; i < 128; ++i) in[i] = 1000 + i;
  std::vector<trace::Buffer> buffers{buffer_of("in", in), buffer_of("out", std::vector<u32>(256))};
  trace::TagPool pool;
  pool.space = tag_space(buffers);
  stored.base = place_buffers(buffers)[1];
  Options o;
  o.tags = &pool;
  o.observers = {&stored};
  run_ok(module_of(kernel(body, 2, ".shared .align 16 .b8 buf[1024];\n")), launch_of(1, 32, 2), buffers, o);
  const auto out = values_of<u32>(buffers[1]);
  const auto source = trace::TagPool::source_word;
  for (u32 t = 0; t < 32; ++t) {
    for (u32 w = 0; w < 4; ++w) {
      EXPECT_EQ(out[t * 4 + w], 1000 + (t ^ 1) * 4 + w);
      EXPECT_EQ(stored.words[t * 4 + w], source((t ^ 1) * 4 + w));
    }
    EXPECT_EQ(out[128 + t * 4], 1001 + t * 4);
    EXPECT_EQ(stored.words[128 + t * 4], source(t * 4 + 1));
    EXPECT_EQ(out[128 + t * 4 + 2], 1000 + t * 4);
    EXPECT_EQ(stored.words[128 + t * 4 + 2], source(t * 4));
    EXPECT_EQ(out[128 + t * 4 + 3], 0u);  // beyond the bytes that it copies: zeros
    EXPECT_EQ(stored.words[128 + t * 4 + 3], trace::no_data);
  }
  EXPECT_EQ(stored.copies, 6);  // each copy reads and writes
}

/// Lanes in order take whole rows of memory at once, lanes in reverse go one by one: all facts of an address, and
/// what memory holds in the end, is the same.
TEST(Movement, RowsAtOnceEqualLaneByLane) {
  struct Reported : trace::Observer {
    std::map<std::tuple<u32, u64, u32>, std::pair<u32, trace::WordTag>> words;  // (pc, address, word)
    void on_access(const trace::AccessEvent& e) override {
      for (std::size_t l = 0; l < 32; ++l)
        for (std::size_t w = 0; w < e.values.size() / 32; ++w)
          words[{e.where.pc, e.addresses[l], static_cast<u32>(w)}] = {e.values[w * 32 + l], e.tags[w * 32 + l]};
    }
  };
  for (const std::string bits : {"32", "64"}) {
    const auto go = [&](const std::string& lane, Reported& reported, std::vector<u32>& out) {
      const std::string r = bits == "32" ? "%r" : "%rd", bytes = bits == "32" ? "4" : "8";
      const std::string body = lane + "mul.lo.u32 %r50, %r50, " + bytes +
                               ";\ncvt.u64.u32 %rd50, %r50;\nadd.s64 %rd51, %rd0, %rd50;\nadd.s64 %rd52, %rd1, %rd50;\n"
                               "mov.u32 %r51, buf;\nadd.u32 %r51, %r51, %r50;\nld.global.b" +
                               bits + " " + r + "10, [%rd51+256];\nst.shared.b" + bits + " [%r51+64], " + r +
                               "10;\n"
                               "ld.shared.b" +
                               bits + " " + r + "11, [%r51+64];\nst.global.b" + bits + " [%rd52+128], " + r +
                               "11;\nld.global.b" + bits + " " + r +
                               "12, [%rd52+128];\n"
                               "st.global.b" +
                               bits + " [%rd52+512], " + r + "12;\nst.global.b" + bits + " [%rd51], 5;\nld.global.b" +
                               bits + " " + r +
                               "13, [%rd51];\n"
                               "st.global.b" +
                               bits + " [%rd51+512], " + r + "13;\n";
      std::vector<u32> in(256);
      for (u32 i = 0; i < 256; ++i) in[i] = i * 0x9e3779b9u;
      std::vector<trace::Buffer> buffers{buffer_of("in", in), buffer_of("out", std::vector<u32>(256))};
      trace::TagPool pool;
      pool.space = tag_space(buffers);
      Options o;
      o.tags = &pool;
      o.observers = {&reported};
      run_ok(module_of(kernel(body, 2, ".shared .align 16 .b8 buf[512];\n")), launch_of(1, 32, 2), buffers, o);
      out = values_of<u32>(buffers[0]);
      const auto second = values_of<u32>(buffers[1]);
      out.insert(out.end(), second.begin(), second.end());
    };
    Reported rows, single;
    std::vector<u32> a, b;
    go("mov.u32 %r50, %tid;\n", rows, a);
    go("sub.u32 %r50, 31, %tid;\n", single, b);
    EXPECT_EQ(a, b);
    EXPECT_EQ(rows.words, single.words);
    EXPECT_EQ(rows.words.size(), 9u * 32 * (bits == "32" ? 1 : 2));
  }
}

TEST(Movement, AtomicsOnPackedHalvesAndDoublesInSharedMemory) {
  // 1.0 and 2.0 added 32 times to the halves; tid + 0.5 added to a double.
  const auto out = run_in_block(
      "mov.u32 %r1, 0x40003c00;\nred.shared.add.noftz.f16x2 [cells], %r1;\ncvt.rn.f64.u32 %fd1, %tid;\nadd.f64 %fd1, "
      "%fd1, 0d3FE0000000000000;\n"
      "atom.shared.add.f64 %fd2, [cells+8], %fd1;\nbar.sync 0;\nld.shared.u32 %r0, [cells];\nsetp.eq.u32 %p1, %tid, "
      "1;\n"
      "@%p1 ld.shared.u32 %r0, [cells+12];\n" +
          store_r0,
      32, ".shared .align 8 .b8 cells[16];\n");
  EXPECT_EQ(out[0], 0x54005000u);  // 64 and 32
  EXPECT_EQ(out[1], static_cast<u32>(std::bit_cast<u64>(31.0 * 32 / 2 + 16) >> 32));
}

}  // namespace
}  // namespace lanescope::emulator::test
