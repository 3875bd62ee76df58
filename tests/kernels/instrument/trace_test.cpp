// A rewritten kernel does what it did before, and its records say what the emulator's own observer saw: the same
// instructions, lanes, addresses and shuffles in every warp, in the same order.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "tests/kernels/emulator/sync_trials.h"
#include "tests/kernels/instrument/support.h"
#include "tests/sample.h"
#include "tests/shell_word.h"

namespace lanescope::instrument::test {
namespace {

constexpr std::uint64_t plenty = std::uint64_t{64} << 20;

/// The two laws of this file.
void expect_faithful(const Program& p, const Choice& choice = {}, std::uint32_t slice = 1) {
  std::vector<trace::Buffer> plain = p.buffers;
  const trace::Trace expected = recorded(p, plain, slice);
  const TracedRun traced = run_traced(p, choice, plenty, slice);
  ASSERT_EQ(traced.buffers.size(), plain.size()) << p.name;
  for (std::size_t b = 0; b < plain.size(); ++b)
    EXPECT_TRUE(plain[b].bytes == traced.buffers[b].bytes) << p.name << ": " << plain[b].name << " changed";
  EXPECT_EQ(traced.decoded.dropped, 0u) << p.name;
  const auto difference = compare(expected, traced.decoded);
  EXPECT_FALSE(difference) << p.name << ": " << (difference ? difference->words : "");
  EXPECT_EQ(traced.decoded.trace.shared_bytes, expected.shared_bytes) << p.name;
  EXPECT_GT(traced.decoded.records, 0u) << p.name;
}

class TraceCatalogue : public ::testing::TestWithParam<std::string> {};

/// 4096 blocks of one kernel are more than a test needs.
Choice few_blocks(const Program& p) {
  return p.launch.grid.count() > 64 ? Choice{.first_block = 77, .block_count = 3} : Choice{};
}

void shrink(Program& p) {
  trace::Dim3& grid = p.launch.grid;
  if (grid.count() > 64) grid = {std::min(grid.x, 16u), std::min(grid.y, 6u), 1};
}

constexpr const char* polls = "how often blocks ask for the barrier of the grid depends on what else is executed";

TEST_P(TraceCatalogue, RecordsWhatTheEmulatorSees) {
  Program p = compiled(GetParam(), compile::Variant::plain).program;
  if (emulator::synchronises_grid(p.module)) GTEST_SKIP() << polls;
  shrink(p);
  expect_faithful(p, few_blocks(p));
}

TEST_P(TraceCatalogue, ProbedKernelsToo) {
  Program p = compiled(GetParam(), compile::Variant::probed).program;
  if (emulator::synchronises_grid(p.module)) GTEST_SKIP() << polls;
  shrink(p);
  expect_faithful(p, few_blocks(p), 0);
}

INSTANTIATE_TEST_SUITE_P(Kernels, TraceCatalogue, ::testing::ValuesIn(catalogue(4)),
                         [](const auto& info) { return std::filesystem::path(info.param).stem().string(); });

// --- kernels of tests/data ------------------------------------------------------------------------------------------

using emulator::test::buffer_of;
using emulator::test::value_of;
using u32 = std::uint32_t;

Program stored(const std::string& kernel, trace::Dim3 grid, trace::Dim3 block, std::vector<trace::Buffer> buffers,
               std::vector<trace::Argument> arguments) {
  Program p{kernel, emulator::test::module_of(text_of(LANESCOPE_TEST_DATA_DIR "/emulator/kernels.ptx")), {}, {}};
  p.launch = {.kernel = kernel, .grid = grid, .block = block, .arguments = std::move(arguments)};
  p.buffers = std::move(buffers);
  return p;
}

std::vector<u32> some_numbers(std::size_t count, u32 below = ~0u) {
  emulator::test::Numbers numbers(7);
  std::vector<u32> out(count);
  for (u32& n : out) n = static_cast<u32>(numbers.below(below));
  return out;
}

const trace::BufferArgument first{0, 0}, second{1, 0};

TEST(StoredKernels, Transpose) {
  expect_faithful(stored("transpose", {3, 2, 1}, {32, 8, 1},
                         {buffer_of("in", some_numbers(70 * 45)), buffer_of("out", std::vector<u32>(70 * 45))},
                         {first, second, value_of(70), value_of(45)}));
}

TEST(StoredKernels, SumWithShufflesAndAtomics) {
  expect_faithful(stored("sum", {5, 1, 1}, {256, 1, 1},
                         {buffer_of("in", some_numbers(10007, 1000)), buffer_of("out", std::vector<u32>(1))},
                         {first, second, value_of(10007)}));
}

TEST(StoredKernels, HistogramWithDivergentLoops) {
  std::vector<unsigned char> in(5000);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i * i % 199);
  for (const u32 slice : {0u, 1u})
    expect_faithful(
        stored("histogram", {3, 1, 1}, {96, 1, 1}, {buffer_of("in", in), buffer_of("out", std::vector<u32>(256))},
               {first, second, value_of(5000)}),
        {}, slice);
}

TEST(StoredKernels, AFunctionThatIsCalled) {
  expect_faithful(stored("lengths", {3, 1, 1}, {64, 1, 1}, {buffer_of("out", std::vector<u32>(192))}, {first}));
}

TEST(StoredKernels, VectorsAndHalves) {
  expect_faithful(stored("bytes", {1, 1, 1}, {64, 1, 1},
                         {buffer_of("in", some_numbers(256)), buffer_of("out", std::vector<u32>(256))},
                         {first, second}));
  expect_faithful(stored("halves", {1, 1, 1}, {32, 1, 1},
                         {buffer_of("in", std::vector<u32>(32, 0x42004000)), buffer_of("out", std::vector<u32>(32))},
                         {first, second}));
}

TEST(StoredKernels, AsynchronousCopies) {
  Program p{"cpa", emulator::test::module_of(text_of(LANESCOPE_TEST_DATA_DIR "/ptx/machine_sm90.ptx")), {}, {}};
  p.launch = {.kernel = "_Z3cpaP6float4S0_", .grid = {1, 1, 1}, .block = {128, 1, 1}, .arguments = {first, second}};
  p.buffers = {buffer_of("out", std::vector<u32>(512)), buffer_of("in", some_numbers(512))};
  expect_faithful(p);
}

TEST(StoredKernels, BranchesByTable) {
  for (const int n : {1, 3, 4, 6, 9}) {
    Program p{"sw", emulator::test::module_of(text_of(LANESCOPE_TEST_DATA_DIR "/ptx/machine_sm90.ptx")), {}, {}};
    p.launch = {.kernel = "_Z2swPii", .grid = {2, 1, 1}, .block = {48, 1, 1}, .arguments = {first, value_of(n)}};
    p.buffers = {buffer_of("o", some_numbers(64, 1000))};
    expect_faithful(p);
  }
}

/// The toolkit's assembler, where there is one.
std::string assembler() {
  for (const char* path : {"/usr/local/cuda/bin/ptxas", "/usr/bin/ptxas"})
    if (std::filesystem::exists(path)) return path;
  return "";
}

void expect_assembles(const std::string& name, const std::string& ptx) {
  const std::string base = (std::filesystem::temp_directory_path() / ("lanescope-instrument-" + name)).string();
  std::ofstream(base + ".ptx") << ptx;
  const std::string arch = ptx.find(".target sm_90a") != std::string::npos ? "sm_90a" : "sm_90";
  const bool calls_runtime = ptx.find("__cudaCDP2") != std::string::npos;  // which its loader links
  // Whether it takes the text does not depend on how much it optimises.
  const std::string command = assembler() + " -O0 -arch=" + arch + (calls_runtime ? " -c" : "") + " -o /dev/null " +
                              shell_word(base + ".ptx") + " > " + shell_word(base + ".log") + " 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << name << "\n" << text_of(base + ".log");
  std::filesystem::remove(base + ".ptx");
  std::filesystem::remove(base + ".log");
}

// Grids launched by a kernel record nothing, though it is the same kernel and calls the same function.
TEST(KernelsThatLaunch, TheirGridsRecordNothing) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const std::string text = R"(/*
[lanescope]
kernel = "parent"
grid = 2
block = 64
args = ["c", "x", 2]
[buffers]
c = "s32 i:256"
x = "s32 i:256 = zeros"
*/
__device__ __noinline__ int both(const int *c, int i) { return c[i] * 3 + c[i + 64]; }
__global__ void child(const int *c, int *x) { atomicAdd(&x[threadIdx.x], both(c, threadIdx.x)); }
__global__ void parent(const int *c, int *x, int depth)
{
    atomicAdd(&x[64 * blockIdx.x + threadIdx.x], both(c, threadIdx.x + depth));
    if (threadIdx.x == 0 && depth > 0) {
        parent<<<2, 32>>>(c, x + 32, depth - 1);
        child<<<1, 16, 0, cudaStreamFireAndForget>>>(c, x);
    }
}
)";
  const Program p = compiled("launching.cu", compile::Variant::plain, text).program;
  for (const u32 slice : {0u, 1u}) expect_faithful(p, {}, slice);
  const auto rewritten = rewrite_traced(p.module, p.launch.kernel);
  ASSERT_TRUE(rewritten);
  if (!assembler().empty()) expect_assembles("launching", rewritten->ptx);
}

