// Searches over steps: each word against a filter written out, unreadable words are reported, and nothing else happens
// for any text.

#include "app/gui/search/step_query.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace lanescope::gui {
namespace {

using results::Summary;
using trace::MemorySpace;
using trace::StepKind;

/// Two warps that execute these instructions one after the other, three times: the loop of line 6.
Summary small_run() {
  Summary s;
  s.warps = 2;
  s.shared_bytes = 4096;
  const auto code = [&](StepKind kind, int line, std::string text) {
    s.code.push_back({.line = line, .column = 1, .inner_line = 0, .kind = kind, .text = std::move(text)});
  };
  code(StepKind::load, 4, "ld.param.u64 %rd1, [f_param_0];");
  code(StepKind::load, 7, "ld.global.f32 %f1, [%rd1];");
  code(StepKind::probe, 7, "lanescope.probe");
  code(StepKind::store, 8, "@%p1 st.shared.f32 [%r1], %f1;");
  code(StepKind::barrier, 9, "bar.sync 0;");
  code(StepKind::load, 10, "ld.shared.f32 %f2, [%r2];");
  code(StepKind::branch, 6, "@%p2 bra $L1;");
  s.loops = {{.first_pc = 1, .last_pc = 6, .line = 6}};
  s.families = {{.name = "x", .function = "f", .registers = {"x0", "x1", "x2", "x3"}, .first_line = 7},
                {.name = "sum", .function = "f", .registers = {"sum"}, .first_line = 5}};
  for (int round = 0; round < 3; ++round) {
    for (int pc = round == 0 ? 0 : 1; pc < 7; ++pc) {
      for (int warp = 0; warp < 2; ++warp) {
        const auto step = static_cast<std::uint32_t>(s.timeline.size());
        s.timeline.push_back({.step = step,
                              .warp = static_cast<std::uint16_t>(warp),
                              .kind = s.code[pc].kind,
                              .line = s.code[pc].line,
                              .pc = pc});
        s.active_masks.push_back(pc == 3 && round == 1 ? 0xffffu : ~0u);
        if (pc == 1)
          s.accesses.push_back({.step = step, .cost = static_cast<std::uint16_t>(round == 2 ? 8 : 4), .least = 4});
        if (pc == 3)
          s.accesses.push_back({.step = step,
                                .cost = static_cast<std::uint16_t>(round == 0 ? 1 : 32),
                                .least = 1,
                                .space = MemorySpace::shared,
                                .kind = trace::AccessKind::store});
        if (pc == 5) s.accesses.push_back({.step = step, .cost = 1, .least = 1, .space = MemorySpace::shared});
        if (pc == 2)
          s.writes.push_back({.step = step,
                              .lanes = round == 2 ? 0x0000ffffu : ~0u,
                              .family = 0,
                              .reg = static_cast<std::uint16_t>(round == 0 ? 3 : 1)});
      }
    }
  }
  s.steps = s.timeline.size();
  return s;
}

class StepQueryTest : public ::testing::Test {
 protected:
  std::vector<std::uint32_t> find(const std::string& text) {
    const auto query = parse_step_query(text, s, here);
    EXPECT_TRUE(query) << text << ": " << (query ? "" : query.error());
    return query ? find_steps(s, index, *query, here) : std::vector<std::uint32_t>{};
  }
  std::string problem(const std::string& text) {
    const auto query = parse_step_query(text, s, here);
    return query ? "" : query.error();
  }
  /// Steps of marks that a filter takes.
  std::vector<std::uint32_t> steps(const std::function<bool(const results::TimelineMark&)>& takes) {
    std::vector<std::uint32_t> out;
    for (const auto& mark : s.timeline)
      if (takes(mark)) out.push_back(mark.step);
    return out;
  }
  int round_of(const results::TimelineMark& m) const { return m.step < 14 ? 0 : m.step < 26 ? 1 : 2; }

