// Launches in several streams: which of them need an order that the streams do not give, and how streams get from the
// launch header to the launches.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "app/engine/prepare/prepare.h"
#include "kernels/base/text.h"
#include "kernels/emulator/emulator.h"
#include "profiling/review/findings/rule_set.h"
#include "profiling/review/observe/buffer_uses.h"
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

/// Accesses to one byte.
struct Done {
  bool read = false, written = false, updated = false;
  bool any() const { return read || written || updated; }
};
bool needs_order(const Done& a, const Done& b) {
  if (!a.any() || !b.any()) return false;
  return a.written || b.written || (a.updated && b.read) || (a.read && b.updated);
}

/// The accesses of a launch, and what becomes of each byte.
class RandomLaunch {
 public:
  RandomLaunch(std::mt19937& random, const std::vector<trace::Buffer>& buffers) {
    const auto addresses = emulator::place_buffers(buffers);
    for (const trace::Buffer& b : buffers) done_.emplace_back(b.bytes.size());
    for (auto accesses = random() % 3; accesses > 0; --accesses) access(random, buffers, addresses);
  }
  void play(trace::Observer& observer) const {
    for (const Access& a : accesses_) {
      trace::AccessEvent event = a.event;
      event.addresses = a.lanes;
      observer.on_access(event);
    }
  }
  const std::vector<std::vector<Done>>& done() const { return done_; }

 private:
  struct Access {
    trace::AccessEvent event;
    std::array<std::uint64_t, 32> lanes{};
  };
  void access(std::mt19937& random, const std::vector<trace::Buffer>& buffers,
              const std::vector<std::uint64_t>& addresses) {
    Access& a = accesses_.emplace_back();
    trace::AccessEvent& event = a.event;
    event.kind = static_cast<trace::AccessKind>(random() % 5);
    event.width_bytes = 1 << random() % 5;
    event.where.active = static_cast<std::uint32_t>(random() & random());
    const bool elsewhere = random() % 8 == 0;
    if (elsewhere) event.space = trace::MemorySpace::shared;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const std::size_t b = random() % buffers.size();
      const std::size_t first = random() % buffers[b].bytes.size() / 16 * 16;
      a.lanes[lane] = addresses[b] + first;
      if (elsewhere || (event.where.active >> lane & 1) == 0) continue;
      const auto end = std::min(first + static_cast<std::size_t>(event.width_bytes), buffers[b].bytes.size());
      for (std::size_t byte = first; byte < end; ++byte) note(event.kind, done_[b][byte]);
    }
  }
  static void note(trace::AccessKind kind, Done& byte) {
    using Kind = trace::AccessKind;
    if (kind == Kind::load || kind == Kind::async_copy) byte.read = true;
    if (kind == Kind::store) byte.written = true;
    if (kind == Kind::atomic || kind == Kind::reduction) byte.updated = true;
  }

  std::vector<Access> accesses_;
  std::vector<std::vector<Done>> done_;
};

