// Kernels between arrays of structures and structures of arrays: compiled, run, every word compared.

#include "kernels/convert/exports/struct_kernel.h"

#include <gtest/gtest.h>

namespace lanescope::convert {
namespace {

using Direction = StructPlan::Direction;

/// 12, 16 and 28 bytes, and others that are no power of two.
TEST(StructKernel, EverySizeIsRightBothWays) {
  const std::vector<std::string> sm_90 = {"sm_90"};
  for (const int words : {1, 2, 3, 4, 5, 6, 7, 9, 12, 16}) {
    for (const Direction d : {Direction::to_lanes, Direction::from_lanes}) {
      const StructPlan p = struct_plan(words, d);
      const StructKernel wanted{.names = {.function = "moved", .name_space = ""}, .access_bytes = 4};
      const Verified v = verify_struct_kernel(p, wanted, words == 3 || words == 7 ? exported_architectures() : sm_90);
      if (!v.compiler) GTEST_SKIP() << "SKIPPED, needs NVRTC";
      EXPECT_EQ(v.problem, "") << words << struct_kernel(p, wanted);
      EXPECT_GT(v.elements, 256U);
    }
  }
}

/// 16 bytes on both sides where they are aligned, 4 where they are not.
TEST(StructKernel, AccessesOf16BytesAreRightBothWays) {
  const std::vector<std::string> sm_90 = {"sm_90"};
  for (const int words : {1, 2, 3, 4, 5, 7, 8}) {
    for (const Direction d : {Direction::to_lanes, Direction::from_lanes}) {
      const StructPlan p = struct_plan(words, d);
      const StructKernel wanted{
          .names = {.function = "moved", .name_space = ""}, .access_bytes = 16, .groups = words == 3 ? 2 : 0};
      const Verified v = verify_struct_kernel(p, wanted, sm_90);
      if (!v.compiler) GTEST_SKIP() << "SKIPPED, needs NVRTC";
      EXPECT_EQ(v.problem, "") << words << struct_kernel(p, wanted);
      EXPECT_GT(v.machine.all, 20);
      EXPECT_NE(struct_kernel(p, wanted).find("uint4 v["), std::string::npos);
    }
  }
}

TEST(StructKernel, AWrongOneIsFound) {
  StructPlan p = struct_plan(3, Direction::to_lanes);
  for (Instruction& i : p.program.code) {
    if (i.op == Op::choose) std::swap(i.a, i.b);
  }
  const std::vector<std::string> sm_90 = {"sm_90"};
  const Verified v = verify_struct_kernel(p, {.names = {.function = "moved", .name_space = ""}}, sm_90);
  if (!v.compiler) GTEST_SKIP() << "SKIPPED, needs NVRTC";
  EXPECT_NE(v.problem, "");
}

}  // namespace
}  // namespace lanescope::convert
