// Offers of the editor: completion, snippets, fixes and assignment comments, as functions of text and results.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "app/assist/completion.h"
#include "app/assist/fixes.h"
#include "kernels/base/text.h"
#include "kernels/source/source.h"

namespace lanescope::assist {
namespace {

/// "|" is the caret.
Offers offers(std::string text, const std::vector<results::BufferInfo>& buffers = {}) {
  const std::size_t caret = text.find('|');
  text.erase(caret, 1);
  return offers_at(text, caret, buffers);
}
bool has(const Offers& o, std::string_view word) {
  return std::ranges::any_of(o.list, [&](const Offer& offer) { return offer.word == word; });
}

std::vector<results::BufferInfo> buffers() {
  results::BufferInfo p;
  p.name = "p", p.element_type = "f16";
  p.axes = {{"i", 16, 256}, {"j", 12, 16}, {"k", 1, 1}};
  return {p};
}

TEST(Completion, IntrinsicsAndNamesInCode) {
  const Offers o = offers("void f() { unsigned laneId = 0; __sh|");
  ASSERT_FALSE(o.list.empty());
  EXPECT_TRUE(has(o, "__shfl_xor_sync"));
  EXPECT_TRUE(has(o, "__shared__"));
  EXPECT_FALSE(has(o, "__ballot_sync"));
  EXPECT_EQ(offers("void f() { thr|").list.front().word, "threadIdx") << "before __threadfence";
  EXPECT_TRUE(has(offers("void f() { shfl| }"), "__shfl_sync")) << "without its underscores";
  EXPECT_TRUE(has(offers("void f() { unsigned laneId = 0; x = la|"), "laneId"));
  EXPECT_FALSE(has(offers("// laneId is a word of prose\nvoid f() { x = la|"), "laneId"));
  EXPECT_TRUE(has(offers("void f() { p|", buffers()), "p"));
}

TEST(Completion, NothingInProseAndLiterals) {
  EXPECT_TRUE(offers("// the lane th|").list.empty());
  EXPECT_TRUE(offers("const char *s = \"__sh|").list.empty());
  EXPECT_TRUE(offers("/* some __sh|fl */").list.empty());
}

TEST(Completion, HeaderKeysByTheirSection) {
  EXPECT_TRUE(has(offers("/*\n[lanescope]\nbl|\n*/"), "block"));
  EXPECT_TRUE(has(offers("/*\n[lanescope]\n|\n*/"), "title"));
  EXPECT_FALSE(has(offers("/*\n[lanescope]\n[[launch]]\n|\n*/"), "title")) << "of the whole file";
  EXPECT_TRUE(has(offers("/*\n[lanescope]\n[buffers.p]\nty|\n*/"), "type"));
  EXPECT_TRUE(has(offers("/*\n[lanescope]\n[bu|\n*/"), "buffers"));
  EXPECT_TRUE(has(offers("// [lanescope]\n// bl|\n"), "block"));
  const Offers types = offers("/*\n[lanescope]\n[buffers]\np = \"u3|\n*/");
  EXPECT_TRUE(has(types, "u32"));
  EXPECT_TRUE(has(offers("/*\n[lanescope]\n[buffers]\np = \"u32 i:4 = ze|\n*/"), "zeros"));
  const Offers names = offers(
      "/*\n[lanescope]\n[buffers]\n|\n*/\n__global__ void f(const float *in, float * __restrict__ out, int n) {}");
  EXPECT_TRUE(has(names, "in"));
  EXPECT_TRUE(has(names, "out"));
  EXPECT_FALSE(has(names, "n"));
  EXPECT_FALSE(has(offers("/*\n[lanescope]\n*/\nbl|"), "kernel")) << "below the header";
}

TEST(Completion, RowsAndBitsInAssignments) {
  EXPECT_TRUE(has(offers("  //   reg|"), "register"));
  const Offers o = offers("  //   thread:  t4 t3 <-> i3 |", buffers());
  EXPECT_TRUE(has(o, "i2"));
  EXPECT_TRUE(has(o, "j3")) << "12 elements need 4 bits";
  EXPECT_FALSE(has(o, "j4"));
  EXPECT_FALSE(has(o, "k0")) << "an axis of one element has no bit";
  EXPECT_FALSE(has(o, "i3")) << "it is there";
  EXPECT_FALSE(has(o, "t2")) << "after the arrow";
  EXPECT_TRUE(has(offers("  //   thread:  t4 |", buffers()), "t3"));
}

TEST(Completion, RulesInRemarks) {
  EXPECT_TRUE(has(offers("x = y;  // lanescope: al|"), "allow"));
  const Offers o = offers("x = y;  // lanescope: allow bank-c|");
  ASSERT_TRUE(has(o, "bank-conflict"));
  EXPECT_EQ(take("x = y;  // lanescope: allow bank-c", o, o.list.front()).text,
            "x = y;  // lanescope: allow bank-conflict");
}

TEST(Completion, TakingPutsTheCaretWhereTheArgumentGoes) {
  const std::string text = "x = __popc";
  const Offers o = offers_at(text, text.size(), {});
  const Taken t = take(text, o, o.list.front());
  EXPECT_EQ(t.text, "x = __popc()");
  EXPECT_EQ(t.caret, t.text.size() - 1);
}

TEST(Completion, AnyPlaceOfAnyTextIsFine) {
  std::mt19937 random(9);
  constexpr std::string_view letters[] = {"/*", "*/", "//",   "\n",        "[lanescope]", "\"", "thread:",   "<->",
                                          " ",  "a",  "__sh", "[buffers]", "=",           "'",  "lanescope:"};
  for (int trial = 0; trial < 1500; ++trial) {
    std::string text;
    for (unsigned i = random() % 14; i > 0; --i) text += letters[random() % std::size(letters)];
    const std::size_t caret = random() % (text.size() + 1);
    const Offers o = offers_at(text, caret, buffers());
    ASSERT_LE(o.begin, o.end);
    ASSERT_EQ(o.end, caret);
    ASSERT_LE(o.list.size(), most_offers);
    for (const Offer& offer : o.list) {
      const Taken t = take(text, o, offer);
      ASSERT_LE(t.caret, t.text.size());
      ASSERT_EQ(t.text.substr(0, o.begin), text.substr(0, o.begin));
      ASSERT_TRUE(std::string_view(t.text).ends_with(std::string_view(text).substr(caret)));
    }
  }
}

TEST(Snippets, MarkOnePlaceAndKeepTheIndentation) {
  for (const Snippet& s : snippets()) {
    EXPECT_EQ(std::ranges::count(s.text, '$'), 1) << s.name;
    const std::string out = indented(s, "    ");
    const std::vector<std::string_view> lines = split_lines(out);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      EXPECT_TRUE(lines[i].empty() || lines[i].starts_with("    ")) << s.name;
    }
  }
}

constexpr std::string_view claimed = R"(/*
[lanescope]
block = 32
[buffers]
p = "u32 i:32"
*/
__global__ void f(const unsigned *p)
{
    unsigned x = p[threadIdx.x];
    // x has the following register assignment:
    //   thread:  t4 t3 t2 t1 t0  <->  i3 i4 i2 i1 i0

    p[0];
}
)";