// --- kernels by hand ------------------------------------------------------------------------------------------------

Program by_hand(const std::string& body, u32 blocks, u32 threads, const std::string& declarations = "",
                const std::string& before = "") {
  std::string text = emulator::test::kernel(body, 2, declarations);
  text.insert(emulator::test::header.size(), before);
  Program p{"k", emulator::test::module_of(text), emulator::test::launch_of(blocks, threads, 2), {}};
  p.buffers = {buffer_of("a", some_numbers(4096)), buffer_of("b", std::vector<u32>(4096))};
  return p;
}

TEST(ByHand, GuardsSpacesAndWidths) {
  expect_faithful(by_hand(R"(
    and.b32 %r0, %tid, 3;
    setp.eq.u32 %p0, %r0, 1;
    setp.gt.u32 %p1, %tid, 5000;
    mul.wide.u32 %rd10, %tid, 16;
    add.s64 %rd11, %rd0, %rd10;
    add.s64 %rd12, %rd1, %rd10;
    @%p0 ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd11+16];
    @!%p0 ld.global.nc.v2.u32 {%r1, %r2}, [%rd11];
    @%p1 ld.global.u32 %r5, [%rd11];
    mov.u32 %r10, %tid.x;
    shl.b32 %r11, %r10, 3;
    mov.u32 %r12, tile;
    add.s32 %r11, %r11, %r12;
    @%p0 st.shared.u64 [%r11], %rd10;
    @!%p0 st.shared.u16 [%r11+4], %h0;
    bar.sync 0;
    cvta.shared.u64 %rd20, %rd21;
    cvt.u64.u32 %rd21, %r11;
    cvta.shared.u64 %rd20, %rd21;
    ld.u64 %rd22, [%rd20];
    selp.b64 %rd23, %rd20, %rd11, %p0;
    @!%p0 ld.u32 %r6, [%rd11];
    st.u32 [%rd12+4], %r6;
    atom.global.add.u32 %r7, [%rd1], %r10;
    @%p0 red.global.max.u32 [%rd1+8], %r10;
    atom.shared.exch.b32 %r8, [tile+12], %r10;
    ld.shared.u32 %r9, [small];
    st.global.u32 [%rd12], %r1;)",
                          2, 50, ".shared .align 4 .b8 small[4];\n.shared .align 16 .b8 tile[640];\n"));
}

