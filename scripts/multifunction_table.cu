// Measures the multifunction unit of this machine's GPU and writes the coefficients that reproduce it,
// kernels/emulator/lanes/multifunction_table.inc.h, to standard output. multifunction.h says what they are coefficients of.
//
//   nvcc -O3 -std=c++17 -arch=native -o /tmp/multifunction_table scripts/multifunction_table.cu
//   /tmp/multifunction_table > kernels/emulator/lanes/multifunction_table.inc.h
//
// A result is cut, so each measured float bounds the fixed-point sum before it: low <= c0 * 2^k + bias + c1 * x + c2 *
// square(x) * 2^s <= high. For given c2 and c1 the interval that is left for c0 follows from all x of a segment, and its
// width is a concave function of c1 and c2, so that a short search around the least squares finds all solutions. The
// program ends with an error if a segment has none.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using u32 = std::uint32_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

namespace {

#define UNIT(name, instruction)                                           \
  struct name {                                                           \
    static __device__ float of(float x) {                                 \
      float y;                                                            \
      asm volatile(instruction " %0, %1;" : "=f"(y) : "f"(x));            \
      return y;                                                           \
    }                                                                     \
  }
UNIT(Rcp, "rcp.approx.ftz.f32");
UNIT(Rsq, "rsqrt.approx.ftz.f32");
UNIT(Sqrt, "sqrt.approx.ftz.f32");
UNIT(Ex2, "ex2.approx.ftz.f32");
UNIT(Lg2, "lg2.approx.ftz.f32");
UNIT(Sin, "sin.approx.ftz.f32");
UNIT(Tanh, "tanh.approx.f32");

template <class F>
__global__ void measure(u32 first, u32* results) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  results[i] = __float_as_uint(F::of(__uint_as_float(first + i)));
}

constexpr u32 binade = 1u << 23;

/// Results for this many powers of two from `first` on, by the bits of the argument less those of `first`.
template <class F>
std::vector<u32> measured(u32 first, u32 binades) {
  std::vector<u32> results(std::size_t{binades} * binade);
  u32* device = nullptr;
  if (cudaMalloc(&device, results.size() * 4) != cudaSuccess) std::exit(2);
  measure<F><<<binades * (binade / 256), 256>>>(first, device);
  if (cudaMemcpy(results.data(), device, results.size() * 4, cudaMemcpyDeviceToHost) != cudaSuccess) std::exit(2);
  cudaFree(device);
  return results;
}

/// Of the sum before it is cut, for each x of a segment.
struct Bounds {
  static constexpr u32 places = 1u << 17;
  static constexpr s64 none = INT64_MAX / 4;
  std::vector<s64> low = std::vector<s64>(places, -none), high = std::vector<s64>(places, none);
  /// `result` was cut from the sum in units of 2^-unit, the last `lost` bits of which never counted.
  void add(u32 x, u32 result, int unit, int lost = 0) {
    const s64 mantissa = (result & 0x7fffff) | (result >> 23 != 0 ? 0x800000 : 0);
    const int shift = static_cast<int>(result >> 23) - 127 - 23 + unit - lost;
    const s64 least = shift >= 0 ? mantissa << shift : shift > -63 ? mantissa >> -shift : 0;
    low[x] = least << lost;
    high[x] = ((least + (shift >= 0 ? s64{1} << shift : 1)) << lost) - 1;
  }
};

std::vector<s64> squares() {
  std::vector<s64> all(Bounds::places);
  for (u32 x = 0; x < Bounds::places; ++x) {
    u32 sum = 0;
    for (u32 i = 2; i < 17; ++i) sum += (x >> i & 1) != 0 ? x >> (18 - i) : 0;
    all[x] = sum >> 1;
  }
  return all;
}

/// Coefficients of x^0, x^1, x^2 that come closest to the middle of the bounds.
void least_squares(const Bounds& b, double (&result)[3]) {
  double a[3][4] = {};
  for (u32 x = 0; x < Bounds::places; ++x) {
    if (b.high[x] == Bounds::none) continue;
    const double u = double(x) / Bounds::places, y = (double(b.low[x]) + double(b.high[x])) / 2;
    const double powers[3] = {1, u, u * u};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) a[i][j] += powers[i] * powers[j];
      a[i][3] += powers[i] * y;
    }
  }
  for (int i = 0; i < 3; ++i)
    for (int r = 0; r < 3; ++r) {
      if (r == i) continue;
      const double f = a[r][i] / a[i][i];
      for (int c = i; c < 4; ++c) a[r][c] -= f * a[i][c];
    }
  for (int i = 0; i < 3; ++i) result[i] = a[i][3] / a[i][i];
}

