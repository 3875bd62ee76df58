// Whole runs of small kernels: outputs against plain C++, verdicts, faults, refusals.

#include "app/engine/session/session.h"

#include <numeric>

#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

using test::elements;
using test::output;
using test::request_for;

// The kernel stores register r of lane t in warp w at 2t + 64r + 256w. By its last claim that place holds simd s <-> j3,
// r1 r0 <-> k0 k3, t4..t0 <-> j1 j0 j2 k2 k1, w <-> i; p[i,j,k] is element 256i + 16j + k.
TEST(Session, Half2TransposesDoWhatTheirClaimsSay) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(request_for("half2.cu"));
  ASSERT_TRUE(s.ok) << test::all_words(s);
  EXPECT_TRUE(s.diagnostics.empty()) << test::all_words(s);
  ASSERT_EQ(s.claims.size(), 3u);
  for (const auto& c : s.claims)
    EXPECT_EQ(c.result.verdict, claims::Verdict::holds) << c.claim.first_line << c.result.reason.words();

  const auto p = elements<std::uint16_t>(output(session, "p")), q = elements<std::uint16_t>(output(session, "q"));
  ASSERT_EQ(q.size(), 4096u);
  for (unsigned w = 0; w < 16; ++w)
    for (unsigned r = 0; r < 4; ++r)
      for (unsigned t = 0; t < 32; ++t)
        for (unsigned simd = 0; simd < 2; ++simd) {
          const unsigned j = simd << 3 | (t >> 2 & 1) << 2 | (t >> 4 & 1) << 1 | (t >> 3 & 1);
          const unsigned k = (r & 1) << 3 | (t >> 1 & 1) << 2 | (t & 1) << 1 | (r >> 1 & 1);
          ASSERT_EQ(q[256 * w + 64 * r + 2 * t + simd], p[256 * w + 16 * j + k])
              << w << ' ' << r << ' ' << t << ' ' << simd;
        }
}

TEST(Session, CountersOfAKernelWhoseCostsAreKnown) {
  NEEDS_NVRTC();
  Session session;
  session.run(request_for("shared_transpose.cu"));
  const counters::Counts& total = session.counters().total;
  // 32 rows of 32 floats in and out: one request and 4 sectors each; the columns of the tile conflict in all 32 lanes.
  EXPECT_EQ(total.global_load.requests, 32u);
  EXPECT_EQ(total.global_load.sectors, 128u);
  EXPECT_EQ(total.global_store.sectors, 128u);
  EXPECT_EQ(total.shared_store.wavefronts, 32u);
  EXPECT_EQ(total.shared_load.wavefronts, 32u * 32);
  EXPECT_EQ(total.shared_load.bank_conflicts, 32u * 31);
  EXPECT_EQ(total.barriers, 8u);
  const auto p = elements<float>(output(session, "p")), q = elements<float>(output(session, "q"));
  for (std::size_t i = 0; i < 32; ++i)
    for (std::size_t j = 0; j < 32; ++j) ASSERT_EQ(q[32 * j + i], p[32 * i + j]);
}

TEST(Session, AWrongClaimIsContradictedWithTheTruth) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(request_for("wrong_claim.cu"));
  ASSERT_EQ(s.claims.size(), 1u);
  const claims::ClaimResult& r = s.claims[0].result;
  EXPECT_EQ(r.verdict, claims::Verdict::differs);
  EXPECT_EQ(r.difference, "r1 and r0 are swapped");
  ASSERT_TRUE(r.actual);
  EXPECT_EQ(layout::print_line(*r.actual), "register: i0 i1; thread: j4 j3 j2 j1 j0; warp: j5");
  ASSERT_TRUE(r.first_failure);
  EXPECT_EQ(r.first_failure->block, 0u);
  EXPECT_EQ(session.ending(), Ending::good);  // the claim is wrong, the run is not
}

TEST(Session, LaunchesInSequenceShareBuffersAndTemplatesAreInstantiated) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(request_for("two_launches.cu"));
  ASSERT_TRUE(s.ok) << test::all_words(s);
  const auto r = elements<double>(output(session, "r"));
  ASSERT_EQ(r.size(), 256u);
  for (std::size_t i = 0; i < r.size(); ++i) ASSERT_EQ(r[i], 2.0 * static_cast<double>(i) + 0.5);
}

