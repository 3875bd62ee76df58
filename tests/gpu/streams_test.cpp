// Launches of different streams overlap on the device, launches of one stream do not, and what streams have in common
// begins and ends where the whole list does.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "app/engine/session/session.h"
#include "kernels/base/read_file.h"
#include "kernels/compile/compile.h"
#include "kernels/gpu/program.h"
#include "profiling/cupti/child.h"
#include "tests/gpu/machine.h"
#include "tests/gpu/walk.h"

namespace lanescope::gpu_test {
namespace {

/// One block that watches the clock for `cycles`, then adds 1 to each of its elements: a few milliseconds in which the
/// rest of the device is free.
constexpr const char* text = R"(// [lanescope]
// kernel = "spin"

extern "C" __global__ void spin(unsigned* counts, long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  counts[threadIdx.x] += 1;
}
)";
constexpr std::int64_t spin_cycles = 6'000'000;  // at least 3 ms below 2 GHz
constexpr unsigned threads = 32;

std::string spin_ptx() {
  const auto source = source::read("spin.cu", text);
  if (!source) return "";
  const auto made = compile::compile(*source, compile::Variant::plain, {.arch = device().arch(), .extra = {}});
  return made ? made->compiled.ptx : "";
}

trace::Launch spin(int buffer, std::uint32_t stream, std::int64_t cycles = spin_cycles) {
  std::vector<std::byte> bytes(sizeof cycles);
  std::memcpy(bytes.data(), &cycles, sizeof cycles);
  return {.kernel = "spin",
          .grid = {1, 1, 1},
          .block = {threads, 1, 1},
          .arguments = {trace::BufferArgument{.buffer = buffer}, std::move(bytes)},
          .stream = stream};
}

std::vector<trace::Buffer> counts(std::size_t buffers) {
  return std::vector<trace::Buffer>(
      buffers, {.name = "counts", .element_type = "u32", .bytes = std::vector<std::byte>(threads * sizeof(unsigned))});
}

std::vector<unsigned> elements(const trace::Buffer& buffer) {
  std::vector<unsigned> out(buffer.bytes.size() / sizeof(unsigned));
  std::memcpy(out.data(), buffer.bytes.data(), buffer.bytes.size());
  return out;
}

struct Span {
  std::uint64_t begin = 0, end = 0;
  std::uint32_t stream = 0;
};

/// Of two spinning launches in these streams: [round][launch], in the order of the calls. Empty, with a failure, where
/// they were not recorded.
std::vector<std::array<Span, 2>> recorded(std::uint32_t first, std::uint32_t second) {
  cupti::Request request{
      .ptx = spin_ptx(), .launches = {spin(0, first), spin(1, second)}, .buffers = counts(2), .metrics = {}};
  request.repetitions = 4;
  auto report = cupti::record_activity_in_child(measure_command(), request);
  if (!report) {
    ADD_FAILURE() << to_string(report.error().front());
    return {};
  }
  auto& launches = report->launches;
  std::sort(launches.begin(), launches.end(),
            [](const auto& a, const auto& b) { return a.correlation < b.correlation; });
  EXPECT_EQ(launches.size(), 8u);
  std::vector<std::array<Span, 2>> rounds;
  for (std::size_t n = 0; n + 1 < launches.size(); n += 2) {
    const auto span = [&](std::size_t i) {
      return Span{launches[i].start, launches[i].start + launches[i].duration, launches[i].stream};
    };
    rounds.push_back({span(n), span(n + 1)});
  }
  return rounds;
}

TEST(Streams, LaunchesOfTwoStreamsOverlap) {
  LS_NEEDS(activity);
  LS_NEEDS_COMPILER();
  for (const auto& [first, second] : {std::pair{0u, 1u}, std::pair{1u, 0u}, std::pair{3u, 31u}}) {
    SCOPED_TRACE(std::to_string(first) + " and " + std::to_string(second));
    const auto rounds = recorded(first, second);
    ASSERT_EQ(rounds.size(), 4u);
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      const auto& [a, b] = rounds[r];
      EXPECT_EQ(a.stream, first);
      EXPECT_EQ(b.stream, second);
      if (r == 0) continue;  // the first launch of a kernel may wait until its code is on the device
      EXPECT_GT(std::min(a.begin, b.begin), std::max(rounds[r - 1][0].end, rounds[r - 1][1].end));
      EXPECT_LT(std::max(a.begin, b.begin), std::min(a.end, b.end))
          << a.begin << ".." << a.end << " and " << b.begin << ".." << b.end << " ns";
    }
  }
}

TEST(Streams, LaunchesOfOneStreamDoNot) {
  LS_NEEDS(activity);
  LS_NEEDS_COMPILER();
  for (const std::uint32_t stream : {0u, 2u}) {
    const auto rounds = recorded(stream, stream);
    ASSERT_EQ(rounds.size(), 4u);
    for (const auto& [a, b] : rounds) {
      EXPECT_EQ(a.stream, stream);
      EXPECT_EQ(b.stream, stream);
      EXPECT_GE(b.begin, a.end) << stream;
    }
  }
}

