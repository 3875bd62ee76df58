// Floats of 8 bits: against a search for the nearest of all values, and as contents that host code makes.

#include "kernels/source/host/number_rules.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/kernels/source/host/oracle.h"

namespace lanescope::source::test {
namespace {

using host::Fp8;

/// The finite code that is nearest, the even one of two; the largest for all that is larger.
std::uint8_t nearest(Fp8 format, double value) {
  int best = 0;
  double distance = std::numeric_limits<double>::infinity();
  for (int code = 0; code < 0x80; ++code) {
    const double at = host::fp8_value(format, static_cast<std::uint8_t>(code));
    if (!std::isfinite(at)) continue;
    const double d = std::abs(at - std::min(std::abs(value), 1e6));  // 1e300 is as far from all of them
    if (d < distance || (d == distance && code % 2 == 0)) best = code, distance = d;
  }
  return static_cast<std::uint8_t>(best | (std::signbit(value) ? 0x80 : 0));
}

TEST(Fp8, IsTheNearestValue) {
  std::mt19937_64 random(8);
  for (const Fp8 format : {Fp8::e4m3, Fp8::e5m2}) {
    std::vector<double> values = {0.0, -0.0, INFINITY, -INFINITY, 1e300, -1e300, 1e-300,
                                  464, 465,  480,      57344,     61440, 65536};
    for (int code = 0; code < 256; ++code) {
      const double at = host::fp8_value(format, static_cast<std::uint8_t>(code));
      if (!std::isfinite(at)) continue;
      EXPECT_EQ(host::fp8_bits(format, at), code);
      const double next = host::fp8_value(format, static_cast<std::uint8_t>(code ^ 1)), middle = (at + next) / 2;
      for (const double v : {at, middle, std::nextafter(middle, 1e9), std::nextafter(middle, -1e9)})
        if (std::isfinite(v)) values.push_back(v);
    }
    for (int i = 0; i < 3000; ++i)
      values.push_back(std::ldexp(static_cast<double>(random() % 4001) - 2000, -static_cast<int>(random() % 24)));
    for (const double v : values) EXPECT_EQ(host::fp8_bits(format, v), nearest(format, v)) << v;
    EXPECT_TRUE(std::isnan(host::fp8_value(format, host::fp8_bits(format, NAN))));
  }
}

TEST(Fp8, HostCodeFillsArrays) {
  const HostRun run = run_text(R"(
#include <cuda_fp8.h>
__global__ void k(const __nv_fp8_e4m3* a, const __nv_fp8_e5m2* b, float sum) {}
int main() {
  __nv_fp8_e4m3 a[4] = {__nv_fp8_e4m3(1.0f), __nv_fp8_e4m3(-0.3f), __nv_fp8_e4m3(1000.f), __nv_fp8_e4m3(0.0f)};
  __nv_fp8_e5m2 b[4];
  for (int i = 0; i < 4; ++i) b[i] = static_cast<__nv_fp8_e5m2>(float(a[i]));
  __nv_fp8_e4m3* da; __nv_fp8_e5m2* db;
  cudaMalloc(&da, sizeof(a)); cudaMalloc(&db, 4 * sizeof(__nv_fp8_e5m2));
  cudaMemcpy(da, a, sizeof(a), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof(b), cudaMemcpyHostToDevice);
  k<<<1, sizeof(__nv_fp8x4_e4m3) * 8>>>(da, db, float(a[1]) + float(b[2]));
})");
  ASSERT_EQ(run.launches.size(), 1U);
  EXPECT_EQ(run.launches[0].block, (std::array<std::uint32_t, 3>{32, 1, 1}));
  EXPECT_EQ(run.launches[0].arguments[2].number, -0.3125 + 448);
  const auto codes = [&](std::size_t b) {
    std::string out;
    if (!run.buffers[b].contents) return std::string("unknown: ") + run.buffers[b].because;
    for (const std::byte x : *run.buffers[b].contents) out += std::to_string(std::to_integer<int>(x)) + " ";
    return out;
  };
  EXPECT_EQ(run.buffers[0].element_type, "u8");
  EXPECT_EQ(codes(0), "56 170 126 0 ");  // 0x38, 0xaa, 0x7e
  EXPECT_EQ(codes(1), "60 181 95 0 ");   // 0x3c, 0xb5, 0x5f: 448 is 1.75 * 2^8
}

/// A division that rounds down to 0 for few elements: no launch, which is reported.
TEST(HostRun, AGridOfNothingIsRefusedByCuda) {
  const HostRun run = run_text("__global__ void k(int n) {}\nint main() { int n = 100; k<<<n / 256, 256>>>(n); }\n");
  ASSERT_EQ(run.launches.size(), 1U);
  EXPECT_FALSE(run.launches[0].grid.has_value());
  ASSERT_EQ(run.launches[0].because.size(), 1U);
  EXPECT_NE(run.launches[0].because[0].find("the grid is 0 x 1 x 1: CUDA refuses this launch"), std::string::npos)
      << run.launches[0].because[0];
}

}  // namespace
}  // namespace lanescope::source::test
