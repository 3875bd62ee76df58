// Records of what ran: launches as they were requested, copies of the buffers, calls into the driver.

#include <gtest/gtest.h>

#include <set>

#include "profiling/cupti/child.h"
#include "tests/gpu/machine.h"
#include "tests/gpu/walk.h"

namespace lanescope::gpu_test {
namespace {

const std::vector<walk::Shape> shapes{{.blocks = 3, .threads = 64, .step = 1, .rounds = 5},
                                      {.blocks = 500, .threads = 32, .step = 8, .rounds = 300}};

TEST(Activity, TellsWhatRanAndWhatItCost) {
  LS_NEEDS(activity);
  LS_NEEDS_COMPILER();
  cupti::Request request = walk::request(shapes);
  request.repetitions = 3;
  request.launches[0].dynamic_shared_bytes = 256;
  const auto report = cupti::record_activity_in_child(measure_command(), request);
  ASSERT_TRUE(report) << to_string(report.error().front());
  EXPECT_EQ(report->dropped, 0u);
  ASSERT_EQ(report->launches.size(), 6u);
  std::set<std::uint32_t> calls;
  for (const cupti::CallRecord& call : report->calls)
    if (call.name.starts_with("cuLaunchKernel")) calls.insert(call.correlation);
  EXPECT_EQ(calls.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    const cupti::LaunchRecord& r = report->launches[i];
    EXPECT_EQ(r.kernel, "walk");
    EXPECT_EQ(r.grid, request.launches[i % 2].grid);
    EXPECT_EQ(r.block, request.launches[i % 2].block);
    EXPECT_EQ(r.dynamic_shared, i % 2 == 0 ? 256 : 0);
    EXPECT_EQ(r.static_shared, 4096) << "the tile";
    EXPECT_GT(r.registers, 0);
    EXPECT_EQ(r.local, 0u);
    EXPECT_TRUE(r.duration > 500 && r.duration < 100'000'000) << r.duration << " ns";
    EXPECT_EQ(calls.count(r.correlation), 1u);
  }
  EXPECT_GT(report->launches[1].duration, report->launches[0].duration) << "60 times the rounds";
  std::uint64_t to_device = 0, to_host = 0;
  for (const cupti::CopyRecord& copy : report->copies) {
    if (copy.kind == "host to device") to_device += copy.bytes;
    if (copy.kind == "device to host") to_host += copy.bytes;
  }
  std::uint64_t all = 0;
  for (const trace::Buffer& b : request.buffers) all += b.bytes.size();
  EXPECT_EQ(to_device, 3 * all);
  EXPECT_EQ(to_host, 3 * all);

  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const auto add = [&](const std::vector<cupti::ProfileRow>& table) {
    for (const auto& r : table) rows.push_back({r.name, r.calls, r.total, r.average(), r.least, r.most});
  };
  add(profile(report->launches)), add(profile(report->copies)), add(profile(report->calls));
  write_results("gpu_activity", {{"kernel", "tests/gpu/walk.cpp, two launches, three times"},
                                 {"columns", "name, calls, then nanoseconds: total, average, least, most"},
                                 {"profile", rows}});
}

TEST(Activity, AFaultIsAnError) {
  LS_NEEDS(activity);
  LS_NEEDS_COMPILER();
  cupti::Request request = walk::request(shapes);
  request.launches[0].arguments[1] = trace::BufferArgument{.buffer = 0, .offset_bytes = 2};
  EXPECT_FALSE(cupti::record_activity_in_child(measure_command(), request));
}

}  // namespace
}  // namespace lanescope::gpu_test
