// Claims as practitioners write them: which variable, which moment, sums, axes that are no power of two. True
// claims hold, and each exchange of two bits in them is found: it holds nowhere, neither here nor after a line.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernels/base/read_file.h"
#include "tests/catalogue/swaps.h"
#include "tests/kernels/claims/forms.h"
#include "tests/kernels/claims/probed.h"

namespace lanescope::claims {
namespace {

struct Forms : ::testing::TestWithParam<Form> {
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  }
};

TEST_P(Forms, HoldsAndEveryExchangeIsFound) {
  std::vector<catalogue::Swap> swaps;
  const auto run = probe(text_of(GetParam()), [&](source::Source& s) {
    ASSERT_EQ(s.claims.size(), 1u);
    const source::Claim claim = s.claims.front();
    swaps = catalogue::swaps(claim.stated);
    for (const catalogue::Swap& swap : swaps) {
      s.claims.push_back(claim);
      s.claims.back().stated = swap.stated;
    }
  });
  ASSERT_TRUE(run);
  const auto results = run->collector->judge();
  ASSERT_EQ(results.size(), swaps.size() + 1);
  EXPECT_EQ(run->source.claims[0].variable, GetParam().variable);
  EXPECT_EQ(verdict_words(results[0]), GetParam().verdict)
      << results[0].reason.words() << results[0].difference << run->source.claims[0].unchecked_reason.words();
  EXPECT_FALSE(swaps.empty());
  for (std::size_t n = 0; n < swaps.size(); ++n) {
    const ClaimResult& r = results[n + 1];
    EXPECT_NE(r.verdict, Verdict::holds) << layout::print_line(swaps[n].stated) << ": " << verdict_words(r);
    EXPECT_FALSE(r.reason.empty() && r.difference.empty()) << layout::print_line(swaps[n].stated);
  }
}

INSTANTIATE_TEST_SUITE_P(Claims, Forms, ::testing::ValuesIn(forms),
                         [](const auto& info) { return std::string(info.param.name); });

ClaimResult only_result(const std::string& text) {
  const auto run = probe(text);
  return run ? run->collector->judge().at(0) : ClaimResult{};
}

std::string in_four_registers(const std::string& body) {
  return std::string(four_registers) + "__global__ void k(const unsigned *p, unsigned *q) {\n" + body + "}\n";
}

const char* const load_four =
    "  int l = threadIdx.x;\n  unsigned x0 = p[l], x1 = p[l + 32], x2 = p[l + 64], x3 = p[l + 96];\n";
const char* const exchange = "  unsigned t = x1; x1 = x2; x2 = t;\n";
const char* const store_four = "\n  q[l] = x0; q[l + 32] = x1; q[l + 64] = x2; q[l + 96] = x3;\n";

std::string with_claim(const std::string& sentence, const char* registers, const std::string& then = exchange) {
  return in_four_registers(std::string(load_four) + "  // " + sentence + "\n  //   register: " + registers +
                           "\n  //   thread: i4 i3 i2 i1 i0\n" + then + store_four);
}

// Foreign files, and the verdict on the claim in each.
TEST(Strangers, HaveTheVerdictsOfTheirTable) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP();
  const struct {
    const char *file, *variable, *verdict;
    std::uint64_t outside = 0;
  } files[] = {{"unnamed_claim", "samples", "holds"}, {"inner_scalar", "u", "holds"},
               {"struct_member", "v4", "holds"},      {"array_parameter", "V", "holds"},
               {"array_reference", "V", "holds"},     {"axis_of_24", "x", "holds", 8},
               {"axis_of_3_warps", "x", "holds"},     {"forward_looking", "x", "holds after line 19"},
               {"spanning", "(x, y)", "holds"},       {"later_variable", "t", "holds"},
               {"out_of_class", "x", "holds"},        {"shared_ptr_member", "x", "holds"}};
  for (const auto& f : files) {
    const std::string path = fmt::format("{}/strangers/{}.cu", LANESCOPE_TEST_DATA_DIR, f.file);
    const auto run = probe(read_file(path).value_or(""));
    ASSERT_TRUE(run) << f.file;
    const ClaimResult r = run->collector->judge().at(0);
    EXPECT_EQ(run->source.claims[0].variable, f.variable) << f.file;
    EXPECT_EQ(verdict_words(r), f.verdict) << f.file << r.reason.words() << r.difference;
    EXPECT_EQ(r.outside_places, f.outside) << f.file;
  }
}

// x2 and x1 are exchanged by three assignments on one line.
TEST(MomentMeant, WordsDecide) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP();
  const ClaimResult here = only_result(with_claim("x has register assignment:", "r1 r0"));
  EXPECT_EQ(verdict_words(here), "holds");
  EXPECT_EQ(here.after_line, 0);
  // False where it stands and true after the exchange by accident: only the remark speaks of it.
  const ClaimResult wrong = only_result(with_claim("x has register assignment:", "r0 r1"));
  EXPECT_EQ(wrong.verdict, Verdict::differs);
  EXPECT_EQ(wrong.after_line, 15);
  const ClaimResult forward = only_result(with_claim("Next, x becomes", "r0 r1"));
  EXPECT_EQ(verdict_words(forward), "holds after line 15") << forward.reason.words() << forward.difference;
  const ClaimResult backward = only_result(with_claim("Next, x becomes", "r1 r0"));
  EXPECT_EQ(backward.verdict, Verdict::unchecked);
  EXPECT_NE(backward.reason.words().find("\"becomes\""), std::string::npos) << backward.reason.words();
  const ClaimResult never = only_result(with_claim("Next, x becomes", "r1 r1+r0"));
  EXPECT_EQ(never.verdict, Verdict::differs);
  EXPECT_NE(never.difference.find("after line 15"), std::string::npos) << never.difference;
}

