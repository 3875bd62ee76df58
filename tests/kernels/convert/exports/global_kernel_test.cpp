// Whole kernels: compiled for every architecture here, run on whole and ragged arrays, every element compared.

#include "kernels/convert/exports/global_kernel.h"

#include <gtest/gtest.h>

#include "kernels/convert/cuda_text.h"
#include "kernels/convert/exports/verify.h"
#include "tests/kernels/convert/random_pairs.h"
#include "tests/sample.h"

namespace lanescope::convert {
namespace {

const std::vector<std::string> one_architecture = {"sm_90"};

const Plan& recommended(const Planned& p) { return *std::ranges::find_if(p.plans, &Plan::recommended); }

/// A tile of 64x64 halves, 16 bytes along j in, 16 bytes along i out.
constexpr const char* half_from = "simd: j0; register: i5 i4 j2 j1; thread: i1 i0 j5 j4 j3; warp: i3 i2";
constexpr const char* half_to = "simd: i0; register: j5 j4 i2 i1; thread: j1 j0 i5 i4 i3; warp: j3 j2";

TEST(GlobalKernel, TransposesHalvesWithVectors) {
  const Expected<Planned> p = plan(*layout::parse(half_from), *layout::parse(half_to), 16);
  ASSERT_TRUE(p.has_value());
  const Conversion c{*p, recommended(*p)};
  EXPECT_EQ(c.plan.shared_cost.conflicts, 0);
  const GlobalKernel wanted{.names = {.function = "transpose", .name_space = ""},
                            .element_type = "",
                            .from_axes = {"i", "j"},
                            .to_axes = {"j", "i"}};
  const Expected<GlobalText> k = global_kernel(c, wanted);
  ASSERT_TRUE(k.has_value());
  EXPECT_EQ(k->load_bytes, 16);
  EXPECT_EQ(k->store_bytes, 16);
  EXPECT_EQ(k->threads, 128);
  EXPECT_NE(k->text.find("__launch_bounds__(128)"), std::string::npos);
  EXPECT_NE(
      k->text.find("// Apply per-block offset\n  //   before: shape (s.size[0], s.size[1]), strides s.from_stride\n"),
      std::string::npos);
  const Verified v = verify_kernel(c, *k, wanted, exported_architectures());
  if (!v.compiler) GTEST_SKIP() << "SKIPPED, needs NVRTC";
  EXPECT_EQ(v.problem, "") << k->text;
  EXPECT_GE(v.architectures.size(), 5U);
  EXPECT_EQ(v.elements, 128U * 128 + 96 * 96);
  EXPECT_GT(v.registers, 0);
}

/// The tile that docs/plan.md recommends: rows of 256 bytes on both sides.
TEST(GlobalKernel, TheFastTransposeIsRight) {
  const Expected<Planned> p =
      plan(*layout::parse("simd: j0; register: i6 i1 i0 j2 j1; thread: i2 j6 j5 j4 j3; warp: i5 i4 i3"),
           *layout::parse("simd: i0; register: j6 j1 j0 i2 i1; thread: j2 i6 i5 i4 i3; warp: j5 j4 j3"), 16);
  ASSERT_TRUE(p.has_value()) << p.error().front().message;
  const Conversion c{*p, recommended(*p)};
  EXPECT_EQ(c.plan.shared_cost.conflicts, 0);
  EXPECT_EQ(c.plan.shared_cost.stores, 8) << "16 bytes each";
  EXPECT_EQ(c.plan.shared_cost.loads, 8);
  const GlobalKernel wanted{.names = {.function = "transpose", .name_space = ""},
                            .element_type = "",
                            .from_axes = {"i", "j"},
                            .to_axes = {"j", "i"}};
  const Expected<GlobalText> k = global_kernel(c, wanted);
  ASSERT_TRUE(k.has_value());
  EXPECT_EQ(std::pair(k->from_row_bytes, k->to_row_bytes), std::pair(256, 256));
  EXPECT_EQ(std::pair(k->load_bytes, k->store_bytes), std::pair(16, 16));
  EXPECT_EQ(k->threads, 256);
  const Verified v = verify_kernel(c, *k, wanted, one_architecture);
  if (!v.compiler) GTEST_SKIP() << "SKIPPED, needs NVRTC";
  EXPECT_EQ(v.problem, "") << k->text;
}

/// 128x128 bf16 through shared memory, no conflict.
TEST(GlobalKernel, ALargeTileWithoutConflicts) {
  const Expected<Planned> p =
      plan(*layout::parse("simd: j0; register: i6 i5 i4 j2 j1; thread: i0 j6 j5 j4 j3; warp: i3 i2 i1"),
           *layout::parse("simd: i0; register: j6 j5 j4 i2 i1; thread: j0 i6 i5 i4 i3; warp: j3 j2 j1"), 16);
  ASSERT_TRUE(p.has_value()) << p.error().front().message;
  EXPECT_EQ(recommended(*p).shared_cost.conflicts, 0);
  EXPECT_EQ(recommended(*p).shared->shared_bytes(), 32768U);
}

/// The bit of real and imaginary part leaves memory's fastest place.
TEST(GlobalKernel, ComplexNumbersComeApart) {
  const Expected<Planned> p = plan(*layout::parse("register: i0 ReIm; thread: i5 i4 i3 i2 i1"),
                                   *layout::parse("register: i1 i0; thread: ReIm i5 i4 i3 i2"), 32);
  ASSERT_TRUE(p.has_value());
  const Conversion c{*p, recommended(*p)};
  const GlobalKernel wanted{.names = {.function = "apart", .name_space = ""},
                            .element_type = "float",
                            .from_axes = {"i", "ReIm"},
                            .to_axes = {"ReIm", "i"}};
  const Expected<GlobalText> k = global_kernel(c, wanted);
  ASSERT_TRUE(k.has_value());
  EXPECT_EQ(k->load_bytes, 16);
  EXPECT_EQ(k->store_bytes, 16);
  const Verified v = verify_kernel(c, *k, wanted, one_architecture);
  if (!v.compiler) GTEST_SKIP() << "SKIPPED, needs NVRTC";
  EXPECT_EQ(v.problem, "") << k->text;
}

/// Tiles in groups and in a row, blocks and warps: whole and ragged arrays.
TEST(GlobalKernel, EveryOrderOfTilesIsRight) {
  const Expected<Planned> block = plan(*layout::parse(half_from), *layout::parse(half_to), 16);
  const Expected<Planned> warp = plan(*layout::parse("simd: j0; register: i0 j2 j1; thread: i2 i1 j4 j3 i3"),
                                      *layout::parse("simd: i0; register: j0 i2 i1; thread: j2 j1 j4 j3 i3"), 16);
  ASSERT_TRUE(block.has_value() && warp.has_value());
  std::size_t number = 0;
  for (const Planned* p : {&*block, &*warp}) {
    for (const Plan* chosen : {&p->plans.front(), &p->plans.back()}) {
      for (const auto& [group, row] : {std::pair{1, 3}, {2, 1}, {2, 2}, {4, 5}}) {
        if (!lanescope::test::in_sample(number++, 3)) continue;  // each order with some plan
        const Conversion c{*p, *chosen};
        const GlobalKernel wanted{.names = {.function = "transpose", .name_space = ""},
                                  .element_type = "",
                                  .from_axes = {"i", "j"},
                                  .to_axes = {"j", "i"},
                                  .warps_of_a_block = 2,
                                  .tile_group = group,
                                  .tiles_in_a_row = row,
                                  .blocks_of_a_multiprocessor = 2};
        const Expected<GlobalText> k = global_kernel(c, wanted);
        ASSERT_TRUE(k.has_value());
        const Verified v = verify_kernel(c, *k, wanted, one_architecture);
        if (!v.compiler) GTEST_SKIP() << "SKIPPED, needs NVRTC";
        EXPECT_EQ(v.problem, "") << k->text;
        EXPECT_GT(v.machine.all, 50);
      }
    }
  }
}

/// movmatrix, ldmatrix and stmatrix, compiled for every architecture and run.
TEST(GlobalKernel, MatrixInstructionsAreRight) {
  const std::string row = "simd: c0; register: a0 c2 c1; thread: r4 r3 r2 r1 r0; warp: w0",
                    fragment = "simd: c0; register: a0 r4 r3; thread: r2 r1 r0 c2 c1; warp: w0",
                    transposed = "simd: r0; register: a0 r4 r3; thread: c2 c1 c0 r2 r1; warp: w0";
  int stored = 0, loaded = 0, moved = 0, turned = 0;
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{row, fragment},
        {fragment, row},
        {"simd: c0; register: c2 c1; thread: r4 r3 r2 r1 r0", "simd: c0; register: r4 r3; thread: r2 r1 r0 c2 c1"},
        {row, transposed},
        {transposed, row},
        {"simd: c0; register: a0; thread: r2 r1 r0 c2 c1", "simd: r0; register: a0; thread: c2 c1 c0 r2 r1"}}) {
    const Planned p = *plan(*layout::parse(from), *layout::parse(to), 16);
    for (const Plan& each : p.plans) {
      const bool stores = each.shared && each.shared->matrix_stores, loads = each.shared && each.shared->matrix_loads;
      if (!stores && !loads && each.counts.matrices == 0) continue;
      turned += each.shared && each.shared->transposed ? 1 : 0;
      stored += stores ? 1 : 0, loaded += loads ? 1 : 0, moved += each.counts.matrices > 0 ? 1 : 0;
      // sm_80 stores words one by one.
      for (const std::vector<std::string>& architectures : {std::vector<std::string>{"sm_80"}, {"sm_75", "sm_120"}}) {
        const Verified v = verify_function({p, each}, architectures);
        if (!v.compiler) GTEST_SKIP() << "SKIPPED, needs NVRTC";
        EXPECT_EQ(v.problem, "") << device_function({p, each}, {.function = "f", .name_space = ""});
        EXPECT_GT(v.elements, 127U);
      }
    }
  }
  EXPECT_GT(stored, 0);
  EXPECT_GT(loaded, 1);
  EXPECT_GT(moved, 0);
  EXPECT_GE(turned, 2);
}