TEST(ByHand, ShufflesOfEveryMode) {
  expect_faithful(by_hand(R"(
    and.b32 %r0, %tid, 8;
    setp.ne.u32 %p0, %r0, 0;
    mul.lo.u32 %r1, %tid, 7;
    shfl.sync.idx.b32 %r2, %r1, %r1, 31, -1;
    shfl.sync.up.b32 %r2|%p1, %r2, 3, 0, -1;
    shfl.sync.down.b32 %r2, %r2, 2, 0x181f, -1;
    shfl.sync.bfly.b32 %r2, %r2, 5, 31, -1;
    @%p0 shfl.sync.bfly.b32 %r2, %r2, 1, 31, 0xff00ff00;
    mul.wide.u32 %rd10, %tid, 4;
    add.s64 %rd11, %rd1, %rd10;
    @%p1 add.s32 %r2, %r2, 1;
    st.global.u32 [%rd11], %r2;)",
                          2, 64));
}

/// Lanes of one warp with different member masks: as many groups at one instruction, and the rewritten kernel still does
/// what it did, with one record of the shuffle for all of them.
TEST(ByHand, AMemberMaskForEachLane) {
  namespace trials = emulator::test;
  std::mt19937_64 random(4);
  for (int round = 0; round < 8; ++round) {
    std::vector<trials::SyncWarp> warps;
    for (int w = 0; w < 8; ++w) warps.push_back(trials::random_sync_warp(random, round % 2 != 0));
    Program p;
    p.name = "sync_trials";
    p.module = trials::module_of(trials::sync_trials_ptx());
    p.launch = trials::launch_of(2, trials::sync_block_threads, 2);
    p.launch.kernel = p.name;
    std::vector<u32> in(warps.size() * sizeof(trials::SyncWarp) / 4);
    std::memcpy(in.data(), warps.data(), in.size() * 4);
    p.buffers = {buffer_of("in", in),
                 buffer_of("out", std::vector<u32>(warps.size() * 64 * trials::sync_operation_count))};
    expect_faithful(p, {}, static_cast<u32>(round % 3));
    const TracedRun traced = run_traced(p, {}, plenty);
    const auto m = trials::sync_compare(warps, trials::values_of<u32>(traced.buffers[1]));
    EXPECT_EQ(m.different, 0u) << m.first;
  }
}

