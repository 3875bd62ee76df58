// How the sides of a problem are named: with what they differ in.

#include "results/problems.h"

#include <gtest/gtest.h>

namespace lanescope::results {
namespace {

struct Place {
  int line = 0;
  std::int64_t block = 0;
  int launch = -1;
};

Problem race(Place a, Place b) {
  const auto party = [](Place p, std::string does) {
    return Party{.does = std::move(does), .line = p.line, .block = p.block, .warp = 0, .lane = 2, .launch = p.launch};
  };
  Problem p{.kind = Problem::Kind::race,
            .severity = Severity::error,
            .title = "race",
            .message = {},
            .remedy = {},
            .saving = {},
            .rule = "global-unordered",
            .line = b.line,
            .parties = {party(a, "writes x"), party(b, "reads x")}};
  p.launch = 1;
  return p;
}

TEST(Problems, SidesAreNamedByWhatTheyDifferIn) {
  EXPECT_EQ(parties_words(race({5, 3}, {6, 3})), "Race: line 5 writes x, line 6 reads x");
  EXPECT_EQ(parties_words(race({5, 3}, {5, 3})), "Race: warp 0, lane 2 writes x, warp 0, lane 2 reads x");
  EXPECT_EQ(parties_words(race({5, 0}, {6, 3})), "Race: line 5 in block 0 writes x, line 6 in block 3 reads x");
  EXPECT_EQ(parties_words(race({5, 0}, {5, 3})),
            "Race: block 0, warp 0, lane 2 writes x, block 3, warp 0, lane 2 reads x");
  EXPECT_EQ(parties_words(race({5, 0, 0}, {6, 0, 2})),
            "Race: line 5 in block 0 of launch 1 writes x, line 6 in block 0 of launch 3 reads x");
  EXPECT_EQ(parties_words(race({5, 0, 0}, {5, 0})),
            "Race: launch 1, block 0, warp 0, lane 2 writes x, launch 2, block 0, warp 0, lane 2 reads x");
}

// An error that rests on assumptions is counted apart, and comes after what is certain.
TEST(Problems, WhatRestsOnAssumptionsIsNoError) {
  Summary summary;
  summary.ok = true;
  summary.assumed.push_back({.code = source::Assumption::Code::scalar,
                             .launch = 1,
                             .kernel = "k",
                             .name = "n",
                             .value = "32",
                             .because = {}});
  summary.launches.push_back({.kernel = "j", .grid = {}, .block = {}});
  summary.launches.push_back(
      {.kernel = "k", .grid = {}, .block = {}, .rests = {.steps = {0}, .elements = {}, .bounds = {}, .others = {}}});
  const auto add = [&](int line, int launch, Severity severity) {
    summary.findings.push_back({.rule = "global-unordered",
                                .message = "they meet",
                                .remedy = {},
                                .line = line,
                                .severity = severity,
                                .buffer = {}});
    summary.findings.back().launch = launch;
  };
  add(3, 1, Severity::error);
  add(5, 0, Severity::error);
  add(4, 1, Severity::warning);
  FaultInfo fault{.kind = "out of bounds", .message = "if n is 32 (assumed): beyond", .remedy = {}, .line = 2};
  fault.assumed = summary.assumed;
  summary.faults.push_back(fault);
  const std::vector<Problem> problems = problems_of(summary);
  const ProblemCounts counts = count(problems);
  EXPECT_EQ(counts.errors, 1);
  EXPECT_EQ(counts.assumed, 2);
  EXPECT_EQ(counts.warnings, 1);
  EXPECT_EQ(counts.total(), 4);
  std::vector<int> lines;
  for (const Problem& p : problems) lines.push_back(p.line);
  EXPECT_EQ(lines, (std::vector<int>{5, 2, 3, 4}));
  EXPECT_EQ(shown_severity(problems[0]), Severity::error);
  EXPECT_EQ(shown_severity(problems[1]), Severity::warning);
  EXPECT_EQ(problems[2].message, "if n is 32 (assumed): they meet");
  // A finding of two launches rests on what either rests on.
  summary.findings[1].parties = {{.does = "writes", .launch = 1}, {.does = "reads", .launch = 0}};
  EXPECT_EQ(rests_on(summary, summary.findings[1]).size(), 1u);
  EXPECT_EQ(count(problems_of(summary)).errors, 0);
}

// Of what costs time, the most that is saved stands first, and what is not computed last.
TEST(Problems, TheWorstCostIsFirst) {
  Summary summary;
  summary.ok = true;
  const auto add = [&](std::string rule, int line, std::uint64_t saved) {
    summary.findings.push_back({.rule = std::move(rule), .message = {}, .remedy = {}, .line = line, .buffer = {}});
    summary.findings.back().saved = saved;
  };
  add("missing-launch-bounds", 3, 0);
  add("partial-lines", 9, 24);
  add("bank-conflict", 20, 992);
  add("narrow-access", 12, 3);
  std::vector<std::string> rules;
  for (const Problem& p : problems_of(summary)) rules.push_back(p.rule);
  EXPECT_EQ(rules,
            (std::vector<std::string>{"bank-conflict", "partial-lines", "narrow-access", "missing-launch-bounds"}));
}

// Two sides in different places never have the same words before what they do.
TEST(Problems, NoTwoPlacesHaveOneName) {
  for (int code = 0; code < 64; ++code) {
    const Place a{5 + code % 2, code / 2 % 2, code / 4 % 2}, b{5 + code / 8 % 2, code / 16 % 2, code / 32 % 2};
    Problem p = race(a, b);
    p.parties[1].does = p.parties[0].does;
    p.parties[1].lane = a.line == b.line && a.block == b.block && a.launch == b.launch ? 3 : 2;
    const std::string words = parties_words(p).substr(std::string("Race: ").size());
    const std::string end = " writes x";
    const std::size_t first = words.find(end);
    EXPECT_NE(words.substr(0, first), words.substr(first + end.size() + 2, words.size() - first - 2 * end.size() - 2))
        << words;
  }
}

// The picture of an access speaks of a problem only where a side of it is of the launch that is shown.
TEST(Problems, AnAccessIsPartOfAProblemInItsOwnLaunch) {
  Summary summary;
  const std::vector<Problem> problems{race({5, 0, 0}, {6, 0, 2})};
  const auto said = [&](int launch, int line) {
    summary.recorded_launch = launch;
    return problem_of_access(problems, summary, line, trace::MemorySpace::global) != nullptr;
  };
  EXPECT_TRUE(said(0, 5));
  EXPECT_TRUE(said(2, 6));
  EXPECT_FALSE(said(0, 6));
  EXPECT_FALSE(said(2, 5));
  EXPECT_FALSE(said(1, 5));
}

}  // namespace
}  // namespace lanescope::results