/// Many at once are judged as one by one.
TEST(GlobalKernel, FunctionsInOneTextAreJudgedOneByOne) {
  RandomPairs random(31);
  std::vector<Planned> planned;
  for (const Kind kind : {Kind::permutation, Kind::linear, Kind::spare}) {
    for (const int bits : {1, 4, 8, 16, 32, 64}) {
      const Pair p = random.pair(kind, bits, 2, random.any(2));
      planned.push_back(*plan(p.from, p.to, bits));
    }
  }
  Planned wrong = *plan(*layout::parse("register: i0; thread: j4 j3 j2 j1 j0"),
                        *layout::parse("register: j0; thread: j4 j3 j2 j1 i0"), 32);
  for (Instruction& i : wrong.plans.front().program->code) {
    if (i.op == Op::shuffle) i.from.constant ^= 2;
  }
  planned.insert(planned.begin() + 7, wrong);
  std::vector<Conversion> conversions;
  for (const Planned& p : planned) conversions.push_back({p, p.plans.front()});
  const std::vector<Verified> all = verify_functions(conversions);
  ASSERT_EQ(all.size(), planned.size());
  if (!all.front().compiler) GTEST_SKIP() << "SKIPPED, needs NVRTC";
  for (std::size_t n = 0; n < all.size(); ++n) {
    EXPECT_EQ(all[n].problem.empty(), n != 7) << n << all[n].problem;
    EXPECT_GT(all[n].elements, 0U);
  }
}

