// Laws: parse after print is the identity; every spelling of one relation parses to one value.

#include "tests/kernels/layout/support.h"

namespace lanescope::layout::test {
namespace {

constexpr std::string_view half2 =
    "simd:      s0              <->  k0\n"
    "register:  r1 r0           <->  j3 j2\n"
    "thread:    t4 t3 t2 t1 t0  <->  j1 j0 k3 k2 k1\n"
    "warp:      w3 w2 w1 w0     <->  i3 i2 i1 i0\n";

TEST(Notation, PrintsTheAlignmentOfTheNotes) { EXPECT_EQ(print(parsed(half2)), half2); }

TEST(Notation, MostSignificantBitComesFirst) {
  const Assignment a = parsed(half2);
  EXPECT_EQ((*a.row(Place::thread))[0], sum_of({"k1"}));
  EXPECT_EQ((*a.row(Place::thread))[4], sum_of({"j1"}));
  EXPECT_FALSE(a.row(Place::block));
}

TEST(Notation, ParseAfterPrintIsTheIdentity) {
  Random random(1);
  for (int n = 0; n < 3000; ++n) {
    const Assignment a = random_assignment(random);
    if (a == Assignment{}) continue;
    EXPECT_EQ(parsed(print(a, true)), a) << print(a, true);
    EXPECT_EQ(parsed(print(a, false)), a) << print(a, false);
    EXPECT_EQ(parsed(print_line(a)), a) << print_line(a);
  }
}

TEST(Notation, PrintAfterParseIsStable) {
  Random random(2);
  for (int n = 0; n < 500; ++n) {
    const Assignment a = random_assignment(random);
    if (a == Assignment{}) continue;
    EXPECT_EQ(print(parsed(print_line(a))), print(a));
  }
}

/// Turns every row of the canonical print into some other spelling that means the same.
std::string respelled(Random& random, const Assignment& a) {
  static const std::vector<std::vector<std::string>> labels = {{"simd", "SIMD"},
                                                               {"register", "registers", "Reg", "regs"},
                                                               {"thread", "threads", "lane", "Lane"},
                                                               {"warp", "WARP", "warps"},
                                                               {"block", "blocks"}};
  static const std::vector<std::string> markers = {"", "// ", "/// ", " * ", "    //   ", "/* "};
  static const std::vector<std::string> remarks = {"", "   (unchanged)", " (was j1; see above)", " */", "  // note"};
  static const std::vector<std::string> arrows = {" <-> ", "<=>", " \u2194 "};
  const auto pick = [&](const auto& v) {
    return v[static_cast<std::size_t>(below(random, static_cast<int>(v.size())))];
  };
  std::string out;
  for (int p = place_count - 1; p >= 0; --p) {
    const auto& row = a.rows[static_cast<std::size_t>(p)];
    if (!row) continue;
    std::vector<int> order;
    for (int i = static_cast<int>(row->size()) - 1; i >= 0; --i) order.push_back(i);
    const bool left = !row->empty() && below(random, 2) == 0;
    if (left) std::shuffle(order.begin(), order.end(), random);
    std::string lhs;
    std::string rhs;
    for (const int i : order) {
      lhs += to_string(PhysicalBit{static_cast<Place>(p), i}) + " ";
      std::string term = print((*row)[static_cast<std::size_t>(i)]);
      if (below(random, 2) == 0) std::replace(term.begin(), term.end(), '+', '^');
      if (term[0] != '[' && below(random, 3) == 0) term = "~" + term + "+1";
      if (below(random, 3) == 0 && term[0] != '[') term += " + i77 + i77";
      rhs += term + (below(random, 4) == 0 ? ", " : " ");
    }
    if (row->empty()) rhs = "-";
    out += pick(markers) + pick(labels[static_cast<std::size_t>(p)]) + (below(random, 2) == 0 ? ": " : " :") +
           (left ? lhs + pick(arrows) : "") + rhs + pick(remarks) + (below(random, 3) == 0 ? "\r\n" : "\n");
  }
  return out;
}

TEST(Notation, EverySpellingParsesToTheSameValue) {
  Random random(3);
  for (int n = 0; n < 2000; ++n) {
    const Assignment a = random_assignment(random);
    if (a == Assignment{}) continue;
    const std::string text = respelled(random, a);
    EXPECT_EQ(parsed(text), a) << text;
  }
}

TEST(Notation, ElementsOfOneToThirtyTwoBits) {
  for (const auto& [text, bits] : {std::pair{"simd: i4 i3 i2 i1 i0", 5},
                                   {"simd: i2 i1 i0", 3},
                                   {"simd: i1 i0", 2},
                                   {"simd: i0", 1},
                                   {"simd: -", 0},
                                   {"simd:", 0}}) {
    const Assignment a = parsed(text);
    ASSERT_TRUE(a.row(Place::simd)) << text;
    EXPECT_EQ(a.bits(Place::simd), bits);
    EXPECT_EQ(parsed(print(a)), a);
  }
}

TEST(Notation, AbsentRowAndEmptyRowDiffer) {
  EXPECT_FALSE(parsed("register: i0").row(Place::simd));
  EXPECT_TRUE(parsed("register: i0; simd:").row(Place::simd));
  EXPECT_FALSE(parsed("register: i0\nthread: (unchanged)").row(Place::thread)) << "a remark alone states nothing";
  EXPECT_TRUE(parsed("register: i0\nthread: - (one thread)").row(Place::thread));
}

TEST(Notation, TheLeftSideDecidesTheOrder) {
  EXPECT_EQ(parsed("thread: t0 t1 t2 t3 t4 <-> k1 k2 k3 j0 j1"), parsed("thread: j1 j0 k3 k2 k1"));
  EXPECT_EQ(parsed("lane: l2 l0 l1 <-> a c b"), parsed("thread: a b c"));
  EXPECT_EQ(parsed("t1 t0 <-> j1 j0"), parsed("thread: j1 j0")) << "the left side names the row as well";
}

TEST(Notation, ConstantsAndRepeatsCancel) {
  EXPECT_EQ(parsed("simd: i5+1"), parsed("simd: ~i5"));
  EXPECT_EQ(parsed("simd: i5+1+1"), parsed("simd: i5"));
  EXPECT_EQ(parsed("simd: i5+j0+i5"), parsed("simd: j0"));
  EXPECT_EQ(parsed("simd: i5 + i0"), parsed("simd: i0^i5"));
  EXPECT_EQ(print_line(parsed("simd: i0+i5+i10+1")), "simd: i10+i5+i0+1");
}

TEST(Notation, AWholeCommentMayBePasted) {
  const Assignment a = parsed(
      "// Now the y array is the same logical array as x, but with a new register assignment:\n"
      "//   simd:      j3\n"
      "//   register:  k0 j2\n"
      "//   thread:    j1 j0 k3 k2 k1   (unchanged)\n"
      "//   warp:      i3 i2 i1 i0      (unchanged)\n"
      "\n");
  EXPECT_EQ(print_line(a), "simd: j3; register: k0 j2; thread: j1 j0 k3 k2 k1; warp: i3 i2 i1 i0");
}

TEST(Notation, EveryPublishedChainParses) {
  int states = 0;
  for (const auto& chain : published()["register_assignment_chains"]) {
    for (const auto& state : chain["states"]) {
      std::string text;
      for (const auto& [row, right] : state.items()) text += row + ": " + right.get<std::string>() + "\n";
      const Assignment a = parsed(text);
      EXPECT_EQ(parsed(print(a)), a) << chain["id"];
      EXPECT_TRUE(to_map(a)) << text << why_no_map(a);
      for (const auto& [row, right] : state.items()) {
        EXPECT_TRUE(parse_row("//   " + row + ":  " + right.get<std::string>())) << right;
      }
      ++states;
    }
  }
  EXPECT_EQ(states, 20);
}

TEST(ParseRow, AcceptsRowsOfComments) {
  for (const char* line : {"//   simd:      k0", "//   register:  r1 r0           <->  j3 j2", "simd: ReIm",
                           " * lane: j1 j0", "//   simd:      j3               (unchanged)", "register: [junk] t1 t0",
                           "simd: pol", "thread: t6 t5 t4 t3 [unused]", "register: i5+i0", "simd:", "simd: -",
                           "simd: s0 <-> channel", "t1 t0 <-> j1 j0", "register: pol i0"}) {
    const auto row = parse_row(line);
    ASSERT_TRUE(row) << line;
    EXPECT_TRUE(*row) << line << " " << (*row ? "" : to_string(row->error()[0]));
  }
}

TEST(ParseRow, LeavesProseAlone) {
  for (const char* line : {"// thread with t2=0 keeps its y0",
                           "// Thread with t2=0 keeps its y0, receives partner's y0 into y1",
                           "// simd: it is good to combine halves",
                           "// warp: 0",
                           "// block: 32 threads",
                           "// register: see below",
                           "// thread: (unchanged)",
                           "// Note: i0 i1",
                           "// before: shape (32,128,1024), contiguous",
                           "",
                           "int x = 3;",
                           "x = warp ? a : b;",
                           "// Warp: all lanes take part",
                           "threads: 256",
                           "// register: i5 = 3",
                           "// warp: none",
                           "// t2 selects the partner",
                           "// thread: t0 and t1",
                           "// warp: w0 and w1 add",
                           "// lane: one of i0 and the rest"}) {
    EXPECT_FALSE(parse_row(line)) << line;
  }
}

}  // namespace
}  // namespace lanescope::layout::test
