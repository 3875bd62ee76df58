// Questions on unchecked claims. Every line that a question proposes is tried: with it the claim is judged.

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/claims/questions.h"
#include "tests/kernels/claims/comment_cases.h"

namespace lanescope::claims::asking {
namespace {

using Questions = CommentTest;

const std::string four = R"(/*
[lanescope]
block = 32
[buffers]
p = "u32 r:4 i:32"
q = "u32 r:4 i:32 = zeros"
*/
)";
const std::string begin = "__global__ void k(const unsigned *p, unsigned *q) {\n";
const std::string load =
    "  unsigned l = threadIdx.x;\n  unsigned x0 = p[l], x1 = p[l + 32], x2 = p[l + 64], x3 = p[l + 96];\n";
const std::string rows = "  //   register: r1 r0\n  //   thread: i4 i3 i2 i1 i0\n";
const std::string store = "  q[l] = x0; q[l + 32] = x1; q[l + 64] = x2; q[l + 96] = x3;\n}\n";

/// `comment` between loads and stores of four registers.
std::string with_comment(const std::string& comment, const std::string& header = four) {
  return header + begin + load + comment + store;
}

std::string with_array(const std::string& comment) {
  return four + begin + "  __shared__ unsigned E[4][32], F[32];\n" + load + "  // " + comment +
         "\n  E[0][l] = x0; E[1][l] = x1; E[2][l] = x2; E[3][l] = x3; F[l] = x0;\n  __syncthreads();\n" +
         "  q[l] = E[0][31 - l] + F[l];\n}\n";
}

struct Case {
  Why why;
  std::string text;
  std::string line;  ///< empty: a question without a line
  std::string then;  ///< the verdict with the line
};

std::vector<Case> cases() {
  const std::string unnamed_letter = "  // x has register assignment:\n  //   register: r1 r0\n";
  return {
      {Why::outside_functions,
       four + "// x has register assignment:\n// register: r1 r0\n// thread: i4 i3 i2 i1 i0\n\nint unused;\n" + begin +
           load + store,
       "", ""},
      {Why::no_variable, with_comment("  // y has register assignment:\n" + rows), "//   registers: x0 x1 x2 x3",
       "holds"},
      {Why::no_variable,
       with_comment("  /* y has register assignment:\n       register: r0 r1\n"
                    "       thread: i4 i3 i2 i1 i0 */\n"),
       "registers: x0 x1 x2 x3", "differs"},
      {Why::unclear_variable,
       four + begin + "  // At this point the assignment is\n" + rows +
           "  unsigned l = threadIdx.x;\n  q[l] = p[l];\n}\n",
       "", ""},
      {Why::guessed_variable,
       with_comment("  // The register assignment here:\n  //   register: r0 r1\n  //   thread: i4 i3 i2 i1 i0\n"),
       "//   registers: x0 x1 x2 x3", "differs"},
      {Why::unread_rows, with_comment(unnamed_letter + "  //   u4 u3 u2 u1 u0 <-> i4 i3 i2 i1 i0\n"), "// u = lane",
       "holds"},
      {Why::unknown_axis,
       with_comment("  // x has register assignment:\n  //   y1 y0 <-> r1 r0\n  //   thread: i4 i3 i2 i1 i0\n"),
       "// call r1..r0 y1..y0", "holds"},
      {Why::unread_rows, with_comment(unnamed_letter + "  //   t4* t3 t2 t1 t0 <-> i4* i3 i2 i1 i0\n"),
       "// * marks a spectator", "holds"},
      {Why::unread_rows, with_comment(unnamed_letter + "  //   xy r1 <-> q9 ReIm\n"), "", ""},
      {Why::no_place_for_probe, with_comment("  unsigned y[4];\n  // y has register assignment:\n" + rows), "", ""},
      {Why::unknown_axis, with_comment(unnamed_letter + "  //   thread: b4 b3 b2 b1 b0\n"), "// call i4..i0 b4..b0",
       "holds"},
      {Why::unknown_axis, with_comment(unnamed_letter + "  //   thread: b4 b3 b2 b0 b1\n"), "// call i4..i0 b4..b0",
       "differs"},
      {Why::unknown_axis, with_comment(unnamed_letter + "  //   thread: i4 i3 i2 c1 c0\n"), "", ""},
      {Why::axis_of_other_buffer,
       with_comment("  // x has register assignment:\n  //   register: s1 s0\n  //   thread: j4 j3 j2 j1 j0\n",
                    with(four, "q = \"u32 r:4 i:32", "q = \"u32 s:4 j:32")),
       "", ""},
      {Why::defines_order,
       with_comment("  // x has register assignment:\n  //   register: a1 a0\n  //   thread: b4 b3 b2 b1 b0\n"),
       "p = \"u32 a:4 b:32\"", "holds"},
      {Why::defines_order,
       with_comment("  // x has register assignment:\n  //   register: a1 a0\n  //   thread: b0 b1 b2 b3 b4\n"), "",
       ""},
      {Why::guessed_order,
       begin + load + "  // x has register assignment:\n  //   register: j1 j0\n  //   thread: i4 i3 i2 i1 i0\n" +
           store,
       "// p[j,i], shape (4,32)", "holds"},
      {Why::guessed_layout,
       begin + load +
           "  // x has register assignment:\n  //   register: i0 i1\n  //   thread: i2 i3 i4 i5 i6\n"
           "  //   block: j0\n" +
           store,
       "// p[i,j], shape (128,2)", "differs"},
      {Why::shape_not_stated, four + "// Each warp processes a shape-(2,32) subarray of p.\n" + begin + load + store,
       "// p[r,i], shape (4,32)", "differs"},
      {Why::shape_not_stated, "// Each block processes a shape-(4,32) subarray of p.\n" + begin + load + store, "", ""},
      {Why::larger_than_array,
       "// p[i,j], shape (4,32); each warp processes a shape-(8,32) subarray of p.\n" + begin + load + store, "", ""},
      {Why::unknown_sizes,
       "// each thread loads 8 elements of p\n__global__ void k(const float *p, float *q) {\n"
       "  for (int i = threadIdx.x; i < 128; i += blockDim.x) q[i] = p[i];\n}\n",
       "", ""},
      {Why::buffer_not_traced,
       with_comment("  // x has register assignment:\n" + rows,
                    with(four, "p = \"u32 r:4 i:32\"", "p = { type = \"u32\", axes = \"r:4 i:32\", traced = false }")),
       "", ""},
      {Why::no_traced_element,
       four + begin +
           "  unsigned l = threadIdx.x, x0 = l, x1 = 2 * l, x2 = 3 * l, x3 = 4 * l;\n"
           "  // x has register assignment:\n" +
           rows + store,
       "", ""},
      {Why::mixed_elements, with_comment("  x0 += x1;\n  // x has register assignment:\n" + rows), "", ""},
      {Why::not_executed, with_comment("  if (l > 40) {\n  // x has register assignment:\n" + rows + "  x0 = 3; }\n"),
       "", ""},
      {Why::axis_not_stated, with_array("E layout: (time:4, ns:32)"), "", ""},
      {Why::extents_unlike_axes, with_array("shared: uint E[4][32], (r, i, k)"), "", ""},
      {Why::no_array_named, with_array("smem layout is (r, i)"), "", ""},
      {Why::moment_not_stated, with_array("E layout: (r:4, i:32)\n  q[l] = x0 + 1;\n  // E layout: (r:4, i:32)"), "",
       ""},
  };
}

/// The claim whose rows begin in that line.
ClaimResult at_line(const Run& run, int line) {
  for (ClaimResult& r : run.collector->judge())
    if (run.source.claims[static_cast<std::size_t>(r.claim)].first_line == line) return std::move(r);
  ADD_FAILURE() << "no claim at line " << line;
  return {};
}

TEST_F(Questions, EveryProposedLineDecides) {
  for (const Case& c : cases()) {
    const auto run = probe(c.text);
    ASSERT_TRUE(run) << c.text;
    const std::vector<ClaimResult> results = run->collector->judge();
    const auto r = std::ranges::find(results, c.why, [](const ClaimResult& one) { return one.reason.code; });
    ASSERT_NE(r, results.end()) << sentence_of(c.why).name << '\n' << c.text << answer(results.at(0));
    const std::optional<Question> q = question_on(run->source, *r);
    ASSERT_TRUE(q) << c.text;
    EXPECT_EQ(trimmed(q->line), c.line) << c.text;
    if (q->line.empty()) continue;
    const auto again = probe(with_line(c.text, *q));
    ASSERT_TRUE(again) << c.text;
    const int line = run->source.claims[static_cast<std::size_t>(r->claim)].first_line;
    const ClaimResult then = at_line(*again, line + (!q->replaces && q->at <= line ? 1 : 0));
    EXPECT_EQ(verdict_words(then), c.then) << with_line(c.text, *q) << answer(then);
  }
}

TEST_F(Questions, ClaimsThatAreJudgedHaveNone) {
  const auto run = probe(with_comment("  // x has register assignment:\n" + rows));
  ASSERT_TRUE(run);
  EXPECT_FALSE(question_on(run->source, run->collector->judge().at(0)));
}

// Decided by the run or the program alone: no question to the author.
TEST(QuestionsOfCodes, LimitsOfTheRunHaveNone) {
  source::Source source;
  source.claims.emplace_back();
  for (const Why why : {Why::stopped, Why::not_run, Why::seen_in_part, Why::engine_limit, Why::probe_not_compiled,
                        Why::threads_stopped, Why::computed_bits, Why::too_many_comments})
    EXPECT_FALSE(question_on(source, {.reason = {.code = why, .operands = {"a", "b", "c"}}})) << sentence_of(why).name;
  EXPECT_EQ(question_on(source, {.reason = coded<Why::no_contract>("f", "why")})->words,
            "With which arguments is `f` called? Add a kernel that calls it.");
}

TEST(QuestionsOfCodes, ALineIsAddedOrReplaced) {
  EXPECT_EQ(with_line("a\nb\nc", {.words = "?", .line = "x", .at = 2}), "a\nx\nb\nc");
  EXPECT_EQ(with_line("a\nb\n", {.words = "?", .line = "x", .at = 1, .replaces = true}), "x\nb\n");
}

}  // namespace
}  // namespace lanescope::claims::asking
