// Kernels as nvcc compiled them (tests/data/emulator/kernels.cu, PTX beside it) against the same work on the host.

#include <numeric>

#include "kernels/base/read_file.h"
#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {
namespace {

using u32 = std::uint32_t;

const ptx::Module& kernels() {
  static const ptx::Module module = [] {
    const std::string text = read_file(LANESCOPE_TEST_DATA_DIR "/emulator/kernels.ptx").value_or("");
    return module_of(text);
  }();
  return module;
}

void run_kernel(const std::string& name, trace::Dim3 grid, trace::Dim3 block, std::vector<trace::Buffer>& buffers,
                std::vector<trace::Argument> arguments) {
  trace::Launch launch;
  launch.kernel = name;
  launch.grid = grid;
  launch.block = block;
  launch.arguments = std::move(arguments);
  for (std::uint64_t seed : {1, 2}) {
    std::vector<trace::Buffer> plain = buffers, tagged = buffers;
    Options o;
    o.seed = seed;
    run_ok(kernels(), launch, plain, o);
    trace::TagPool pool;
    pool.space = tag_space(tagged);
    o.tags = &pool;
    o.slice = 0;
    run_ok(kernels(), launch, tagged, o);
    for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(plain[i].bytes, tagged[i].bytes) << name;
    if (seed == 2) buffers = plain;
  }
}

TEST(Compiled, Transpose) {
  constexpr int width = 70, height = 45;
  std::vector<float> in(width * height);
  std::iota(in.begin(), in.end(), 0.5f);
  std::vector<trace::Buffer> buffers{buffer_of("in", in), buffer_of("out", std::vector<float>(in.size()))};
  run_kernel("transpose", {3, 2, 1}, {32, 8, 1}, buffers,
             {trace::BufferArgument{0, 0}, trace::BufferArgument{1, 0}, value_of(width), value_of(height)});
  const auto out = values_of<float>(buffers[1]);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      ASSERT_EQ(out[static_cast<std::size_t>(x * height + y)], in[static_cast<std::size_t>(y * width + x)]);
}

TEST(Compiled, Sum) {
  std::vector<int> in(10007);
  std::iota(in.begin(), in.end(), -3000);
  std::vector<trace::Buffer> buffers{buffer_of("in", in), buffer_of("out", std::vector<int>(1))};
  run_kernel("sum", {5, 1, 1}, {256, 1, 1}, buffers,
             {trace::BufferArgument{0, 0}, trace::BufferArgument{1, 0}, value_of(static_cast<int>(in.size()))});
  EXPECT_EQ(values_of<int>(buffers[1])[0], std::accumulate(in.begin(), in.end(), 0));
}

TEST(Compiled, Histogram) {
  Numbers numbers(1);
  std::vector<unsigned char> in(5000);
  std::vector<u32> want(256);
  for (auto& x : in) ++want[x = static_cast<unsigned char>(numbers.below(200))];
  std::vector<trace::Buffer> buffers{buffer_of("in", in), buffer_of("out", std::vector<u32>(256))};
  run_kernel("histogram", {3, 1, 1}, {96, 1, 1}, buffers,
             {trace::BufferArgument{0, 0}, trace::BufferArgument{1, 0}, value_of(static_cast<int>(in.size()))});
  EXPECT_EQ(values_of<u32>(buffers[1]), want);
}

TEST(Compiled, LoopsInAFunctionThatIsCalled) {
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<u32>(192))};
  run_kernel("lengths", {3, 1, 1}, {64, 1, 1}, buffers, {trace::BufferArgument{0, 0}});
  const auto out = values_of<u32>(buffers[0]);
  for (u32 i = 0; i < 192; ++i) {
    u32 n = i + 1, steps = 0;
    for (; n != 1; ++steps) n = n % 2 != 0 ? 3 * n + 1 : n / 2;
    ASSERT_EQ(out[i], steps);
  }
}

TEST(Compiled, FourByFourBytes) {
  std::vector<unsigned char> in(16 * 64);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i * 7);
  std::vector<trace::Buffer> buffers{buffer_of("in", in), buffer_of("out", std::vector<unsigned char>(in.size()))};
  run_kernel("bytes", {1, 1, 1}, {64, 1, 1}, buffers, {trace::BufferArgument{0, 0}, trace::BufferArgument{1, 0}});
  const auto out = values_of<unsigned char>(buffers[1]);
  for (std::size_t t = 0; t < 64; ++t)
    for (std::size_t r = 0; r < 4; ++r)
      for (std::size_t c = 0; c < 4; ++c) ASSERT_EQ(out[t * 16 + c * 4 + r], in[t * 16 + r * 4 + c]);
}

TEST(Compiled, PackedHalves) {
  // Small integers: every step is exact, so plain numbers show the result. 0x3c00 is 1, 0x4000 is 2, 0x4200 is 3.
  std::vector<u32> in(32, 0x42004000);
  std::vector<trace::Buffer> buffers{buffer_of("in", in), buffer_of("out", std::vector<u32>(32))};
  run_kernel("halves", {1, 1, 1}, {32, 1, 1}, buffers, {trace::BufferArgument{0, 0}, trace::BufferArgument{1, 0}});
  EXPECT_EQ(values_of<u32>(buffers[1]), std::vector<u32>(32, 0x46804480));  // {2*2+0.5, 2+4.5}
}

}  // namespace
}  // namespace lanescope::emulator::test
