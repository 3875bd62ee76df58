// `.sync` operations and barriers in divergent code: the emulator against an H100 (tests/data/sync).

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <set>

#include "tests/kernels/emulator/harness.h"
#include "tests/kernels/emulator/joins/join_kernels.h"
#include "tests/kernels/emulator/joins/random_joins.h"
#include "tests/sample.h"

namespace lanescope::emulator::test {
namespace {

std::ifstream table(const std::string& name) {
  return std::ifstream(std::string(LANESCOPE_TEST_DATA_DIR) + "/sync/" + name);
}

struct Outcome {
  std::vector<std::uint32_t> out;
  std::string fault;
};

Outcome run_joins(const ptx::Module& module, const std::string& kernel, unsigned threads) {
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<std::uint32_t>(join_out_words, unwritten), false),
                                     buffer_of("in", std::vector<std::uint32_t>(join_out_words), false)};
  trace::Launch launch = launch_of(1, threads, 2);
  launch.kernel = kernel;
  Options options;
  options.max_steps = 2'000'000;
  Outcome r;
  const auto result = run(module, launch, buffers, options);
  if (!result) {
    r.fault = to_string(result.error().front());
  } else if (!result->faults.empty()) {
    r.fault = result->faults.front().message;
  }
  r.out = values_of<std::uint32_t>(buffers[0]);
  return r;
}

/// Equal results where the hardware gave any, a fault where it did not. Rows of open.tsv differ, with the reason.
TEST(Joins, AreTheHardwares) {
  std::map<std::string, std::string> measured, open;
  for (const auto& [name, rows] : {std::pair{"joins.tsv", &measured}, {"open.tsv", &open}}) {
    std::ifstream in = table(name);
    for (std::string line; std::getline(in, line);)
      (*rows)[line.substr(0, line.find('\t'))] = line.substr(line.find('\t') + 1);
  }
  std::size_t compared = 0;
  for (const JoinCase& c : join_cases()) {
    const auto row = measured.find(c.name);
    if (row == measured.end()) continue;
    const Outcome r = run_joins(module_of(c.ptx), "k", c.threads);
    const bool ends = row->second.starts_with("ok");
    const std::string own = outcome_words(r.out.data(), c.threads, false, false);
    const bool equal = ends ? r.fault.empty() && own == row->second : !r.fault.empty();
    const std::string difference =
        c.name + "\n  H100:     " + row->second + "\n  emulator: " + (r.fault.empty() ? own : r.fault);
    if (open.contains(c.name)) {
      EXPECT_FALSE(equal) << c.name << " is equal: its row in open.tsv must go";
    } else {
      EXPECT_TRUE(equal) << difference;
    }
    ++compared;
  }
  EXPECT_EQ(compared, measured.size());
}

/// 13,000 random programs, of which every eleventh is tried unless LANESCOPE_EXHAUSTIVE is set: a fault where lanes wait at
/// different operations, else results as an H100's. Not compared: those in which a shuffle reads a lane that has exited. In
/// 113 one reads a lane that its mask does not name, by shfl.bfly across segments; the results depend on which masks are
/// executed at once, and in 10, which are always tried, on the order of lanes that are apart.
TEST(JoinPrograms, AreTheHardwares) {
  const std::set<std::size_t> different = {2146, 3069, 4195, 6013, 6176, 6246, 7907, 9838, 10057, 11570};
  std::ifstream in = table("random_joins.txt");
  std::size_t n = 0, undefined = 0, faults = 0, mismatches = 0, equal = 0;
  std::set<std::size_t> others_equal, others_different;
  for (std::string word; in >> word; ++n) {
    if (!lanescope::test::in_sample(n, 11) && !different.contains(n)) continue;
    const RandomJoins program = random_joins(static_cast<unsigned>(n));
    if (program.undefined && !program.mismatch) {
      ++undefined;
      continue;
    }
    const Outcome r = run_joins(module_of(random_joins_head + program.entry), "k" + std::to_string(n), 32);
    if (program.mismatch) {
      ++mismatches, faults += !r.fault.empty();
      continue;
    }
    EXPECT_EQ(r.fault, "") << "program " << n;
    const std::string own = fmt::format("{:08x}", results_hash(r.out.data()));
    if (program.reads_others) {
      (own == word ? others_equal : others_different).insert(n);
      continue;
    }
    EXPECT_EQ(own, word) << "program " << n;
    EXPECT_EQ(results_hash(program.results.data()), results_hash(r.out.data())) << "program " << n;
    ++equal;
  }
  EXPECT_EQ(n, 13'000u);
  EXPECT_EQ(faults, mismatches);
  EXPECT_EQ(others_different, different);
  if (!lanescope::test::exhaustive()) return;
  EXPECT_EQ(undefined, 2'793u);
  EXPECT_EQ(mismatches, 1'909u);
  EXPECT_EQ(equal, 8'185u);
  EXPECT_EQ(others_equal.size(), 103u);
}

}  // namespace
}  // namespace lanescope::emulator::test
