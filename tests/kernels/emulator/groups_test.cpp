// Cooperative groups as NVRTC compiles them, and the reserved shared memory that their larger tiles use.

#include <algorithm>
#include <fstream>
#include <sstream>

#include "kernels/compile/compile.h"
#include "kernels/source/source.h"
#include "kernels/trace/reserved_shared.h"
#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 threads_of_block = 256;

/// Outputs of tests/data/gpu/cooperative_groups.cu, row by row, from the text of the CUDA Programming Guide.
class Expected {
 public:
  explicit Expected(const std::vector<u32>& x) : rows_(32 * threads_of_block) {
    for (u32 t = 0; t < threads_of_block; ++t) v_[t] = x[t] >> 3;
    for (u32 t = 0; t < threads_of_block; ++t) of_thread(t);
  }
  const std::vector<u32>& rows() const { return rows_; }

 private:
  using Group = std::vector<u32>;  ///< threads by rank
  template <class F>
  Group group(u32 t, u32 width, F belongs) const {
    Group g;
    for (u32 k = t / width * width; k < (t / width + 1) * width; ++k)
      if (belongs(k)) g.push_back(k);
    return g;
  }
  template <class F>
  u32 bits(const Group& g, F holds) const {
    u32 out = 0;
    for (u32 r = 0; r < g.size() && r < 32; ++r) out |= u32{holds(v_[g[r]])} << r;
    return out;
  }
  template <class F>
  u32 fold(const Group& g, F combine) const {
    u32 out = v_[g[0]];
    for (std::size_t r = 1; r < g.size(); ++r) out = combine(out, v_[g[r]]);
    return out;
  }
  template <class F>
  bool any(const Group& g, F holds) const {
    return std::ranges::any_of(g, [&](u32 t) { return holds(v_[t]); });
  }

  void of_thread(u32 t) {
    const auto put = [&](u32 row, u32 value) { rows_[row * threads_of_block + t] = value; };
    const auto sum = [](u32 a, u32 b) { return a + b; };
    const auto most = [](u32 a, u32 b) { return std::max(a, b); };
    const u32 v = v_[t];
    const auto everyone = [](u32) { return true; };
    const auto rank = [&](const Group& g) { return static_cast<u32>(std::ranges::find(g, t) - g.begin()); };

    const Group tile = group(t, 8, everyone);
    put(0, v_[t ^ 3]);
    put(1, bits(tile, [](u32 x) { return (x & 1) != 0; }));
    put(2, fold(tile, sum));
    put(3, bits(tile, [&](u32 x) { return x % 3 == v % 3; }));
    const bool eleven = any(tile, [](u32 x) { return x % 11 == 0; });
    put(4, u32{eleven} * 2 + u32{!eleven});
    put(5, t / 8 * 100 + 32);

    const Group labelled = group(t, 32, [&](u32 k) { return v_[k] % 5 == v % 5; });
    put(6, static_cast<u32>(labelled.size()) * 100 + rank(labelled));
    put(7, fold(labelled, sum));
    put(8, v_[labelled[0]]);
    put(9, bits(labelled, [](u32 x) { return (x & 2) != 0; }));
    const Group halves = group(t, 32, [&](u32 k) { return (v_[k] & 1) == (v & 1); });
    put(10, static_cast<u32>(halves.size()) * 100 + rank(halves));
    put(11, fold(halves, most));
    put(12, rank(halves) + 1 < halves.size() ? v_[halves[rank(halves) + 1]] : v);
    const Group here = group(t, 32, [&](u32 k) { return (v_[k] & 4) == (v & 4); });
    put(13, static_cast<u32>(here.size()) * 100 + rank(here));
    if ((v & 4) != 0) {
      put(14, fold(here, [](u32 a, u32 b) { return a ^ b; }));
      const Group deeper = group(t, 32, [&](u32 k) { return (v_[k] & 4) != 0 && v_[k] % 3 == v % 3; });
      put(15, fold(deeper, [](u32 a, u32 b) { return std::min(a, b); }));
    } else {
      put(14, u32{any(here, [](u32 x) { return x % 7 == 0; })});
    }

    const Group wide = group(t, 64, everyone), widest = group(t, 128, everyone);
    put(16, t / 64 * 10000 + 400 + t % 64);
    put(17, v_[wide[37]]);
    put(18, fold(wide, sum));
    const bool found = any(wide, [](u32 x) { return x % 97 == 0; });
    put(19, u32{found} * 2 + u32{!found});
    put(20, v_[wide[63 - t % 64]]);
    put(21, fold(widest, most));
    put(22, v_[widest[101]]);
    put(23, v_[threads_of_block - 1 - t]);
  }

  std::array<u32, threads_of_block> v_{};
  std::vector<u32> rows_;
};

