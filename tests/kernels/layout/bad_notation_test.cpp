// Mistakes are reported at the user's own line and column, name the row, and say what was probably meant.

#include "tests/kernels/layout/support.h"

namespace lanescope::layout::test {
namespace {

struct Mistake {
  std::string text;
  int line;
  int column;
  std::string message;
  std::string remedy;  ///< a part of it
};

void expect(const Mistake& m) {
  const Expected<Assignment> a = parse(m.text);
  ASSERT_FALSE(a) << m.text << " was read as " << print_line(*a);
  const Diagnostic& d = a.error()[0];
  EXPECT_EQ(d.line, m.line) << m.text << "\n" << to_string(d);
  EXPECT_EQ(d.column, m.column) << m.text << "\n" << to_string(d);
  EXPECT_EQ(d.message, m.message) << m.text;
  EXPECT_NE(d.remedy.find(m.remedy), std::string::npos) << d.remedy;
}

TEST(BadNotation, IsReportedWhereItStands) {
  for (const Mistake& m : std::vector<Mistake>{
           {"simd: 10", 1, 7, "simd row: `10` is not a logical bit", "did you mean `i0`?"},
           {"register: j1 jo", 1, 14, "register row: `jo` is not a logical bit", "did you mean `j0`?"},
           {"simd: i0\n//   register: j1 j2 j?", 2, 22, "register row: `j?` is not a logical bit", "such as `i3`"},
           {"simd: i0; thread: j0 5i", 1, 22, "thread row: `5i` is not a logical bit", "did you mean `i5`?"},
           {"simd: i01", 1, 7, "simd row: `i01` has a leading zero", "did you mean `i1`?"},
           {"simd: i0+i0", 1, 7, "simd row: `i0+i0` cancels to 0: no logical bit is left", "[junk]"},
           {"simd: i0+", 1, 10, "simd row: `i0+` is not a logical bit", ""},
           {"simd: [unusd]", 1, 7, "simd row: `[unusd]` is not a bit", "`[unused]`"},
           {"simd: [jnk]", 1, 7, "simd row: `[jnk]` is not a bit", "`[junk]`"},
           {"simd: unused", 1, 7, "simd row: `unused` is not a logical bit", "did you mean `[unused]`?"},
           {"simd: [", 1, 7, "simd row: `[` is not a bit", ""},
           {"simd: 0", 1, 7, "simd row: `0` is not a logical bit", "[junk]"},
           {"register: r1 r0 <-> j1", 1, 11, "register row: 2 physical bits on the left, 1 logical bits on the right",
            ""},
           {"register: r1 r1 <-> j1 j0", 1, 14, "register row: r1 occurs twice", ""},
           {"register: r2 r0 <-> j1 j0", 1, 11, "register row: r1 is missing", ""},
           {"register: t1 r0 <-> j1 j0", 1, 11, "register row: `t1` is not a bit of this row", "r0, r1"},
           {"register: r1 r0 -> j1 j0", 1, 17, "register row: `->` separates the sides", "<->"},
           {"simd: i0\nsimd: i1", 2, 1, "there are two simd rows", ""},
           {"// regster: j0", 1, 4, "`regster` is not a row", "did you mean `register`?"},
           {"what is this", 1, 1, "`what is this` is not a row", "simd, register"},
           {"", 1, 1, "this is not a row of a register assignment", ""},
           {"// only prose", 1, 1, "this is not a row of a register assignment", ""},
       }) {
    expect(m);
  }
}

TEST(BadNotation, EveryMistakeIsReported) {
  const Expected<Assignment> a = parse("simd: 10 j?\nregster: x\nwarp: w0 w0 <-> a b");
  ASSERT_FALSE(a);
  EXPECT_EQ(a.error().size(), 4u);
}

TEST(BadNotation, NearMissesInCommentsAreErrorsNotProse) {
  for (const auto& [line, column] : {std::pair{"//   register:  j1 jo", 20},
                                     {"// thread: i4 i3 10 i1 i0", 18},
                                     {"// register: r1 r0 <-> j1 ?", 27},
                                     {"// simd: i1 i0 swapped", 16},
                                     {"// thread: t4 t3 t2 t1 unused", 24}}) {
    const auto row = parse_row(line);
    ASSERT_TRUE(row) << line;
    ASSERT_FALSE(*row) << line;
    EXPECT_EQ(row->error()[0].column, column) << line << to_string(row->error()[0]);
  }
}

TEST(BadNotation, NoTextMakesTheParserFail) {
  // Random text of the notation's own characters: it parses to something that prints back, or reports a position inside.
  Random random(4);
  const std::string alphabet = "simdregtw:<->;,()[]+^~01ij \n/*\xe2\x86\x94";
  for (int n = 0; n < 20000; ++n) {
    std::string text = below(random, 2) == 0 ? "register: " : "";
    for (int c = below(random, 30); c > 0; --c) {
      text += alphabet[static_cast<std::size_t>(below(random, static_cast<int>(alphabet.size())))];
    }
    (void)parse_row(text);
    const Expected<Assignment> a = parse(text);
    if (a && *a != Assignment{}) {
      const Expected<Assignment> again = parse(print(*a));
      ASSERT_TRUE(again) << text << "\n" << print(*a);
      EXPECT_EQ(*again, *a) << text;
    } else if (!a) {
      const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
      for (const Diagnostic& d : a.error()) {
        EXPECT_GE(d.line, 1);
        EXPECT_LE(d.line, lines);
        EXPECT_GE(d.column, 1);
        EXPECT_LE(d.column, static_cast<int>(text.size()) + 1) << text;
      }
    }
  }
}

}  // namespace
}  // namespace lanescope::layout::test
