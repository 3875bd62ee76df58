// Launches in several streams: who needs an order that the streams do not give, and how streams get from the launch
// header to the launches.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "app/engine/prepare/prepare.h"
#include "app/engine/prepare/stream_hazards.h"
#include "kernels/emulator/emulator.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

using test::all_words;

std::vector<trace::Buffer> buffers_of(std::initializer_list<std::size_t> bytes) {
  std::vector<trace::Buffer> out;
  for (const std::size_t n : bytes) {
    out.push_back({.name = "b" + std::to_string(out.size()),
                   .element_type = "u8",
                   .element_bits = 8,
                   .bytes = std::vector<std::byte>(n)});
  }
  return out;
}

// --- observed accesses, against a list of them -----------------------------------------------------------------------

/// What became of one byte.
struct Done {
  bool read = false, written = false, updated = false;
  bool any() const { return read || written || updated; }
};
bool needs_order(const Done& a, const Done& b) {
  if (!a.any() || !b.any()) return false;
  return a.written || b.written || (a.updated && b.read) || (a.read && b.updated);
}

class RandomLaunch {
 public:
  RandomLaunch(std::mt19937& random, const std::vector<trace::Buffer>& buffers) : observer_(buffers) {
    const auto addresses = emulator::place_buffers(buffers);
    for (const trace::Buffer& b : buffers) done_.emplace_back(b.bytes.size());
    for (auto accesses = random() % 3; accesses > 0; --accesses) access(random, buffers, addresses);
  }
  BufferUses take() { return observer_.take(); }
  const std::vector<std::vector<Done>>& done() const { return done_; }

 private:
  void access(std::mt19937& random, const std::vector<trace::Buffer>& buffers,
              const std::vector<std::uint64_t>& addresses) {
    std::array<std::uint64_t, 32> lanes{};
    trace::AccessEvent event;
    event.kind = static_cast<trace::AccessKind>(random() % 5);
    event.width_bytes = 1 << random() % 5;
    event.where.active = static_cast<std::uint32_t>(random() & random());
    event.addresses = lanes;
    const bool elsewhere = random() % 8 == 0;
    if (elsewhere) event.space = trace::MemorySpace::shared;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const std::size_t b = random() % buffers.size();
      const std::size_t first = random() % buffers[b].bytes.size() / 16 * 16;
      lanes[lane] = addresses[b] + first;
      if (elsewhere || (event.where.active >> lane & 1) == 0) continue;
      const auto end = std::min(first + static_cast<std::size_t>(event.width_bytes), buffers[b].bytes.size());
      for (std::size_t byte = first; byte < end; ++byte) note(event.kind, done_[b][byte]);
    }
    observer_.on_access(event);
  }
  static void note(trace::AccessKind kind, Done& byte) {
    using Kind = trace::AccessKind;
    if (kind == Kind::load || kind == Kind::async_copy) byte.read = true;
    if (kind == Kind::store) byte.written = true;
    if (kind == Kind::atomic || kind == Kind::reduction) byte.updated = true;
  }

  UseObserver observer_;
  std::vector<std::vector<Done>> done_;
};

/// A warning names a launch and a buffer exactly where a byte of it needs an order, and the first launch that it needs
/// it against.
TEST(StreamHazards, AreWhatBytesSay) {
  std::mt19937 random(17);
  const auto buffers = buffers_of({1024, 2400, 8192});
  int found = 0, none = 0;
  for (int trial = 0; trial < 400; ++trial) {
    source::Source source;
    for (const trace::Buffer& b : buffers) source.header.buffers.emplace_back().name = b.name;
    std::vector<RandomLaunch> launches;
    std::vector<BufferUses> uses;
    for (int n = 0; n < 4; ++n) {
      launches.emplace_back(random, buffers);
      uses.push_back(launches.back().take());
      source::LaunchSpec& launch = source.header.launches.emplace_back();
      launch.stream = static_cast<std::uint32_t>(random() % 3), launch.line = 10 + n;
    }
    std::vector<std::pair<int, std::string>> expected;
    for (std::size_t later = 1; later < launches.size(); ++later)
      for (std::size_t b = 0; b < buffers.size(); ++b)
        for (std::size_t earlier = 0; earlier < later; ++earlier) {
          if (source.header.launches[earlier].stream == source.header.launches[later].stream) continue;
          const auto &mine = launches[later].done()[b], &other = launches[earlier].done()[b];
          if (!std::equal(mine.begin(), mine.end(), other.begin(),
                          [](const Done& x, const Done& y) { return !needs_order(x, y); })) {
            expected.emplace_back(10 + static_cast<int>(later),
                                  "'" + buffers[b].name + "', which launch " + std::to_string(earlier + 1) + " ");
            break;
          }
        }
    const Diagnostics warnings = stream_hazards(source, uses);
    ASSERT_EQ(warnings.size(), expected.size()) << trial;
    for (std::size_t n = 0; n < warnings.size(); ++n) {
      EXPECT_EQ(warnings[n].severity, Severity::warning);
      EXPECT_EQ(warnings[n].line, expected[n].first);
      EXPECT_NE(warnings[n].message.find(expected[n].second), std::string::npos) << warnings[n].message;
    }
    ++(warnings.empty() ? none : found);
  }
  EXPECT_GT(found, 50);
  EXPECT_GT(none, 20) << "what never meets is never warned of";
}

