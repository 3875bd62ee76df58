// Rows that nobody can read: the claim is not checked on the rest of it, and each of them is named.

#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

/// A kernel with `comment` behind the declaration of x, at line 4.
Source with_comment(const std::string& comment) {
  return read_well(
      "/*\n[lanescope]\nblock = [32]\n*/\n__global__ void k(const float *p, float *q) {\n  float x = "
      "p[threadIdx.x];\n" +
      comment + "  q[threadIdx.x] = x;\n}\n");
}

TEST(UnreadRows, TheFileOfAStranger) {
  const Source s = read_well(file_text(LANESCOPE_TEST_DATA_DIR "/strangers/unread_rows.cu"));
  ASSERT_EQ(s.claims.size(), 1U);
  EXPECT_EQ(s.claims[0].variable, "x");
  EXPECT_EQ(s.claims[0].probe, -1);
  EXPECT_EQ(s.claims[0].row_lines, (std::vector<int>{11}));
  EXPECT_EQ(s.claims[0].unchecked_reason,
            "3 rows could not be read: line 12 `w0* <-> k7 nonsense`, line 13 `r <-> nonsense`, "
            "line 14 `xy r1 r0 <-> q9 q8 ReIm`");
}

TEST(UnreadRows, WhereverTheyStand) {
  const std::string row = "  //   l4 l3 l2 l1 l0 <-> j4 j3 j2 j1 j0\n", bad = "  //   w0* <-> k7\n",
                    mark =
                        " (`w0*` is marked with *, and no comment says what the mark means; write for example `* marks "
                        "a spectator` or `* counts to 3`)";
  const std::string sentence = "  // x has register assignment:\n";
  const struct {
    std::string comment;
    std::string reason;
  } cases[] = {
      {sentence + row + bad, "1 row could not be read: line 9 `w0* <-> k7`" + mark},
      {sentence + bad + row, "1 row could not be read: line 8 `w0* <-> k7`" + mark},
      {sentence + bad, "1 row could not be read: line 8 `w0* <-> k7`" + mark},
      {sentence + bad + bad, "2 rows could not be read: line 8 `w0* <-> k7`" + mark + ", line 9 `w0* <-> k7`" + mark},
      {sentence + row + "  //   block: one of each array\n  //   warp: i0\n",
       "1 row could not be read: line 9 `block: one of each array`"},
      {sentence + row + "  //   pos \u2194 i9\n", "1 row could not be read: line 9 `pos \u2194 i9`"},
      {"  /* x has register assignment:\n   *   l0 <-> j0\n   *   ?? <=> j1\n   */\n",
       "1 row could not be read: line 9 `?? <=> j1`"},
  };
  for (const auto& c : cases) {
    const Source s = with_comment(c.comment);
    ASSERT_EQ(s.claims.size(), 1U) << c.comment;
    EXPECT_EQ(s.claims[0].unchecked_reason, c.reason) << c.comment;
    EXPECT_EQ(s.claims[0].variable, "x") << c.comment;
    EXPECT_TRUE(s.claims[0].registers.empty()) << c.comment;
    EXPECT_GT(s.claims[0].first_line, 0) << c.comment;
  }
}

TEST(UnreadRows, ProseIsNone) {
  const std::string row = "  //   l4 l3 l2 l1 l0 <-> j4 j3 j2 j1 j0\n", sentence = "  // x has register assignment:\n";
  const struct {
    std::string comment;
    std::size_t claims;
  } cases[] = {
      {"  // swap a <-> b\n", 0},
      {"  // swap a <-> b\n" + sentence + row, 1},
      {sentence + row + "  // block: each copies a tile\n", 1},
      {sentence + row + "  // (and so j <-> k below)\n", 1},
      {sentence + row + "  //\n  // swap a <-> b\n", 1},
      {sentence + row + "\n  // swap a <-> b\n", 1},
      {sentence + row + "  // Local transpose s0 <-> r0.\n", 1},
      {sentence + row + "  // local transpose s0 <-> r0\n", 1},
      {"  // After s0 <-> r0, x has register assignment:\n" + row, 1},
      {"  // registers swap here, x has nothing: \n  // a <-> b\n", 0},
  };
  for (const auto& c : cases) {
    const Source s = with_comment(c.comment);
    ASSERT_EQ(s.claims.size(), c.claims) << c.comment;
    for (const Claim& claim : s.claims) EXPECT_EQ(claim.unchecked_reason, "") << c.comment;
  }
}

}  // namespace
}  // namespace lanescope::source
