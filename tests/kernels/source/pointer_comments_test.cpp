// Shapes and strides as authors write them, the statements they speak of, and the comments that speak to the review.

#include "kernels/source/notation/pointer_comments.h"

#include <fmt/format.h>

#include "kernels/source/notation/allow_comments.h"
#include "source_files.h"

namespace lanescope::source {
namespace {

using Numbers = std::vector<std::int64_t>;
const Values values = {{"N", 7}, {"gridDim.x", 128}, {"blockDim.x", 32}};

TEST(StatedArray, EverySpellingOfTheNotes) {
  const struct {
    const char* text;
    Numbers shape, strides;
  } cases[] = {
      {"shape (32,128,1024), contiguous", {32, 128, 1024}, {128 * 1024, 1024, 1}},
      {"shape (32,32), strides (128*1024, 1)", {32, 32}, {128 * 1024, 1}},
      {"shape=(32,32), strides (128*1024, 1)", {32, 32}, {128 * 1024, 1}},
      {"shape=(32,), contiguous", {32}, {1}},
      {"shape = (32, ), strides = (16,)", {32}, {16}},
      {"Shape {4, 2}, Strides [8, 1]", {4, 2}, {8, 1}},
      {"shape (gridDim.x, N), contiguous", {128, 7}, {7, 1}},
      {"shape ((N+1)/2, 1<<5), stride (blockDim.x, 1)", {4, 32}, {32, 1}},
      {"shape 64, stride 2", {64}, {2}},
      {"(8, 64), contiguous", {8, 64}, {64, 1}},
      {"a single element", {}, {}},
      {"shape-(32,1,32) subarray", {32, 1, 32}, {32, 32, 1}},
  };
  for (const auto& c : cases) {
    const auto read = read_stated_array(c.text, values);
    ASSERT_TRUE(read) << c.text << ": " << read.error();
    EXPECT_EQ(read->shape, c.shape) << c.text;
    EXPECT_EQ(read->strides, c.strides) << c.text;
  }
}

TEST(StatedArray, WhatCannotBeRead) {
  for (const char* text : {"", "rows", "shape", "shape (", "shape (M)", "shape (4,,4)", "shape (0)",
                           "shape (4), strides (4,1)", "shape (1/0)", "shape (4), stride (-1)", "shape (-4)",
                           "shape (9223372036854775807, 2)", "shape (1 << 99)", "shape (4) strides (3.5)"})
    EXPECT_FALSE(read_stated_array(text, values)) << text;
}

TEST(Evaluate, FollowsTheRulesOfArithmetic) {
  const std::pair<const char*, std::int64_t> cases[] = {{"1+2*3", 7},   {"(1+2)*3", 9}, {"10-4-3", 3}, {"64/8/2", 4},
                                                        {"1<<3+1", 16}, {"0x10u", 16},  {"N%4", 3},    {"1'000", 1000}};
  for (const auto& [text, expected] : cases) EXPECT_EQ(evaluate(text, {{"N", 7}}).value_or(-1), expected) << text;
}

TEST(KnownValues, ConstantsOfTheFile) {
  const struct {
    const char* text;
    std::map<std::string, std::int64_t> known;
  } cases[] = {
      {"static constexpr int N = 32;", {{"N", 32}}},
      {"const uint N = 4 * 8, M{2}, K(N + M);", {{"N", 32}, {"M", 2}, {"K", 34}}},
      {"int const N = 4;", {{"N", 4}}},
      {"static inline constexpr unsigned long long N = 1 << 10;", {{"N", 1024}}},
      {"struct s { static const int N = 7; };", {{"N", 7}}},
      {"namespace n { constexpr int N = 3; } using namespace n;", {{"N", 3}}},
      {"const float *table() { constexpr int N = 5; return 0; }", {{"N", 5}}},
      {"const auto f = [](int a) { constexpr int N = 6; return a; };", {{"N", 6}}},
      {"void f(const int n, const float *p) { const int N = 8; }", {{"N", 8}}},
      {"#define N 9\n#define M(x) x\n", {{"N", 9}}},
  };
  for (const auto& c : cases) {
    const Values all = known_values(lex(c.text), {}, {});
    for (const auto& [name, value] : c.known) {
      ASSERT_TRUE(all.contains(name)) << c.text;
      EXPECT_EQ(all.at(name), value) << c.text;
    }
  }
}

TEST(KnownValues, WhatIsNoConstantHasNone) {
  for (const char* text : {"int N = 4;", "const int *N = 0;", "const int N[2] = {1, 2};", "const int N = f();",
                           "static constexpr int N", "x constexpr N = ", "const int N = 4", "constant N = 4;"})
    EXPECT_FALSE(known_values(lex(text), {}, {}).contains("N")) << text;
}

PointerComments read_comments(const std::string& text) {
  const Lexed lexed = lex(text);
  return pointer_comments(lexed, outline(lexed), {});
}

TEST(PointerComments, StatementsUnderConditionsLabelsAndLoops) {
  const PointerComments c = read_comments(R"(__global__ void k(float *p, float *q) {
  if (threadIdx.x) p += blockIdx.x; else q += 1;
  for (int i = 0; i < 2; ++i) p += 2;
  switch (1) { case 1: p += 3; default: q = p + 4; }
  do p += threadIdx.x; while (0);
  return;
})");
  std::string seen;
  for (const PointerOffset& o : c.offsets) seen += fmt::format("{}<{}@{} ", o.pointer, o.from, o.line);
  EXPECT_EQ(seen, "p<p@2 q<q@2 p<p@3 p<p@4 q<p@4 p<p@5 ");
  EXPECT_TRUE(c.offsets.front().by_block && c.offsets.back().by_thread);
}

TEST(PointerComments, TheNotesExample) {
  const std::string text = file_text(data_path("pointer_offsets.cu"));
  const PointerComments c = read_comments(text);
  ASSERT_EQ(c.comments.size(), 5u);
  ASSERT_EQ(c.offsets.size(), 5u);
  // "each block processes a shape-(32,1,32) subarray", "each warp ...", "Each thread processes one element": of all of p.
  const OffsetStage stages[] = {OffsetStage::block, OffsetStage::warp, OffsetStage::thread};
  const Numbers shapes[] = {{32, 1, 32}, {1, 1, 32}, {1, 1, 1}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(c.comments[2 + i].problem, "");
    EXPECT_EQ(c.comments[2 + i].stage, stages[i]);
    EXPECT_EQ(c.comments[2 + i].after->shape, shapes[i]);
    EXPECT_EQ(c.comments[2 + i].after->strides, (Numbers{128 * 1024, 1024, 1}));
    EXPECT_EQ(c.comments[2 + i].before->shape, (Numbers{32, 128, 1024}));
    EXPECT_TRUE(c.offsets[2 + i].whole);
    EXPECT_EQ(c.offsets[2 + i].root, "p");
  }
  EXPECT_EQ(c.comments[0].stage, OffsetStage::block);
  EXPECT_EQ(c.comments[1].stage, OffsetStage::warp);
  EXPECT_EQ(c.offsets[0].comment, 0);
  EXPECT_EQ(c.offsets[1].comment, 1);
  EXPECT_TRUE(c.offsets[0].by_block && !c.offsets[0].by_warp);
  EXPECT_TRUE(c.offsets[1].by_warp && !c.offsets[1].by_block);
  EXPECT_EQ(*c.comments[0].after, *c.comments[1].before);
}

// A pointer made from another one after a commented offset has no shape of its own in the comment.
TEST(PointerComments, ViewsAndFurtherOffsetsAreNotWhatTheCommentStates) {
  const struct {
    const char* statement;
    bool view;
    const char* pointee;  ///< of v, as a further offset has it; empty: no pointer is made
  } cases[] = {
      {"const float4 *v = (const float4 *)p;", true, "float4"},
      {"const float4 *v = reinterpret_cast<const float4 *>(p);", true, "float4"},
      {"const float4 *__restrict__ v = reinterpret_cast<const float4 *__restrict__>(p);", true, "float4"},
      {"auto *v = reinterpret_cast<const float4 *>(p);", true, "float4"},
      {"auto v = (const float4 *)(p);", true, "float4"},
      {"const float4 *v = static_cast<const float4 *>(static_cast<const void *>(p));", true, "float4"},
      {"const float4 *v = (const float4 *)&p[0];", true, "float4"},
      {"const float *v = p;", true, "float"},
      {"const float *v = &p[threadIdx.x];", false, "float"},
      {"const float4 *v = (const float4 *)&p[4 * threadIdx.x];", false, "float4"},
      {"const float4 *v = (const float4 *)p + threadIdx.x;", false, "float4"},
      {"auto *v = (const float4 *)(p + 4 * threadIdx.x);", false, "float4"},
      {"const float4 *v = &((const float4 *)p)[threadIdx.x];", false, "float4"},
      {"const auto v = reinterpret_cast<const float4 *>(p)[threadIdx.x];", false, ""},
      {"float4 v = ((const float4 *)p)[threadIdx.x];", false, ""},
      {"float4 v = *(const float4 *)(p + threadIdx.x);", false, ""},
  };
  for (const auto& c : cases) {
    const PointerComments read = read_comments(fmt::format(
        "__global__ void k(const float *p, float *q) {{\n  // per-block\n  //   before: shape (8,64), contiguous\n"
        "  //   after: shape (64,), contiguous\n  p += 64 * blockIdx.x;\n  {}\n  v += 32 * blockIdx.y;\n}}",
        c.statement));
    const bool made = *c.pointee != '\0';
    ASSERT_EQ(read.offsets.size(), made ? 3u : 1u) << c.statement;
    EXPECT_EQ(read.offsets[0].comment, 0) << c.statement;
    if (!made) continue;
    EXPECT_EQ(read.offsets[1].comment, -1) << c.statement;
    EXPECT_EQ(read.offsets[1].view, c.view) << c.statement;
    EXPECT_EQ(read.offsets[2].comment, -1) << c.statement;
    EXPECT_EQ(read.offsets[2].pointee, c.pointee) << c.statement;
  }
  // Two statements that offset one pointer are what one comment states; the warp's offset is another.
  const PointerComments twice = read_comments(R"(__global__ void k(float *p) {
  // per-block
  //   before: shape (8,64), contiguous
  //   after: shape (64,), contiguous
  p += 64 * blockIdx.x;
  p += 512 * blockIdx.y;
  p += 32 * threadIdx.y;
})");
  ASSERT_EQ(twice.offsets.size(), 3u);
  EXPECT_TRUE(twice.offsets[1].joined);
  EXPECT_FALSE(twice.offsets[2].joined);
}