TEST(StreamHazards, NeedSeveralStreams) {
  std::vector<trace::Launch> launches(3);
  EXPECT_FALSE(in_several_streams({}));
  EXPECT_FALSE(in_several_streams(launches));
  for (trace::Launch& l : launches) l.stream = 4;
  EXPECT_FALSE(in_several_streams(launches)) << "one stream, whatever its number";
  launches[2].stream = 0;
  EXPECT_TRUE(in_several_streams(launches));
}

// --- kernels ---------------------------------------------------------------------------------------------------------

/// Two launches, the second one in `stream`; what is said of streams. Buffers that neither passes are warned of, too.
std::vector<Diagnostic> warnings_of(const std::string& first, const std::string& second, int stream,
                                    const std::string& code) {
  RunRequest request;
  request.file = "k.cu";
  request.text =
      "/*\n[lanescope]\nblock = 32\n[buffers]\nx = \"u32 n:64\"\ny = \"u32 n:64 = zeros\"\nz = \"u32 n:64 = "
      "zeros\"\n[[launch]]\n" +
      first + "\n[[launch]]\n" + second + "\nstream = " + std::to_string(stream) + "\n*/\n" + code;
  Session session;
  const results::Summary& summary = session.run(request);
  EXPECT_EQ(session.ending(), Ending::good) << all_words(summary);
  Diagnostics hazards;
  for (const Diagnostic& d : summary.diagnostics)
    if (d.message.find("stream") != std::string::npos) hazards.push_back(d);
  return hazards;
}

const std::string copies =
    "__global__ void copy(const unsigned* from, unsigned* to) { to[threadIdx.x] = from[threadIdx.x]; }\n"
    "__global__ void add(unsigned* to) { to[threadIdx.x] += 3; }\n"
    "__global__ void count(unsigned* to) { atomicAdd(&to[threadIdx.x % 4], 1u); }\n";

TEST(StreamHazards, SayWhoReadsWhatWhoWrites) {
  NEEDS_NVRTC();
  const std::string first = "kernel = \"copy\"\nargs = [\"x\", \"y\"]",
                    second = "kernel = \"copy\"\nargs = [\"y\", \"z\"]";
  const auto warnings = warnings_of(first, second, 1, copies);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(
      warnings[0].message,
      "launch 2 (stream 1) reads 'y', which launch 1 (stream 0) writes; launches of different streams are not ordered");
  EXPECT_EQ(warnings[0].remedy, "give both launches the same stream");
  EXPECT_EQ(warnings[0].severity, Severity::warning);
  EXPECT_EQ(warnings[0].file, "k.cu");
  EXPECT_EQ(warnings[0].line, 11) << "where the second launch stands";
  EXPECT_TRUE(warnings_of(first, second, 0, copies).empty()) << "one stream keeps the order";

  const auto back = warnings_of(second, first, 1, copies);
  ASSERT_EQ(back.size(), 1u);
  EXPECT_EQ(
      back[0].message,
      "launch 2 (stream 1) writes 'y', which launch 1 (stream 0) reads; launches of different streams are not ordered");
  const auto both = warnings_of(first, first, 1, copies);
  ASSERT_EQ(both.size(), 1u) << "x is only read";
  EXPECT_NE(both[0].message.find("writes 'y', which launch 1 (stream 0) writes"), std::string::npos);
  const auto in_place = warnings_of("kernel = \"add\"\nargs = [\"y\"]", second, 1, copies);
  ASSERT_EQ(in_place.size(), 1u);
  EXPECT_NE(in_place[0].message.find("reads 'y', which launch 1 (stream 0) writes;"), std::string::npos)
      << "that it reads, too, matters to nobody: " << in_place[0].message;
}