TEST(Session, ExpectedResultsAreCompared) {
  NEEDS_NVRTC();
  RunRequest request = request_for("two_launches.cu");
  const std::string from = "init = \"zeros\" }\n\n[[launch]]";
  ASSERT_NE(request.text.find(from), std::string::npos);
  request.text.replace(request.text.find(from), from.size(),
                       "init = \"zeros\", expect = \"copy of r\" }\n\n[[launch]]");
  Session session;
  const results::Summary& s = session.run(request);
  EXPECT_EQ(session.ending(), Ending::unexpected);
  EXPECT_NE(output(session, "r").difference.value().find("element (0) is 0.5, where 0 was expected; 256 of 256"),
            std::string::npos);
  ASSERT_FALSE(s.diagnostics.empty());
  EXPECT_EQ(s.diagnostics[0].line, 8);
}

TEST(Session, AFaultNamesItsPlaceAndLine) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(request_for("out_of_bounds.cu"));
  EXPECT_EQ(session.ending(), Ending::faulted);
  ASSERT_EQ(session.faults().size(), 1u);
  EXPECT_EQ(session.faults()[0].lane, 31);
  EXPECT_EQ(session.faults()[0].line, 10);
  ASSERT_EQ(s.diagnostics.size(), 1u) << test::all_words(s);
  EXPECT_EQ(s.diagnostics[0].line, 10);
}

TEST(Session, AnEndlessLoopIsARunawayLoop) {
  NEEDS_NVRTC();
  RunRequest request = request_for("endless.cu");
  request.max_steps = 20000;
  Session session;
  session.run(request);
  ASSERT_FALSE(session.faults().empty());
  EXPECT_EQ(session.faults()[0].kind, emulator::Fault::Kind::runaway);
}

TEST(Session, MistakesInTheCodeAreAtTheUsersLine) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(request_for("syntax_error.cu"));
  EXPECT_FALSE(s.ok);
  EXPECT_EQ(session.ending(), Ending::bad_input);
  ASSERT_FALSE(s.diagnostics.empty());
  EXPECT_TRUE(s.diagnostics[0].line == 3 || s.diagnostics[0].line == 4) << test::all_words(s);
}

TEST(Session, WithoutACompilerNothingIsKnownToBeWrong) {
  RunRequest request = request_for("half2.cu");
  request.forbid_nvrtc = true;
  Session session;
  EXPECT_FALSE(session.run(request).ok);
  EXPECT_EQ(session.ending(), Ending::cannot_here);
}

RunRequest with_header(const std::string& header) {
  RunRequest request;
  request.file = "header.cu";
  request.text = "/*\n[lanescope]\n" + header + "\n*/\n__global__ void k(float *p) { p[threadIdx.x] = 1; }\n";
  return request;
}

TEST(Session, WhatNoDeviceTakesIsRefusedBeforeAnythingRuns) {
  const struct {
    const char* header;
    const char* words;
  } cases[] = {
      {"block = 32\n[buffers]\np = \"f32 i:1099511627776\"", "larger than the memory of any GPU"},
      {"block = 32\n[buffers]\np = \"f32 i:34359738368\"", "the buffers need 128 GiB"},
      {"block = [32, 64]\n[buffers]\np = \"f32 i:32\"", "2048 threads"},
      {"block = 32\ngrid = [1, 70000]\n[buffers]\np = \"f32 i:32\"", "65535"},
      {"block = 32\nshared = 400000\n[buffers]\np = \"f32 i:32\"", "shared memory"},
      {"block = 32\n[buffers]\np = \"f33 i:32\"", "f33"},
  };
  for (const auto& c : cases) {
    Session session;
    const results::Summary& s = session.run(with_header(c.header));
    EXPECT_FALSE(s.ok) << c.header;
    EXPECT_EQ(session.ending(), Ending::bad_input) << c.header;
    EXPECT_NE(test::all_words(s).find(c.words), std::string::npos) << test::all_words(s);
    EXPECT_TRUE(session.outputs().empty());
  }
}

