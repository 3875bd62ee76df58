// Parts of the child that stays which need no GPU, and the messages between the two sides of every measurement.

#include "profiling/cupti/live.h"

#include <gtest/gtest.h>

#include <random>

#include "profiling/cupti/child.h"
#include "tests/kernels/base/sleeper.h"

namespace lanescope::cupti {
namespace {

std::vector<std::byte> some_bytes(std::mt19937& random) {
  std::vector<std::byte> bytes(random() % 4);
  for (auto& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

Request some_request(std::mt19937& random) {
  Request r{.ptx = random() % 2 ? "one" : "other",
            .launches = {},
            .buffers = {},
            .metrics = {"m"},
            .device = static_cast<int>(random() % 2)};
  for (auto n = random() % 3; n > 0; --n)
    r.buffers.push_back({.name = std::to_string(random() % 2), .element_type = {}, .bytes = some_bytes(random)});
  if (random() % 2)
    r.launches.push_back({.kernel = "k",
                          .grid = {3, 1, 1},
                          .block = {},
                          .arguments = {some_bytes(random)},
                          .stream = static_cast<std::uint32_t>(random() % 3)});
  r.what = static_cast<What>(random() % 4);
  r.repetitions = static_cast<int>(random() % 9), r.enough_samples = random(), r.seconds = 0.5;
  return r;
}

TEST(Change, GivesTheNewRequestFromTheOld) {
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i) {
    const Request before = some_request(random), now = some_request(random);
    const auto got = apply_change(&before, encode_change(&before, now));
    ASSERT_TRUE(got);
    EXPECT_EQ(encode(*got), encode(now));
    const auto whole = apply_change(nullptr, encode_change(nullptr, now));
    ASSERT_TRUE(whole);
    EXPECT_EQ(encode(*whole), encode(now));
  }
}

TEST(Change, LeavesOutWhatStays) {
  Request r{.ptx = std::string(100000, 'x'), .launches = {}, .buffers = {}, .metrics = {}};
  r.buffers.push_back({.name = "a", .element_type = {}, .bytes = std::vector<std::byte>(100000)});
  EXPECT_LT(encode_change(&r, r).size(), 500u);
  EXPECT_FALSE(apply_change(nullptr, encode_change(&r, r))) << "a change alone is no request";
}

TEST(Live, AChildThatEndsIsAnErrorAndTheNextRequestStartsAnother) {
  Live live({"/bin/sh", "-c", "exit 5"});
  for (int i = 0; i < 2; ++i) {
    const auto gone = live.measure({});
    ASSERT_FALSE(gone);
    EXPECT_NE(gone.error().front().message.find("status 5"), std::string::npos);
    EXPECT_FALSE(live.running());
  }
}

TEST(Live, AChildThatAnswersLateIsEnded) {
  Live live({"/bin/sleep", "30"});
  const auto late = live.measure({}, std::chrono::milliseconds(50));
  ASSERT_FALSE(late);
  EXPECT_NE(late.error().front().message.find("50 ms"), std::string::npos);
  EXPECT_FALSE(live.running());
}

TEST(Live, AfterACancelledMeasurementTheChildIsGoneAndTheNextRequestStartsAnother) {
  Sleeper sleeper("exec cat");
  Live live(sleeper.command());
  const auto cancelled = live.measure({}, {std::chrono::minutes(20), sleeper.cancelled()});
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().front().message, "the measurement was cancelled");
  EXPECT_FALSE(live.running());
  EXPECT_TRUE(sleeper.gone());
  const auto echoed = live.measure({});
  ASSERT_FALSE(echoed);
  EXPECT_NE(echoed.error().front().message.find("cannot be read"), std::string::npos) << "a request is no answer";
  EXPECT_TRUE(live.running());
  EXPECT_FALSE(live.measure({}, {std::chrono::seconds(20), sleeper.cancelled()}));
  EXPECT_FALSE(live.running()) << "a flag that is set beforehand cancels too";
  EXPECT_FALSE(live.measure({}, {std::chrono::seconds(20), sleeper.cancelled()}));
  EXPECT_FALSE(live.running()) << "nothing is started for it";
}

TEST(Live, AnAnswerThatIsNoMeasurementIsAnError) {
  Live live({"/bin/cat"});  // every frame comes back as it was
  EXPECT_FALSE(live.measure({}));
  EXPECT_TRUE(live.running());
  Request large;
  large.ptx.assign(std::size_t{1} << 22, 'x');
  EXPECT_FALSE(live.measure(large)) << "more than a pipe holds at once";
  Live none({"/no/such/program"});
  EXPECT_FALSE(none.measure({}));
}

TEST(Answers, ArriveAsTheyWereSent) {
  const SassReport sass{.device = "D",
                        .chip = "C",
                        .metrics = {"a"},
                        .unknown = {"b"},
                        .rows = {{.offset = 16, .line = 3, .file = "f.cu", .function = "k", .values = {7.5}}},
                        .code = {{.function = "k", .offset = 32, .text = "EXIT", .line = 4, .file = "f.cu"}},
                        .no_code = "why",
                        .dropped = 2};
  const auto s = decode_instructions(encode(Expected<SassReport>(sass)));
  ASSERT_TRUE(s);
  EXPECT_EQ(s->rows, sass.rows);
  EXPECT_EQ(s->code, sass.code);
  EXPECT_EQ(encode(Expected<SassReport>(*s)), encode(Expected<SassReport>(sass)));

  StallReport stalls{.device = "D", .chip = "C", .rows = {}, .samples = 10, .dropped = 1, .elsewhere = 2, .runs = 3};
  stalls.rows.push_back({.line = 5,
                         .offset = 48,
                         .file = "f.cu",
                         .function = "k",
                         .reason = "wait",
                         .samples = std::uint64_t{1} << 40,
                         .idle = 9});
  stalls.period_log2 = 7, stalls.milliseconds = 1.5;
  const auto t = decode_stalls(encode(Expected<StallReport>(stalls)));
  ASSERT_TRUE(t);
  EXPECT_EQ(t->rows, stalls.rows);
  EXPECT_EQ(encode(Expected<StallReport>(*t)), encode(Expected<StallReport>(stalls)));

  ActivityReport activity{.device = "D", .launches = {}, .copies = {}, .calls = {}, .dropped = 4};
  activity.launches.push_back(
      {.kernel = "k", .start = 1, .duration = 2, .registers = 3, .grid = {4, 5, 6}, .stream = 6});
  activity.copies.push_back({.kind = "set", .start = 7, .duration = 8, .bytes = 9, .correlation = 10});
  activity.calls.push_back({.name = "cuInit", .start = 11, .duration = 12, .correlation = 13});
  const auto a = decode_activity(encode(Expected<ActivityReport>(activity)));
  ASSERT_TRUE(a);
  EXPECT_EQ(a->launches, activity.launches);
  EXPECT_EQ(a->copies, activity.copies);
  EXPECT_EQ(a->calls, activity.calls);
  EXPECT_EQ(encode(Expected<ActivityReport>(*a)), encode(Expected<ActivityReport>(activity)));
}

TEST(Answers, ErrorsAndDamageAreErrors) {
  const auto failed = decode_stalls(encode(Expected<StallReport>(failure("why", "what to do"))));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().front().remedy, "what to do");
  EXPECT_FALSE(decode_instructions({1, 2, 3}));
  EXPECT_FALSE(decode_activity(encode(Expected<StallReport>(StallReport{})))) << "an answer to another question";
}

TEST(Readiness, OfEveryInterfaceSaysWhatIsMissing) {
  for (const What what : {What::counters, What::instructions, What::stalls, What::activity}) {
    const Readiness r = readiness(what);
    EXPECT_FALSE(r.words.empty()) << what_name(what);
    const bool missing = r.state == State::no_gpu || r.state == State::no_library;
    EXPECT_TRUE(!missing || !r.remedy.empty()) << what_name(what);
    EXPECT_EQ(r.state == State::no_library, r.library.empty()) << "the library is looked for before the device";
  }
}

TEST(Measurements, WithoutAGpuSayWhatIsMissing) {
  if (readiness().state != State::no_gpu && readiness().state != State::no_library) GTEST_SKIP() << "SKIPPED, a GPU";
  const Request r;
  const auto sentence = [](const auto& answer) { return answer ? "" : to_string(answer.error().front()); };
  const std::string expected = sentence(measure(r));
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(sentence(count_instructions(r)), expected);
  EXPECT_EQ(sentence(sample_stalls(r)), expected);
  EXPECT_EQ(sentence(record_activity(r)), expected);
}

}  // namespace
}  // namespace lanescope::cupti
