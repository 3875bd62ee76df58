// Kernels that are wrong on purpose: the program says what is wrong and in which line, and says it of no other line.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/catalogue/support.h"

namespace lanescope::catalogue::warps {
namespace {

/// The rule that finds the fault, and each line that it is to point at.
struct Fault {
  std::string rule;
  std::vector<std::string> lines;
};

const std::map<std::string, Fault> faulty = {
    {"neighbour_unsafe", {"warp-sync-missing", {"x = values[right];"}}},
    {"tail_unsynced", {"warp-sync-missing", {"sum += sums[t + distance];"}}},
    // The line with 32 reads what no lane writes before it has been read by the same one.
    {"assume_order",
     {"warp-sync-missing",
      {"sums[t] += sums[t + 16];", "sums[t] += sums[t + 8];", "sums[t] += sums[t + 4];", "sums[t] += sums[t + 2];",
       "sums[t] += sums[t + 1];"}}},
    {"reduce_unrolled_warp",
     {"warp-sync-missing",
      {"v[i] += v[i + 16];", "v[i] += v[i + 8];", "v[i] += v[i + 4];", "v[i] += v[i + 2];", "v[i] += v[i + 1];"}}},
    {"assume_convergence", {"assumed-convergence", {"if (__activemask() == 0xffffffff) q[threadIdx.x] += 1000;"}}},
    {"assume_lockstep",
     {"assumed-convergence",
      {"if (__activemask() == 0xffffffff) {", "if (__activemask() == 0xffffffff) q[threadIdx.x] += 1;"}}},
};

/// Their counterparts that are right: the same rules say nothing.
const std::map<std::string, std::string> mended = {
    {"neighbour_unsafe", "neighbour_shared"},  {"tail_unsynced", "tail_synced"},
    {"assume_order", "tail_synced"},           {"reduce_unrolled_warp", "reduce_unrolled_fully"},
    {"assume_convergence", "sum_in_branches"}, {"assume_lockstep", "copy_by_vote"}};

std::set<int> lines_with(const std::string& name, const std::string& rule, std::uint64_t seed) {
  engine::RunRequest request = request_for(name, kernel_text(name));
  request.review = true;
  request.probed_run = false;
  request.seed = seed;
  const engine::Session session = run(request);
  EXPECT_TRUE(session.summary().ok) << name << words(session.summary().diagnostics);
  std::set<int> lines;
  for (const results::FindingInfo& f : session.summary().findings)
    if (f.rule == rule) {
      EXPECT_TRUE(f.expected) << name << ": the file does not say that this is meant";
      lines.insert(f.line);
    }
  return lines;
}

class WarpFaulty : public ::testing::TestWithParam<std::string> {};

TEST_P(WarpFaulty, IsReportedWhereItIsAndItsCounterpartIsClean) {
  const Fault& fault = faulty.at(GetParam());
  const std::string text = kernel_text(GetParam());
  std::set<int> expected;
  for (const std::string& line : fault.lines) expected.insert(line_of(text, line));
  for (const std::uint64_t seed : seeds_or({1, 2, 3})) {
    EXPECT_EQ(lines_with(GetParam(), fault.rule, seed), expected) << seed;
    EXPECT_TRUE(lines_with(mended.at(GetParam()), fault.rule, seed).empty()) << seed;
  }
  EXPECT_NE(text.substr(0, text.find("[lanescope]")).find(mended.at(GetParam())), std::string::npos)
      << "the title does not name " << mended.at(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Catalogue, WarpFaulty, ::testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const auto& [name, fault] : faulty) names.push_back(name);
                           return names;
                         }()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace lanescope::catalogue::warps