layout::Assignment rows_of(std::string_view text) {
  const auto source = source::read("k.cu", text);
  return source && !source->claims.empty() ? source->claims.front().stated : layout::Assignment{};
}

TEST(AssignmentText, RowsAreReplacedAndNothingElse) {
  const auto source = source::read("k.cu", claimed);
  ASSERT_TRUE(source);
  ASSERT_EQ(source->claims.size(), 1u);
  layout::Assignment actual = source->claims[0].stated;
  auto& row = *actual.row(layout::Place::thread);
  std::swap(row[3], row[4]);
  const std::string text = with_true_rows(claimed, source->claims[0], actual);
  EXPECT_EQ(rows_of(text), actual);
  std::string wanted(claimed);
  wanted.replace(wanted.find("i3 i4"), 5, "i4 i3");
  EXPECT_EQ(split_lines(text).size(), split_lines(wanted).size());
  EXPECT_NE(text.find("<->  i4 i3 i2 i1 i0"), std::string::npos) << text;
  // The law: writing what is stated says the same again.
  EXPECT_EQ(rows_of(with_true_rows(claimed, source->claims[0], source->claims[0].stated)), source->claims[0].stated);
}

TEST(AssignmentText, CommentsStandBehindTheWholeStatement) {
  const std::string text = "void f()\n{\n    int x = g(1,\n              2);\n    int y;\n}\n";
  EXPECT_EQ(end_of_statement(text, 3), 4);
  EXPECT_EQ(end_of_statement(text, 5), 5);
  EXPECT_EQ(end_of_statement(text, 99), 99);
  const auto source = source::read("k.cu", claimed);
  const std::string out = with_comment(text, 3, "x", source->claims[0].stated);
  const auto lines = split_lines(out);
  ASSERT_GT(lines.size(), 6u);
  EXPECT_EQ(lines[3], "              2);");
  EXPECT_EQ(lines[5], "    // x has the following register assignment:");
  EXPECT_TRUE(lines[6].starts_with("    //   thread:"));
}

results::Summary with_finding(const std::string& rule, int line) {
  results::Summary s;
  s.block = {64, 2, 1};
  results::FindingInfo f;
  f.rule = rule, f.line = line;
  s.findings = {f};
  return s;
}