/// A kernel file is run as it is written; a wrong one is found.
TEST(GlobalKernel, KernelFilesAreRun) {
  RandomPairs random(41);
  for (const int bits : {1, 4, 8, 16, 32, 64}) {
    const Pair p = random.pair(Kind::permutation, bits, 2, bits == 8 ? 1 : 0);
    const Planned planned = *plan(p.from, p.to, bits);
    const Conversion c{planned, planned.plans.front()};
    const std::string file = kernel_file(c, {.function = "moved", .name_space = ""});
    const Verified v = verify_kernel_file(c, file, one_architecture);
    if (!v.compiler) GTEST_SKIP() << "SKIPPED, needs NVRTC";
    EXPECT_EQ(v.problem, "") << file;
    EXPECT_GT(v.elements, 31U);
    EXPECT_NE(file.find("__launch_bounds__"), std::string::npos);
    EXPECT_GT(v.registers, 0);
    std::string broken = file;
    const std::size_t at = broken.rfind("const unsigned e = elements[n] ^");
    broken.replace(at, std::string_view("const unsigned e = elements[n] ^").size(),
                   "const unsigned e = 1 ^ elements[n] ^");
    EXPECT_NE(verify_kernel_file(c, broken, one_architecture).problem, "") << bits;
  }
}

