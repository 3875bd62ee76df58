// Parts of arrays in launches of many threads: boxes are kept while their block runs, and no longer.

#include "kernels/claims/memory_judge.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "kernels/source/source.h"

namespace lanescope::claims {
namespace {

constexpr std::uint64_t base = 1 << 20;

/// Threads of `blocks` blocks, each of which accesses two elements: i apart, or k apart where it is the one at fault.
ClaimResult judged(std::uint32_t blocks, std::int64_t at_fault, bool ends) {
  const auto source = source::read("k.cu",
                                   "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"f32 i:2 j:131072 k:32\"\n*/\n"
                                   "// p[i,j,k], shape (2,131072,32); each thread processes a shape-(2,1,1) subarray.\n"
                                   "__global__ void k(float *p) {\n  p[threadIdx.x] = 0;\n}\n");
  EXPECT_TRUE(source);
  if (!source) return {};
  int claim = -1;
  for (std::size_t c = 0; c < source->claims.size(); ++c)
    if (source->claims[c].kind() == source::ClaimKind::subarray) claim = static_cast<int>(c);
  EXPECT_GE(claim, 0);
  if (claim < 0) return {};
  Setting setting;
  setting.source = &*source;
  MemoryPlaces places{.kernel = "k",
                      .buffer_addresses = {base},
                      .buffer_bytes = {4ull * 2 * 131072 * 32},
                      .arguments = {trace::BufferArgument{0, 0}}};
  SubarrayJudge judge(setting, places, claim);
  std::array<std::uint64_t, 32> addresses{};
  trace::AccessEvent event;
  event.kind = trace::AccessKind::store;
  event.where.active = ~0u;
  event.addresses = addresses;
  for (std::uint32_t b = 0; b < blocks; ++b) {
    event.where.block = b;
    for (const std::uint64_t second : {0, 1}) {
      for (std::uint64_t lane = 0; lane < 32; ++lane) {
        const bool wrong = second == 1 && at_fault == static_cast<std::int64_t>(b * 32 + lane);
        const std::uint64_t element = 32ull * b + lane + (wrong ? 1 : second * 131072 * 32);
        addresses[lane] = base + 4 * element;
      }
      judge.access(event);
    }
    if (ends) judge.block_ended(b);
  }
  return judge.result(false);
}

TEST(SubarrayJudge, JudgesMoreThreadsThanFitAtOneTime) {
  const ClaimResult r = judged(44000, -1, true);
  EXPECT_EQ(r.verdict, Verdict::holds) << r.reason.words() << r.difference;
  EXPECT_EQ(r.instances, 1'408'000u);
  const ClaimResult wrong = judged(44000, 1'300'007, true);
  EXPECT_EQ(wrong.verdict, Verdict::differs);
  EXPECT_NE(wrong.difference.find("lane 7 of warp 0 of block 40625"), std::string::npos) << wrong.difference;
}

TEST(SubarrayJudge, SaysWhereTheyAllRunAtOneTime) {
  const ClaimResult r = judged(44000, -1, false);
  EXPECT_EQ(r.verdict, Verdict::unchecked);
  EXPECT_FALSE(r.reason.empty());
  // Fewer of them are judged alike, whether or not their blocks have ended.
  for (const bool ends : {false, true}) EXPECT_EQ(judged(500, -1, ends).instances, 16'000u);
  for (const bool ends : {false, true}) EXPECT_EQ(judged(500, 77, ends).difference, judged(500, 77, true).difference);
}

}  // namespace
}  // namespace lanescope::claims