TEST(MomentMeant, OnlyTheNextStatementsCount) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP();
  // After an empty line another paragraph begins.
  const ClaimResult later =
      only_result(with_claim("Next, x becomes", "r1 r0", std::string(exchange) + "\n  t = x1; x1 = x2; x2 = t;\n"));
  EXPECT_NE(later.verdict, Verdict::differs);
  EXPECT_EQ(later.after_line, 0) << verdict_words(later);
  // In one paragraph: true after the first exchange, not after the second.
  const ClaimResult two =
      only_result(with_claim("Next, x becomes", "r0 r1", std::string(exchange) + "  t = x1; x1 = x2; x2 = t;\n"));
  EXPECT_EQ(two.verdict, Verdict::unchecked);
  EXPECT_NE(two.reason.words().find("no longer after line"), std::string::npos) << two.reason.words();
  // Values written after the next claim belong to that claim.
  const ClaimResult diverged = only_result(
      with_claim("Next, x becomes", "r0 r1",
                 "  l += 0;\n  // x has register assignment:\n  //   register: r1 r0\n" + std::string(exchange)));
  EXPECT_EQ(diverged.verdict, Verdict::differs);
}

TEST(VariableMeant, IsSaidAndTheNearMissesAreNone) {
  const char* rows = "  //   register: r1 r0\n  //   thread: i4 i3 i2 i1 i0\n";
  const auto claim_of = [&](const std::string& body) {
    const auto read = source::read("k.cu", in_four_registers(body));
    EXPECT_TRUE(read) << (read ? "" : to_string(read.error().front()));
    return read && !read->claims.empty() ? read->claims.front() : source::Claim{};
  };
  const source::Claim last = claim_of(std::string(load_four) + "  // The register assignment:\n" + rows + store_four);
  EXPECT_EQ(last.variable, "x");
  EXPECT_NE(last.assumed.find("which line 11 wrote last"), std::string::npos) << last.assumed;
  const source::Claim named =
      claim_of(std::string(load_four) + "  // x has register assignment:\n" + rows + store_four);
  EXPECT_EQ(named.assumed, "");
  // An index written later is not meant, and neither is a variable of another size.
  const source::Claim index = claim_of(std::string(load_four) + "  unsigned lane = l & 3;\n  uint2 y = {x0, x1};\n" +
                                       "  // Each lane holds four; the register assignment:\n" + rows + store_four);
  EXPECT_EQ(index.variable, "x") << index.unchecked_reason.words();
  // One that is declared in an inner scope after the comment cannot be meant where one fits before it.
  const source::Claim array = claim_of(std::string("  unsigned y[4];\n  for (int r = 0; r < 4; ++r) y[r] = p[r];\n") +
                                       "  // The register assignment:\n" + rows + "  { unsigned z[4] = {}; }\n");
  EXPECT_EQ(array.variable, "y") << array.unchecked_reason.words();
  // A variable that a function of another file may write through a reference has a value after that call.
  const source::Claim fragment = claim_of(std::string("  fragment<float> acc;\n  load_matrix_sync(acc, p, 16);\n") +
                                          "  // acc has register assignment:\n" + rows + "  q[0] = acc.x[0];\n");
  EXPECT_GE(fragment.probe, 0) << fragment.unchecked_reason.words();
  // Arrays that asm operands name are written there.
  const source::Claim accumulators =
      claim_of(std::string("  float d[4];\n  asm volatile(\"mma.sync ...\"\n      : \"=f\"(d[0]), \"=f\"(d[1]), "
                           "\"=f\"(d[2]), \"=f\"(d[3]) : \"r\"(p[0]));\n") +
               "  // The fragment d has register assignment:\n" + rows + "  q[0] = d[0];\n");
  EXPECT_EQ(accumulators.variable, "d");
  EXPECT_GE(accumulators.probe, 0) << accumulators.unchecked_reason.words();
  // A pointer into memory is no array of registers.
  const source::Claim pointer = claim_of(std::string("  // p has register assignment:\n") + rows + "  q[0] = p[0];\n");
  EXPECT_EQ(pointer.probe, -1);
}

TEST(Blame, OtherClaimsAreCounted) {
  ClaimResult r;
  r.verdict = Verdict::differs;
  r.first_false_line = 7;
  EXPECT_EQ(blame_words(r), "first contradicted by the write of line 7");
  r.others_hold = 3;
  r.others_differ = 1;
  EXPECT_EQ(
      blame_words(r),
      "3 of the other claims hold, also of this variable further down: the code agrees with them, and this comment "
      "does not");
}

}  // namespace
}  // namespace lanescope::claims
