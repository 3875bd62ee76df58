// Comments that call a finding meant in plain words: which rule, and for which lines.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/source/cxx/structural_macros.h"
#include "kernels/source/notation/allow_comments.h"

namespace lanescope::source {
namespace {

std::vector<AllowComment> meant(const std::string& text) { return review_comments(lex(text)).allowed; }

struct Said {
  const char *comment, *rule;
};

TEST(PlainWords, NameARuleAndSayThatItIsMeant) {
  for (const auto& [comment, rule] :
       std::vector<Said>{{"double is needed here", "double-precision"},
                         {"We accumulate in double on purpose.", "double-precision"},
                         {"Sums need it: fp64 is required", "double-precision"},
                         {"strided on purpose", "partial-lines"},
                         {"the strided reads are intended: rows are read once", "partial-lines"},
                         {"uncoalesced, but only once", "partial-lines"},
                         {"misaligned by design", "partial-lines"},
                         {"bank conflict here is intentional", "bank-conflict"},
                         {"scalar loads are fine, this runs once", "narrow-access"},
                         {"divergence does not matter here", "divergence"},
                         {"no launch bounds on purpose", "missing-launch-bounds"}}) {
    const auto found = meant(std::string("void f()\n{\n    // ") + comment + "\n    q[i] = p[i];\n}\n");
    ASSERT_EQ(found.size(), 1u) << comment;
    EXPECT_EQ(found[0].rule, rule) << comment;
    EXPECT_EQ(found[0].words, comment);
    EXPECT_EQ(found[0].first_line, 4);
    EXPECT_EQ(found[0].last_line, 4);
  }
}

TEST(PlainWords, DoubtsQuestionsAndDenialsExcuseNothing) {
  for (const char* comment :
       {"double is not needed here", "is double on purpose here?", "TODO: strided on purpose, fix",
        "avoid strided reads", "strided", "on purpose", "double the size on demand",
        "the reads should not be strided, even on purpose", "this was not on purpose: strided",
        "never strided on purpose", "bank conflict and double precision on purpose",
        "we need to remove the double here", "doubled on purpose", "the strided access is not needed"})
    EXPECT_TRUE(meant(std::string("void f()\n{\n    // ") + comment + "\n    q[i] = p[i];\n}\n").empty()) << comment;
}

// Numbers of lines in headers are far from those of the file.
TEST(PlainWords, InAHeaderAreAboutItsStatements) {
  const std::string own = "int x;\n";
  const std::string text = own +
                           "void f()\n{\n    // strided on purpose\n    q[i] = p[i];\n\n"
                           "    // strided on purpose\n\n    q[i] = p[i];\n}\n";
  const auto own_end = static_cast<std::uint32_t>(own.size()), end = static_cast<std::uint32_t>(text.size());
  const std::vector<TextPart> parts = {{.begin = 0, .end = own_end},
                                       {.begin = own_end, .end = end, .first_line = 1'000'001}};
  const auto found = review_comments(lex(text, parts, {})).allowed;
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].first_line, 1'000'004);
  EXPECT_EQ(found[1].first_line, 1'000'006) << "an empty line parts it from the statement";
}

TEST(PlainWords, AboveABlockAreAboutAllOfIt) {
  const auto above_function =
      meant("// double is needed here\n__global__ void f(double *q)\n{\n    q[0] += 1.5;\n}\nint x;\n");
  ASSERT_EQ(above_function.size(), 1u);
  EXPECT_EQ(above_function[0].first_line, 2);
  EXPECT_EQ(above_function[0].last_line, 5);

  const auto above_loop = meant(
      "void f()\n{\n    // strided on purpose\n    for (int i = 0; i < 4; ++i) {\n"
      "        q[i] = p[64 * i];\n    }\n    q[5] = p[5];\n}\n");
  ASSERT_EQ(above_loop.size(), 1u);
  EXPECT_EQ(above_loop[0].first_line, 4);
  EXPECT_EQ(above_loop[0].last_line, 6);

  const auto beside =
      meant("void f()\n{\n    q[0] = p[0];\n    q[i] = p[64 * i];  // strided on purpose\n    q[5] = p[5];\n}\n");
  ASSERT_EQ(beside.size(), 1u);
  EXPECT_EQ(beside[0].first_line, 4);
  EXPECT_EQ(beside[0].last_line, 4);

  // lanescope's own words keep to the head of a function.
  const auto allowed = meant("// lanescope: allow spills\nvoid f()\n{\n    g();\n}\n");
  ASSERT_EQ(allowed.size(), 1u);
  EXPECT_EQ(allowed[0].last_line, 2);
}

TEST(PlainWords, AboutADeclarationOfADoubleAreAboutItsUses) {
  const auto found = meant(
      "void f()\n{\n    // We accumulate in double on purpose.\n    double sum = 0;\n"
      "    for (int i = 0; i < n; ++i) sum += p[i];\n    q[0] = sum;\n}\nint x;\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first_line, 4);
  EXPECT_EQ(found[0].last_line, 7);
}

TEST(PlainWords, MayGoOnInTheNextLine) {
  const auto found = meant("void f()\n{\n    // We accumulate in double\n    // on purpose.\n    q[0] += 1;\n}\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].rule, "double-precision");
  EXPECT_EQ(found[0].line, 3);
  EXPECT_EQ(found[0].first_line, 5);
}

}  // namespace
}  // namespace lanescope::source
