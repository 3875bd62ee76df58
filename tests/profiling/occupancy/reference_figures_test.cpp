#include "profiling/occupancy/reference_figures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "profiling/occupancy/gpu_table.h"

namespace lanescope::occupancy {
namespace {

const ReferenceFigure& figure(const std::vector<ReferenceFigure>& all, std::string_view name) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const ReferenceFigure& f) { return f.name == name; });
  static const ReferenceFigure none;
  EXPECT_NE(at, all.end()) << name;
  return at == all.end() ? none : *at;
}

TEST(ReferenceFigures, EveryStatedNumberIsComputed) {
  const auto all = reference_figures();
  ASSERT_TRUE(all);
  std::set<std::string> names;
  for (const ReferenceFigure& f : *all) {
    EXPECT_TRUE(f.holds()) << to_string(f);
    EXPECT_TRUE(names.insert(f.name).second) << f.name;
    EXPECT_FALSE(f.source.empty() || f.unit.empty()) << f.name;
    RecordProperty(f.name, to_string(f));
  }
}

// Numbers by hand, so that a figure cannot agree with itself.
TEST(ReferenceFigures, NumbersByHand) {
  const auto all = reference_figures().value();
  const auto computed = [&](std::string_view name) { return figure(all, name).computed; };
  EXPECT_EQ(computed("caching load, one word for all lanes: bus utilisation"), 3.125);
  EXPECT_EQ(computed("non-caching load, one word for all lanes: bus utilisation"), 12.5);
  EXPECT_EQ(computed("caching load, misaligned, consecutive words: bus utilisation"), 50);
  EXPECT_EQ(computed("non-caching load, misaligned, consecutive words: bus utilisation"), 80);
  EXPECT_EQ(computed("caching load, scattered over 32 lines: bus utilisation"), 3.125);
  EXPECT_EQ(computed("non-caching load, scattered over 32 lines: bus utilisation"), 12.5);
  EXPECT_EQ(computed("structure of 12 bytes, three loads: transferred bytes per requested byte"), 3);
  EXPECT_EQ(computed("threads of one float, 73,600 bytes not rounded"), 18400);
  EXPECT_EQ(computed("warps of those, not rounded"), 575);
  EXPECT_EQ(computed("occupancy of 26 registers, blocks of 1024 threads, sm_60"), 100);
  // 26*32 = 832 registers a warp, 13 units of 64; 19 warps in each half of 32768; blocks of 8 warps: 4 of them, 32 of 48.
  EXPECT_NEAR(computed("occupancy of 26 registers, blocks of 256 threads, sm_20"), 100.0 * 32 / 48, 1e-9);
  EXPECT_EQ(computed("occupancy of 14 registers, blocks of 256 threads, sm_20"), 100);
}

TEST(ReferenceFigures, WordsCarrySourceAndUnit) {
  const ReferenceFigure f{"broadcast", "memory slides", "%", 12.5, 12.5, ReferenceFigure::Relation::at_least};
  EXPECT_EQ(to_string(f), "broadcast: 12.5 % (stated: at least 12.5 %, memory slides)");
  EXPECT_FALSE((ReferenceFigure{"x", "s", "%", 12.4, 12.5, ReferenceFigure::Relation::equal}.holds()));
  EXPECT_TRUE((ReferenceFigure{"x", "s", "%", 12.4, 12.5, ReferenceFigure::Relation::at_most}.holds()));
}

// A dispute whose two numbers agree would be none.
TEST(ReferenceDisputes, AreBetweenNumbersThatDiffer) {
  const auto all = reference_disputes();
  ASSERT_TRUE(all);
  std::set<std::string> statements;
  for (const ReferenceDispute& d : *all) {
    EXPECT_NE(d.stated, d.computed) << d.statement;
    EXPECT_TRUE(statements.insert(d.statement).second) << d.statement;
    EXPECT_FALSE(d.source.empty() || d.truth.empty() || d.why.empty() || d.unit.empty()) << d.statement;
    EXPECT_NE(to_string(d).find(d.truth), std::string::npos);
  }
  const auto computed = [&](std::string_view statement) {
    const auto at = std::ranges::find_if(
        *all, [&](const ReferenceDispute& d) { return d.statement.find(statement) != std::string::npos; });
    return at == all->end() ? -1 : at->computed;
  };
  // By hand, from the guide's tables: 48 KB a block on 6.0, 164 KB a multiprocessor on 8.0.
  EXPECT_EQ(computed("one block of a P100"), 48);
  EXPECT_EQ(computed("multiprocessor of an A100"), 164);
  EXPECT_EQ(computed("writes of several threads"), 1);
  EXPECT_EQ(computed("3.5 all loads"), 256);
}

TEST(GpuTableOfTheReferences, HasTheirGpus) {
  const auto& table = gpu_table();
  ASSERT_TRUE(table);
  EXPECT_EQ(table->gpu("K20")->multiprocessors, 13);
  EXPECT_EQ(table->gpu("Tesla K20X")->multiprocessors, 14);
  EXPECT_EQ(table->gpu("NVIDIA GeForce GTX 1080 Ti")->arch.name, "sm_61");
  EXPECT_EQ(table->gpu("GeForce GTX 1080 Ti")->arch.limits.threads_per_block, 1024);
}

}  // namespace
}  // namespace lanescope::occupancy