/// A finding names a launch and a buffer exactly where a byte of it needs an order, the first launch that it needs it
/// against, and an access whose byte needs it.
TEST(StreamOrder, IsWhatBytesSay) {
  std::mt19937 random(17);
  const auto buffers = buffers_of({1024, 2400, 8192});
  const auto addresses = emulator::place_buffers(buffers);
  int found = 0, none = 0;
  for (int trial = 0; trial < 400; ++trial) {
    source::Source source;
    for (const trace::Buffer& b : buffers) {
      source::BufferSpec& spec = source.header.buffers.emplace_back();
      spec.name = b.name, spec.element_bits = 8, spec.elements = b.bytes.size();
    }
    std::vector<RandomLaunch> launches;
    std::array<std::uint32_t, 4> streams{};
    for (int n = 0; n < 4; ++n) {
      launches.emplace_back(random, buffers);
      streams[static_cast<std::size_t>(n)] = static_cast<std::uint32_t>(random() % 3);
      source.header.launches.emplace_back().kernel = "k" + std::to_string(n);
      source::StreamOperation& o = source.header.streams.emplace_back();
      o.launch = n, o.line = 10 + n;
      for (int earlier = 0; earlier < n; ++earlier)
        if (streams[static_cast<std::size_t>(earlier)] != streams[static_cast<std::size_t>(n)])
          o.beside.push_back(static_cast<std::uint32_t>(earlier));
    }
    std::vector<review::LaunchUses> uses;
    for (std::size_t n = 0; n < launches.size(); ++n) {
      review::UseObserver observer(source.header, n, buffers, addresses, uses);
      launches[n].play(observer);
      uses.push_back(observer.take({}));
    }
    struct Expected {
      std::size_t later = 0, earlier = 0, buffer = 0;
    };
    std::vector<Expected> expected;
    for (std::size_t later = 1; later < launches.size(); ++later)
      for (std::size_t b = 0; b < buffers.size(); ++b)
        for (std::size_t earlier = 0; earlier < later; ++earlier) {
          if (streams[earlier] == streams[later]) continue;
          const auto &mine = launches[later].done()[b], &other = launches[earlier].done()[b];
          if (!std::equal(mine.begin(), mine.end(), other.begin(),
                          [](const Done& x, const Done& y) { return !needs_order(x, y); })) {
            expected.push_back({later, earlier, b});
            break;
          }
        }
    review::ReviewInput input;
    input.source = &source;
    input.uses = uses;
    std::vector<review::Finding> findings;
    review::stream_rules(input, findings);
    ASSERT_EQ(findings.size(), expected.size()) << trial;
    for (std::size_t n = 0; n < findings.size(); ++n) {
      const review::Finding& f = findings[n];
      const auto [later, earlier, b] = expected[n];
      EXPECT_EQ(f.severity, Severity::error);
      EXPECT_EQ(f.line, 10 + static_cast<int>(later));
      EXPECT_NE(f.message.find("`k" + std::to_string(earlier) + "` (launch " + std::to_string(earlier + 1) + ","),
                std::string::npos)
          << f.message;
      EXPECT_EQ(f.evidence.buffer, buffers[b].name);
      EXPECT_EQ(f.evidence.launch, static_cast<int>(later));
      ASSERT_EQ(f.evidence.numbers.size(), 1u);
      const auto byte = static_cast<std::size_t>(f.evidence.numbers[0].second);
      EXPECT_TRUE(needs_order(launches[later].done()[b][byte], launches[earlier].done()[b][byte])) << f.message;
      const auto lane = static_cast<std::size_t>(f.evidence.sides.back().lane);
      EXPECT_LE(f.evidence.addresses[lane], byte);
      EXPECT_LT(byte, f.evidence.addresses[lane] + static_cast<unsigned>(f.evidence.width_bytes));
    }
    ++(findings.empty() ? none : found);
  }
  EXPECT_GT(found, 50);
  EXPECT_GT(none, 20) << "launches that never meet have no finding";
}

// --- kernels ---------------------------------------------------------------------------------------------------------

std::vector<results::FindingInfo> stream_order(const std::string& text) {
  RunRequest request;
  request.file = "k.cu";
  request.text = text;
  request.review = true;
  Session session;
  const results::Summary& summary = session.run(request);
  EXPECT_EQ(session.ending(), Ending::good) << all_words(summary);
  std::vector<results::FindingInfo> found;
  for (const results::FindingInfo& f : summary.findings)
    if (f.rule == "stream-order") found.push_back(f);
  for (const Diagnostic& d : summary.diagnostics)
    EXPECT_EQ(d.message.find("nothing orders"), std::string::npos) << "it is reported once: " << d.message;
  return found;
}

/// Of two launches of a header, the second one in `stream`.
std::vector<results::FindingInfo> found_in(const std::string& first, const std::string& second, int stream,
                                           const std::string& code) {
  return stream_order(
      "/*\n[lanescope]\nblock = 32\n[buffers]\nx = \"u32 n:64\"\ny = \"u32 n:64 = zeros\"\nz = \"u32 n:64 = "
      "zeros\"\n[[launch]]\n" +
      first + "\n[[launch]]\n" + second + "\nstream = " + std::to_string(stream) + "\n*/\n" + code);
}

const std::string copies =
    "__global__ void copy(const unsigned* from, unsigned* to) { to[threadIdx.x] = from[threadIdx.x]; }\n"
    "__global__ void add(unsigned* to) { to[threadIdx.x] += 3; }\n"
    "__global__ void count(unsigned* to) { atomicAdd(&to[threadIdx.x % 4], 1u); }\n";

