// Functions that are judged by themselves: random ones against tables of places, and the forms that people write.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "app/engine/session/session.h"
#include "kernels/compile/compile.h"
#include "tests/contracts/generated.h"

namespace lanescope::contracts {
namespace {

using claims::Verdict;
using source::Why;

#define NEEDS_NVRTC() \
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed"

results::Summary checked(const std::string& text, const std::string& kernel = "", bool on_gpu = false) {
  engine::RunRequest request;
  request.file = "functions.cu", request.text = text, request.kernel = kernel;
  request.review = request.only_for_claims = true;
  request.on_gpu = on_gpu;
  engine::Session session;
  session.run(request);
  return session.summary();
}

std::string words(const results::Summary& s) {
  std::string out;
  for (const Diagnostic& d : s.diagnostics) out += fmt::format("{}: {}\n", d.line, d.message);
  for (const results::ClaimInfo& c : s.claims)
    out += fmt::format("line {}: {} {}: {} {}\n", c.claim.first_line, c.claim.variable, claims::verdict_words(c.result),
                       c.result.reason.words(), c.result.difference);
  return out;
}

std::string shelf(const std::string& name) {
  std::ifstream file(std::string(LANESCOPE_TEST_DATA_DIR) + "/contracts/" + name);
  std::ostringstream all;
  all << file.rdbuf();
  return all.str();
}

int files_of_generated() {
  const char* wanted = std::getenv("LANESCOPE_CONTRACTS");
  return wanted != nullptr ? std::max(std::atoi(wanted), 1) : 6;
}

// Right and wrong ones, with mistakes in inputs, steps and comments: each verdict is that of the tables.
TEST(Contracts, VerdictsOfRandomFunctionsAreThoseOfTables) {
  NEEDS_NVRTC();
  constexpr int functions = 20;
  int holding = 0, differing = 0;
  for (int seed = 1; seed <= files_of_generated(); ++seed) {
    const Generated g = generate(static_cast<std::uint64_t>(seed), functions);
    const results::Summary s = checked(g.text);
    ASSERT_EQ(s.claims.size(), g.claims.size()) << "seed " << seed << "\n" << words(s) << g.text;
    for (std::size_t i = 0; i < g.claims.size(); ++i) {
      const results::ClaimInfo& c = s.claims[i];
      const Expected& e = g.claims[i];
      ASSERT_EQ(c.claim.first_line, e.line);
      const Verdict expected = e.holds ? Verdict::holds : Verdict::differs;
      ASSERT_EQ(c.result.verdict, expected) << "seed " << seed << " line " << e.line << "\n" << words(s) << g.text;
      const Why reason = e.given ? Why::input : e.holds ? Why::if_input : Why::none;
      EXPECT_EQ(c.result.reason.code, reason) << "seed " << seed << " line " << e.line;
      holding += !e.given && e.holds;
      differing += !e.holds;
    }
  }
  std::printf("%d claims hold, %d differ\n", holding, differing);
  EXPECT_GT(holding, 0);
  EXPECT_GT(differing, 0);
}

TEST(Contracts, FunctionsOfAFileWithoutKernelsAreJudged) {
  NEEDS_NVRTC();
  const results::Summary s = checked(shelf("exchanges.cu"));
  ASSERT_EQ(s.claims.size(), 6u) << words(s);
  const auto verdict = [&](std::size_t i) { return s.claims[i].result.verdict; };
  for (const std::size_t given : {2, 4}) EXPECT_EQ(s.claims[given].result.reason.code, Why::input) << words(s);
  // The first function is called by the last one, whose comments say what it gets there.
  for (const std::size_t holding : {0, 1, 5}) EXPECT_EQ(verdict(holding), Verdict::holds) << words(s);
  EXPECT_EQ(verdict(3), Verdict::differs) << words(s);
  EXPECT_NE(s.claims[3].result.difference.find("r0 holds j2"), std::string::npos) << words(s);
}

}  // namespace
}  // namespace lanescope::contracts