/// A launch takes at least its cycles at the highest clock; events in stream 0 that stand around it cannot measure less
/// unless they do not wait for it. And rounds that overlapped would lose additions: all of a program's rounds count.
TEST(Streams, TheWholeListBeginsAndEndsInStream0) {
  LS_NEEDS_GPU();
  LS_NEEDS_COMPILER();
  ASSERT_GT(device().clock_khz, 0);
  const double least_ms = static_cast<double>(spin_cycles) / device().clock_khz;
  auto memory = counts(2);
  const auto timed = gpu::run(spin_ptx(), {spin(0, 1), spin(1, 2)}, memory, {.warm_up = 2, .repetitions = 5});
  ASSERT_TRUE(timed) << to_string(timed.error().front());
  EXPECT_EQ(timed->fault, "");
  ASSERT_EQ(timed->timing.milliseconds.size(), 5u);
  for (const float ms : timed->timing.milliseconds) EXPECT_GE(ms, 0.99 * least_ms);
  for (const trace::Buffer& b : memory) EXPECT_EQ(elements(b), std::vector<unsigned>(threads, 1));

  auto program = gpu::Program::open(0);
  ASSERT_TRUE(program) << to_string(program.error().front());
  memory = counts(1);
  // One buffer for both: the second round's launch in stream 1 must see what the first one's in stream 2 wrote.
  const std::vector<trace::Launch> launches{spin(0, 1, 200'000)}, others{spin(0, 2, 200'000)};
  ASSERT_TRUE((*program)->load(spin_ptx(), launches, memory));
  constexpr unsigned rounds = 10;
  for (unsigned round = 0; round < rounds; ++round) {
    ASSERT_TRUE((*program)->set_launches(round % 2 == 0 ? others : launches, false));
    ASSERT_EQ((*program)->launch_all(), 0);
    ASSERT_EQ((*program)->launch_all(), 0);
  }
  ASSERT_EQ((*program)->synchronize(), 0);
  ASSERT_EQ((*program)->download(memory), 0);
  EXPECT_EQ(elements(memory[0]), std::vector<unsigned>(threads, 2 * rounds));
}

/// A launch alone, in a stream that does not wait for the copies of stream 0, still finds the buffers there.
TEST(Streams, ALaunchAloneFindsItsBuffers) {
  LS_NEEDS_GPU();
  LS_NEEDS_COMPILER();
  auto program = gpu::Program::open(0);
  ASSERT_TRUE(program) << to_string(program.error().front());
  std::vector<trace::Buffer> memory = counts(2);
  memory[0].bytes.resize(std::size_t{48} << 20);  // long enough to be on its way for a while
  ASSERT_TRUE((*program)->load(spin_ptx(), {spin(1, 0, 0), spin(1, 5, 0)}, memory));
  for (unsigned value = 1; value < 20; ++value) {
    const std::vector<unsigned> before(threads, 1000 * value);
    std::memcpy(memory[1].bytes.data(), before.data(), memory[1].bytes.size());
    ASSERT_EQ((*program)->upload(memory), 0);
    ASSERT_EQ((*program)->launch(1), 0);
    ASSERT_EQ((*program)->synchronize(), 0);
    ASSERT_EQ((*program)->download(memory), 0);
    EXPECT_EQ(elements(memory[1]), std::vector<unsigned>(threads, 1000 * value + 1));
  }
}

TEST(Streams, BeyondTheLastAreRefused) {
  LS_NEEDS_GPU();
  LS_NEEDS_COMPILER();
  auto program = gpu::Program::open(0);
  ASSERT_TRUE(program) << to_string(program.error().front());
  const auto loaded = (*program)->load(spin_ptx(), {spin(0, gpu::most_streams)}, counts(1));
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().front().message, "there is no stream 32");
}

TEST(Streams, OutputsCountersAndRecordsOfAFileWithTwo) {
  LS_NEEDS_COUNTERS();
  LS_NEEDS(activity);
  LS_NEEDS_COMPILER();
  engine::RunRequest request;
  request.file = std::string(LANESCOPE_TEST_DATA_DIR) + "/catalogue/two_streams.cu";
  const std::string all = read_file(request.file).value_or("");
  request.text = all;
  request.on_gpu = true;
  engine::Session session;
  const results::Summary& summary = session.run(request);
  EXPECT_EQ(session.ending(), engine::Ending::good);
  for (const Diagnostic& d : summary.diagnostics) ADD_FAILURE() << to_string(d);
  EXPECT_FALSE(session.hardware().buffers.empty());
  for (const results::BufferComparison& c : session.hardware().buffers) EXPECT_EQ(c.different, 0u) << c.name;
  for (const engine::Output& o : session.outputs())
    EXPECT_EQ(o.difference.has_value(), o.name == "q") << o.difference.value_or("");

  engine::MeasureRequest everything;
  everything.activity = everything.instructions = everything.stalls = true;
  everything.repetitions = 5;
  const results::Measured measured = session.measure(everything);
  for (const Diagnostic& d : measured.refused) EXPECT_EQ(d.severity, Severity::note) << to_string(d);
  int memory_counts = 0;
  for (const results::MetricRow& row : measured.metrics)
    if (row.line == 0 && row.predicted && row.measured && row.name.starts_with("smsp__sass_l1tex_t_sectors")) {
      EXPECT_EQ(*row.measured, *row.predicted) << row.name;
      memory_counts += *row.measured > 0 ? 1 : 0;
    }
  EXPECT_GE(memory_counts, 2) << "loads and stores of all four launches";
  ASSERT_EQ(measured.launches.size(), 20u);
  const auto in_stream = [&](std::uint32_t stream) {
    return std::count_if(measured.launches.begin(), measured.launches.end(),
                         [&](const results::LaunchRow& l) { return l.stream == stream; });
  };
  EXPECT_EQ(in_stream(0), 10);
  EXPECT_EQ(in_stream(1), 10);
}

}  // namespace
}  // namespace lanescope::gpu_test
