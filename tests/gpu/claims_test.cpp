// Claims on a real GPU by element ids against the emulator's identities: the same verdict, or unchecked with a reason;
// never the opposite. The claims of every catalogue kernel, and each of them made false.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

#include "app/engine/prepare/execution.h"
#include "kernels/compile/compile.h"
#include "tests/gpu/instrumented.h"
#include "tests/gpu/machine.h"
#include "tests/kernels/instrument/misleading.h"

namespace lanescope::gpu_test {
namespace {

using claims::Verdict;

/// Each claim again with the two lowest bits of its first row of two or more exchanged.
void add_false_claims(source::Source& source) {
  const std::size_t own = source.claims.size();
  for (std::size_t n = 0; n < own; ++n) {
    source::Claim claim = source.claims[n];
    for (auto& row : claim.stated.rows) {
      if (!row || row->size() < 2 || (*row)[0] == (*row)[1] || claim.probe < 0) continue;
      std::swap((*row)[0], (*row)[1]);
      source.claims.push_back(claim);
      break;
    }
  }
}

std::vector<int> lines_of(const std::vector<trace::CodeSite>& code) {
  std::vector<int> lines;
  for (const trace::CodeSite& s : code) lines.push_back(s.line);
  return lines;
}

struct ClaimScore {
  int claims = 0, equal = 0, unchecked = 0, opposite = 0;
};

void compare_launch(const std::string& name, const engine::Prepared& p, const source::Source& source, std::size_t n,
                    nlohmann::ordered_json& rows, ClaimScore& score) {
  std::vector<trace::Buffer> before = p.buffers;
  engine::Program earlier{p.probed.module,
                          {p.probed.launches.begin(), p.probed.launches.begin() + static_cast<long>(n)},
                          {},
                          p.probed.user_file};
  if (n > 0) before = engine::run_plain(earlier, before, {}).buffers;
  const engine::Program one{p.probed.module, {p.probed.launches[n]}, {}, p.probed.user_file};
  const engine::ProbedRun tagged = engine::run_probed(one, source, before, {});
  ASSERT_EQ(tagged.launches.size(), 1u) << name;
  const std::vector<claims::ClaimResult> tags = tagged.launches[0]->collector->judge();
  const auto start = std::chrono::steady_clock::now();
  const instrument::IdAnswer ids =
      instrument::judge_by_ids({&p.probed.module, &source, p.probed.launches[n], before,
                                tagged.launches[0]->value_bytes, lines_of(tagged.launches[0]->trace.code)},
                               on_gpu, {.record_bytes = std::uint64_t{16} << 20});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  ASSERT_EQ(tags.size(), ids.results.size());
  int decided = 0;
  for (std::size_t c = 0; c < tags.size(); ++c) {
    const claims::ClaimResult &t = tags[c], &i = ids.results[c];
    const bool equal = t.verdict == i.verdict, opposite = !equal && i.verdict != Verdict::unchecked;
    EXPECT_FALSE(opposite) << name << " line " << source.claims[c].first_line << ": tags say " << to_string(t.verdict)
                           << ", ids " << to_string(i.verdict) << " " << i.difference;
    if (i.verdict == Verdict::unchecked) {
      EXPECT_FALSE(i.reason.empty()) << name;
    } else if (equal) {
      EXPECT_EQ(i.difference, t.difference) << name;
      EXPECT_EQ(i.actual, t.actual) << name;
      // Identities mark what a product or a sum gave; ids only see that nothing changed.
      EXPECT_TRUE(t.computed || i.actual_words == t.actual_words) << name << ": " << i.actual_words;
    }
    decided += i.verdict != Verdict::unchecked ? 1 : 0;
    ++score.claims, score.equal += equal, score.opposite += opposite,
        score.unchecked += i.verdict == Verdict::unchecked;
    rows.push_back({{"kernel", name},
                    {"line", source.claims[c].first_line},
                    {"as_written", c < p.source->claims.size()},
                    {"by_identities", std::string(to_string(t.verdict))},
                    {"on_gpu", std::string(to_string(i.verdict))},
                    {"reason", i.reason.words()}});
  }
  fmt::print("{:<28}{:>3} claims, {:>3} decided, {:>5} launches, {:>8} records, {:>6.2f} s\n", name, tags.size(),
             decided, ids.runs, ids.records, took.count());
}

TEST(ClaimsOnAGpu, AreNeverTheOppositeOfTheTruth) {
  LS_NEEDS_GPU();
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  ClaimScore score;
  for (const auto& file : catalogue_files()) {
    const engine::Prepared p = prepared(file);
    ASSERT_TRUE(p.ready) << file;
    if (!p.grids.empty()) {
      fmt::print("{}: its kernels launch kernels, which is not traced on a GPU\n", file.stem().string());
      continue;
    }
    source::Source source = *p.source;
    add_false_claims(source);
    if (source.claims.empty()) continue;
    for (std::size_t n = 0; n < p.probed.launches.size(); ++n)
      compare_launch(file.stem().string() + (p.probed.launches.size() > 1 ? fmt::format(" launch {}", n + 1) : ""), p,
                     source, n, rows, score);
  }
  fmt::print("{} claims: {} as by identities, {} unchecked, {} opposite\n", score.claims, score.equal, score.unchecked,
             score.opposite);
  EXPECT_GT(score.claims, 0);
  write_results(
      "gpu_claims_by_ids",
      {{"what",
        "claims of every catalogue kernel, and each of them made false by exchanging two bits: verdict of the "
        "GPU by element ids beside the emulator's by identities"},
       {"claims", score.claims},
       {"equal", score.equal},
       {"unchecked_on_gpu", score.unchecked},
       {"opposite", score.opposite},
       {"rows", rows}});
}

TEST(ClaimsOnAGpu, KernelsMadeToMislead) {
  LS_NEEDS_GPU();
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  ClaimScore score;
  for (const instrument::test::Misled& kernel : instrument::test::misleading) {
    const engine::Prepared p = prepared("misleading.cu", source_of(kernel));
    ASSERT_TRUE(p.ready && p.probed.launches.size() == 1) << kernel.name;
    compare_launch(kernel.name, p, *p.source, 0, rows, score);
    EXPECT_EQ(rows.back()["on_gpu"], std::string(to_string(kernel.ids))) << kernel.name << rows.back()["reason"];
  }
  EXPECT_EQ(score.opposite, 0);
}

}  // namespace
}  // namespace lanescope::gpu_test