  const Summary s = small_run();
  const results::StepIndex index = results::index_of(s);
  QueryContext here{.warp = 1, .family = 0, .step = 15};
};

TEST_F(StepQueryTest, TheNextSharedStoreWithAConflict) {
  const auto expected = steps([&](const auto& m) { return m.pc == 3 && m.warp == 1 && round_of(m) > 0; });
  ASSERT_EQ(expected.size(), 2u);
  EXPECT_EQ(find("next shared store with a conflict"), expected);
  EXPECT_EQ(find("shared stores with bank conflicts"), expected);
  EXPECT_EQ(find("store conflict"), expected);
  EXPECT_EQ(find("st.shared conflict"), expected);
}

TEST_F(StepQueryTest, WhereARegisterWasLastWritten) {
  const auto query = parse_step_query("where was r3 of lane 7 last written", s, here);
  ASSERT_TRUE(query) << query.error();
  EXPECT_TRUE(query->last);
  EXPECT_EQ(find_steps(s, index, *query, here),
            steps([&](const auto& m) { return m.pc == 2 && m.warp == 1 && round_of(m) == 0; }));
  EXPECT_EQ(find("x3 of lane 7"), find("r3 lane 7 written"));
  EXPECT_EQ(find("x1 lane 7").size(), 2u);
  EXPECT_EQ(find("x1 lane 20").size(), 1u);  // the last round writes the lower half
  EXPECT_EQ(find("x written").size(), 3u);   // any register of the array
  EXPECT_TRUE(find("sum written").empty());
}

TEST_F(StepQueryTest, WarpsLinesCostsLanes) {
  EXPECT_EQ(find("barrier"), steps([](const auto& m) { return m.pc == 4 && m.warp == 1; }));
  EXPECT_EQ(find("barrier any warp"), steps([](const auto& m) { return m.pc == 4; }));
  EXPECT_EQ(find("barriers of warp 0"), steps([](const auto& m) { return m.pc == 4 && m.warp == 0; }));
  EXPECT_EQ(find("line 7, any warp"), steps([](const auto& m) { return m.line == 7; }));
  EXPECT_EQ(find("wavefronts > 4"), find("shared store conflict"));
  EXPECT_EQ(find("wavefronts>=32"), find("shared store conflict"));
  EXPECT_EQ(find("sectors <= 4"), steps([&](const auto& m) { return m.pc == 1 && m.warp == 1 && round_of(m) < 2; }));
  EXPECT_EQ(find("uncoalesced"), steps([&](const auto& m) { return m.pc == 1 && m.warp == 1 && round_of(m) == 2; }));
  EXPECT_EQ(find("divergent store"),
            steps([&](const auto& m) { return m.pc == 3 && m.warp == 1 && round_of(m) == 1; }));
  EXPECT_EQ(find("lanes < 32"), find("divergent"));
  EXPECT_EQ(find("step 20 any warp"), (std::vector<std::uint32_t>{20}));
  EXPECT_EQ(find("global access").size(), 3u);
}

TEST_F(StepQueryTest, AParameterLoadIsNoLoad) {
  EXPECT_EQ(find("load").size(), 6u);
  EXPECT_EQ(find("parameter load").size(), 1u);
  EXPECT_EQ(find("parameter").size(), 1u);
  EXPECT_EQ(find("load or store any warp").size(), 18u) << "two kinds: either of them";
}

TEST_F(StepQueryTest, AnIterationOfTheLoopAroundTheStep) {
  const auto second = steps([&](const auto& m) { return m.pc == 1 && m.warp == 1 && round_of(m) == 1; });
  EXPECT_EQ(find("iteration 2"), second);
  here.step = 0;  // outside: the loop that the warp enters
  EXPECT_EQ(find("iteration 2, line 6"), second);
  EXPECT_TRUE(find("iteration 9").empty());
}

TEST_F(StepQueryTest, WhatCannotBeReadIsSaid) {
  for (const char* text :
       {"", "next", "the", "flurb", "conflictwhere", "writing", "line", "line x", "lane 40 x3", "lane 7", "warp 9 load",
        "wavefronts", "wavefronts >", "r9", "global store with a conflict", "uncoalesced shared load", "iteration"})
    EXPECT_FALSE(problem(text).empty()) << text;
  EXPECT_NE(problem("r9").find("r0 to r3"), std::string::npos) << problem("r9");
  EXPECT_NE(problem("flurb load").find("flurb"), std::string::npos);
  here.family = -1;
  EXPECT_FALSE(problem("r3").empty());
}

TEST_F(StepQueryTest, EveryTextIsReadOrRefused) {
  const char* words[] = {"load", "shared",  "conflict", "r3",   "lane",      "7",
                         ">",    "sectors", "x1",       "last", "iteration", "99999999999999999999",
                         "warp", "any",     "-1",       "\xff", "st.",       "step",
                         "line", "=",       "written",  "@"};
  std::mt19937 random(3);
  for (int round = 0; round < 4000; ++round) {
    std::string text;
    for (auto n = random() % 6; n > 0; --n) text += std::string(words[random() % std::size(words)]) + " ";
    const auto query = parse_step_query(text, s, here);
    if (!query) {
      ASSERT_FALSE(query.error().empty()) << text;
      continue;
    }
    const auto found = find_steps(s, index, *query, here);
    ASSERT_TRUE(std::ranges::is_sorted(found)) << text;
    for (const std::uint32_t step : found) ASSERT_LT(step, s.steps) << text;
  }
}

TEST_F(StepQueryTest, ExamplesCanBeRead) {
  for (const std::string& example : example_queries(s)) EXPECT_EQ(problem(example), "") << example;
}

}  // namespace
}  // namespace lanescope::gui
