// How severe a finding is where one rule finds both what is wrong and what may be meant, and what is not said beside it.

#include <fmt/format.h>

#include <filesystem>

#include "kernels/compile/compile.h"
#include "world.h"

namespace lanescope::review {
namespace {

namespace fs = std::filesystem;

bool no_compiler() { return !compile::toolchain().nvrtc; }

/// Blocks of (8, 64) elements of a matrix of (8, 1024), `step` columns apart.
std::string tiles(const std::string& step, int blocks, const std::string& body) {
  return fmt::format(R"(/*
[lanescope]
grid = {}
block = 64

[buffers]
p = "f32 j:8 k:1024"
q = "f32 j:8 k:1024 = zeros"
*/
__global__ void __launch_bounds__(64) f(const float *p, float *q)
{{
    // Per-block offset
    //   before: shape (8,1024), contiguous
    //   after: shape (8,64), strides (1024, 1)
    p += {} * blockIdx.x;
    q += {} * blockIdx.x;
    for (int row = 0; row < 8; ++row) {{
        int at = 1024 * row + threadIdx.x;
        {}
    }}
}}
)",
                     blocks, step, step, body);
}

TEST(Severity, AnOffsetThatOverlapsAndLeavesOutIsAnError) {
  if (no_compiler()) GTEST_SKIP() << "no NVRTC here";
  const Reviewed r = reviewed(tiles("32", 16, "q[at] = p[at];"));
  EXPECT_EQ(r.problem, "");
  const auto overlap = of_rule(r, "pointer-offset-overlap"), gap = of_rule(r, "pointer-offset-gap"),
             written = of_rule(r, "write-overlap");
  ASSERT_FALSE(overlap.empty() || gap.empty() || written.empty()) << words(r);
  for (const auto& all : {overlap, gap, written})
    for (const Finding& f : all) EXPECT_EQ(f.severity, Severity::error) << f.message;
  EXPECT_NE(
      written.front().message.find("3840 of 8192 elements of `q` are written by several blocks, and 3840 by none"),
      std::string::npos)
      << words(r);
  EXPECT_TRUE(of_rule(reviewed(tiles("64", 16, "q[at] = p[at];")), "write-overlap").empty());
}

TEST(Severity, AHaloOrATailAloneIsANote) {
  if (no_compiler()) GTEST_SKIP() << "no NVRTC here";
  // 17 tiles with a halo of four: they overlap, and nothing is left out. Only the middle of each is written.
  const Reviewed halo =
      reviewed(tiles("60", 17, "if (threadIdx.x < 60) q[at] = p[at] + p[at + (threadIdx.x < 60 ? 4 : 0)];"));
  // 15 of 16 tiles: one is left out, and nothing overlaps.
  const Reviewed tail = reviewed(tiles("64", 15, "q[at] = p[at];"));
  for (const Reviewed* r : {&halo, &tail}) {
    EXPECT_EQ(r->problem, "");
    EXPECT_TRUE(of_rule(*r, "write-overlap").empty()) << words(*r);
    for (const char* rule : {"pointer-offset-overlap", "pointer-offset-gap"})
      for (const Finding& f : of_rule(*r, rule)) EXPECT_EQ(f.severity, Severity::note) << f.message;
  }
  EXPECT_FALSE(of_rule(halo, "pointer-offset-overlap").empty()) << words(halo);
  EXPECT_FALSE(of_rule(tail, "pointer-offset-gap").empty()) << words(tail);
}

/// No advice to put a barrier where one stands, or to take it out.
TEST(Severity, ABarrierOfPartOfABlockIsNamedAsThat) {
  if (no_compiler()) GTEST_SKIP() << "no NVRTC here";
  int kernels = 0;
  for (const auto& f : fs::directory_iterator(LANESCOPE_TEST_DATA_DIR "/review/barrier-divergent")) {
    if (!f.path().filename().string().starts_with("trip")) continue;
    const Reviewed r = reviewed(file_text(f.path().string()));
    EXPECT_TRUE(of_rule(r, "barrier-missing").empty()) << f.path() << "\n" << words(r);
    EXPECT_TRUE(of_rule(r, "barrier-unneeded").empty()) << f.path() << "\n" << words(r);
    const auto found = of_rule(r, "barrier-divergent");
    ASSERT_FALSE(found.empty()) << f.path() << "\n" << words(r);
    // Threads that have ended are not waited for: that is legal on today's GPUs.
    EXPECT_EQ(found.front().severity, f.path().filename() == "trip_5.cu" ? Severity::warning : Severity::error)
        << f.path();
    ++kernels;
  }
  EXPECT_GE(kernels, 6);
}

TEST(Severity, ABarrierThatIsMissingElsewhereIsFoundBesideADivergentOne) {
  if (no_compiler()) GTEST_SKIP() << "no NVRTC here";
  const Reviewed r = reviewed(R"(/*
[lanescope]
grid = 1
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[64];
    s[threadIdx.x] = p[threadIdx.x];
    q[threadIdx.x] = s[63 - threadIdx.x];
    if (threadIdx.x < 32) __syncthreads();
    q[threadIdx.x + 64] = s[threadIdx.x ^ 1];
}
)");
  EXPECT_EQ(places(r), (std::vector<std::string>{"barrier-missing:14", "barrier-divergent:15"})) << words(r);
  ASSERT_FALSE(r.findings.empty());
  EXPECT_NE(r.findings.back().message.find("reached by 32 of 64 threads of block 0; the others continue without it"),
            std::string::npos)
      << words(r);
}

TEST(Severity, ATableOfTheLibraryIsNobodysArray) {
  if (no_compiler()) GTEST_SKIP() << "no NVRTC here";
  const Reviewed r = reviewed(file_text(LANESCOPE_TEST_DATA_DIR "/review/double-precision/trip_2.cu"));
  EXPECT_TRUE(of_rule(r, "partial-lines").empty()) << words(r);
}

TEST(Severity, AVariableOfTheModuleIsCalledByItsName) {
  if (no_compiler()) GTEST_SKIP() << "no NVRTC here";
  const Reviewed r = reviewed(R"(/*
[lanescope]
grid = 1
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__device__ float table[1024];

__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    q[threadIdx.x] = p[threadIdx.x] + table[threadIdx.x * 8];
}
)");
  const auto found = of_rule(r, "partial-lines");
  ASSERT_EQ(found.size(), 1u) << words(r);
  EXPECT_EQ(found.front().evidence.buffer, "table");
  EXPECT_NE(found.front().message.find("of `table`"), std::string::npos) << words(r);
}

}  // namespace
}  // namespace lanescope::review
