// Comments written from a run. The run is played: each watch probe sees what the table of the test says.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "kernels/claims/elements.h"
#include "tests/kernels/source/strip_claims.h"
#include "world.h"

namespace lanescope::claims::test {
namespace {

constexpr std::string_view kernel = R"(/*
[lanescope]
block = [32, 16]

[buffers]
p = "f16 i:16 j:16 k:16"
q = "f16 i:16 j:16 k:16 = zeros"
*/
#include <cuda_fp16.h>

__global__ void transposes(const __half *p, __half *q)
{
    uint s = 2 * threadIdx.x + 256 * threadIdx.y;

    __half2 x0 = *((const __half2 *)(p + s));
    __half2 x1 = *((const __half2 *)(p + s + 64));
    __half2 x2 = *((const __half2 *)(p + s + 128));
    __half2 x3 = *((const __half2 *)(p + s + 192));

    // x has the following register assignment:
    //   simd:      s0              <->  k0
    //   register:  r1 r0           <->  j3 j2
    //   thread:    t4 t3 t2 t1 t0  <->  j1 j0 k3 k2 k1
    //   warp:      w3 w2 w1 w0     <->  i3 i2 i1 i0

    __half2 y0 = __lows2half2(x0, x2);
    __half2 y2 = __highs2half2(x0, x2);
    __half2 y1 = __lows2half2(x1, x3);
    __half2 y3 = __highs2half2(x1, x3);

    // y has register assignment:
    //   simd:      s0              <->  j3
    //   register:  r1 r0           <->  k0 j2
    //   thread:    t4 t3 t2 t1 t0  <->  j1 j0 k3 k2 k1
    //   warp:      w3 w2 w1 w0     <->  i3 i2 i1 i0

    __half2 tmp = (threadIdx.x & 4) ? y0 : y1;
    tmp = __shfl_sync(~0u, tmp, threadIdx.x ^ 4);
    y0 = (threadIdx.x & 4) ? tmp : y0;
    y1 = (threadIdx.x & 4) ? y1 : tmp;

    tmp = (threadIdx.x & 4) ? y2 : y3;
    tmp = __shfl_sync(~0u, tmp, threadIdx.x ^ 4);
    y2 = (threadIdx.x & 4) ? tmp : y2;
    y3 = (threadIdx.x & 4) ? y3 : tmp;

    // y has register assignment:
    //   simd:      s0              <->  j3
    //   register:  r1 r0           <->  k0 k3
    //   thread:    t4 t3 t2 t1 t0  <->  j1 j0 j2 k2 k1
    //   warp:      w3 w2 w1 w0     <->  i3 i2 i1 i0

    *((__half2 *)(q + s)) = y0;
    *((__half2 *)(q + s + 64)) = y1;
}
)";

using Word = std::array<std::uint64_t, 2>;  // the elements in the halves of a register
struct Machine {
  std::map<std::string, std::vector<Word>> now;  // by variable, [warp * 32 + lane]
  std::map<std::string, int> writes;

  static std::size_t other(std::size_t thread) { return thread ^ 4; }
  Word at(const std::string& v, std::size_t thread) const { return now.at(v)[thread]; }