/// The reserved shared memory lies before the kernel's own, whether the kernel has any or not.
TEST(ByHand, ReservedSharedMemory) {
  for (const bool own : {false, true})
    expect_faithful(by_hand(std::string(own ? "st.shared.u32 [words+8], %tid;" : "") + R"(
    mov.u32 %r1, %reserved_smem_offset_1;
    shl.b32 %r2, %tid, 2;
    add.u32 %r1, %r1, %r2;
    st.shared.u32 [%r1+32], %tid;
    cvt.u64.u32 %rd20, %r1;
    cvta.shared.u64 %rd20, %rd20;
    ld.u32 %r3, [%rd20+32];
    mul.wide.u32 %rd10, %tid, 4;
    add.s64 %rd11, %rd1, %rd10;
    st.global.u32 [%rd11], %r3;)",
                            1, 32, own ? ".shared .align 4 .b8 words[64];\n" : ""));
}

/// Functions without a body have no instructions to number.
TEST(ByHand, AFunctionBehindAnAssertion) {
  expect_faithful(by_hand(R"(
    setp.lt.u32 %p0, %tid, 1000;
    @%p0 bra fine;
    { .param .b64 m; st.param.b64 [m], 0; .param .b64 f; st.param.b64 [f], 0; .param .b32 l; st.param.b32 [l], 0;
    .param .b64 n; st.param.b64 [n], 0; .param .b64 s; st.param.b64 [s], 1;
    call.uni __assertfail, (m, f, l, n, s); }
    fine:
    mul.wide.u32 %rd10, %tid, 4;
    add.s64 %rd11, %rd1, %rd10;
    { .param .b64 a; st.param.b64 [a], %rd11; call.uni store, (a); }
    ld.global.u32 %r1, [%rd11];)",
                          2, 50, "",
                          ".extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, "
                          ".param .b64 s);\n"
                          ".func store(.param .b64 a)\n{\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [a];\n"
                          "st.global.u32 [%rd1], 7;\nret;\n}\n"));
}

