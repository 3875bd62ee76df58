// Functions that need CUPTI but no GPU, and functions that need neither.

#include "profiling/cupti/cupti.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "profiling/counters/counters.h"
#include "profiling/cupti/child.h"
#include "profiling/cupti/library.h"
#include "tests/kernels/base/sleeper.h"

namespace lanescope::cupti {
namespace {

#define LS_NEEDS_CUPTI() \
  if (!library()) GTEST_SKIP() << "SKIPPED, needs CUPTI: " << library().error().front().message

const std::string sectors = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum";

Request some_request() {
  Request r{.ptx = std::string("not\0text", 8),
            .launches = {},
            .buffers = {},
            .metrics = {sectors},
            .device = 2,
            .cooperative = true,
            .replay = Replay::sequence};
  r.buffers.push_back({.name = "a", .element_type = {}, .bytes = {std::byte{0}, std::byte{255}}});
  r.launches.push_back(
      {.kernel = "k",
       .grid = {1, 2, 3},
       .block = {32, 1, 1},
       .cluster = {2, 1, 1},
       .dynamic_shared_bytes = 77,
       .arguments = {trace::BufferArgument{.buffer = 0, .offset_bytes = -4}, trace::ValueArgument{std::byte{7}}},
       .stream = 5});
  return r;
}

TEST(Wire, ARequestArrivesAsItWasSent) {
  const Request sent = some_request();
  const auto got = decode_request(encode(sent));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->ptx, sent.ptx);
  EXPECT_EQ(got->metrics, sent.metrics);
  EXPECT_EQ(got->device, 2);
  EXPECT_TRUE(got->cooperative);
  EXPECT_EQ(got->replay, Replay::sequence);
  ASSERT_EQ(got->buffers.size(), 1u);
  EXPECT_EQ(got->buffers[0].bytes, sent.buffers[0].bytes);
  ASSERT_EQ(got->launches.size(), 1u);
  const trace::Launch &a = got->launches[0], &b = sent.launches[0];
  EXPECT_EQ(a.kernel, b.kernel);
  EXPECT_EQ(a.grid, b.grid);
  EXPECT_EQ(a.cluster, b.cluster);
  EXPECT_EQ(a.dynamic_shared_bytes, b.dynamic_shared_bytes);
  EXPECT_EQ(a.stream, 5u);
  EXPECT_EQ(std::get<trace::BufferArgument>(a.arguments[0]).offset_bytes, -4);
  EXPECT_EQ(std::get<trace::ValueArgument>(a.arguments[1]), std::get<trace::ValueArgument>(b.arguments[1]));
}

TEST(Wire, AnswersAndErrorsArriveAsTheyWereSent) {
  const Measurement m{.device = "D",
                      .chip = "C",
                      .metrics = {"a", "b"},
                      .unknown = {"c"},
                      .passes = 3,
                      .values = {{1, 2}, {0.5, 1e300}},
                      .setup_milliseconds = 4,
                      .run_milliseconds = 5};
  const auto got = decode_answer(encode(Expected<Measurement>(m)));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->values, m.values);
  EXPECT_EQ(got->unknown, m.unknown);
  EXPECT_EQ(got->passes, 3u);
  EXPECT_EQ(got->total("a"), 1.5);
  EXPECT_EQ(got->total("z"), std::nullopt);
  const auto failed = decode_answer(encode(Expected<Measurement>(failure("why", "what to do"))));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().front().message, "why");
  EXPECT_EQ(failed.error().front().remedy, "what to do");
}

TEST(Wire, DamagedBytesAreRefused) {
  const auto whole = encode(some_request());
  for (std::size_t n = 0; n < whole.size(); ++n)
    EXPECT_FALSE(decode_request({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)})) << n;
  EXPECT_FALSE(decode_answer({1, 2, 3}));
  Request wild = some_request();
  wild.buffers.clear();
  EXPECT_FALSE(decode_request(encode(wild))) << "an argument names a buffer that is not there";
}

TEST(Child, AnEndWithoutAnswerIsAnError) {
  const auto gone = measure_in_child({"/bin/sh", "-c", "exit 7"}, some_request());
  ASSERT_FALSE(gone);
  EXPECT_NE(gone.error().front().message.find("status 7"), std::string::npos);
  const auto killed = measure_in_child({"/bin/sh", "-c", "kill -SEGV $$"}, some_request());
  ASSERT_FALSE(killed);
  EXPECT_NE(killed.error().front().message.find("signal 11"), std::string::npos);
  EXPECT_FALSE(measure_in_child({"/no/such/program"}, some_request()));
  EXPECT_FALSE(measure_in_child({}, some_request()));
}

