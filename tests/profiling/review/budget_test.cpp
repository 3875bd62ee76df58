// Reviews of launches that are too large for their budget: kept data are counted, and omitted data are reported.

#include <fmt/format.h>

#include "kernels/compile/compile.h"
#include "world.h"

namespace lanescope::review {
namespace {

std::string rows(int blocks, const std::string& element) {
  return fmt::format(R"(/*
[lanescope]
grid = {}
block = 64

[buffers]
p = "f32 i:{} j:64"
q = "f32 i:{} j:64 = zeros"
*/
__global__ void __launch_bounds__(64) f(const float *p, float *q)
{{
    // Per-block offset
    //   before: shape (gridDim.x,64), contiguous
    //   after: shape (64,), contiguous
    p += 64 * blockIdx.x;
    q += 64 * blockIdx.x;
    float x = p[{}];
    // x has register assignment:
    //   thread: t4 t3 t2 t1 t0 <-> j4 j3 j2 j1 j0
    q[threadIdx.x] = x;
}}
)",
                     blocks, blocks, blocks, element);
}

class OfAddresses : public ::testing::TestWithParam<std::tuple<std::size_t, const char*>> {};

TEST_P(OfAddresses, AreKeptForAsManyBlocksAsFit) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here";
  const auto [bytes, element] = GetParam();
  const std::string text = rows(64, element);
  const Reviewed all = reviewed(text), part = reviewed(text, "k.cu", {.review = {.addresses = bytes}});
  EXPECT_EQ(all.watched_blocks, 64u);
  EXPECT_TRUE(of_rule(all, "pointer-offset-unchecked").empty()) << words(all);
  EXPECT_LE(part.address_bytes, bytes + sizeof(Reach) + 32 * sizeof(std::int64_t));
  EXPECT_GT(part.watched_blocks, 0u);
  EXPECT_LT(part.watched_blocks, 64u);
  const auto found = of_rule(part, "pointer-offset-unchecked");
  ASSERT_FALSE(found.empty()) << words(part);
  EXPECT_NE(found.front().message.find(fmt::format("the first {} of 64 blocks were watched", part.watched_blocks)),
            std::string::npos)
      << words(part);
}

INSTANTIATE_TEST_SUITE_P(Bytes, OfAddresses,
                         ::testing::Combine(::testing::Values(2000, 5000),
                                            ::testing::Values("threadIdx.x", "threadIdx.x ^ threadIdx.x >> 2")));

TEST(Budget, WritersOfAnArrayThatDoesNotFitAreNotWatchedAndThatIsSaid) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here";
  const std::string text = rows(64, "threadIdx.x");
  const std::size_t whole = reviewed(text).writer_bytes;
  EXPECT_EQ(whole, 64u * 64u * 16u);
  const Reviewed r = reviewed(text, "k.cu", {.review = {.writers = whole - 1}});
  EXPECT_EQ(r.writer_bytes, 0u);
  const auto found = of_rule(r, "write-overlap");
  ASSERT_EQ(found.size(), 1u) << words(r);
  EXPECT_EQ(found.front().severity, Severity::note);
  EXPECT_NE(found.front().message.find("were not recorded"), std::string::npos) << words(r);
}

TEST(Budget, AClaimThatHoldsInTheBlocksThatWereFollowedIsUnchecked) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here";
  const std::string text = rows(256, "threadIdx.x");
  std::string computed = text;
  computed.replace(computed.find("p[threadIdx.x]"), 14, "sinf(1e6f * p[threadIdx.x])");
  EXPECT_TRUE(of_rule(reviewed(computed), "claim-unchecked").empty());
  const Reviewed r = reviewed(computed, "k.cu", {.review = {}, .identity_bytes = std::size_t{1} << 20});
  const auto found = of_rule(r, "claim-unchecked");
  ASSERT_EQ(found.size(), 1u) << words(r);
  EXPECT_NE(found.front().message.find(" of 256 blocks; the others were not recorded"), std::string::npos) << words(r);
  // Copies cost nothing, and all blocks are followed.
  EXPECT_TRUE(of_rule(reviewed(text, "k.cu", {.review = {}, .identity_bytes = std::size_t{1} << 20}), "claim-unchecked")
                  .empty());
}

TEST(Budget, AShareOfWorkIsJudgedInAllBlocksWithoutIdentities) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here";
  std::string text = rows(256, "threadIdx.x");
  text.replace(text.find("p[threadIdx.x]"), 14, "sinf(1e6f * p[threadIdx.x])");
  const std::string store = "    q[threadIdx.x] = x;";
  const auto with = [&](std::string_view comment, std::string_view instead) {
    std::string out = text;
    return out.replace(out.find(store), store.size(), fmt::format("    // {}\n{}", comment, instead));
  };
  // The last block alone stores twice, far after the last block with identities.
  const std::string twice = store + " if (blockIdx.x == 255) q[threadIdx.x ^ 1] = 1;";
  const std::string one = "each thread writes one element of q", block = "each block writes 64 elements of q";
  for (const Budgets& b :
       {Budgets{.review = {}, .identity_bytes = std::size_t{1} << 20}, Budgets{.review = {}, .identified_blocks = 0},
        Budgets{.review = {}, .identified_blocks = 1}}) {
    const auto shares = [&](const std::string& cu, std::string_view rule) {
      std::vector<int> lines;
      for (const Finding& f : of_rule(reviewed(cu, "k.cu", b), rule)) lines.push_back(f.line);
      return lines;
    };
    EXPECT_EQ(shares(with(one, store), "claim-differs"), std::vector<int>{});
    EXPECT_EQ(shares(with(block, store), "claim-differs"), std::vector<int>{});
    EXPECT_EQ(shares(with(one, twice), "claim-differs"), std::vector<int>{20});
    EXPECT_EQ(shares(with("each block writes 32 elements of q", store), "claim-differs"), std::vector<int>{20});
    // The register assignment beside it needs them.
    EXPECT_EQ(shares(with(one, store), "claim-unchecked").size(), 1u);
  }
}

}  // namespace
}  // namespace lanescope::review
