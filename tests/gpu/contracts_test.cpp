// Functions that are judged by themselves: on a GPU the verdicts of tables of places, too.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "app/engine/hardware/run.h"
#include "tests/contracts/cases/generated.h"
#include "tests/gpu/machine.h"
#include "tests/gpu/program.h"
#include "tests/sample.h"

namespace lanescope::gpu_test {
namespace {

TEST(ContractsOnGpu, VerdictsOfRandomFunctionsAreThoseOfTables) {
  LS_NEEDS_GPU();
  LS_NEEDS_PROGRAM();
  const std::uint64_t files = lanescope::test::exhaustive() ? 25 : 4;  // 12 s each on an H200
  constexpr int functions = 20;
  int judged = 0, unchecked = 0;
  for (std::uint64_t seed = 1; seed <= files; ++seed) {
    const contracts::Generated g = contracts::generate(seed, functions);
    engine::RunRequest request;
    request.file = "functions.cu", request.text = g.text, request.arch = device().arch();
    request.plain_run = false, request.on_gpu = true;
    const engine::JudgedOnGpu answer = engine::judge_on_gpu(request);
    for (const Diagnostic& d : answer.refused) ADD_FAILURE() << seed << ": " << to_string(d);
    ASSERT_EQ(answer.results.size(), g.claims.size()) << seed;
    for (std::size_t i = 0; i < g.claims.size(); ++i) {
      const claims::ClaimResult& r = answer.results[i];
      const bool holds = r.verdict == claims::Verdict::holds;
      unchecked += r.verdict == claims::Verdict::unchecked;
      EXPECT_EQ(holds, g.claims[i].holds)
          << "seed " << seed << " line " << g.claims[i].line << ": " << r.reason.words() << r.difference;
      ++judged;
    }
  }
  fmt::print("{} claims of {} functions on the GPU, {} unchecked\n", judged, files * functions, unchecked);
}

}  // namespace
}  // namespace lanescope::gpu_test