TEST(StreamHazards, AreOfBytesAndNotOfBuffers) {
  NEEDS_NVRTC();
  EXPECT_TRUE(warnings_of("kernel = \"copy\"\nargs = [\"x\", \"y\"]", "kernel = \"copy\"\nargs = [\"x+32\", \"y+32\"]",
                          1, copies)
                  .empty());
  EXPECT_EQ(
      warnings_of("kernel = \"copy\"\nargs = [\"x\", \"y\"]", "kernel = \"copy\"\nargs = [\"x\", \"y+31\"]", 1, copies)
          .size(),
      1u)
      << "one element of both";
}

TEST(StreamHazards, AtomicsAmongThemselvesNeedNoOrder) {
  NEEDS_NVRTC();
  const std::string count = "kernel = \"count\"\nargs = [\"y\"]";
  EXPECT_TRUE(warnings_of(count, count, 1, copies).empty());
  const auto read = warnings_of(count, "kernel = \"copy\"\nargs = [\"y\", \"z\"]", 1, copies);
  ASSERT_EQ(read.size(), 1u);
  EXPECT_NE(read[0].message.find("reads 'y', which launch 1 (stream 0) updates"), std::string::npos) << read[0].message;
}

// --- streams of host code --------------------------------------------------------------------------------------------

/// What is said of streams in a program whose kernels are those above; `body` is main's.
std::vector<Diagnostic> warnings_of_host(const std::string& body) {
  RunRequest request;
  request.file = "k.cu";
  request.text =
      copies +
      "int main() {\nunsigned *x, *y, *z, *pinned;\ncudaMalloc(&x, 256); cudaMalloc(&y, 256); cudaMalloc(&z, "
      "256);\ncudaMallocHost(&pinned, 256);\ncudaStream_t s, t;\ncudaStreamCreate(&s); "
      "cudaStreamCreate(&t);\ncudaEvent_t e;\ncudaEventCreate(&e);\n" +
      body + "}\n";
  Session session;
  const results::Summary& summary = session.run(request);
  EXPECT_EQ(session.ending(), Ending::good) << all_words(summary);
  Diagnostics hazards;
  for (const Diagnostic& d : summary.diagnostics)
    if (d.message.find("orders the two") != std::string::npos) hazards.push_back(d);
  return hazards;
}

const std::string in_s = "copy<<<1, 32, 0, s>>>(x, y);\n", in_t = "copy<<<1, 32, 0, t>>>(y, z);\n";

TEST(HostStreams, WhatNothingOrdersIsSaid) {
  NEEDS_NVRTC();
  const auto warnings = warnings_of_host(in_s + in_t);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(
      warnings[0].message,
      "the launch of line 13 in stream `t` reads 'to' (its argument `from`), which the launch of line 12 in stream "
      "`s` writes; nothing orders the two");
  EXPECT_EQ(warnings[0].line, 13);
  EXPECT_EQ(warnings[0].severity, Severity::warning);
}

TEST(HostStreams, WhatIsOrderedIsNot) {
  NEEDS_NVRTC();
  for (const char* between : {"cudaDeviceSynchronize();", "cudaStreamSynchronize(s);",
                              "cudaEventRecord(e, s); cudaStreamWaitEvent(t, e);", "copy<<<1, 32>>>(x, x + 32);"})
    EXPECT_TRUE(warnings_of_host(in_s + between + "\n" + in_t).empty()) << between;
  EXPECT_TRUE(warnings_of_host(in_s + "copy<<<1, 32, 0, t>>>(x, z);\n").empty()) << "both only read x";
  EXPECT_TRUE(warnings_of_host(in_s + "copy<<<1, 32, 0, t>>>(y + 32, z);\n").empty()) << "other bytes of y";
}

