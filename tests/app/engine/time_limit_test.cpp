// A request ends within its time limit, and says which stage took too long.

#include "app/engine/requests/time_limit.h"

#include <atomic>
#include <thread>

#include "app/engine/remote/engine.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Waits until it is so, ten seconds at most.
template <class Condition>
bool soon(Condition condition) {
  for (int i = 0; i < 1000 && !condition(); ++i) std::this_thread::sleep_for(10ms);
  return condition();
}

TEST(TimeLimit, WithoutOneTheCallersFlagIsTheOnlyOne) {
  std::atomic<bool> cancel{false};
  const TimeLimit limit("k.cu", 0, &cancel, {});
  EXPECT_EQ(limit.stop(), &cancel);
  EXPECT_EQ(TimeLimit("k.cu", 0, nullptr, {}).stop(), nullptr);
  EXPECT_FALSE(limit.late());
}

TEST(TimeLimit, NamesTheStageAtWhichTheTimeWasOver) {
  TimeLimit limit("k.cu", 0.05, nullptr, {});
  limit.enter("compiling");
  ASSERT_TRUE(soon([&] { return limit.late(); }));
  limit.enter("judging");
  EXPECT_TRUE(limit.stop()->load());
  EXPECT_EQ(limit.words().remedy,
            "raise the time limit (--max-seconds), or compile fewer templates and headers; reading took 0.0 s");
  EXPECT_EQ(limit.words().file, "k.cu");
  EXPECT_EQ(limit.words().message, "timeout: compiling was stopped after 0.05 s");
}

TEST(TimeLimit, TheCallersFlagStopsItToo) {
  std::atomic<bool> cancel{false};
  const TimeLimit limit("k.cu", 100, &cancel, {});
  cancel = true;
  EXPECT_TRUE(soon([&] { return limit.stop()->load(); }));
  EXPECT_FALSE(limit.late());
}

TEST(TimeLimit, WhatDoesNotEndIsReportedAfterItsGrace) {
  std::atomic<bool> reported{false};
  const auto begun = Clock::now();
  TimeLimit limit("k.cu", 0.05, nullptr, [&](const Diagnostic& d) {
    EXPECT_EQ(d.message, "timeout: reading was stopped after 0.05 s");
    reported = true;
  });
  EXPECT_TRUE(soon([&] { return reported.load(); }));
  EXPECT_GE(Clock::now() - begun, TimeLimit::grace);
}

TEST(TimeLimit, WhatEndsIsNotReported) {
  std::atomic<bool> reported{false};
  for (int i = 0; i < 100; ++i) TimeLimit("k.cu", 0.001, nullptr, [&](const Diagnostic&) { reported = true; });
  EXPECT_FALSE(reported);
}

TEST(TimeLimit, ARunThatNeverEndsIsEndedByIt) {
  RunRequest request = test::request_for("copy.ptx");
  request.launch_file = test::data_path("copy.toml");
  request.launch_text = test::text_of(request.launch_file);
  request.text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry copy(.param .u64 a, .param .u64 b, .param .u32 "
      "n)\n{\nL: bra L;\n}\n";
  request.max_steps = ~0ull;
  request.limit_seconds = 1.5;
  const auto begun = Clock::now();
  Session session;
  session.on_overdue([](const Diagnostic& d) { FAIL() << d.message; });
  const results::Summary& summary = session.run(request);
  EXPECT_LT(Clock::now() - begun, 10s);
  EXPECT_TRUE(summary.ok) << "what it did until then is shown";
  EXPECT_EQ(session.ending(), Ending::cannot_here);
  ASSERT_EQ(summary.coverage.size(), 1u);
  EXPECT_EQ(summary.coverage[0].plain.midway, 1u);
  EXPECT_GT(summary.steps, 0u);
  ASSERT_FALSE(summary.notices.empty());
  EXPECT_NE(summary.notices.back().words().find("the time for running was over: 1 of 1 block ran, not to its end"),
            std::string::npos)
      << summary.notices.back().words();

  request.limit_seconds = 100;
  request.max_steps = 1000;
  session.run(request);
  EXPECT_EQ(session.faults().size(), 1u) << "a limit that is not reached changes nothing";
  EXPECT_EQ(session.ending(), Ending::cannot_here) << "a long run and an endless one look the same";
}

}  // namespace
}  // namespace lanescope::engine
