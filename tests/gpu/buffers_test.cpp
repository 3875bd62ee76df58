// GPU and emulator side by side where they are bound to differ: a kernel that requests what time it is.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "app/engine/session/session.h"
#include "kernels/compile/compile.h"
#include "tests/gpu/machine.h"
#include "viz/views/buffers/buffers.h"

namespace lanescope::gpu_test {
namespace {

// The emulator's clock counts instructions from the launch; a GPU's has run since it was switched on.
constexpr const char* clock_kernel = R"(/*
[lanescope]
block = 64

[buffers]
y = "f32 i:4 j:64 = zeros"
z = "u8 i:64 = iota"
*/
__global__ void when(float *y, unsigned char *z) {
  const int t = threadIdx.x, late = clock64() > 1000000 && t >= 20 && t < 40;
  y[t + (late ? 64 : 0)] = 1 + t;
  z[t] = t + 1;
}
)";

TEST(BuffersOnGpu, ValuesAndAccessesStandBesideTheEmulators) {
  LS_NEEDS_GPU();
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  engine::RunRequest request;
  request.file = "when.cu", request.text = clock_kernel, request.on_gpu = true;
  engine::Session session;
  session.run(request);
  const results::Contents c = session.contents({.buffer = -1});
  ASSERT_EQ(c.name, "y") << "the buffer that differs";
  ASSERT_EQ(c.gpu.size(), c.emulated.size());
  EXPECT_EQ(c.different, 40u);  // 20 left out where they were expected, 20 where they were not
  EXPECT_EQ(c.first_different, 20);
  for (std::uint64_t n = 0; n < c.count; ++n)
    EXPECT_EQ(views::differs(c, n), (n >= 20 && n < 40) || (n >= 84 && n < 104)) << n;

  const auto warning = std::ranges::find(session.summary().diagnostics, Severity::warning, &Diagnostic::severity);
  ASSERT_NE(warning, session.summary().diagnostics.end());
  const std::string words = to_string(*warning);
  EXPECT_EQ(warning->line, 11) << words;
  EXPECT_NE(words.find("the first differing instruction is `st.global"), std::string::npos) << words;
  EXPECT_EQ(words.find("threads race"), std::string::npos) << words;

  engine::MeasureRequest how;
  how.counters = false, how.trace = true;
  const results::Measured measured = session.measure(how);
  ASSERT_EQ(measured.buffers.size(), 2u);
  EXPECT_EQ(measured.buffers[0].different, 40u);
  EXPECT_EQ(measured.buffers[0].first, 20u);
  EXPECT_EQ(measured.buffers[1].different, 0u);
  ASSERT_TRUE(measured.trace && measured.trace->pair) << "the first store of warp 0";
  const results::AccessPair& pair = *measured.trace->pair;
  EXPECT_EQ(pair.warp, 0u);
  EXPECT_EQ(views::differing_lanes(pair), 0xfff00000u);
  ASSERT_EQ(pair.gpu_places.size(), 32u);
  EXPECT_EQ(pair.emulated_places[20], "y + 80");
  EXPECT_EQ(pair.gpu_places[20], "y + 336");
  EXPECT_EQ(pair.emulated_places[3], pair.gpu_places[3]);
}

// One thread, and a value that no trace holds: the instruction is unknown, and there is no race.
TEST(BuffersOnGpu, OneThreadIsNotAccusedOfARace) {
  LS_NEEDS_GPU();
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  engine::RunRequest request;
  request.file = "time.cu", request.on_gpu = true, request.review = true;
  request.text =
      "/*\n[lanescope]\nblock = 1\n\n[buffers]\ny = \"u64 i:1\"\n*/\n"
      "__global__ void time(unsigned long long *y) {\n  y[0] = clock64();\n}\n";
  engine::Session session;
  session.run(request);
  const auto warning = std::ranges::find(session.summary().diagnostics, Severity::warning, &Diagnostic::severity);
  ASSERT_NE(warning, session.summary().diagnostics.end());
  const std::string words = to_string(*warning);
  EXPECT_EQ(warning->line, 9) << words;
  EXPECT_NE(words.find("is not known: all accesses and shuffles of block 0 are equal"), std::string::npos) << words;
  EXPECT_NE(words.find("stored by `st.global"), std::string::npos) << words;
  EXPECT_EQ(words.find("threads race"), std::string::npos) << words;
}

}  // namespace
}  // namespace lanescope::gpu_test
