// The kernels that are wrong on purpose: each problem is found at its line, with words that say what is wrong and what
// helps, under every schedule that is tried. Their twins that are right have no error under any of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include "tests/catalogue/order_dependent.h"
#include "tests/catalogue/support.h"

namespace lanescope::catalogue {
namespace {

struct Fault {
  std::string kernel, rule;
  std::string statement;  ///< begins on the line of the finding
  int nth = 0;            ///< of the statements like this
  std::string says{}, remedy{};
  Severity severity = Severity::error;
};

const std::vector<Fault> faults = {
    {.kernel = "increment_race",
     .rule = "warp-sync-missing",
     .statement = "++x[0];",
     .says = "both change what they read, and one change can be lost",
     .remedy = "atomicAdd()"},
    {.kernel = "update_race",
     .rule = "warp-sync-missing",
     .statement = "if (threadIdx.x == 1) y[0]",
     .says = "lane 0 writes element 0 of `x` in line 15, and lane 1 reads it",
     .remedy = "add __syncwarp() between the two accesses"},
    {.kernel = "count_zeros_race",
     .rule = "global-unordered",
     .statement = "if (x[threadIdx.x]",
     .says = "one change can be lost",
     .remedy = "atomicAdd()"},
    {.kernel = "histogram_race",
     .rule = "global-unordered",
     .statement = "if (i < n) bins",
     .says = "one change can be lost",
     .remedy = "atomicAdd()"},
    {.kernel = "histogram_race",
     .rule = "warp-sync-missing",
     .statement = "if (i < n) bins",
     .says = "one change can be lost",
     .remedy = "atomicAdd()"},
    {.kernel = "reverse_unsynchronised",
     .rule = "global-unordered",
     .statement = "if (i < n) text[i]",
     .says = "of `text` in line",
     .remedy = "keep what is read in a variable, and add __syncthreads() between reading and writing"},
    {.kernel = "reverse_unsynchronised",
     .rule = "warp-sync-missing",
     .statement = "if (i < n) text[i]",
     .says = "warp 15",
     .remedy = "keep what is read in a variable, and add __syncwarp() between reading and writing"},
    {.kernel = "shared_union_overlap",
     .rule = "barrier-missing",
     .statement = "both.rounded[threadIdx.x] =",
     .says = "of shared memory in line",
     .remedy = "add __syncthreads() between reading and writing"},
    {.kernel = "shared_union_overlap",
     .rule = "warp-sync-missing",
     .statement = "both.rounded[threadIdx.x] =",
     .says = "of shared memory in line",
     .remedy = "add __syncwarp() between reading and writing"},
    {.kernel = "store_same_word",
     .rule = "warp-sync-missing",
     .statement = "q[i / 32]",
     .says = "by the same instruction",
     .remedy = "let one lane write it"},
    {.kernel = "barrier_in_if",
     .rule = "barrier-divergent",
     .statement = "__syncthreads();",
     .says = "reached by 126 of 128 threads of block 0; the others exit",
     .remedy = "let all threads reach it",
     .severity = Severity::warning},
    {.kernel = "barrier_in_branches",
     .rule = "barrier-divergent",
     .statement = "__syncthreads();",
     .says = "reached by 64 of 128 threads of block 0",
     .remedy = "move it out of the condition"},
    {.kernel = "barrier_in_branches",
     .rule = "barrier-divergent",
     .statement = "__syncthreads();",
     .nth = 1,
     .says = "reached by 64 of 128 threads of block 0",
     .remedy = "move it out of the condition"},
    {.kernel = "reduce_nested_unsynced",
     .rule = "global-unordered",
     .statement = "own[threadIdx.x] +=",
     .says = "with nothing that orders the two grids",
     .remedy = "add __syncthreads() between this access and the launch"},
    {.kernel = "blur_fused_short",
     .rule = "uninitialised-read",
     .statement = "return 0.25f * (field[at - 1]",  // which the store of `out` calls
     .says = "reads byte 504 of shared memory, which no store has written",
     .remedy = "write the memory before it is read"},
};

std::vector<std::uint64_t> seeds() { return seeds_or({1, 2, 3, 5, 8, 13, 21, 34}); }

engine::RunRequest reviewed(const std::string& kernel, std::uint64_t seed) {
  engine::RunRequest request = request_for(kernel, kernel_text(kernel));
  request.probed_run = false;
  request.review = true;
  request.seed = seed;
  return request;
}

std::string all_of(const results::Summary& s) {
  std::string out;
  for (const results::FindingInfo& f : s.findings)
    out += f.rule + ":" + std::to_string(f.line) + " " + f.message + "; " + f.remedy + "\n";
  return out;
}

constexpr std::array<std::string_view, 6> race_rules = {"barrier-missing", "warp-sync-missing", "global-unordered",
                                                        "write-overlap",   "barrier-divergent", "uninitialised-read"};
bool is_race(const std::string& rule) { return std::ranges::find(race_rules, rule) != race_rules.end(); }

bool expects_a_race(const std::string& text) {
  constexpr std::string_view begin = "lanescope: expect";
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    if (std::ranges::any_of(race_rules, [&](std::string_view rule) { return line.find(rule) != std::string::npos; }))
      return true;
  }
  return false;
}

class Faulty : public ::testing::TestWithParam<std::string> {};

TEST_P(Faulty, IsReportedAtItsLineUnderEverySchedule) {
  const std::string text = kernel_text(GetParam());
  for (const std::uint64_t seed : seeds()) {
    SCOPED_TRACE(seed);
    const engine::Session session = run(reviewed(GetParam(), seed));
    const results::Summary& s = session.summary();
    ASSERT_TRUE(s.ok) << words(s.diagnostics);
    std::set<std::pair<std::string, int>> places;
    for (const Fault& fault : faults) {
      if (fault.kernel != GetParam()) continue;
      const int line = line_of(text, fault.statement, fault.nth);
      places.emplace(fault.rule, line);
      const auto found = std::ranges::find_if(
          s.findings, [&](const results::FindingInfo& f) { return f.rule == fault.rule && f.line == line; });
      ASSERT_NE(found, s.findings.end()) << fault.rule << ":" << line << "\n" << all_of(s);
      EXPECT_EQ(found->severity, fault.severity) << all_of(s);
      EXPECT_TRUE(found->expected) << "the file expects it: " << all_of(s);
      EXPECT_NE(found->remedy.find(fault.remedy), std::string::npos) << found->remedy;
      if (seed == 1) {
        EXPECT_NE(found->message.find(fault.says), std::string::npos) << found->message;
      }
    }
    for (const results::FindingInfo& f : s.findings) {
      if (is_race(f.rule)) {
        EXPECT_TRUE(places.contains({f.rule, f.line})) << f.rule << ":" << f.line << "\n" << all_of(s);
      }
      EXPECT_NE(f.rule, "same-value-writes") << "what is lost is no harm: " << f.message;
    }
  }
}

std::vector<std::string> faulty_kernels() {
  std::set<std::string> names;
  for (const Fault& fault : faults) names.insert(fault.kernel);
  return {names.begin(), names.end()};
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Faulty, ::testing::ValuesIn(faulty_kernels()),
                         [](const auto& info) { return info.param; });

TEST(Faulty, EveryKernelThatDependsOnTheOrderHasAFault) {
  const std::vector<std::string> names = faulty_kernels();
  for (const OrderDependent& k : order_dependent) EXPECT_TRUE(std::ranges::count(names, k.kernel) == 1) << k.kernel;
}

/// Correct versions of the faulty kernels.
class Right : public ::testing::TestWithParam<std::string> {};

TEST_P(Right, HasNoRaceUnderAnySchedule) {
  for (const std::uint64_t seed : seeds()) {
    const engine::Session session = run(reviewed(GetParam(), seed));
    ASSERT_TRUE(session.summary().ok) << words(session.summary().diagnostics);
    for (const results::FindingInfo& f : session.summary().findings) {
      EXPECT_FALSE(is_race(f.rule) || f.severity == Severity::error) << seed << "\n" << all_of(session.summary());
    }
  }
}

/// With LANESCOPE_TEST_SEEDS all kernels that are not wrong on purpose; else those that have a wrong twin, and kin of theirs.
std::vector<std::string> right_kernels() {
  if (std::getenv("LANESCOPE_TEST_SEEDS") != nullptr) {
    std::vector<std::string> names = kernel_names();
    std::erase_if(names, [](const std::string& name) { return expects_a_race(kernel_text(name)); });
    return names;
  }
  return {"nested_hello",       "reduce_nested",       "reduce_tail",         "increment_atomic", "update_synchronised",
          "count_zeros_atomic", "histogram_atomic",    "histogram_shared",    "reverse_shared",   "reverse_registers",
          "reverse_pairs",      "shared_union",        "shared_separate",     "blur_fused",       "blur_shared_static",
          "blur_scatter",       "blur_shared_dynamic", "dot_block",           "dot_any",          "dot_two_launches",
          "increment_by_group", "increment_each_lane", "increment_by_ballot", "store_line"};
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Right, ::testing::ValuesIn(right_kernels()),
                         [](const auto& info) { return info.param; });

// Right in the emulator's first schedule, wrong in another one: what a student sees when "it works".
TEST(Faulty, SomeAreWrongOnlyUnderSomeSchedules) {
  std::set<std::vector<std::byte>> outcomes;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    engine::RunRequest request = reviewed("reverse_unsynchronised", seed);
    request.review = false;
    const engine::Session session = run(request);
    const trace::Bytes& bytes = output(session, "text")->bytes;
    outcomes.emplace(bytes.begin(), bytes.end());
  }
  EXPECT_GT(outcomes.size(), 1u);
}

}  // namespace
}  // namespace lanescope::catalogue
