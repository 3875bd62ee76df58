// Sentences about the exchange of two bits, beside the claims before and after them.

#include <gtest/gtest.h>

#include <algorithm>

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
    if (d.code == DiagnosticCode::stated_step) return fmt::format("{}: {}", d.line, d.message);
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
}

// A step of several: both bits change, and what else is done has no words.
TEST(StatedSteps, OneOfSeveralExchanges) {
  EXPECT_EQ(warning_of("swap r0 and t2", rotated), "");
  EXPECT_NE(warning_of("swap r0 and t3", rotated).find("have the same contents in t3"), std::string::npos);
  EXPECT_EQ(warning_of("Swap r0 and t2. Swap t2 and t1.", rotated), "");
  EXPECT_EQ(warning_of("Swap i0 and j2. Swap i0 and j1.", rotated), "");
  EXPECT_NE(warning_of("Swap t2 and t1. Swap r0 and t2.", rotated).find("no order of the 2 exchanges"),
            std::string::npos);
  // A sentence that repeats another one, over two lines, and in the passive.
  EXPECT_EQ(
      warning_of("The warp transpose exchanges physical bits r0\n  // (register) with t2. Swap r0, t2.", exchanged),
      "");
  EXPECT_EQ(warning_of("Now r0 and t2 are swapped.", exchanged), "");
  EXPECT_NE(warning_of("Now r0 and t1 are swapped.", exchanged), "");
  EXPECT_EQ(warning_of("warp transpose (register r0) <-> (thread t2)", exchanged), "");
  EXPECT_NE(warning_of("warp transpose (register r0) <-> (thread t1)", exchanged), "");
}

TEST(StatedSteps, KindsWithoutBits) {
  const char* same = "  //   register: r0 <-> i0\n  //   thread: t4 t3 t2 t1 t0 <-> j4 j3 j2 j1 j0\n";
  const char* copies = "  //   register: r0 <-> i0\n  //   thread: t4 t3 t2 t1 t0 <-> [unused] j3 j2 j1 j0\n";
  const char* other = "  //   register: r0 <-> k0\n  //   thread: t4 t3 t2 t1 t0 <-> n4 n3 n2 n1 n0\n";
  const struct {
    const char *sentence, *rows;
    bool right;
  } cases[] = {
      {"Warp transpose:", exchanged, true},
      {"Local transpose.", exchanged, false},
      {"a warp transpose", same, false},
      {"a local transpose", same, false},
      {"Broadcast to all lanes", exchanged, false},
      {"Broadcast to all lanes", copies, true},
      {"Gather from the lanes", exchanged, true},
      {"No warp transpose", same, true},
      {"Warp transpose", other, true},
      {"gather from the tile", same, true},
  };
  for (const auto& c : cases) {
    // In the comment of the second claim.
    std::string text = function("nothing", c.rows);
    const std::size_t at = text.rfind("  // x has");
    text.insert(at, fmt::format("  // {}\n", c.sentence));
    const auto source = read("f.cu", text);
    ASSERT_TRUE(source);
    const bool warned =
        std::ranges::any_of(source->notes, [](const Diagnostic& d) { return d.code == DiagnosticCode::stated_step; });
    EXPECT_EQ(warned, !c.right) << c.sentence << '\n' << c.rows;
  }
  // Registers alone change: no lane gathers anything.
  const char* pair =
      "__device__ void f(unsigned &x0, unsigned &x1, unsigned &x2, unsigned &x3) {\n"
      "  // x has register assignment:\n  //   register: i1 i0\n  //   thread: j4 j3 j2 j1 j0\n"
      "  unsigned t = x1; x1 = x2; x2 = t;\n  // KIND: x has register assignment:\n"
      "  //   register: i0 i1\n  //   thread: j4 j3 j2 j1 j0\n}\n";
  for (const char* kind : {"Gather", "Local transpose", "Warp transpose"}) {
    std::string text = pair;
    text.replace(text.find("KIND"), 4, kind);
    const auto source = read("f.cu", text);
    ASSERT_TRUE(source);
    const auto warned = std::ranges::count(source->notes, DiagnosticCode::stated_step, &Diagnostic::code);
    EXPECT_EQ(warned, std::string(kind) == "Local transpose" ? 0 : 1) << kind;
  }
  // Elsewhere they may be about other values, and from memory any element may come.
  EXPECT_EQ(warning_of("broadcast the twiddle factors", exchanged), "");
  EXPECT_EQ(warning_of("gather from the table", exchanged), "");
}

}  // namespace
}  // namespace lanescope::source