TEST(StreamOrder, OfAHeaderNamesBothLaunches) {
  NEEDS_NVRTC();
  const std::string first = "kernel = \"copy\"\nargs = [\"x\", \"y\"]",
                    second = "kernel = \"copy\"\nargs = [\"y\", \"z\"]";
  const auto found = found_in(first, second, 1, copies);
  ASSERT_EQ(found.size(), 1u);
  const results::FindingInfo& f = found[0];
  EXPECT_EQ(
      f.message,
      "`copy` (launch 2, line 11, stream `1`) reads element 0 of `y`, its argument `from`, which `copy` (launch 1, "
      "line 8, stream `0`) writes; nothing orders the two");
  EXPECT_EQ(f.severity, Severity::error);
  EXPECT_EQ(f.line, 11) << "the table of the second launch";
  EXPECT_EQ(f.launch, 1);
  EXPECT_EQ(f.block, 0);
  EXPECT_EQ(f.lanes, 0xffffffffu);
  EXPECT_EQ(f.width_bytes, 4);
  EXPECT_EQ(f.buffer, "y");
  ASSERT_EQ(f.parties.size(), 2u);
  EXPECT_EQ(f.parties[0].launch, 0);
  EXPECT_EQ(f.parties[0].line, 16);
  EXPECT_EQ(f.parties[0].does, "writes element 0 of `y`");
  EXPECT_EQ(f.parties[1].launch, 1);
  EXPECT_EQ(f.parties[1].line, 16);
  EXPECT_EQ(f.parties[1].does, "reads element 0 of `y`");
  EXPECT_TRUE(found_in(first, second, 0, copies).empty()) << "one stream keeps the order";

  const auto back = found_in(second, first, 1, copies);
  ASSERT_EQ(back.size(), 1u);
  EXPECT_NE(back[0].message.find(") writes element 0 of `y`, its argument `to`, which"), std::string::npos);
  EXPECT_NE(back[0].message.find("stream `0`) reads; nothing"), std::string::npos) << back[0].message;
  const auto both = found_in(first, first, 1, copies);
  ASSERT_EQ(both.size(), 1u) << "x is only read";
  EXPECT_NE(both[0].message.find("stream `0`) writes; nothing"), std::string::npos) << both[0].message;
  const auto in_place = found_in("kernel = \"add\"\nargs = [\"y\"]", second, 1, copies);
  ASSERT_EQ(in_place.size(), 1u);
  EXPECT_NE(in_place[0].message.find("stream `0`) writes; nothing"), std::string::npos)
      << "that it reads as well needs no order: " << in_place[0].message;
}

TEST(StreamOrder, IsOfBytesAndNotOfBuffers) {
  NEEDS_NVRTC();
  EXPECT_TRUE(
      found_in("kernel = \"copy\"\nargs = [\"x\", \"y\"]", "kernel = \"copy\"\nargs = [\"x+32\", \"y+32\"]", 1, copies)
          .empty());
  const auto one =
      found_in("kernel = \"copy\"\nargs = [\"x\", \"y\"]", "kernel = \"copy\"\nargs = [\"x\", \"y+31\"]", 1, copies);
  ASSERT_EQ(one.size(), 1u) << "one element of both";
  EXPECT_NE(one[0].message.find("element 31 of `y`"), std::string::npos) << one[0].message;
}

TEST(StreamOrder, AtomicsAmongThemselvesNeedNone) {
  NEEDS_NVRTC();
  const std::string count = "kernel = \"count\"\nargs = [\"y\"]";
  EXPECT_TRUE(found_in(count, count, 1, copies).empty());
  const auto read = found_in(count, "kernel = \"copy\"\nargs = [\"y\", \"z\"]", 1, copies);
  ASSERT_EQ(read.size(), 1u);
  EXPECT_NE(read[0].message.find("stream `0`) updates; nothing"), std::string::npos) << read[0].message;
}

// --- streams of host code --------------------------------------------------------------------------------------------

/// In a program whose kernels are those above; `body` is main's, from line 12.
std::vector<results::FindingInfo> found_in_host(const std::string& body) {
  return stream_order(
      copies +
      "int main() {\nunsigned *x, *y, *z, *pinned;\ncudaMalloc(&x, 256); cudaMalloc(&y, 256); cudaMalloc(&z, "
      "256);\ncudaMallocHost(&pinned, 256);\ncudaStream_t s, t;\ncudaStreamCreate(&s); "
      "cudaStreamCreate(&t);\ncudaEvent_t e;\ncudaEventCreate(&e);\n" +
      body + "}\n");
}

const std::string in_s = "copy<<<1, 32, 0, s>>>(x, y);\n", in_t = "copy<<<1, 32, 0, t>>>(y, z);\n";

TEST(StreamOrder, OfHostCodeNamesBothLaunches) {
  NEEDS_NVRTC();
  const auto found = found_in_host(in_s + in_t);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message,
            "`copy` (launch 2, line 13, stream `t`) reads element 0 of `to`, its argument `from`, which `copy` (launch "
            "1, line 12, stream `s`) writes; nothing orders the two");
  EXPECT_EQ(found[0].line, 13);
  EXPECT_EQ(found[0].severity, Severity::error);
  EXPECT_EQ(found[0].launch, 1);
}

TEST(StreamOrder, IsGivenByEventsWaitsAndTheDefaultStream) {
  NEEDS_NVRTC();
  for (const char* between : {"cudaDeviceSynchronize();", "cudaStreamSynchronize(s);",
                              "cudaEventRecord(e, s); cudaStreamWaitEvent(t, e);", "copy<<<1, 32>>>(x, x + 32);"})
    EXPECT_TRUE(found_in_host(in_s + between + "\n" + in_t).empty()) << between;
  EXPECT_TRUE(found_in_host(in_s + "copy<<<1, 32, 0, t>>>(x, z);\n").empty()) << "both only read x";
  EXPECT_TRUE(found_in_host(in_s + "copy<<<1, 32, 0, t>>>(y + 32, z);\n").empty()) << "other bytes of y";
}

