// Every form of assignment comment in the reference notes, pasted among the code it speaks of.

#include "tests/kernels/source/source_files.h"
#include "tests/kernels/source/strip_claims.h"

namespace lanescope::source {
namespace {

TEST(Notes, TheHalf2KernelHasFourClaims) {
  const Source s = read_data("half2_notes.cu");
  ASSERT_EQ(s.claims.size(), 4U);
  EXPECT_EQ(registers_of(s, 0), "x0 x1 x2 x3");  // "register assigment", typo and all
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(registers_of(s, i), "y0 y1 y2 y3") << i;
  EXPECT_EQ(layout::print_line(s.claims[0].stated),
            "simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1; warp: i3 i2 i1 i0");
  EXPECT_EQ(layout::print_line(s.claims[3].stated),
            "simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1; warp: i3 i2 i1 i0");
  for (std::size_t i = 0; i < 4; ++i) EXPECT_GE(s.claims[i].probe, 0) << s.claims[i].unchecked_reason.words();
}

TEST(Notes, ClaimsOnAssignedVariablesAreCheckedAtTheComment) {
  const Source s = read_data("half2_notes.cu");
  // The probe sees the last statement before its comment.
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LT(probe_of(s, i).statement_line, s.claims[i].first_line);
  EXPECT_EQ(s.text.substr(0, s.text.find("x3 = *")).find('\0'), std::string::npos);
  EXPECT_EQ(probe_of(s, 0).statement_line, 16);
  EXPECT_EQ(probe_of(s, 3).statement_line, 50);
}

TEST(Notes, AClaimBeforeItsVariablesWaitsForTheLastAssignment) {
  const Source s = read_data("local_transpose.cu");
  ASSERT_EQ(s.claims.size(), 2U);  // and none from the explanations, though they hold rows of bits and an arrow
  EXPECT_EQ(registers_of(s, 0), "x0 x1 x2 x3");
  const std::string before = s.text.substr(0, s.text.find("x3 = *"));
  EXPECT_EQ(probe_of(s, 0).statement_line, static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1);
  EXPECT_EQ(registers_of(s, 1), "y0 y1 y2 y3");
}

TEST(Notes, AClaimWithoutANameTakesTheVariablesDeclaredNext) {
  const Source s = read_data("packed_bytes.cu");
  ASSERT_EQ(s.claims.size(), 2U);
  EXPECT_EQ(registers_of(s, 0), "x0 x1");
  EXPECT_EQ(registers_of(s, 1), "y0 y1");  // "Now the y-array contains the same data as x": the first name
  EXPECT_FALSE(s.claims[0].stated.row(layout::Place::thread).has_value());
  // Registers of 32 bits with two simd bits hold bytes.
  ASSERT_EQ(s.header.buffers.size(), 2U);
  EXPECT_EQ(s.header.buffers[0].element_type, "u8");
}

TEST(Notes, SizesComeFromTheComments) {
  const Source half2 = read_data("half2_notes.cu");
  ASSERT_EQ(half2.header.launches.size(), 1U);
  EXPECT_EQ(half2.header.launches[0].block, (std::array<std::uint32_t, 3>{32, 16, 1}));
  ASSERT_EQ(half2.header.buffers.size(), 1U);
  EXPECT_EQ(half2.header.buffers[0].element_type, "f16");
  EXPECT_EQ(half2.header.buffers[0].elements, 4096U);
  EXPECT_EQ(half2.header.buffers[0].axes[1].name, "j");
  EXPECT_FALSE(half2.header.inferred.empty());

  const Source offsets = read_data("pointer_offsets.cu");
  for (const Claim& c : offsets.claims) EXPECT_EQ(c.kind(), ClaimKind::subarray);
  EXPECT_EQ(offsets.header.launches[0].grid, (std::array<std::uint32_t, 3>{128, 32, 1}));
  EXPECT_EQ(offsets.header.launches[0].block, (std::array<std::uint32_t, 3>{32, 32, 1}));
  EXPECT_EQ(offsets.header.buffers[0].elements, 32U * 128U * 1024U);
}

TEST(Notes, SentencesNameTheirVariable) {
  struct Case {
    const char* sentence;
    const char* registers;
  };
  for (const Case& c :
       {Case{"x has the following register assigment.", "x0 x1"},
        Case{"Now the y array is the same logical array as x, but with a new register assignment:", "y0 y1"},
        Case{"Continuing the example above, 'y' has register assignment:", "y0 y1"},
        Case{"Now the y-array contains the same data as x, but with a new register assignment:", "y0 y1"},
        Case{"Suppose we have a 3-d array x[i,j,k] with the following register assignment. (Note that we sometimes "
             "omit s_i on the LHS.)",
             "x0 x1"},
        Case{"Register assignment of `y`:", "y0 y1"}, Case{"x:", "x0 x1"},
        Case{"The two registers x0, x1 now hold:", "x0 x1"}}) {
    const Source s = read_well(
        std::string("__global__ void f(uint* p) {\n  uint x0 = p[0], x1 = p[1], y0 = p[2], y1 = p[3];\n  // ") +
        c.sentence + "\n  //   register: i0\n  //   thread: i5 i4 i3 i2 i1\n  p[0] = x0 + x1 + y0 + y1;\n}\n");
    ASSERT_EQ(s.claims.size(), 1U) << c.sentence;
    EXPECT_EQ(registers_of(s, 0), c.registers) << c.sentence << ": " << s.claims[0].unchecked_reason.words();
  }
}

TEST(Notes, StrippedClaimsAreGoneAndNothingElse) {
  for (const char* name : {"half2_notes.cu", "packed_bytes.cu", "local_transpose.cu"}) {
    const Source s = read_data(name);
    const std::string bare = strip_claims(s);
    EXPECT_EQ(std::count(bare.begin(), bare.end(), '\n'), std::count(s.text.begin(), s.text.end(), '\n'));
    EXPECT_TRUE(read_well(bare).claims.empty());
    EXPECT_EQ(strip_claims(read_well(bare)), bare);
  }
}

}  // namespace
}  // namespace lanescope::source