  /// The statements of the kernel that write `v`, in order.
  bool write(const std::string& v) {
    const int time = writes[v]++;
    std::vector<Word> out(16 * 32);
    for (std::size_t t = 0; t < out.size(); ++t) {
      const bool upper = (t & 4) != 0;
      if (v[0] == 'x') {
        const std::uint64_t s = 2 * (t % 32) + 256 * (t / 32) + 64 * static_cast<std::uint64_t>(v[1] - '0');
        out[t] = {s, s + 1};
      } else if (v[0] == 'y' && time == 0) {
        const bool low = v == "y0" || v == "y1";
        const Word a = at(v == "y0" || v == "y2" ? "x0" : "x1", t), b = at(v == "y0" || v == "y2" ? "x2" : "x3", t);
        out[t] = low ? Word{a[0], b[0]} : Word{a[1], b[1]};
      } else if (v[0] == 'y') {
        const bool even = v == "y0" || v == "y2";
        out[t] = upper == even ? at("tmp", t) : at(v, t);
      } else if (v == "tmp") {
        const std::string low = time < 2 ? "y0" : "y2", high = time < 2 ? "y1" : "y3";
        out[t] = time % 2 == 0 ? at(upper ? low : high, t) : at("tmp", other(t));
      } else {
        return false;
      }
    }
    now[v] = out;
    return true;
  }
};

struct Played {
  source::Source source;
  World world;
  std::unique_ptr<Collector> collector;
};

std::unique_ptr<Played> play(std::string_view text) {
  auto played = std::make_unique<Played>();
  auto read = source::read("k.cu", text);
  EXPECT_TRUE(read) << (read ? "" : read.error().front().message);
  played->source = *read;
  World& w = played->world;
  w.buffer("p", 16, {{"i", 4}, {"j", 4}, {"k", 4}});
  w.buffer("q", 16, {{"i", 4}, {"j", 4}, {"k", 4}});
  played->collector = std::make_unique<Collector>(
      played->source, w.pool, std::vector<int>(played->source.variables.size(), 4), std::vector<int>());
  Machine machine;
  std::vector<source::ProbePoint> probes = played->source.probes;
  // Text order; where claim and watch probe stand at one place, the watch probe comes first (it follows the write).
  std::ranges::stable_sort(probes, [](const auto& a, const auto& b) {
    return std::tuple(a.line, a.column, a.claim) < std::tuple(b.line, b.column, b.claim);
  });
  for (const source::ProbePoint& probe : probes) {
    for (const int v : probe.variables) {
      const std::string& name = played->source.variables[static_cast<std::size_t>(v)].name;
      const bool data = probe.claim >= 0 || machine.write(name);
      for (std::uint32_t warp = 0; warp < 16; ++warp) {
        std::vector<trace::WordTag> lanes(32, trace::no_data);
        for (std::size_t lane = 0; data && lane < 32; ++lane) {
          const Word word = machine.at(name, warp * 32 + lane);
          lanes[lane] = w.word(0, {word[0], word[1]});
        }
        w.emit(*played->collector, {.probe = probe.id, .variable = v, .warp = warp}, lanes);
      }
    }
  }
  return played;
}

std::string stripped(std::string_view text) {
  const auto read = source::read("k.cu", text);
  EXPECT_TRUE(read);
  return source::strip_claims(*read);
}

TEST(Annotate, TheAuthorsClaimsHold) {
  const auto played = play(kernel);
  ASSERT_EQ(played->source.claims.size(), 3u);
  for (const ClaimResult& r : played->collector->judge())
    EXPECT_EQ(r.verdict, Verdict::holds) << r.difference << r.reason.words();
}

TEST(Annotate, StrippedAndAnnotatedIsTheSameText) {
  const std::string bare = stripped(kernel);
  const auto played = play(bare);
  EXPECT_TRUE(played->source.claims.empty());
  const Annotation a = annotate(played->source, *played->collector);
  EXPECT_EQ(a.claims_written, 3);
  EXPECT_EQ(a.text, kernel);
}

TEST(Annotate, WithoutSentencesTheyAreWritten) {
  std::string bare(kernel);
  for (std::size_t at = 0; (at = bare.find("\n    //", at)) != std::string::npos;) {
    std::size_t end = bare.find('\n', at + 1);
    bare.erase(at, end - at);
  }
  for (std::size_t at = 0; (at = bare.find("\n\n\n")) != std::string::npos;) bare.erase(at, 1);
  const auto played = play(bare);
  const Annotation a = annotate(played->source, *played->collector);
  EXPECT_EQ(a.claims_written, 3);
  EXPECT_EQ(a.text, kernel);
}

TEST(Annotate, KeepsALastLineWithoutBreak) {
  std::string bare = stripped(kernel);
  while (bare.ends_with('\n')) bare.pop_back();
  const auto played = play(bare);
  const std::string text = annotate(played->source, *played->collector).text;
  EXPECT_EQ(text + '\n', kernel);
}

TEST(RealAt, AnyMomentAnyGroup) {
  const auto played = play(stripped(kernel));
  const auto all = families(played->source);
  const auto family = [&](std::string_view name) { return std::ranges::find(all, name, &Family::name)->variables; };
  EXPECT_EQ(family("y").size(), 4u);
  const auto last = std::ranges::max_element(played->source.probes, {}, &source::ProbePoint::line);
  const Real y = played->collector->real_at(last->id, family("y"), 0, 0);
  ASSERT_TRUE(y.assignment) << y.words;
  EXPECT_EQ(y.words, "simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1; warp: i3 i2 i1 i0");
  EXPECT_EQ(y.buffer, 0);
  EXPECT_EQ(y.element_bits, 16);
  const Real x = played->collector->real_at(last->id, family("x"), 0, 0);
  EXPECT_EQ(x.words, "simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1; warp: i3 i2 i1 i0");
  EXPECT_FALSE(played->collector->real_at(last->id, family("s"), 0, 0).assignment);
  EXPECT_FALSE(played->collector->real_at(last->id, family("y"), 0, 5).assignment);
  EXPECT_FALSE(played->collector->real_at(last->id, family("y"), 9, 0).assignment);
}

TEST(Families, NumbersFromZeroAPowerOfTwoOneScope) {
  source::Source s;
  int id = 0;
  for (const char* name : {"x0", "x1", "x2", "x3", "v", "y0", "y1", "y2", "t1", "x0", "x1"}) {
    source::Variable v;
    v.id = id++;
    v.name = name;
    v.function = "f";
    s.variables.push_back(v);
  }
  std::vector<std::string> got;
  for (const Family& f : families(s)) got.push_back(f.name + ":" + std::to_string(f.variables.size()));
  EXPECT_EQ(got, (std::vector<std::string>{"x:4", "v:1", "y0:1", "y1:1", "y2:1", "t1:1", "x:2"}));
}

}  // namespace
}  // namespace lanescope::claims::test