TEST(CooperativeGroups, AnswerAsTheProgrammingGuideSays) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "SKIPPED, needs NVRTC";
  const std::string path = LANESCOPE_TEST_DATA_DIR "/gpu/cooperative_groups.cu";
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const auto source = source::read(path, text.str());
  ASSERT_TRUE(source) << to_string(source.error().front());
  const auto outcome = compile::compile(*source, compile::Variant::plain, {});
  ASSERT_TRUE(outcome) << to_string(outcome.error().front());
  const ptx::Module module = module_of(outcome->compiled.ptx);
  trace::Launch launch = launch_of(1, threads_of_block, 2);
  launch.kernel = outcome->compiled.entry_names.at(0);
  Numbers numbers(3);
  for (u64 round = 0; round < 12; ++round) {
    std::vector<u32> x(threads_of_block);
    for (u32& word : x)
      word = static_cast<u32>(round % 3 == 0   ? numbers.below(64)
                              : round % 3 == 1 ? numbers.below(4000)
                                               : numbers.next());
    std::vector<trace::Buffer> buffers{buffer_of("x", x), buffer_of("y", std::vector<u32>(32 * threads_of_block))};
    Options o;
    o.seed = 1 + round / 3;
    o.slice = static_cast<u32>(round % 4);
    trace::TagPool pool;
    pool.space = tag_space(buffers);
    if (round % 2 == 1) o.tags = &pool;
    run_ok(module, launch, buffers, o);
    const std::vector<u32> got = values_of<u32>(buffers[1]), want = Expected(x).rows();
    for (u32 i = 0; i < want.size(); ++i)
      ASSERT_EQ(got[i], want[i]) << "row " << i / threads_of_block << ", thread " << i % threads_of_block << ", round "
                                 << round;
  }
}

// --- reserved shared memory -----------------------------------------------------------------------------------------

const std::string report_offsets =
    "mov.u32 %r1, %reserved_smem_offset_begin;\nmov.u32 %r2, %reserved_smem_offset_end;\nmov.u32 %r3, "
    "%reserved_smem_offset_cap;\nmov.u32 %r4, %reserved_smem_offset_0;\nmov.u32 %r5, %reserved_smem_offset_1;\n"
    "mov.u32 %r6, words;\nmov.u32 %r7, %total_smem_size;\nmov.u32 %r8, %dynamic_smem_size;\n"
    "mov.u32 %r9, %aggr_smem_size;\n";
const std::string store_offsets =
    "st.global.v4.u32 [%rd0], {%r1, %r2, %r3, %r4};\nst.global.v4.u32 [%rd0+16], {%r5, %r6, %r7, %r8};\n"
    "st.global.u32 [%rd0+32], %r9;\n";

std::string for_target(std::string text, const std::string& target) {
  return text.replace(text.find("sm_90"), 5, target);
}

TEST(ReservedShared, LiesBeforeTheKernelsOwn) {
  for (const char* target : {"sm_80", "sm_90", "sm_90a", "sm_100"}) {
    const u32 first = std::string_view(target) == "sm_80" ? 0 : 1024;
    const auto module =
        module_of(for_target(kernel(report_offsets + store_offsets, 1, ".shared .align 4 .b8 words[100];\n"), target));
    std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(16))};
    trace::Launch launch = launch_of(1, 1, 1);
    launch.dynamic_shared_bytes = 40;
    run_ok(module, launch, buffers);
    const auto out = values_of<u32>(buffers[0]);
    EXPECT_EQ(out[0], first - 1024) << target;
    EXPECT_EQ(out[1], first - 1024 + 288) << target;
    EXPECT_EQ(out[2], 1024u) << target;
    EXPECT_EQ(out[3], first - 1024) << target;
    EXPECT_EQ(out[4], out[0]) << target;
    EXPECT_EQ(out[5], first) << target;
    EXPECT_EQ(out[6], 256u) << target;  // 112 + 40, in units of 128
    EXPECT_EQ(out[7], 40u) << target;
    EXPECT_EQ(out[8], 1280u) << target;
  }
}

struct SharedAccesses : trace::Observer {
  void on_access(const trace::AccessEvent& e) override {
    if (e.space == trace::MemorySpace::shared) addresses.push_back(e.addresses[0]);
  }
  std::vector<u64> addresses;
};

