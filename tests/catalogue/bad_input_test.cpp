// Mistakes of users, through the whole program: each is reported at the user's own line, with the words that
// lead to it, and no run is endless.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/catalogue/support.h"

namespace lanescope::catalogue {
namespace {

using Kind = emulator::Fault::Kind;

/// A kernel of one block of 64 threads over p[64] and q[64], with this body from line 9 on.
std::string kernel_with(const std::string& body, const std::string& block = "64") {
  return "/*\n[lanescope]\nblock = " + block +
         "\n[buffers]\np = \"f32 i:64\"\nq = \"f32 i:64 = zeros\"\n*/\n"
         "__global__ void k(const float *p, float *q)\n{\n" +
         body + "}\n";
}
constexpr int body_line = 10;

engine::Session run_text(const std::string& text, std::uint64_t max_steps = 200'000'000) {
  return run({.file = "mine.cu", .text = text, .max_steps = max_steps, .launch_file = {}, .launch_text = {}});
}

bool has_words(const std::string& text, std::initializer_list<const char*> wanted) {
  return std::ranges::all_of(wanted, [&](const char* w) { return text.find(w) != std::string::npos; });
}

class BadInput : public ::testing::Test {
 protected:
  void SetUp() override { LANESCOPE_NEEDS_NVRTC(); }

  /// The first fault, after the checks that all faults share.
  static emulator::Fault fault_of(const engine::Session& session, Kind kind, int line) {
    if (session.faults().empty()) {
      ADD_FAILURE() << "no fault\n" << words(session.summary().diagnostics);
      return {};
    }
    const emulator::Fault& f = session.faults().front();
    EXPECT_EQ(static_cast<int>(f.kind), static_cast<int>(kind)) << f.message;
    EXPECT_EQ(f.line, line) << f.message;
    EXPECT_TRUE(has_words(f.message, {"block", "warp", "lane"})) << f.message;
    const auto& d = session.summary().diagnostics;
    EXPECT_TRUE(std::ranges::any_of(d, [&](const Diagnostic& x) {
      return x.severity == Severity::error && x.line == line && x.file == "mine.cu" && !x.remedy.empty();
    })) << words(d);
    return f;
  }
};

TEST_F(BadInput, SyntaxErrorAtTheUsersLineAndColumn) {
  const engine::Session session = run_text(kernel_with("    float x = p[threadIdx.x];\n    q[threadIdx.x] = x +* ;\n"));
  EXPECT_FALSE(session.summary().ok);
  const Diagnostics& all = session.summary().diagnostics;
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().line, body_line + 1) << words(all);
  EXPECT_EQ(all.front().file, "mine.cu");
  EXPECT_GE(all.front().column, 0);
  EXPECT_EQ(words(all).find("lanescope-probe"), std::string::npos) << words(all);
}

TEST_F(BadInput, UnknownNameBehindAClaim) {
  const std::string text = kernel_with(
      "    float x = p[threadIdx.x];\n    // x has the following register assignment:\n    //   thread: i4 i3 i2 i1 "
      "i0\n    //   warp: i5\n"
      "    q[threadIdx.x] = x + undefined;\n");
  const Diagnostics all = run_text(text).summary().diagnostics;
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().line, line_of(text, "undefined")) << words(all);
  EXPECT_NE(all.front().message.find("undefined"), std::string::npos) << words(all);
}

TEST_F(BadInput, NotationAtItsLineAndColumn) {
  const std::string text = kernel_with(
      "    float x = p[threadIdx.x];\n    // x has the following register assignment:\n    //   thread: i4 i3 i2 i1 "
      "io\n");
  const Diagnostics all = run_text(text).summary().diagnostics;
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().line, line_of(text, "thread:"));
  EXPECT_EQ(all.front().column, 30) << words(all);
}

TEST_F(BadInput, HeaderAtItsLine) {
  const std::string text =
      replaced(kernel_with("    q[threadIdx.x] = p[threadIdx.x];\n"), "block = 64", "block = [32, ");
  const Diagnostics all = run_text(text).summary().diagnostics;
  ASSERT_FALSE(all.empty());
  EXPECT_GE(all.front().line, 3) << words(all);
  EXPECT_LE(all.front().line, 4) << words(all);
}

TEST_F(BadInput, OutOfBounds) {
  const emulator::Fault f =
      fault_of(run_text(kernel_with("    float x = p[threadIdx.x + 1];\n    q[threadIdx.x] = x;\n")),
               Kind::out_of_bounds, body_line);
  EXPECT_EQ(f.lane, 31);
  EXPECT_EQ(f.where.warp, 1u);
  EXPECT_TRUE(has_words(f.message, {"`p`", "0x", "4 bytes"})) << f.message;
  EXPECT_NE(f.address, 0u);
}

TEST_F(BadInput, OutOfBoundsInSharedMemory) {
  const emulator::Fault f =
      fault_of(run_text(kernel_with("    __shared__ float tile[32];\n    tile[threadIdx.x] = p[threadIdx.x];\n    "
                                    "__syncthreads();\n    q[threadIdx.x] = tile[threadIdx.x ^ 1];\n")),
               Kind::out_of_bounds, body_line + 1);
  EXPECT_EQ(f.where.warp, 1u);
  EXPECT_TRUE(has_words(f.message, {"shared"})) << f.message;
}