TEST(GlobalKernel, RandomPairsAreRight) {
  RandomPairs random(21);
  int n = 0;
  for (const Kind kind : {Kind::permutation, Kind::linear, Kind::spare}) {
    for (const int bits : {8, 16, 32, 64, 128}) {
      const Pair p = random.pair(kind, bits, 2, random.any(2));
      const Expected<Planned> planned = plan(p.from, p.to, bits);
      ASSERT_TRUE(planned.has_value());
      const Conversion c{*planned, planned->plans[static_cast<std::size_t>(n++) % planned->plans.size()]};
      const GlobalKernel wanted{.names = {.function = "moved", .name_space = ""},
                                .element_type = "",
                                .from_axes = {"i", "j"},
                                .to_axes = {"j", "i"},
                                .warps_of_a_block = 2};
      const Expected<GlobalText> k = global_kernel(c, wanted);
      ASSERT_TRUE(k.has_value());
      const Verified v = verify_kernel(c, *k, wanted, one_architecture);
      if (!v.compiler) GTEST_SKIP() << "SKIPPED, needs NVRTC";
      EXPECT_EQ(v.problem, "") << bits << "\n" << layout::print(p.from) << layout::print(p.to) << k->text;
      const Verified f = verify_function(c, one_architecture);
      EXPECT_EQ(f.problem, "") << bits << "\n" << layout::print(p.from) << layout::print(p.to);
      EXPECT_GT(f.elements, 0U);
    }
  }
}

TEST(GlobalKernel, AWrongFunctionIsFound) {
  Expected<Planned> p = plan(*layout::parse("register: i0; thread: j4 j3 j2 j1 j0"),
                             *layout::parse("register: j0; thread: j4 j3 j2 j1 i0"), 32);
  ASSERT_TRUE(p.has_value());
  for (Instruction& i : p->plans.front().program->code) {
    if (i.op == Op::shuffle) i.from.constant ^= 2;
  }
  const Conversion c{*p, p->plans.front()};
  const Verified v = verify_function(c, one_architecture);
  if (!v.compiler) GTEST_SKIP() << "SKIPPED, needs NVRTC";
  EXPECT_NE(v.problem, "");
  const GlobalKernel wanted{
      .names = {.function = "moved", .name_space = ""}, .element_type = "", .from_axes = {}, .to_axes = {}};
  EXPECT_NE(verify_kernel(c, *global_kernel(c, wanted), wanted, one_architecture).problem, "");
}

TEST(GlobalKernel, WhatHasNoAddressIsRefused) {
  const Expected<Planned> p = plan(*layout::parse("simd: i2 i1 i0"), *layout::parse("simd: i0 i1 i2"), 4);
  ASSERT_TRUE(p.has_value());
  EXPECT_EQ(global_kernel({*p, p->plans.front()}, {}).error().front().message, "elements of 4 bits have no address");
  const Expected<Planned> q = plan(*layout::parse("thread: i0"), *layout::parse("thread: i0"), 8);
  EXPECT_EQ(global_kernel({*q, q->plans.front()}, {.names = {}, .element_type = "", .from_axes = {"k"}, .to_axes = {}})
                .error()
                .front()
                .message,
            "the axes are i, not k");
}

/// j0 and j1 are in no place: a kernel file moves the elements that it has, and a whole kernel is refused.
TEST(GlobalKernel, AnAxisMayLackBits) {
  const Planned p = *plan(*layout::parse("simd: k0; register: j3 j2; thread: i4 i3 i2 i1 i0"),
                          *layout::parse("simd: j2; register: j3 k0"), 16);
  const Conversion c{p, p.plans.front()};
  const std::string file = kernel_file(c, {.function = "moved", .name_space = ""});
  EXPECT_EQ(kernel_file_elements(p.map), 1024U);
  EXPECT_EQ(file.find("expect"), std::string::npos) << "three quarters of q stay zero";
  EXPECT_EQ(global_kernel(c, {}).error().front().message, "2 of the 4 bits of axis j are in no place");
  const Verified v = verify_kernel_file(c, file, one_architecture);
  if (!v.compiler) GTEST_SKIP() << "SKIPPED, needs NVRTC";
  EXPECT_EQ(v.problem, "");
  EXPECT_EQ(v.elements, 1024U);
}

}  // namespace
}  // namespace lanescope::convert