TEST(Child, IsEndedAtItsTimeLimit) {
  const auto late = measure_in_child({"/bin/sleep", "30"}, some_request(), std::chrono::seconds(1));
  ASSERT_FALSE(late);
  EXPECT_NE(late.error().front().message.find("stopped after 1 s"), std::string::npos);
}

template <class Report>
void expect_cancelled(Expected<Report> (*ask)(const std::vector<std::string>&, const Request&, const Deadline&)) {
  Sleeper sleeper;
  const auto cancelled = ask(sleeper.command(), some_request(), {std::chrono::minutes(20), sleeper.cancelled()});
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().front().message, "the measurement was cancelled");
  EXPECT_TRUE(sleeper.gone());
}

TEST(Child, EveryMeasurementCanBeCancelled) {
  expect_cancelled(measure_in_child);
  expect_cancelled(count_instructions_in_child);
  expect_cancelled(sample_stalls_in_child);
  expect_cancelled(record_activity_in_child);
}

TEST(Child, ALargeRequestReachesAChildThatAnswersLate) {
  Request r = some_request();
  r.buffers[0].bytes.resize(8 << 20);
  // Reads everything, then answers with something that is no measurement.
  const auto answer = measure_in_child({"/bin/sh", "-c", "wc -c"}, r);
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().front().message.find("cannot be read"), std::string::npos);
}

TEST(Readiness, SaysWhatIsMissing) {
  const Readiness r = readiness();
  EXPECT_FALSE(r.words.empty());
  const bool missing = r.state == State::no_gpu || r.state == State::no_library;
  EXPECT_TRUE(!missing || !r.remedy.empty());
}

TEST(Chips, EveryCapabilityHasAChipThatTheLibraryKnows) {
  EXPECT_EQ(chip_of_capability(9, 0), "GH100");
  EXPECT_EQ(chip_of_capability(3, 5), "");
  LS_NEEDS_CUPTI();
  for (const auto& [major, minor] : {std::pair{7, 5}, {8, 0}, {8, 6}, {8, 9}, {9, 0}})
    EXPECT_TRUE(plan_passes(std::string(chip_of_capability(major, minor)), {sectors})) << major << minor;
  EXPECT_FALSE(plan_passes("NO100", {sectors}));
}

TEST(Metrics, EveryPredictedCounterExistsOnHopper) {
  LS_NEEDS_CUPTI();
  std::vector<std::string> names;
  for (const counters::Metric& m : counters::metrics())
    if (!m.name.starts_with("lanescope__")) names.emplace_back(m.name);
  const auto plan = plan_passes("GH100", names);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->unknown.empty()) << plan->unknown.front();
}

/// How often a kernel runs for all of `names`.
std::size_t passes(const std::vector<std::string>& names) {
  const PassPlan plan = plan_passes("GH100", names).value();
  std::size_t sum = 0;
  for (const PassGroup& g : plan.groups) sum += g.passes;
  return sum;
}

TEST(Passes, InstrumentedCountersShareOne) {
  LS_NEEDS_CUPTI();
  const std::string stores = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum";
  EXPECT_EQ(passes({sectors, stores}), 1u);
  EXPECT_EQ(passes({sectors, "no__such_metric.sum"}), 1u);
  EXPECT_EQ(passes({}), 0u);
}

TEST(Passes, APlanKeepsEveryKnownNameOnce) {
  LS_NEEDS_CUPTI();
  const std::vector<std::string> names{sectors, "no__such_metric.sum",
                                       "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                                       "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "smsp__inst_executed.sum"};
  const auto plan = plan_passes("GH100", names);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->unknown, std::vector<std::string>{"no__such_metric.sum"});
  std::vector<std::string> placed;
  for (const PassGroup& g : plan->groups) placed.insert(placed.end(), g.names.begin(), g.names.end());
  EXPECT_EQ(placed.size(), names.size() - 1);
  for (const std::string& name : names)
    EXPECT_EQ(std::count(placed.begin(), placed.end(), name), name == names[1] ? 0 : 1) << name;
  for (const PassGroup& g : plan->groups) EXPECT_EQ(passes(g.names), g.passes);
}

}  // namespace
}  // namespace lanescope::cupti
