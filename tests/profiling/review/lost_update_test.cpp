// Threads that read, change and write one location without an atomic: reported as lost updates, with both reads in
// the table and an atomic as the remedy. Code that only looks similar keeps the remedy that orders, or stays a note.

#include <algorithm>

#include "kernels/base/enum_size.h"
#include "kernels/compile/compile.h"
#include "world.h"

namespace lanescope::review {
namespace {

Reviewed review_of_updates(const std::string& launch, const std::string& body) {
  return reviewed("/*\nUpdates.\n\n[lanescope]\n" + launch +
                  "\n\n[buffers]\nx = \"s32 i:256 = zeros\"\n*/\n__global__ void __launch_bounds__(64) k(int *x)\n{\n" +
                  body + "\n}\n");
}

/// "reads reads writes writes", and whose they are: "0 1 0 1" by lane or warp or block.
std::string table_of(const Finding& f) {
  std::string out;
  for (const access::ThreadAccess& r : f.evidence.interleaving)
    out += std::string(enum_name(r.does)) + " " + std::to_string(r.value) + " ";
  return out;
}

const Finding* lost(const Reviewed& r) {
  for (const Finding& f : r.findings)
    if (f.message.find("one change can be lost") != std::string::npos) return &f;
  return nullptr;
}

class LostUpdateTable : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  }
};
class LostUpdate : public LostUpdateTable, public ::testing::WithParamInterface<std::pair<const char*, const char*>> {};

TEST_P(LostUpdate, IsToldWithAnAtomicAsRemedy) {
  const auto [launch, body] = GetParam();
  const Reviewed r = review_of_updates(launch, body);
  EXPECT_EQ(r.problem, "");
  const Finding* f = lost(r);
  ASSERT_NE(f, nullptr) << words(r);
  EXPECT_EQ(f->severity, Severity::error);
  EXPECT_NE(f->remedy.find("atomicAdd()"), std::string::npos) << f->remedy;
  EXPECT_TRUE(of_rule(r, "same-value-writes").empty()) << words(r);
  // A read of the thread that writes last comes before its write, and another thread writes.
  const auto& rows = f->evidence.interleaving;
  ASSERT_GE(rows.size(), 3u) << words(r);
  EXPECT_TRUE(std::ranges::is_sorted(rows, {}, &access::ThreadAccess::step));
  const access::ThreadAccess& last = rows.back();
  EXPECT_EQ(last.does, access::Verb::writes) << table_of(*f);
  EXPECT_TRUE(std::ranges::any_of(rows, [&](const access::ThreadAccess& r) {
    return r.does == access::Verb::reads && r.block == last.block && r.warp == last.warp && r.lane == last.lane &&
           r.step < last.step;
  })) << table_of(*f);
  EXPECT_EQ(std::ranges::count(rows, access::Verb::writes, &access::ThreadAccess::does), 2) << table_of(*f);
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, LostUpdate,
    ::testing::Values(std::pair("block = 2", "    ++x[0];"), std::pair("block = 64", "    x[threadIdx.x % 32] += 1;"),
                      std::pair("block = 32\ngrid = 2", "    x[threadIdx.x] += 1;"),
                      std::pair("block = 64", "    int v = x[0];\n    x[0] = v + threadIdx.x;"),
                      std::pair("block = 2", "    int v = x[0];\n    __syncwarp();\n    x[0] = v + 1;"),
                      std::pair("block = 64",
                                "    __shared__ int s[2];\n    if (threadIdx.x < 2) s[threadIdx.x] = 0;\n"
                                "    __syncthreads();\n    s[threadIdx.x % 2]++;\n    __syncthreads();\n"
                                "    x[threadIdx.x] = s[0];")));

TEST_F(LostUpdateTable, OfTwoIncrements) {
  const Reviewed r = review_of_updates("block = 2", "    ++x[0];");
  const Finding* f = lost(r);
  ASSERT_NE(f, nullptr) << words(r);
  EXPECT_EQ(table_of(*f), "reads 0 reads 0 writes 1 writes 1 ");
}