TEST(Fixes, AnExpectationThatNoLongerHoldsIsRemoved) {
  results::Summary s;
  s.diagnostics = {
      {.file = {}, .line = 4, .message = "'q' differs", .remedy = {}, .code = DiagnosticCode::expectation_differs}};
  for (const auto& [header, wanted] :
       {std::pair{"q = { type = \"f32\", axes = \"i:512\", expect = \"copy of p\" }\n",
                  "q = { type = \"f32\", axes = \"i:512\" }\n"},
        std::pair{"q = { expect = \"copy of p\", type = \"f32\" }\n", ""},
        std::pair{"[buffers.q]\ntype = \"f32\"\nexpect = \"zeros\"\ninit = \"zeros\"\n",
                  "[buffers.q]\ntype = \"f32\"\ninit = \"zeros\"\n"},
        std::pair{"[buffers.q]\ntype = \"f32\"\n\n[buffers.r]\nexpect = \"zeros\"\n", ""}}) {
    const std::string before = "/*\n[lanescope]\n[buffers]\n", after = "*/\n";
    const auto fixes = fixes_at(before + header + after, 4, s);
    if (std::string(wanted).empty()) {
      EXPECT_TRUE(fixes.empty()) << header;
      continue;
    }
    ASSERT_EQ(fixes.size(), 1u) << header;
    EXPECT_EQ(fixes[0].title, "Remove the expectation");
    EXPECT_EQ(fixes[0].text, before + wanted + after);
  }
  EXPECT_TRUE(fixes_at("/*\n\n\nq = { expect = \"x\" }\n*/\n", 3, s).empty()) << "another line";
}

TEST(Fixes, NoBarrierWhereOneStatementMeetsItself) {
  results::Summary s = with_finding("barrier-missing", 2);
  s.findings[0].parties = {{.does = "writes", .line = 2}, {.does = "writes", .line = 2}};
  for (const Fix& f : fixes_at("{\n    s[0] = 1;\n}\n", 2, s))
    EXPECT_EQ(f.text.find("__syncthreads"), std::string::npos);
  s.findings[0].parties[0].line = 1;
  EXPECT_NE(fixes_at("{\n    s[0] = 1;\n}\n", 2, s).front().text.find("__syncthreads"), std::string::npos);
}

TEST(Fixes, ByRule) {
  const std::string text =
      "__global__ void f(float *p)\n{\n    __syncthreads();\n    p[0] = 1.5 * x + 2e-3 + 0x1e + 3;  // 1.5\n}\n";
  auto fixes = fixes_at(text, 1, with_finding("missing-launch-bounds", 1));
  ASSERT_FALSE(fixes.empty());
  EXPECT_TRUE(fixes[0].text.starts_with("__global__ void __launch_bounds__(128) f(float *p)\n")) << fixes[0].text;
  fixes = fixes_at(text, 3, with_finding("barrier-unneeded", 3));
  ASSERT_FALSE(fixes.empty());
  EXPECT_EQ(fixes[0].text.find("__syncthreads"), std::string::npos);
  fixes = fixes_at(text, 4, with_finding("double-precision", 4));
  ASSERT_FALSE(fixes.empty());
  EXPECT_NE(fixes[0].text.find("1.5f * x + 2e-3f + 0x1e + 3;  // 1.5\n"), std::string::npos) << fixes[0].text;
  fixes = fixes_at(text, 4, with_finding("barrier-missing", 4));
  ASSERT_FALSE(fixes.empty());
  EXPECT_NE(fixes[0].text.find("    __syncthreads();\n    __syncthreads();\n    p[0]"), std::string::npos);
  fixes = fixes_at(text, 4, with_finding("bank-conflict", 4));
  ASSERT_EQ(fixes.size(), 2u);
  EXPECT_NE(fixes[0].text.find("// 1.5  // lanescope: allow bank-conflict\n"), std::string::npos);
  EXPECT_TRUE(fixes_at(text, 2, with_finding("bank-conflict", 4)).empty());
  EXPECT_TRUE(fixes_at(text, 99, with_finding("bank-conflict", 99)).empty());
  EXPECT_TRUE(fixes_at("", 1, with_finding("barrier-missing", 1)).empty());
}

TEST(Fixes, AClaimThatDiffersGetsItsTrueRows) {
  const auto source = source::read("k.cu", claimed);
  results::Summary s;
  results::ClaimInfo c;
  c.claim = source->claims[0];
  c.result.verdict = claims::Verdict::differs;
  layout::Assignment actual = c.claim.stated;
  std::swap((*actual.row(layout::Place::thread))[0], (*actual.row(layout::Place::thread))[1]);
  c.result.actual = actual;
  s.claims = {c};
  for (const int line : {10, 11}) {
    const auto fixes = fixes_at(claimed, line, s);
    ASSERT_EQ(fixes.size(), 1u) << line;
    EXPECT_EQ(rows_of(fixes[0].text), actual);
  }
  EXPECT_TRUE(fixes_at(claimed, 9, s).empty());
  s.claims[0].result.verdict = claims::Verdict::holds;
  EXPECT_TRUE(fixes_at(claimed, 11, s).empty());
}

}  // namespace
}  // namespace lanescope::assist