TEST(PointerComments, OneCommentSpeaksOfTheStatementsDirectlyBehindIt) {
  const PointerComments c = read_comments(R"(__global__ void k(const float *p, float *q, int n) {
  // per-block
  //   before: shape (8,64), contiguous
  //   after: shape (64,), contiguous
  p += 64 * blockIdx.x;
  float *r = q + 64 * blockIdx.x;
  int i = n;
  q += threadIdx.x;
  float x = *(p + i), y = p[3];
})");
  ASSERT_EQ(c.offsets.size(), 3u);
  EXPECT_EQ(c.offsets[0].comment, 0);
  EXPECT_EQ(c.offsets[1].comment, 0);
  EXPECT_EQ(c.offsets[1].root, "q");
  EXPECT_EQ(c.offsets[2].comment, -1);
  EXPECT_TRUE(c.offsets[2].by_thread);
}

ReviewComments read_review(const std::string& text) { return review_comments(lex(text)); }

TEST(ReviewComments, AnAllowBelongsToOneStatement) {
  const ReviewComments c = read_review(R"(void f() {
  a = 1;  // lanescope: allow one, two (reason)
  // lanescope: allow three
  // another comment
  b = g(2,
        3);
  c = 4;
  // lanescope: allow four

  d = 5;
})");
  ASSERT_EQ(c.allowed.size(), 4u);
  EXPECT_EQ(c.allowed[0].rule, "one");
  EXPECT_EQ(c.allowed[1].rule, "two");
  EXPECT_EQ(c.allowed[0].first_line, 2);
  EXPECT_EQ(c.allowed[0].last_line, 2);
  EXPECT_EQ(c.allowed[2].first_line, 5);
  EXPECT_EQ(c.allowed[2].last_line, 6);
  EXPECT_EQ(c.allowed[3].first_line, 8);
  EXPECT_TRUE(c.mistakes.empty());
}