/// Reserved words are zeros at first, keep what is written, through both ways of addressing, and are not the kernel's.
TEST(ReservedShared, HoldsWordsOfItsOwn) {
  for (const char* target : {"sm_80", "sm_90"}) {
    const auto module = module_of(for_target(
        kernel("mov.u32 %r1, %reserved_smem_offset_1;\nmov.u32 %r2, words;\nld.shared.u32 %r3, [%r1+64];\n"
               "st.shared.u32 [%r2], 77;\ncvt.u64.u32 %rd1, %r1;\ncvta.shared.u64 %rd1, %rd1;\nst.u32 [%rd1+64], 55;\n"
               "atom.add.u32 %r4, [%rd1+64], 3;\nld.shared.u32 %r5, [%r1+64];\nld.shared.u32 %r6, [%r2];\n"
               "isspacep.shared %p1, %rd1;\nselp.u32 %r7, 1, 0, %p1;\n"
               "st.global.v4.u32 [%rd0], {%r3, %r4, %r5, %r6};\nst.global.u32 [%rd0+16], %r7;\n",
               1, ".shared .align 4 .b8 words[64];\n"),
        target));
    std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(8))};
    SharedAccesses accesses;
    Options o;
    o.observers = {&accesses};
    const Result r = run_ok(module, launch_of(3, 1, 1), buffers, o);
    EXPECT_EQ(values_of<u32>(buffers[0]), (std::vector<u32>{0, 55, 58, 77, 1, 0, 0, 0})) << target;
    EXPECT_EQ(r.shared_bytes, 64u);
    ASSERT_EQ(accesses.addresses.size(), 18u);
    for (std::size_t i = 0; i < accesses.addresses.size(); ++i) {
      const bool own = i % 6 == 1 || i % 6 == 5;
      EXPECT_EQ(trace::is_reserved_shared(accesses.addresses[i]), !own) << target << " " << i;
      if (own) {
        EXPECT_EQ(accesses.addresses[i], 0u) << target << " " << i;
      }
    }
  }
}

/// It is not read by mistake: an address below the kernel's own is reported, and so is one beyond the reserved end.
TEST(ReservedShared, OnlyForThoseWhoAskForIt) {
  const auto fault = [](const std::string& body) {
    const auto module = module_of(kernel(body, 1, ".shared .align 4 .b8 words[64];\n"));
    std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(8))};
    const auto result = run(module, launch_of(1, 1, 1), buffers, {});
    return result && !result->faults.empty() ? result->faults[0] : Fault{};
  };
  const Fault below = fault("mov.u32 %r2, words;\nld.shared.u32 %r3, [%r2+-4];\n");
  EXPECT_EQ(below.kind, Fault::Kind::out_of_bounds);
  EXPECT_NE(below.message.find("in the 1024 bytes before the block's shared memory, which are reserved"),
            std::string::npos)
      << below.message;
  const Fault beyond = fault("mov.u32 %r2, words;\nld.shared.u32 %r3, [%r2+64];\n");
  const Fault further = fault("mov.u32 %r2, words;\nld.shared.u32 %r3, [%r2+68];\n");
  EXPECT_NE(further.message.find("4 bytes beyond the end of shared memory (64 bytes)"), std::string::npos)
      << further.message;
  EXPECT_NE(beyond.message.find("right after the end of shared memory (64 bytes)"), std::string::npos)
      << beyond.message;
}

// Measured on an H200 (driver 580, CUDA 13.0): alignments count from the kernel's own first byte, which is at 0x400.
TEST(SharedAddresses, AreThoseOfAnH200) {
  struct Case {
    std::string declarations;
    std::vector<std::string> names;
    std::vector<u32> addresses;
    u32 dynamic_bytes = 0;
  };
  const std::vector<Case> cases = {
      {".shared .align 1024 .b8 a[256];\n", {"a"}, {0x400}},
      {".shared .align 2048 .b8 a[256];\n", {"a"}, {0x400}},
      {".shared .align 32768 .b8 a[256];\n", {"a"}, {0x400}},
      {".shared .align 4 .b8 s[20];\n.shared .align 2048 .b8 a[100];\n", {"s", "a"}, {0x400, 0xc00}},
      {".shared .align 4096 .b8 a[100];\n.shared .align 2048 .b8 b[5000];\n.shared .align 64 .b8 c[70];\n",
       {"a", "b", "c"},
       {0x400, 0xc00, 0x1fc0}},
      {".shared .align 1 .b8 a[3];\n.shared .align 8 .b8 b[24];\n.shared .align 2 .b8 c[10];\n.shared .align 256 .b8 "
       "d[9];\n",
       {"a", "b", "c", "d"},
       {0x400, 0x408, 0x420, 0x500}},
      {".extern .shared .align 8192 .b8 e[];\n", {"e"}, {0x400}, 256},
      {".shared .align 4 .b8 s[20];\n.extern .shared .align 8192 .b8 e[];\n", {"s", "e"}, {0x400, 0x2400}, 256},
  };
  for (const Case& c : cases) {
    std::string body;
    for (std::size_t i = 0; i < c.names.size(); ++i)
      body += fmt::format("mov.u32 %r1, {};\nst.global.u32 [%rd0+{}], %r1;\n", c.names[i], 4 * i);
    const auto module = module_of(for_target(kernel(body, 1, c.declarations), "sm_90"));
    std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(c.names.size()))};
    trace::Launch launch = launch_of(1, 1, 1);
    launch.dynamic_shared_bytes = c.dynamic_bytes;
    run_ok(module, launch, buffers, {});
    EXPECT_EQ(values_of<u32>(buffers[0]), c.addresses) << c.declarations;
  }
}

}  // namespace
}  // namespace lanescope::emulator::test