TEST(Session, BarePtxRunsWithALaunchFile) {
  RunRequest request = request_for("copy.ptx");
  request.launch_file = test::data_path("copy.toml");
  request.launch_text = test::text_of(request.launch_file);
  Session session;
  const results::Summary& s = session.run(request);
  ASSERT_TRUE(s.ok) << test::all_words(s);
  const auto a = elements<std::uint32_t>(output(session, "a")), b = elements<std::uint32_t>(output(session, "b"));
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(b[i], i < 48 ? a[i] : 0u) << i;
  EXPECT_EQ(s.compiler, "PTX file");
  EXPECT_GT(s.steps, 0u);
}

TEST(Session, MistakesInALaunchFileAreAtItsOwnLine) {
  RunRequest request = request_for("copy.ptx");
  request.launch_file = "launch.toml";
  request.launch_text =
      "[lanescope]\nblock = 64\nargs = [\"a\", \"absent\", 48]\n\n[buffers]\na = \"u32 i:64\"\nb = \"u32 i:banana\"\n";
  Session session;
  const results::Summary& s = session.run(request);
  ASSERT_FALSE(s.diagnostics.empty());
  EXPECT_EQ(s.diagnostics[0].file, "launch.toml");
  EXPECT_EQ(s.diagnostics[0].line, 7) << test::all_words(s);
}

// Law: a run is a function of its request.
TEST(Session, RunsWithTheSameSeedAreTheSame) {
  NEEDS_NVRTC();
  Session a, b;
  RunRequest request = request_for("shared_transpose.cu");
  request.seed = 42;
  const results::Summary &first = a.run(request), &second = b.run(request);
  ASSERT_EQ(first.timeline.size(), second.timeline.size());
  for (std::size_t i = 0; i < first.timeline.size(); ++i) {
    ASSERT_EQ(first.timeline[i].warp, second.timeline[i].warp);
    ASSERT_EQ(first.timeline[i].line, second.timeline[i].line);
  }
  EXPECT_EQ(output(a, "q").bytes, output(b, "q").bytes);
}

TEST(Session, ACancelledRunEnds) {
  NEEDS_NVRTC();
  std::atomic<bool> cancel{true};
  Session session;
  session.run(request_for("endless.cu"), &cancel);
  EXPECT_NE(session.ending(), Ending::good);
}

TEST(Session, AnnotationsOfABareKernelHold) {
  NEEDS_NVRTC();
  RunRequest request = request_for("wide.cu");
  Session session;
  const auto annotation = session.annotate(request);
  ASSERT_TRUE(annotation) << to_string(annotation.error()[0]);
  request.text = annotation->text;
  for (const auto& c : session.run(request).claims) EXPECT_EQ(c.result.verdict, claims::Verdict::holds);
}

TEST(Session, PtxIsNotAnnotated) {
  RunRequest request = request_for("copy.ptx");
  request.launch_file = test::data_path("copy.toml");
  request.launch_text = test::text_of(request.launch_file);
  Session session;
  session.run(request);
  ASSERT_EQ(session.ending(), Ending::good) << test::all_words(session.summary());
  const auto annotation = session.annotate(request);
  ASSERT_FALSE(annotation) << annotation->text;
  EXPECT_EQ(annotation.error().front().file, request.file);
  EXPECT_EQ(session.ending(), Ending::bad_input);
}

// With any outcome of the kernel, a mistake in the header is one.
TEST(Session, AnExpectationThatCannotBeReadIsBadInput) {
  RunRequest request = request_for("copy.ptx");
  request.launch_file = test::data_path("none.toml");
  for (const std::string expected : {"copy of absent", "none.npy", "copy of a", "zeros"}) {
    request.launch_text =
        "[lanescope]\nblock = 64\nargs = [\"a\", \"b\", 64]\n[buffers]\na = \"u32 i:64\"\n"
        "b = { type = \"u32\", axes = \"i:64\", init = \"zeros\", expect = \"" +
        expected + "\" }\n";
    Session session;
    session.run(request);
    const bool readable = expected == "copy of a" || expected == "zeros";
    EXPECT_EQ(session.ending(), expected == "copy of a" ? Ending::good
                                : readable              ? Ending::unexpected
                                                        : Ending::bad_input)
        << test::all_words(session.summary());
    EXPECT_EQ(session.outputs().size(), 2u) << "what ran is still shown";
    if (readable) continue;
    const Diagnostic& d = session.summary().diagnostics.back();
    EXPECT_EQ(d.line, 6) << to_string(d);
    EXPECT_GT(d.column, 0) << to_string(d);
  }
}

}  // namespace
}  // namespace lanescope::engine