TEST(PointerComments, SubarraysThatCannotBeJudgedSayWhy) {
  const std::pair<const char*, const char*> cases[] = {
      {"// Each block processes a shape-(16,2,32) subarray.", "no comment states the shape of a whole array"},
      {"// p[i,j], shape (64,64). Each block processes a shape-(M,2) subarray.", "M"},
      {"// p[i,j], shape (64,64)\n// Each block processes a shape-(128,2) subarray.", "more than the whole array's 64"},
      {"// p[i,j], shape (64,64); each block processes a shape-(128,2) subarray", "more than the whole array's 64"},
      {"// p[i,j], shape (64,64); q[i,j], shape (8,8)\n// Each warp processes a shape-(2,2) subarray.",
       "name the pointer"},
  };
  for (const auto& [comment, reason] : cases) {
    const PointerComments c =
        read_comments(std::string(comment) + "\n__global__ void k(const float *p, float *q) { q[0] = p[0]; }");
    ASSERT_EQ(c.comments.size(), 1u) << comment;
    EXPECT_NE(c.comments[0].problem.find(reason), std::string::npos) << comment << ": " << c.comments[0].problem;
    EXPECT_TRUE(c.offsets.empty());
  }
  for (const char* prose :
       {"// Each thread block computes one sub-matrix of C", "// each warp has a shape", "// blocks (32,1) each",
        "// each block of shape (4,4) is done", "// Each element processes a shape-(2,2) thing"})
    EXPECT_TRUE(read_comments(std::string(prose) + "\n__global__ void k(float *p) { p[0] = 0; }").comments.empty())
        << prose;
}

