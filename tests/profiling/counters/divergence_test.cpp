#include "profiling/counters/counters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

namespace lanescope::counters {
namespace {

// Against a plain list of all steps, which come in any order.
TEST(Divergence, EachInstructionHasItsOwnSteps) {
  std::mt19937_64 random(41);
  for (const std::size_t steps : {0u, 1u, 100u, 5000u}) {
    DivergenceCounter counter;
    std::vector<trace::Where> all(steps);
    for (std::size_t i = 0; i < steps; ++i)
      all[i] = {.step = i,
                .pc = static_cast<std::uint32_t>(random() % 5),
                .active = static_cast<std::uint32_t>(random() & random())};
    std::shuffle(all.begin(), all.end(), random);
    for (const trace::Where& where : all) counter.on_step(where);
    const auto by_pc = counter.by_instruction();
    std::uint64_t sum = 0;
    for (std::size_t pc = 0; pc < by_pc.size(); ++pc) {
      for (int lanes = 0; lanes <= trace::lanes_per_warp; ++lanes)
        ASSERT_EQ(by_pc[pc].instructions[static_cast<std::size_t>(lanes)],
                  static_cast<std::uint64_t>(std::ranges::count_if(
                      all, [&](const trace::Where& w) { return w.pc == pc && std::popcount(w.active) == lanes; })));
      sum += by_pc[pc].total();
    }
    ASSERT_EQ(sum, steps);
  }
}

TEST(Divergence, LinesAddUp) {
  DivergenceCounter counter;
  std::vector<trace::CodeSite> code(2);
  code[0].line = 3, code[1].line = 5;
  counter.on_step({.step = 0, .pc = 0, .active = ~0u});
  counter.on_step({.step = 1, .pc = 1, .active = 0xffu});
  counter.on_step({.step = 2, .pc = 1, .active = 0});
  counter.on_step({.step = 3, .pc = 7, .active = ~0u});
  DivergenceReport report;
  add(report, counter, code);
  LaneHistogram sum;
  for (const auto& [line, lanes] : report.lines) sum += lanes;
  EXPECT_EQ(sum, report.total);
  EXPECT_EQ(report.lines.at(5).instructions[0], 1u);
  EXPECT_EQ(report.lines.at(5).instructions[8], 1u);
  EXPECT_EQ(report.lines.at(0).total(), 1u) << "an instruction after the code has no line";
  EXPECT_EQ(report.total.instructions.back(), 2u);
}

}  // namespace
}  // namespace lanescope::counters
