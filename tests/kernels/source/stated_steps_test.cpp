// Sentences about the exchange of two bits, beside the claims before and after them.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "kernels/source/source.h"

namespace lanescope::source {
namespace {

std::string function(const std::string& sentence, const std::string& rows_after) {
  return fmt::format(R"(__device__ void f(unsigned &x0, unsigned &x1) {{
  // x has register assignment:
  //   register: r0 <-> i0
  //   thread: t4 t3 t2 t1 t0 <-> j4 j3 j2 j1 j0
  // {}
  const bool odd = threadIdx.x & 4;
  unsigned s = odd ? x0 : x1;
  s = __shfl_xor_sync(0xffffffffu, s, 4);
  if (odd) x0 = s;
  else x1 = s;
  // x has register assignment:
{}}}
)",
                     sentence, rows_after);
}

const char* exchanged = "  //   register: r0 <-> j2\n  //   thread: t4 t3 t2 t1 t0 <-> j4 j3 i0 j1 j0\n";
const char* rotated = "  //   register: r0 <-> j2\n  //   thread: t4 t3 t2 t1 t0 <-> j4 j3 j1 i0 j0\n";

std::string warning_of(const std::string& sentence, const std::string& rows) {
  const auto source = read("f.cu", function(sentence, rows));
  if (!source) return "not read";
  for (const Diagnostic& d : source->notes)
    if (d.message.find("exchanges") != std::string::npos) return fmt::format("{}: {}", d.line, d.message);
  return {};
}

TEST(StatedSteps, AreComparedWithTheClaimsAroundThem) {
  for (const char* right : {"This exchanges physical bits r0 (register) with t2 (thread).", "swap i0, j2",
                            "Swap j2 and i0.", "exchange r0 and t2"})
    EXPECT_EQ(warning_of(right, exchanged), "") << right;
  for (const char* wrong :
       {"This exchanges physical bits r0 (register) with t3 (thread).", "swap i0, j1", "Swap t2 and t1."})
    EXPECT_NE(warning_of(wrong, exchanged).find("differ by an exchange of r0 and t2"), std::string::npos) << wrong;
  EXPECT_EQ(warning_of("swap i0, j1", exchanged).substr(0, 2), "5:");
}

// A step of another kind, a condition, another word between the bits: nothing is known.
TEST(StatedSteps, OtherSentencesAreNotJudged) {
  for (const char* other : {"To exchange r0 with t3 we would use another mask.", "swap i0, then j1", "swap the halves",
                            "swaps r0 of x0 and t3", "exchanges data between threads"})
    EXPECT_EQ(warning_of(other, exchanged), "") << other;
  EXPECT_EQ(warning_of("swap r0 and t3", rotated), "");  // the claims differ by more than one exchange
}

}  // namespace
}  // namespace lanescope::source