TEST(KnownValues, TemplateArgumentsOfTheLaunch) {
  const Lexed lexed =
      lex("template <int N, class T = float, int M = 2 * N, bool B = (1 > 0)>\n__global__ void k(T *p) { p[N] = M; }\n"
          "template <int N> void other() {}\n");
  LaunchSpec launch;
  launch.kernel = "ns::k<16, float>";
  const Values v = known_values(lexed, Header{}, launch);
  EXPECT_EQ(v.at("N"), 16);
  EXPECT_EQ(v.at("M"), 32);
  EXPECT_FALSE(v.contains("T"));
  launch.kernel = "k";
  EXPECT_FALSE(known_values(lexed, Header{}, launch).contains("N"));
}

TEST(ReviewComments, PlainWordsSilenceTheFittingRuleOnTheirStatement) {
  const std::pair<const char*, const char*> cases[] = {
      {"bank conflict here is intentional", "bank-conflict"},
      {"The bank conflicts are fine, this runs once", "bank-conflict"},
      {"uncoalesced, but only once", "partial-lines"},
      {"This load is not coalesced on purpose.", "partial-lines"},
      {"double precision is intended", "double-precision"},
      {"double precision is needed here", "double-precision"},
      {"narrow loads are ok here", "narrow-access"},
      {"divergence is unavoidable", "divergence"},
      {"no launch bounds on purpose", "missing-launch-bounds"},
      {"bank conflicts are not ok", ""},
      {"padding avoids bank conflicts, which is fine", ""},
      {"no bank conflicts", ""},
      {"this must be coalesced", ""},
      {"TODO: fix the bank conflict", ""},
      {"bank conflict free, as intended", ""},
      {"the bank is fine", ""},
      {"there was a bank conflict", ""},
      {"is this bank conflict intentional?", ""},
  };
  for (const auto& [words, rule] : cases) {
    const ReviewComments c = read_review(std::string("void f() {\n  // ") + words + "\n  a = b[1];\n  c = 2;\n}");
    if (*rule == 0) {
      EXPECT_TRUE(c.allowed.empty()) << words;
      continue;
    }
    ASSERT_EQ(c.allowed.size(), 1u) << words;
    EXPECT_EQ(c.allowed[0].rule, rule) << words;
    EXPECT_EQ(c.allowed[0].words, words);
    EXPECT_EQ(c.allowed[0].line, 2);
    EXPECT_EQ(c.allowed[0].first_line, 3);
    EXPECT_EQ(c.allowed[0].last_line, 3);
  }
}

TEST(ReviewComments, ExpectationsAndMistakes) {
  const ReviewComments c =
      read_review("// lanescope: expect bank-conflict, spills\n/* lanescope: forbid x */\n// lanescope: allow\n");
  ASSERT_EQ(c.expected.size(), 2u);
  EXPECT_EQ(c.expected[1].rule, "spills");
  EXPECT_EQ(c.mistakes.size(), 2u);
}

TEST(ReviewComments, AWordWithoutACommaIsAMistake) {
  const ReviewComments c = read_review(
      "// lanescope: expect spills divergence\n// lanescope: allow spills, divergence because of the end\n"
      "// lanescope: expect spills (divergence)\n// lanescope: expect spills , divergence\n");
  ASSERT_EQ(c.mistakes.size(), 2u);
  EXPECT_EQ(c.mistakes[0].message, "there is no comma between `spills` and `divergence`");
  EXPECT_EQ(c.mistakes[0].line, 1);
  EXPECT_EQ(c.mistakes[0].column, 29);
  EXPECT_EQ(c.mistakes[1].message, "there is no comma between `divergence` and `because`");
  EXPECT_EQ(c.expected.size(), 4u);
}

}  // namespace
}  // namespace lanescope::source