TEST(StreamOrder, CopiesCountLikeLaunches) {
  NEEDS_NVRTC();
  const auto copied = found_in_host(in_s + "cudaMemcpyAsync(pinned, y, 128, cudaMemcpyDeviceToHost, t);\n");
  ASSERT_EQ(copied.size(), 1u);
  EXPECT_EQ(copied[0].message,
            "`cudaMemcpyAsync` (line 13, stream `t`) reads element 0 of `to`, which `copy` (launch 1, line 12, stream "
            "`s`) writes; nothing orders the two");
  EXPECT_EQ(copied[0].line, 13);
  EXPECT_EQ(copied[0].launch, 0) << "the evidence is the store of the launch";
  EXPECT_GE(copied[0].step, 0);
  EXPECT_TRUE(found_in_host(in_s + "cudaMemcpyAsync(pinned, y + 32, 128, cudaMemcpyDeviceToHost, t);\n").empty());
  EXPECT_TRUE(found_in_host(in_s + "cudaMemcpyAsync(pinned, y, 128, cudaMemcpyDeviceToHost, s);\n").empty());
  EXPECT_TRUE(found_in_host(in_s + "cudaMemcpy(pinned, y, 128, cudaMemcpyDeviceToHost);\n").empty())
      << "the default stream waits for s";
  EXPECT_EQ(found_in_host("cudaStream_t free;\ncudaStreamCreateWithFlags(&free, cudaStreamNonBlocking);\n"
                          "copy<<<1, 32, 0, free>>>(x, y);\ncudaMemcpy(pinned, y, 128, cudaMemcpyDeviceToHost);\n")
                .size(),
            1u)
      << "but not for a stream that does not block";
  EXPECT_EQ(found_in_host("cudaMemsetAsync(x, 0, 256, t);\n" + in_s).size(), 1u);
  const auto two = found_in_host(
      "copy<<<1, 32>>>(x, z);\ncudaMemsetAsync(y, 0, 128, s);\n"
      "cudaMemcpyAsync(pinned, y + 16, 64, cudaMemcpyDeviceToHost, t);\ncudaDeviceSynchronize();\ncopy<<<1, 32>>>(y, "
      "z);\n");
  ASSERT_EQ(two.size(), 1u) << "two copies";
  EXPECT_NE(two[0].message.find("reads element 16 of"), std::string::npos) << two[0].message;
}

/// A run that is not a review warns.
TEST(StreamOrder, IsAWarningOfARun) {
  NEEDS_NVRTC();
  RunRequest request;
  request.file = std::string(LANESCOPE_TEST_DATA_DIR) + "/references/two_streams.cu";
  request.text = test::text_of(request.file);
  Session session;
  const results::Summary& summary = session.run(request);
  EXPECT_EQ(session.ending(), Ending::good);
  ASSERT_EQ(summary.diagnostics.size(), 1u) << all_words(summary);
  EXPECT_EQ(summary.diagnostics[0].severity, Severity::warning);
  EXPECT_EQ(summary.diagnostics[0].file, request.file);
  EXPECT_NE(summary.diagnostics[0].message.find("nothing orders the two"), std::string::npos);
  EXPECT_TRUE(summary.findings.empty());
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
  EXPECT_NE(summary.diagnostics[0].message.find("(launch 2, line 9 of copy.toml, stream `5`) writes element "),
            std::string::npos)
      << all_words(summary);
  EXPECT_EQ(summary.diagnostics[0].file, request.file)
      << "a finding is of the kernels' file: at the second launch's store";
  const std::vector<std::string_view> lines = split_lines(request.text);
  ASSERT_LE(summary.diagnostics[0].line, static_cast<int>(lines.size()));
  ASSERT_GT(summary.diagnostics[0].line, 0);
  EXPECT_NE(lines[static_cast<std::size_t>(summary.diagnostics[0].line) - 1].find("st.global"), std::string_view::npos);

  request.launch_text = "[lanescope]\nblock = 64\nstream = 32\nargs = [\"a\", \"b\", 48]\n" + buffers;
  Session refused;
  const results::Summary& bad = refused.run(request);
  EXPECT_EQ(refused.ending(), Ending::bad_input);
  ASSERT_FALSE(bad.diagnostics.empty());
  EXPECT_NE(bad.diagnostics[0].message.find("`stream` of ["), std::string::npos) << all_words(bad);
  EXPECT_EQ(bad.diagnostics[0].line, 3);
  EXPECT_EQ(bad.diagnostics[0].column, 10);
}

}  // namespace
}  // namespace lanescope::engine