TEST(ByHand, LoopsOfDifferentLengths) {
  for (const u32 slice : {0u, 1u})
    expect_faithful(by_hand(R"(
    and.b32 %r0, %tid, 7;
    mul.wide.u32 %rd10, %tid, 4;
    add.s64 %rd11, %rd0, %rd10;
    add.s64 %rd12, %rd1, %rd10;
    mov.u32 %r1, 0;
again:
    setp.ge.u32 %p0, %r1, %r0;
    @%p0 bra done;
    ld.global.u32 %r2, [%rd11];
    and.b32 %r3, %r1, 1;
    setp.ne.u32 %p1, %r3, 0;
    @%p1 bra odd;
    st.global.u32 [%rd12+1024], %r2;
    bra.uni both;
odd:
    st.global.u32 [%rd12], %r2;
both:
    add.s64 %rd11, %rd11, 4;
    add.s32 %r1, %r1, 1;
    bra again;
done:
    st.global.u32 [%rd12+2048], %r1;)",
                            3, 70),
                    {}, slice);
}

TEST(ByHand, FunctionsRecordAndMatricesAreRows) {
  const std::string function = R"(
.visible .func (.param .b32 r) f(.param .b64 p, .param .b32 i)
{ .reg .b64 %a, %b; .reg .b32 %x;
  ld.param.u64 %a, [p]; ld.param.u32 %x, [i]; mul.wide.u32 %b, %x, 4; add.s64 %a, %a, %b;
  ld.global.u32 %x, [%a]; st.global.u32 [%a+4096], %x; st.param.b32 [r], %x; ret; }
)";
  expect_faithful(by_hand(R"(
    { .param .b64 x; .param .b32 y; .param .b32 z; st.param.b64 [x], %rd0; st.param.b32 [y], %tid;
      call.uni (z), f, (x, y); ld.param.b32 %r1, [z]; }
    mov.u32 %r10, %laneid;
    shl.b32 %r11, %r10, 4;
    mov.u32 %r12, tile;
    add.s32 %r11, %r11, %r12;
    st.shared.v4.u32 [%r11], {%r10, %r10, %r10, %r10};
    bar.sync 0;
    ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r2, %r3}, [%r11];
    ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r4, %r5, %r6, %r7}, [%r11];
    stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r11], {%r2};
    mul.wide.u32 %rd10, %tid, 4;
    add.s64 %rd11, %rd1, %rd10;
    st.global.u32 [%rd11], %r4;)",
                          2, 32, ".shared .align 16 .b8 tile[512];\n", function));
}

// --- choices, room, readers -----------------------------------------------------------------------------------------

TEST(Choices, OnlyChosenWarpsRecord) {
  const Program p =
      by_hand("mul.wide.u32 %rd10, %tid, 4; add.s64 %rd11, %rd1, %rd10; st.global.u32 [%rd11], %tid;", 6, 128);
  for (const Choice c : {Choice{.first_block = 2, .block_count = 3}, Choice{.first_warp = 1, .warp_count = 2},
                         Choice{.first_block = 5, .block_count = 1, .first_warp = 3, .warp_count = 1},
                         Choice{.first_block = 9, .block_count = 1}}) {
    const TracedRun t = run_traced(p, c, plenty);
    std::uint64_t chosen = 0;
    for (u32 block = 0; block < 6; ++block)
      for (u32 warp = 0; warp < 4; ++warp) chosen += c.has(block, warp) ? 1 : 0;
    EXPECT_EQ(t.decoded.records, chosen);
  }
}

TEST(Room, WhatDoesNotFitIsCounted) {
  Program p = compiled(LANESCOPE_SOURCE_DIR "/assets/kernels/half2_transposes.cu", compile::Variant::plain).program;
  std::vector<trace::Buffer> plain = p.buffers;
  const trace::Trace expected = recorded(p, plain);
  const TracedRun whole = run_traced(p, {}, plenty);
  ASSERT_EQ(whole.decoded.dropped, 0u);
  for (const std::uint64_t capacity : {std::uint64_t{0}, std::uint64_t{100}, std::uint64_t{272}, std::uint64_t{5000},
                                       whole.decoded.needed_bytes - 16, whole.decoded.needed_bytes}) {
    const TracedRun some = run_traced(p, {}, capacity);
    EXPECT_EQ(some.decoded.records + some.decoded.dropped, whole.decoded.records) << capacity;
    EXPECT_EQ(some.decoded.needed_bytes, whole.decoded.needed_bytes) << capacity;
    EXPECT_EQ(some.decoded.dropped == 0, capacity == whole.decoded.needed_bytes) << capacity;
    EXPECT_EQ(some.decoded.trace.truncated, some.decoded.dropped != 0);
    EXPECT_FALSE(compare(expected, some.decoded)) << capacity;
    EXPECT_EQ(some.buffers[1].bytes, plain[1].bytes) << capacity;
  }
}

