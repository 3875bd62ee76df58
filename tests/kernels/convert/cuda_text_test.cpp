#include "kernels/convert/cuda_text.h"

#include <gtest/gtest.h>

#include "kernels/convert/warp_moves.h"
#include "tests/kernels/convert/random_pairs.h"

namespace lanescope::convert {
namespace {

TEST(CudaText, Print) {
  const auto from = *layout::parse("simd: n1 n0; register: e1 e0 n2; thread: t0 n6 n5 n4 n3");
  const auto to = *layout::parse("simd: e1 e0; register: n6 n0 t0; thread: n5 n4 n3 n2 n1");
  const PlaceMap map = *place_map(from, to, 8);
  const Conversion c{
      .from = from, .to = to, .map = map, .program = warp_plans(map).front().program, .bound = shuffle_bound(map)};
  std::cout << kernel_file(c, {.function = "transpose", .name_space = ""});
  std::cout << c.bound.shuffles << " " << c.bound.argument << "\n";
}

}  // namespace
}  // namespace lanescope::convert