// Each thread updates a word of its own and reads one of another: an order helps, an atomic would not.
TEST_F(LostUpdateTable, ANeighboursWordIsNone) {
  const Reviewed r = review_of_updates("block = 64", "    x[threadIdx.x] += x[threadIdx.x + 1];");
  EXPECT_EQ(lost(r), nullptr) << words(r);
  const auto races = of_rule(r, "warp-sync-missing");
  ASSERT_EQ(races.size(), 1u) << words(r);
  EXPECT_NE(races[0].remedy.find("keep what is read in a variable, and add __syncwarp()"), std::string::npos)
      << races[0].remedy;
}

// The same value from threads that have not read it stays a note.
TEST_F(LostUpdateTable, TheSameValueIsNone) {
  const Reviewed r = review_of_updates("block = 64", "    x[0] = 7;");
  EXPECT_EQ(lost(r), nullptr) << words(r);
  EXPECT_FALSE(of_rule(r, "same-value-writes").empty()) << words(r);
}

TEST_F(LostUpdateTable, AnAtomicIsNone) {
  const Reviewed r = review_of_updates("block = 64\ngrid = 2", "    if (x[0] == 0) atomicAdd(&x[1], 1);");
  EXPECT_EQ(lost(r), nullptr) << words(r);
}

// One thread at a time, with a barrier between: nothing is lost.
TEST_F(LostUpdateTable, TurnsWithABarrierAreNone) {
  const Reviewed r = review_of_updates("block = 64",
                                       "    if (threadIdx.x == 0) x[0] += 1;\n    __syncthreads();\n"
                                       "    if (threadIdx.x == 40) x[0] += 1;");
  EXPECT_EQ(lost(r), nullptr) << words(r);
  for (const Finding& f : r.findings) EXPECT_NE(f.severity, Severity::error) << words(r);
}

/// A total that all lanes write where one of them read its part: no other thread has changed what it read.
TEST_F(LostUpdateTable, OneReaderAmongWritersOfTheSameValueLosesNothing) {
  const std::string sum =
      "    int mine = threadIdx.x < {} ? x[threadIdx.x] : 0;\n"
      "    for (int d = 16; d > 0; d /= 2) mine += __shfl_xor_sync(~0u, mine, d);\n    x[0] = mine;";
  const auto of = [&](const char* readers) {
    std::string body = sum;
    return review_of_updates("block = 32", body.replace(body.find("{}"), 2, readers));
  };
  for (const char* readers : {"4", "1"}) {
    const Reviewed r = of(readers);
    EXPECT_EQ(r.problem, "");
    EXPECT_EQ(lost(r), nullptr) << words(r);
    EXPECT_TRUE(of_rule(r, "warp-sync-missing").empty()) << words(r);
    EXPECT_EQ(of_rule(r, "same-value-writes").size(), 1u) << words(r);
  }
  // two that read it and change it, among others that only write
  const Reviewed both = review_of_updates(
      "block = 32", "    int v = threadIdx.x % 16 == 3 ? x[0] + 1 : 1;\n    __syncwarp();\n    x[0] = v;");
  ASSERT_NE(lost(both), nullptr) << words(both);
  EXPECT_NE(lost(both)->message.find("lanes 3 and 19"), std::string::npos) << lost(both)->message;
}

/// Thirty-two stores to one of four elements are no store for each element.
TEST_F(LostUpdateTable, ManyStoresToASmallBufferAreNoWrongOffset) {
  const Reviewed r = reviewed(
      "/*\n[lanescope]\nblock = 32\n[buffers]\nx = \"s32 i:4 = zeros\"\n*/\n"
      "__global__ void __launch_bounds__(32) k(int* x) { x[0] = 7; }\n");
  EXPECT_EQ(r.problem, "");
  EXPECT_TRUE(of_rule(r, "write-overlap").empty()) << words(r);
}

}  // namespace
}  // namespace lanescope::review