TEST(Compare, NamesTheFirstDifference) {
  const auto kernel = [](int stride, int shared) {
    return by_hand("mul.wide.u32 %rd10, %tid, " + std::to_string(stride) +
                       "; add.s64 %rd11, %rd1, %rd10; mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, " +
                       std::to_string(shared) +
                       "; mov.u32 %r2, tile; add.s32 %r1, %r1, %r2; st.shared.u8 [%r1], %tid; "
                       "shfl.sync.bfly.b32 %r3, %tid, " +
                       std::to_string(shared) + ", 31, -1; st.global.u32 [%rd11], %r3;",
                   2, 64, ".shared .align 16 .b8 tile[640];\n");
  };
  const Program p = kernel(4, 2);
  std::vector<trace::Buffer> buffers = p.buffers;
  const trace::Trace expected = recorded(p, buffers);
  EXPECT_FALSE(compare(expected, run_traced(p, {}, plenty).decoded));
  auto d = compare(expected, run_traced(kernel(8, 2), {}, plenty).decoded);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->lane, 1);
  EXPECT_EQ(d->index, 1u);
  EXPECT_NE(d->words.find("expected at byte 4 of b, and was at byte 8 of b"), std::string::npos) << d->words;
  d = compare(expected, run_traced(kernel(4, 3), {}, plenty).decoded);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->index, 0u);
  EXPECT_NE(d->words.find("byte 4 of shared memory, and was at byte 8 of shared memory"), std::string::npos)
      << d->words;
}

TEST(Readers, RefuseDamagedRecords) {
  const Program p =
      by_hand("mul.wide.u32 %rd10, %tid, 4; add.s64 %rd11, %rd1, %rd10; st.global.u32 [%rd11], %tid;", 1, 32);
  const auto r = rewrite_traced(p.module, "k");
  ASSERT_TRUE(r);
  trace::Buffer b = record_buffer(r->description, {}, 4096);
  const auto read = [&] { return decode(b, r->description, p.launch, p.buffers); };
  EXPECT_TRUE(read());
  b.bytes[0] = std::byte{1};
  b.bytes[r->description.header_bytes() + 12] = std::byte{1};
  b.bytes[r->description.header_bytes()] = std::byte{77};
  EXPECT_FALSE(read());
  b.bytes.resize(20);
  EXPECT_FALSE(read());
  EXPECT_FALSE(rewrite_traced(p.module, "absent"));
}

// --- the assembler takes it -----------------------------------------------------------------------------------------

TEST(Assembler, TakesEveryRewrittenKernel) {
  if (assembler().empty())
    GTEST_SKIP() << "no ptxas here: install the CUDA Toolkit to have the rewritten PTX assembled";
  for (const std::string& path : catalogue(8)) {
    const Program plain = compiled(path, compile::Variant::plain).program;
    const Program probed = compiled(path, compile::Variant::probed).program;
    const auto traced = rewrite_traced(plain.module, plain.launch.kernel);
    const auto words = rewrite_probed(probed.module, probed.launch.kernel);
    ASSERT_TRUE(traced && words) << path;
    expect_assembles(plain.name + "-traced", traced->ptx);
    expect_assembles(plain.name + "-probed", words->ptx);
  }
  for (const char* file : {"/emulator/kernels.ptx", "/ptx/machine_sm90.ptx", "/ptx/language_sm90.ptx"}) {
    const ptx::Module module = emulator::test::module_of(text_of(std::string(LANESCOPE_TEST_DATA_DIR) + file));
    for (const ptx::Entry& e : module.entries) {
      if (e.is_function) continue;
      const auto traced = rewrite_traced(module, e.name);
      ASSERT_TRUE(traced) << e.name;
      expect_assembles(e.name, traced->ptx);
    }
  }
}