/// Writes the solution nearest to the least squares.
void fit(const char* name, const Bounds& b, int constant_shift, int square_shift, s64 bias) {
  static const std::vector<s64> square = squares();
  double about[3];
  least_squares(b, about);
  const double square_end = std::ldexp(double(square.back()), square_shift);
  const s64 c2_about = std::llround(about[2] / square_end);
  std::vector<s64> low(Bounds::places), high(Bounds::places);
  s64 best[3] = {}, best_distance = INT64_MAX;
  for (s64 c2 = c2_about - 60; c2 <= c2_about + 60; ++c2) {
    for (u32 x = 0; x < Bounds::places; ++x) {
      const s64 part = c2 * square[x] * (s64{1} << square_shift);
      low[x] = b.low[x] - part, high[x] = b.high[x] - part;
    }
    const s64 c1_about = std::llround((about[1] + about[2] - double(c2) * square_end) / Bounds::places);
    // How far the interval for the constant is from having a number in it: a convex function of c1.
    const auto gap = [&](s64 c1) {
      s64 most = INT64_MIN, least = INT64_MAX;
      for (s64 x = 0; x < Bounds::places; ++x) {
        most = std::max(most, low[x] - c1 * x);
        least = std::min(least, high[x] - c1 * x);
      }
      const s64 unit = s64{1} << constant_shift, c0 = (most - bias + unit - 1) >> constant_shift;
      const s64 distance = std::abs(c2 - c2_about) + std::abs(c1 - c1_about);
      if (c0 * unit + bias <= least && distance < best_distance)
        best_distance = distance, best[0] = c0, best[1] = c1, best[2] = c2;
      return most - least;
    };
    const s64 middle = gap(c1_about);
    for (const s64 step : {-1, 1}) {
      s64 before = middle;
      for (s64 c1 = c1_about + step, now = gap(c1); now <= before; now = gap(c1 += step)) before = now;
    }
  }
  if (best_distance == INT64_MAX) {
    std::fprintf(stderr, "%s: no coefficients reproduce a segment\n", name);
    std::exit(1);
  }
  static int written = 0;
  std::printf("{%lld, %lld, %lld},%s", (long long)best[0], (long long)best[1], (long long)best[2],
              ++written % 4 == 0 ? "\n" : " ");
}

/// The argument times 1 / (2 pi), cut to a float, as ptxas has it computed before the unit.
u32 turns(u32 x) {
  float a, f;
  const u32 factor = 0x3e22f983;
  std::memcpy(&a, &x, 4), std::memcpy(&f, &factor, 4);
  const double product = double(a) * double(f);
  std::uint64_t bits;
  std::memcpy(&bits, &product, 8);
  return static_cast<u32>(bits >> 29) - ((1023u - 127) << 23);
}

}  // namespace

int main() {
  std::printf("// c0, c1, c2, written by scripts/multifunction_table.cu from measurements.\n// clang-format off\n");
  constexpr u32 one = 0x3f800000;
  std::vector<u32> y = measured<Rcp>(one, 1);
  std::printf("// rcp\n");
  for (u32 segment = 0; segment < 128; ++segment) {
    Bounds b;
    for (u32 x = 0; x < 65536; ++x) b.add(x << 1, y[segment << 16 | x], 40);
    fit("rcp", b, 14, 1, 0x8fce);
  }
  y = measured<Rsq>(one, 2);
  std::printf("// rsq\n");
  for (u32 segment = 0; segment < 128; ++segment) {
    Bounds b;
    for (u32 x = segment == 0 ? 1 : 0; x < Bounds::places; ++x) b.add(x, y[segment << 17 | x], 40);
    fit("rsq", b, 14, 2, 0x3fff);
  }
  y = measured<Sqrt>(one, 2);
  std::printf("// sqrt\n");
  for (u32 segment = 0; segment < 128; ++segment) {
    Bounds b;
    for (u32 x = 0; x < Bounds::places; ++x) b.add(x, y[segment << 17 | x], 40);
    fit("sqrt", b, 15, 1, 0x7fff);
  }
  y = measured<Ex2>(one, 1);
  std::printf("// ex2\n");
  for (u32 segment = 0; segment < 64; ++segment) {
    Bounds b;
    for (u32 x = 0; x < Bounds::places; ++x) b.add(x, y[segment << 17 | x], 37);
    fit("ex2", b, 13, 0, 0x17e2);
  }
  y = measured<Lg2>(one, 1);
  std::printf("// lg2\n");
  for (u32 segment = 0; segment < 64; ++segment) {
    Bounds b;
    for (u32 x = segment == 0 ? 1 : 0; x < Bounds::places; ++x) b.add(x, y[segment << 17 | x], 38, 2);
    fit("lg2", b, 12, 1, 0x345);
  }
  y = measured<Sin>(one, 2);
  std::printf("// sin\n");
  std::vector<Bounds> quarter(64);
  for (u32 i = 0; i < y.size(); ++i) {  // the second quarter of a turn, where all places are whole
    const u32 turn = turns(one + i), place = ~turn & 0x7fffff;
    if (turn >> 23 == 125) quarter[place >> 17].add(place & 0x1ffff, y[i], 37);
  }
  for (const Bounds& b : quarter) fit("sin", b, 11, 0, 0);
  std::printf("// tanh\n");
  constexpr int bits[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3};
  for (int power = -8; power <= 2; ++power) {
    y = measured<Tanh>(one + u32(power) * binade, 1);
    const int n = bits[power + 8];
    for (u32 segment = 0; segment < 1u << n; ++segment) {
      Bounds b;
      for (u32 x = 0; x < Bounds::places; ++x)
        b.add(x, y[(segment << 17 | x) << (6 - n)], 38 - std::min(power, -1));
      fit("tanh", b, 15, 1, 0);
    }
  }
  std::printf("\n");
}
