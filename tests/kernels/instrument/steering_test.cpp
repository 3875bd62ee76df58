// Which values steer a launch, against an oracle: if a value does not steer by the analysis, runs with any other values
// of it execute the same instructions in the same lanes at the same addresses.

#include <fmt/format.h>

#include <random>

#include "kernels/instrument/slice_analysis.h"
#include "tests/kernels/instrument/support.h"

namespace lanescope::instrument::test {
namespace {

/// Everything that a launch does, but the values.
class Footprint final : public trace::Observer {
 public:
  void on_step(const trace::Where& w) override { add(w.pc), add(w.active), add(w.warp), add(w.block); }
  void on_access(const trace::AccessEvent& e) override {
    add(e.where.pc), add(e.where.active);
    for (std::size_t lane = 0; lane < 32; ++lane)
      if ((e.where.active >> lane & 1) != 0) add(e.addresses[lane]);
  }
  std::uint64_t sum = 1469598103934665603ULL;

 private:
  void add(std::uint64_t v) { sum = (sum ^ v) * 1099511628211ULL; }
};

struct Body {
  const char* name;
  const char* text;         ///< of `k(const int* x, int* y, int a, int b)` with 64 threads; arrays have 256 elements
  const char* steers;       ///< of x, y, a, b: those that must be found; the oracle finds what may not be left out
  const char* unconcerned;  ///< those that must not be
};

constexpr Body bodies[] = {
    {"scaled", "y[threadIdx.x] = a * x[threadIdx.x] + b;", "", "xab"},
    {"guarded", "if (threadIdx.x < a) y[threadIdx.x] = x[threadIdx.x] * b;", "a", "xb"},
    {"shifted", "y[threadIdx.x] = x[(threadIdx.x + a) & 255] + b;", "a", "xb"},
    {"gathered", "y[threadIdx.x] = x[x[threadIdx.x] & 255] + a * b;", "x", "ab"},
    {"selected", "int v = x[threadIdx.x]; y[threadIdx.x] = v > a ? v : b;", "", "xab"},
    {"branched", "int v = x[threadIdx.x]; if (v > 7) for (int i = 0; i < (v & 15); ++i) y[threadIdx.x] += a;", "x",
     "ab"},
    {"through_shared",
     "__shared__ int s[64]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); y[s[63 - threadIdx.x] & 127] = a;", "x",
     "ab"},
    {"looped", "int t = 0; for (int i = 0; i < (b & 31); ++i) t += x[i]; y[threadIdx.x] = t * a;", "b", "xa"},
    {"shuffled", "y[threadIdx.x] = __shfl_sync(~0u, x[threadIdx.x], a & 31) + b;", "a", "xb"},
    {"voted", "y[threadIdx.x] = __ballot_sync(~0u, x[threadIdx.x] > a) ^ b;", "", "xab"},
    {"vote_steers", "if (__popc(__ballot_sync(~0u, x[threadIdx.x] > 9)) > 16) y[threadIdx.x] = a + b;", "x", "ab"},
    {"read_back", "y[threadIdx.x] = a; __syncthreads(); y[y[63 - threadIdx.x] & 255] = b;", "a", "x"},
};

class SteeringOf : public testing::TestWithParam<Body> {};

TEST_P(SteeringOf, EveryValueThatTheFootprintDependsOnAndFewOthers) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  const Body& body = GetParam();
  const std::string text = fmt::format(
      "/*\n[lanescope]\nblock = 64\nargs = [\"x\", \"y\", 5, 6]\n[buffers]\nx = \"s32 i:256\"\ny = \"s32 i:256\"\n*/\n"
      "__global__ void k(const int* x, int* y, int a, int b) {{ {} }}\n",
      body.text);
  const Compiled c = compiled(fmt::format("{}.cu", body.name), compile::Variant::plain, text);
  const auto found = steering(c.program.module, c.program.launch, c.program.buffers);
  ASSERT_TRUE(found) << found.error().front().message;
  const bool steers[] = {found->buffers[0].any(), found->buffers[1].any(), found->parameters[2].any(),
                         found->parameters[3].any()};
  constexpr std::string_view names = "xyab";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::string_view(body.steers).find(names[i]) != std::string_view::npos) {
      EXPECT_TRUE(steers[i]) << names[i];
    }
    if (std::string_view(body.unconcerned).find(names[i]) != std::string_view::npos) {
      EXPECT_FALSE(steers[i]) << names[i];
    }
  }
  std::mt19937 random(7);
  const auto footprint = [&](const trace::Launch& launch, std::vector<trace::Buffer> buffers) {
    Footprint seen;
    const auto run = emulator::run(c.program.module, launch, buffers, {.observers = {&seen}});
    EXPECT_TRUE(run && run->faults.empty());
    return seen.sum;
  };
  const std::uint64_t usual = footprint(c.program.launch, c.program.buffers);
  for (std::size_t i = 0; i < names.size(); ++i)
    for (int turn = 0; turn < 6 && !steers[i]; ++turn) {
      trace::Launch launch = c.program.launch;
      std::vector<trace::Buffer> buffers = c.program.buffers;
      if (i < 2) {
        for (std::byte& b : buffers[i].bytes) b = static_cast<std::byte>(random());
      } else {
        launch.arguments[i] = emulator::test::value_of(static_cast<std::int32_t>(random() % 1000));
      }
      EXPECT_EQ(footprint(launch, buffers), usual) << names[i] << " does not steer by the analysis";
    }
}

INSTANTIATE_TEST_SUITE_P(Bodies, SteeringOf, testing::ValuesIn(bodies),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(Steering, BlockNumbersAndGridSizes) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  const auto of = [](const std::string& index) {
    const Compiled c = compiled("grid.cu", compile::Variant::plain,
                                "/*\n[lanescope]\nblock = 32\n[buffers]\ny = \"s32 i:256\"\n*/\n"
                                "__global__ void k(int* y) { y[" +
                                    index + "] = 1; }\n");
    const auto s = steering(c.program.module, c.program.launch, c.program.buffers);
    return std::pair(s && s->block_number, s && s->grid_size);
  };
  EXPECT_EQ(of("threadIdx.x"), std::pair(false, false));
  EXPECT_EQ(of("blockIdx.x * 32 + threadIdx.x"), std::pair(true, false));
  EXPECT_EQ(of("gridDim.x + threadIdx.x"), std::pair(false, true));
}

// The final contents of a buffer come from the values that enter it.
TEST(Steering, OriginsOfResults) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  const Compiled c =
      compiled("origins.cu", compile::Variant::plain,
               "/*\n[lanescope]\nblock = 32\nargs = [\"x\", \"y\", 2]\n[buffers]\nx = \"s32 i:32\"\n"
               "y = \"s32 i:32\"\n*/\n"
               "__global__ void k(const int* x, int* y, int a) { y[threadIdx.x] = x[threadIdx.x] + a; }\n");
  const auto s = steering(c.program.module, c.program.launch, c.program.buffers);
  ASSERT_TRUE(s);
  EXPECT_TRUE(s->results[1].buffers[0] && s->results[1].parameters[2]);
  EXPECT_TRUE(!s->results[0].buffers[1] && !s->results[0].parameters[2]);
}

}  // namespace
}  // namespace lanescope::instrument::test