/// Statements that compute doubles d and e from doubles a, b and c and an integer t.
std::vector<std::string> functions_of_doubles() {
  std::vector<std::string> out;
  for (const char* f :
       {"acos",   "acosh",     "asin",          "asinh",        "atan",    "atanh",   "cbrt",   "ceil",       "cos",
        "cosh",   "cospi",     "erf",           "erfc",         "erfcinv", "erfcx",   "erfinv", "exp",        "exp10",
        "exp2",   "expm1",     "floor",         "j0",           "j1",      "log",     "lgamma", "log10",      "log1p",
        "log2",   "logb",      "rint",          "rsqrt",        "round",   "normcdf", "rcbrt",  "sin",        "sinh",
        "sinpi",  "sqrt",      "tan",           "tanh",         "trunc",   "y0",      "y1",     "normcdfinv", "fabs",
        "tgamma", "nearbyint", "cyl_bessel_i0", "cyl_bessel_i1"})
    out.push_back(std::string("d = ") + f + "(a);");
  for (const char* f :
       {"atan2", "copysign", "fdim", "fmax", "fmin", "fmod", "hypot", "nextafter", "pow", "remainder", "rhypot"})
    out.push_back(std::string("d = ") + f + "(a, b);");
  for (const char* f : {"fma", "norm3d", "rnorm3d"}) out.push_back(std::string("d = ") + f + "(a, b, c);");
  for (const char* f :
       {"d = jn(3, a);", "d = yn(3, a);", "d = ldexp(a, t);", "sincos(a, &d, &e);", "sincospi(a, &d, &e);",
        "int n; d = frexp(a, &n); e = n;", "d = modf(a, &e);", "int n; d = remquo(a, b, &n); e = n;", "d = a / b;"})
    out.emplace_back(f);
  return out;
}

/// Registers of blocks of assembler code in these functions get numbered names: %temp, %temp$1, ... %temp$10.
TEST(Assembler, TakesEveryFunctionOfDoublePrecision) {
  if (assembler().empty())
    GTEST_SKIP() << "no ptxas here: install the CUDA Toolkit to have the rewritten PTX assembled";
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  std::size_t number = 0, numbered = 0;
  for (const std::string& f : functions_of_doubles()) {
    if (!lanescope::test::in_sample(number++, 5)) continue;
    const std::string text =
        "extern \"C\" __global__ void k(const double *p, double *q) {\n  int t = threadIdx.x;\n"
        "  double a = p[t], b = p[t + 32], c = p[t + 64], d = c, e = 0;\n  " +
        f + "\n  q[t] = d + e;\n}\n";
    const auto source = source::read("double.cu", text);
    ASSERT_TRUE(source) << f;
    const auto out = compile::compile(*source, compile::Variant::plain, {.arch = "sm_90", .extra = {}});
    ASSERT_TRUE(out) << f;
    const auto traced = rewrite_traced(emulator::test::module_of(out->compiled.ptx), "k");
    ASSERT_TRUE(traced) << f;
    numbered += traced->ptx.find("%temp$10") != std::string::npos ? 1 : 0;
    expect_assembles("double", traced->ptx);
  }
  EXPECT_GT(numbered, 0u) << "what this is about";
}

/// A range's name does not end in a digit: the assembler takes the digits after it for the number.
TEST(Assembler, TakesNamesThatEndInNumbers) {
  std::string text = emulator::test::header + ".visible .entry k()\n{\n";
  for (const char* name : {"b32 r", "b64 x9$"})
    for (int i = 1; i < 25; ++i) text += std::string("  .reg .") + name + std::to_string(i) + ";\n";
  text += "  mov.u32 r19, 5;\n  mov.u64 x9$20, 1;\n  ret;\n}\n";
  const std::string printed = ptx::to_string(emulator::test::module_of(text));
  EXPECT_EQ(ptx::to_string(emulator::test::module_of(printed)), printed);
  for (std::size_t at = printed.find('<'); at != std::string::npos; at = printed.find('<', at + 1))
    EXPECT_FALSE(printed[at - 1] >= '0' && printed[at - 1] <= '9') << printed.substr(at - 8, 16);
  if (!assembler().empty()) expect_assembles("names", printed);
}

}  // namespace
}  // namespace lanescope::instrument::test