TEST_F(BadInput, Misaligned) {
  const emulator::Fault f = fault_of(
      run_text(
          kernel_with("    float2 x = *(const float2 *)(p + threadIdx.x / 2 + 1);\n    q[threadIdx.x] = x.x + x.y;\n")),
      Kind::misaligned, body_line);
  EXPECT_TRUE(has_words(f.message, {"0x", "8"})) << f.message;
}

TEST_F(BadInput, BarrierThatNeverCompletes) {
  const std::string text = kernel_with(
      "    if (threadIdx.x < 32) {\n        __syncthreads();\n        q[0] = p[0];\n    } else {\n        asm "
      "volatile(\"bar.sync 1;\");\n        q[1] = p[1];\n    }\n");
  const engine::Session session = run_text(text);
  ASSERT_FALSE(session.faults().empty());
  const emulator::Fault& f = session.faults().front();
  EXPECT_TRUE(f.kind == Kind::barrier_never_completes) << f.message;
  EXPECT_TRUE(f.line == line_of(text, "__syncthreads") || f.line == line_of(text, "bar.sync")) << f.message;
  EXPECT_TRUE(has_words(f.message, {"block", "warp", "lane", "barrier", "threads"})) << f.message;
}

// Threads that have exited do not count.
TEST_F(BadInput, BarrierAfterAnEarlyReturnCompletes) {
  const engine::Session session = run_text(
      kernel_with("    if (threadIdx.x >= 32) return;\n    __syncthreads();\n    q[threadIdx.x] = p[threadIdx.x];\n"));
  EXPECT_TRUE(session.faults().empty()) << words(session.summary().diagnostics);
}

TEST_F(BadInput, Deadlock) {
  // Half of a warp waits at a warp barrier for lanes that wait at the block's.
  const std::string text = kernel_with(
      "    if (threadIdx.x & 1) __syncwarp(0xffffffff);\n    else __syncthreads();\n    q[threadIdx.x] = "
      "p[threadIdx.x];\n",
      "32");
  const engine::Session session = run_text(text, 1'000'000);
  ASSERT_FALSE(session.faults().empty()) << words(session.summary().diagnostics);
  EXPECT_EQ(session.faults().front().line, body_line);
  EXPECT_TRUE(has_words(session.faults().front().message, {"block", "warp", "lane", "wait"}))
      << session.faults().front().message;
}

TEST_F(BadInput, RunawayLoopIsStopped) {
  const std::string text =
      kernel_with("    volatile float *r = q;\n    while (r[0] == 0.0f) {\n    }\n    q[threadIdx.x] = 1.0f;\n");
  const engine::Session session = run_text(text, 300'000);
  ASSERT_FALSE(session.faults().empty()) << words(session.summary().diagnostics);
  const emulator::Fault& f = session.faults().front();
  EXPECT_TRUE(f.kind == Kind::runaway || f.kind == Kind::deadlock) << f.message;
  EXPECT_GE(f.line, body_line);
  EXPECT_LE(f.line, body_line + 2);
  EXPECT_TRUE(has_words(f.message, {"block", "warp"})) << f.message;
}

struct Refusal {
  const char *name, *from, *to;
  std::vector<const char*> words;
};

class Refused : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refused, BeforeAnythingRuns) {
  const Refusal& r = GetParam();
  const std::string text = replaced(kernel_with("    q[threadIdx.x] = p[threadIdx.x];\n"), r.from, r.to);
  const engine::Session session = run_text(text);
  EXPECT_EQ(session.summary().steps, 0u);
  EXPECT_FALSE(session.summary().ok);
  ASSERT_FALSE(session.summary().diagnostics.empty());
  const Diagnostic& d = session.summary().diagnostics.front();
  EXPECT_EQ(d.severity, Severity::error);
  EXPECT_EQ(d.file, "mine.cu");
  EXPECT_GE(d.line, 2) << to_string(d);
  EXPECT_LE(d.line, 6) << to_string(d);
  EXPECT_FALSE(d.remedy.empty()) << to_string(d);
  for (const char* w : r.words) EXPECT_NE(to_string(d).find(w), std::string::npos) << to_string(d);
}

INSTANTIATE_TEST_SUITE_P(
    Catalogue, Refused,
    ::testing::Values(
        Refusal{"LargerThanMemory", "f32 i:64\"", "f32 i:1000000 j:60000\"", {"p", "GiB"}},
        Refusal{"LargerThanAnyMemory", "f32 i:64\"", "f32 i:1000000000000 j:1000000000000\"", {"p", "memory"}},
        Refusal{"GridBeyondTheLimit", "block = 64", "block = 64\ngrid = [1, 70000]", {"grid", "65535"}},
        Refusal{"BlockBeyondTheLimit", "block = 64", "block = 2048", {"block", "2048", "1024"}},
        Refusal{"SharedBeyondTheLimit", "block = 64", "block = 64\nshared = 300000", {"300000", "shared"}},
        Refusal{"UnknownElementType", "f32 i:64\"", "f33 i:64\"", {"f33"}},
        Refusal{"UnknownBuffer", "block = 64", "block = 64\nargs = [\"p\", \"r\"]", {"r"}},
        Refusal{"UnknownKernel", "block = 64", "block = 64\nkernel = \"other\"", {"other"}}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace lanescope::catalogue