TEST(HostStreams, CopiesCountLikeLaunches) {
  NEEDS_NVRTC();
  const auto copied = warnings_of_host(in_s + "cudaMemcpyAsync(pinned, y, 128, cudaMemcpyDeviceToHost, t);\n");
  ASSERT_EQ(copied.size(), 1u);
  EXPECT_NE(
      copied[0].message.find("`cudaMemcpyAsync` of line 13 in stream `t` reads 'to', which the launch of line 12"),
      std::string::npos)
      << copied[0].message;
  EXPECT_TRUE(warnings_of_host(in_s + "cudaMemcpyAsync(pinned, y + 32, 128, cudaMemcpyDeviceToHost, t);\n").empty());
  EXPECT_TRUE(warnings_of_host(in_s + "cudaMemcpyAsync(pinned, y, 128, cudaMemcpyDeviceToHost, s);\n").empty());
  EXPECT_TRUE(warnings_of_host(in_s + "cudaMemcpy(pinned, y, 128, cudaMemcpyDeviceToHost);\n").empty())
      << "the default stream waits for s";
  EXPECT_EQ(warnings_of_host("cudaStream_t free;\ncudaStreamCreateWithFlags(&free, cudaStreamNonBlocking);\n"
                             "copy<<<1, 32, 0, free>>>(x, y);\ncudaMemcpy(pinned, y, 128, cudaMemcpyDeviceToHost);\n")
                .size(),
            1u)
      << "but not for a stream that does not block";
  EXPECT_EQ(warnings_of_host("cudaMemsetAsync(x, 0, 256, t);\n" + in_s).size(), 1u);
}

// --- from the header to the launches ---------------------------------------------------------------------------------

TEST(Streams, AFileThatUsesThemWellRunsWithoutAWord) {
  NEEDS_NVRTC();
  RunRequest request;
  request.file = std::string(LANESCOPE_TEST_DATA_DIR) + "/catalogue/two_streams.cu";
  request.text = test::text_of(request.file);
  Session session;
  const results::Summary& summary = session.run(request);
  EXPECT_EQ(session.ending(), Ending::good);
  EXPECT_TRUE(summary.diagnostics.empty()) << all_words(summary);
  EXPECT_EQ(test::output(session, "q").difference, "");
  ASSERT_EQ(summary.claims.size(), 1u);
  EXPECT_EQ(summary.claims[0].result.verdict, claims::Verdict::holds) << summary.claims[0].result.difference;
  const Prepared prepared = prepare(
      request, [](std::string_view) {}, nullptr);
  for (const Program* program : {&prepared.plain, &prepared.probed}) {
    ASSERT_EQ(program->launches.size(), 4u);
    for (std::size_t n = 0; n < 4; ++n) EXPECT_EQ(program->launches[n].stream, n % 2) << n;
  }
}

TEST(Streams, OfBarePtxStandInItsLaunchFile) {
  RunRequest request = test::request_for("copy.ptx");
  request.launch_file = "copy.toml";
  const std::string buffers = "[buffers]\na = \"u32 i:64\"\nb = \"u32 i:64 = zeros\"\n";
  request.launch_text = "[lanescope]\nblock = 64\nstream = 2\nargs = [\"a\", \"b\", 48]\n" + buffers +
                        "[[launch]]\n[[launch]]\nstream = 5\n";
  const Prepared prepared = prepare(
      request, [](std::string_view) {}, nullptr);
  ASSERT_EQ(prepared.plain.launches.size(), 2u);
  EXPECT_EQ(prepared.plain.launches[0].stream, 2u);
  EXPECT_EQ(prepared.plain.launches[1].stream, 5u);
  Session session;
  const results::Summary& summary = session.run(request);
  ASSERT_EQ(summary.diagnostics.size(), 1u) << all_words(summary);
  EXPECT_NE(summary.diagnostics[0].message.find("launch 2 (stream 5) writes 'b', which launch 1 (stream 2) writes"),
            std::string::npos)
      << all_words(summary);
  EXPECT_EQ(summary.diagnostics[0].file, "copy.toml");

  request.launch_text = "[lanescope]\nblock = 64\nstream = 32\nargs = [\"a\", \"b\", 48]\n" + buffers;
  Session refused;
  const results::Summary& bad = refused.run(request);
  EXPECT_EQ(refused.ending(), Ending::bad_input);
  ASSERT_FALSE(bad.diagnostics.empty());
  EXPECT_NE(bad.diagnostics[0].message.find("`stream` must be"), std::string::npos) << all_words(bad);
  EXPECT_EQ(bad.diagnostics[0].line, 3);
  EXPECT_EQ(bad.diagnostics[0].column, 10);
}

}  // namespace
}  // namespace lanescope::engine
