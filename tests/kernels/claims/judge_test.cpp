// Hand-made cases, one for each thing that a verdict has to report apart.

#include <gtest/gtest.h>

#include "world.h"

namespace lanescope::claims::test {
namespace {

layout::Assignment stated(std::string_view text) {
  auto a = layout::parse(text);
  EXPECT_TRUE(a) << text;
  return a ? *a : layout::Assignment{};
}

/// Four 32-bit registers of f16 pairs in 16 warps: the array of the reference notes.
struct Notes : ::testing::Test {
  World w;
  int buffer = w.buffer("p", 16, {{"i", 4}, {"j", 4}, {"k", 4}});
  std::vector<int> x;
  Shape shape{.element_bits = 16, .registers = 4, .warps = 16};
  static constexpr std::string_view truth_text = "simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1; warp: i3 i2 i1 i0";

  Notes() {
    for (int r = 0; r < 4; ++r) x.push_back(w.variable("x" + std::to_string(r), 4, "__half2"));
  }
  static std::optional<std::uint64_t> truth(std::uint64_t, std::uint64_t warp, int reg, int lane, int part) {
    return warp << 8 | static_cast<std::uint64_t>(reg) << 6 | static_cast<std::uint64_t>(lane) << 1 |
           static_cast<std::uint64_t>(part);
  }
  ClaimResult judge(std::string_view text, const Truth& what = truth) {
    w.claim("x", x, stated(text));
    Collector collector(w.source, w.pool, w.value_bytes, w.caller_lines);
    run(w, collector, 0, buffer, shape, what);
    return collector.judge().at(0);
  }
};

TEST_F(Notes, Holds) {
  const ClaimResult r = judge(truth_text);
  EXPECT_EQ(r.verdict, Verdict::holds);
  EXPECT_EQ(r.places, 4096u);
  EXPECT_EQ(r.instances, 1u);
  EXPECT_EQ(r.actual_words, "simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1; warp: i3 i2 i1 i0");
  EXPECT_FALSE(r.computed);
  EXPECT_FALSE(r.first_failure);
}

TEST_F(Notes, SwappedRegistersAreNamed) {
  const ClaimResult r = judge("simd: k0; register: j2 j3; thread: j1 j0 k3 k2 k1; warp: i3 i2 i1 i0");
  EXPECT_EQ(r.verdict, Verdict::differs);
  EXPECT_EQ(r.difference, "r1 and r0 are swapped");
  EXPECT_EQ(*r.actual, stated(truth_text));
  EXPECT_EQ(r.first_failure->warp, 0u);
}

TEST_F(Notes, RowsWithTooFewBits) {
  const ClaimResult r = judge("simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1; warp: i2 i1 i0");
  EXPECT_EQ(r.verdict, Verdict::differs);
  EXPECT_NE(r.difference.find("w3"), std::string::npos) << r.difference;
  EXPECT_EQ(r.first_failure->warp, 8u);
}

TEST_F(Notes, MoreRegistersThanThereAre) {
  const ClaimResult r = judge("register: k0 j3 j2");
  EXPECT_EQ(r.verdict, Verdict::differs);
  EXPECT_NE(r.difference.find("there is no r2"), std::string::npos) << r.difference;
}

TEST_F(Notes, MoreSimdBitsThanThereAre) {
  const ClaimResult r = judge("simd: k1 k0; register: j3 j2");
  EXPECT_EQ(r.verdict, Verdict::differs) << r.reason.words();
}

TEST_F(Notes, OneElementInTheWrongPlaceIsNoAffineMap) {
  const ClaimResult r = judge(truth_text, [](auto b, auto warp, int reg, int lane, int part) {
    const bool bad = warp == 3 && reg == 1 && lane == 7 && part == 0;
    return bad ? truth(b, warp, 0, lane, part) : truth(b, warp, reg, lane, part);
  });
  EXPECT_EQ(r.verdict, Verdict::differs);
  EXPECT_FALSE(r.actual);
  EXPECT_NE(r.actual_words.find("no affine map"), std::string::npos);
  EXPECT_NE(r.difference.find("element (3,4,14) is in no register"), std::string::npos) << r.difference;
  EXPECT_EQ(r.first_failure->warp, 3u);
}

TEST_F(Notes, NothingAtAPlace) {
  const ClaimResult r = judge(truth_text, [](auto b, auto warp, int reg, int lane, int part) {
    return warp == 2 && lane > 29 ? std::nullopt : truth(b, warp, reg, lane, part);
  });
  EXPECT_EQ(r.verdict, Verdict::differs);
  EXPECT_NE(r.difference.find("holds no element of the array"), std::string::npos) << r.difference;
  EXPECT_EQ(r.first_failure->warp, 2u);
}

TEST_F(Notes, NothingAnywhereIsUntraceable) {
  const ClaimResult r = judge(truth_text, [](auto...) { return std::nullopt; });
  EXPECT_EQ(r.verdict, Verdict::unchecked);
  EXPECT_TRUE(r.reason.words().starts_with("untraceable buffer")) << r.reason.words();
}

TEST_F(Notes, InactiveLanesAndPartialWarpsAreDontCareAndCounted) {
  shape.active = [](std::uint32_t, std::uint32_t warp) { return warp == 5 ? 0x0000ffffu : ~0u; };
  const ClaimResult r = judge(truth_text, [](auto b, auto warp, int reg, int lane, int part) {
    return warp == 5 && lane >= 16 ? std::optional<std::uint64_t>(0) : truth(b, warp, reg, lane, part);
  });
  EXPECT_EQ(r.verdict, Verdict::holds) << r.difference;
  EXPECT_EQ(r.inactive_places, 16u * 4 * 2);
  EXPECT_EQ(r.places, 4096u - 16 * 4 * 2);
}

TEST_F(Notes, WarpsThatAreNoPowerOfTwo) {
  shape.warps = 11;
  EXPECT_EQ(judge(truth_text).verdict, Verdict::holds);
}

TEST_F(Notes, HalfOfTheLanesInactiveStillTellsASwap) {
  shape.active = [](std::uint32_t, std::uint32_t) { return 0x0000ffffu; };
  const ClaimResult r = judge("simd: k0; register: j3 j2; thread: j1 j0 k3 k1 k2; warp: i3 i2 i1 i0");
  EXPECT_EQ(r.verdict, Verdict::differs);
  EXPECT_EQ(r.difference, "t1 and t0 are swapped");
}

TEST_F(Notes, Junk) {
  const auto half = [](auto b, auto warp, int reg, int lane, int part) {
    return reg >= 2 ? std::nullopt : truth(b, warp, reg, lane, part);
  };
  EXPECT_EQ(judge("simd: k0; register: [junk] j2; thread: j1 j0 k3 k2 k1; warp: i3 i2 i1 i0", half).verdict,
            Verdict::holds);
}

TEST_F(Notes, Broadcast) {
  const auto copies = [](auto b, auto warp, int reg, int lane, int part) {
    return truth(b, warp, reg & 1, lane, part);
  };
  const ClaimResult r = judge("simd: k0; register: [unused] j2; thread: j1 j0 k3 k2 k1; warp: i3 i2 i1 i0", copies);
  EXPECT_EQ(r.verdict, Verdict::holds) << r.difference;
}

TEST_F(Notes, StatedBroadcastThatIsNone) {
  const ClaimResult r = judge("simd: k0; register: [unused] j2; thread: j1 j0 k3 k2 k1; warp: i3 i2 i1 i0");
  EXPECT_EQ(r.verdict, Verdict::differs);
  EXPECT_NE(r.difference.find("r1"), std::string::npos) << r.difference;
}

TEST_F(Notes, UnnamedBitsMayDifferBetweenWarpsThatNoRowNames) {
  EXPECT_EQ(judge("simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1").verdict, Verdict::holds);
}

TEST_F(Notes, UnnamedBitsMayNotDifferBetweenRegisters) {
  const ClaimResult r = judge(
      "simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1",
      [](auto b, auto warp, int reg, int lane, int part) { return truth(b, warp ^ (reg & 1u), reg, lane, part); });
  EXPECT_EQ(r.verdict, Verdict::differs);
  EXPECT_NE(r.difference.find("r0 changes i0, which is in no row"), std::string::npos) << r.difference;
}

TEST_F(Notes, UnknownAxis) {
  const ClaimResult r = judge("simd: m0; register: j3 j2");
  EXPECT_EQ(r.verdict, Verdict::unchecked);
  EXPECT_NE(r.reason.words().find("no buffer has an axis m"), std::string::npos);
  EXPECT_NE(r.reason.words().find("i, j, k"), std::string::npos) << r.reason.words();
}

TEST_F(Notes, NeverReachedAndNoProbe) {
  w.claim("x", x, stated(truth_text));
  w.claim("x", x, stated(truth_text));
  w.source.claims[1].probe = -1;
  w.source.claims[1].unchecked_reason = coded<source::Why::inside_statement>();
  const Collector collector(w.source, w.pool, w.value_bytes, w.caller_lines);
  const auto r = collector.judge();
  EXPECT_EQ(r.at(0).verdict, Verdict::unchecked);
  EXPECT_TRUE(r.at(0).reason.words().starts_with("not reached"));
  EXPECT_EQ(r.at(1).reason.code, source::Why::inside_statement);
}

TEST_F(Notes, ConstantsPerIterationAreFreeOnlyInUnnamedBits) {
  w.source.header.buffers.clear();
  w.pool.space.buffers.clear();
  buffer = w.buffer("p", 16, {{"i", 4}, {"j", 6}, {"k", 4}});
  w.claim("x", x, stated(truth_text));
  Collector collector(w.source, w.pool, w.value_bytes, w.caller_lines);
  for (std::uint64_t tile = 0; tile < 3; ++tile) {
    run(w, collector, 0, buffer, shape, [&](auto, auto warp, int reg, int lane, int part) {
      return std::optional(warp << 10 | tile << 8 | static_cast<std::uint64_t>(reg) << 6 |
                           static_cast<std::uint64_t>(lane) << 1 | static_cast<std::uint64_t>(part));
    });
  }
  const ClaimResult r = collector.judge().at(0);
  EXPECT_EQ(r.verdict, Verdict::holds) << r.difference;
  EXPECT_EQ(r.instances, 3u);
}

TEST_F(Notes, AnIterationAndItsCallSiteAreNamed) {
  w.source.functions.push_back({.name = "inner",
                                .is_kernel = false,
                                .is_device = true,
                                .is_template = false,
                                .parameters = {},
                                .launch_bounds = {},
                                .first_line = 15,
                                .last_line = 25});
  w.caller_lines.assign(10, 0);
  w.caller_lines[3] = 40;
  w.caller_lines[4] = 41;
  w.claim("x", x, stated(truth_text));
  Collector collector(w.source, w.pool, w.value_bytes, w.caller_lines);
  run(w, collector, 0, buffer, shape, truth, 3);
  run(
      w, collector, 0, buffer, shape,
      [](auto b, auto warp, int reg, int lane, int part) { return truth(b, warp, reg ^ 1, lane, part); }, 4);
  const ClaimResult r = collector.judge().at(0);
  EXPECT_EQ(r.verdict, Verdict::differs);
  EXPECT_EQ(r.first_failure->iteration, 1u);
  EXPECT_EQ(r.first_failure->caller_line, 41);
  EXPECT_EQ(r.difference.substr(0, 14), "r0 is inverted");
}

TEST_F(Notes, DivergedPassesAreOneInstance) {
  w.claim("x", x, stated(truth_text));
  Collector collector(w.source, w.pool, w.value_bytes, w.caller_lines);
  for (const std::uint32_t mask : {0x00ff00ffu, 0xff00ff00u}) {
    shape.active = [mask](std::uint32_t, std::uint32_t) { return mask; };
    run(w, collector, 0, buffer, shape, truth);
  }
  const ClaimResult r = collector.judge().at(0);
  EXPECT_EQ(r.verdict, Verdict::holds);
  EXPECT_EQ(r.instances, 1u);
  EXPECT_EQ(r.places, 4096u);
  EXPECT_EQ(r.inactive_places, 0u);
}

TEST_F(Notes, OtherBuffersElementsDiffer) {
  const int q = w.buffer("q", 16, {{"i", 4}, {"j", 4}, {"k", 4}});
  w.claim("x", x, stated(truth_text));
  Collector collector(w.source, w.pool, w.value_bytes, w.caller_lines);
  for (std::uint32_t warp = 0; warp < 16; ++warp) {
    for (int reg = 0; reg < 4; ++reg) {
      std::vector<trace::WordTag> lanes;
      for (int lane = 0; lane < 32; ++lane)
        lanes.push_back(w.word(reg == 2 ? q : buffer, {truth(0, warp, reg, lane, 0), truth(0, warp, reg, lane, 1)}));
      w.emit(collector, {.probe = 0, .variable = x[static_cast<std::size_t>(reg)], .warp = warp}, lanes);
    }
  }
  const ClaimResult r = collector.judge().at(0);
  EXPECT_EQ(r.verdict, Verdict::differs);
  EXPECT_NE(r.difference.find("mixes buffers"), std::string::npos) << r.difference;
}

TEST_F(Notes, SteeringOnlyCountsBeforeTheClaimInItsBlock) {
  shape.blocks = 2;
  w.caller_lines.assign(10, 0);
  w.caller_lines[9] = 33;
  w.claim("x", x, stated("simd: k0; register: j3 j2"));
  Collector late(w.source, w.pool, w.value_bytes, w.caller_lines);
  run(w, late, 0, buffer, shape, truth);
  trace::SteerEvent e;
  e.where = {w.step + 1, 0, 0, 9, ~0u};
  late.on_steer(e);
  EXPECT_FALSE(late.judge().at(0).for_this_input);
  Collector early(w.source, w.pool, w.value_bytes, w.caller_lines);
  e.where.step = w.step;
  early.on_steer(e);
  run(w, early, 0, buffer, shape, truth);
  const ClaimResult r = early.judge().at(0);
  EXPECT_TRUE(r.for_this_input);
  EXPECT_EQ(r.steered_line, 33);
  EXPECT_EQ(r.verdict, Verdict::holds);
}

TEST_F(Notes, TheEarliestWrongWriteIsNamed) {
  std::vector<int> watch;
  for (int reg = 0; reg < 4; ++reg) watch.push_back(w.watch(x[static_cast<std::size_t>(reg)], 10 + reg));
  const int claim = w.claim("x", x, stated(truth_text), 20);
  Collector collector(w.source, w.pool, w.value_bytes, w.caller_lines);
  const auto wrong = [](auto b, auto warp, int reg, int lane, int part) {
    return truth(b, warp, reg == 1 ? 2 : reg == 2 ? 1 : reg, lane, part);
  };
  for (std::uint32_t warp = 0; warp < 2; ++warp) {
    for (int reg = 0; reg < 4; ++reg) {
      std::vector<trace::WordTag> lanes;
      for (int lane = 0; lane < 32; ++lane)
        lanes.push_back(w.word(buffer, {wrong(0, warp, reg, lane, 0), wrong(0, warp, reg, lane, 1)}));
      w.emit(
          collector,
          {.probe = watch[static_cast<std::size_t>(reg)], .variable = x[static_cast<std::size_t>(reg)], .warp = warp},
          lanes);
    }
  }
  shape.warps = 2;
  run(w, collector, claim, buffer, shape, wrong);
  const ClaimResult r = collector.judge().at(0);
  EXPECT_EQ(r.verdict, Verdict::differs);
  EXPECT_EQ(r.difference, "r1 and r0 are swapped");
  EXPECT_EQ(r.first_false_line, 11);
}

TEST_F(Notes, TheLastWriteBeforeAClaimOfTheSameStatement) {
  const int claim = w.claim("x", x, stated(truth_text), 20);
  w.source.probes[0].line = 21;
  w.source.probes[0].statement_line = 19;
  w.watch(x[3], 19);  // the same place: line 20, and now
  w.source.probes[1].line = 21;
  Collector collector(w.source, w.pool, w.value_bytes, w.caller_lines);
  run(w, collector, claim, buffer, shape, [](auto b, auto warp, int reg, int lane, int part) {
    return truth(b, warp, reg, reg == 3 ? lane ^ 1 : lane, part);
  });
  const ClaimResult r = collector.judge().at(0);
  EXPECT_EQ(r.verdict, Verdict::differs);
  EXPECT_EQ(r.first_false_line, 19);
}

// --- widths and values ----------------------------------------------------------------------------------------------

TEST(Widths, AFloat4IsFourRegisters) {
  World w;
  const int p = w.buffer("p", 32, {{"i", 7}});
  const int v = w.variable("v", 16, "float4");
  w.claim("v", {v}, stated("register: i1 i0; thread: i6 i5 i4 i3 i2"));
  Collector c(w.source, w.pool, w.value_bytes, {});
  run(w, c, 0, p, {.element_bits = 32, .registers = 4},
      [](auto, auto, int reg, int lane, int) { return std::optional<std::uint64_t>(lane * 4 + reg); });
  EXPECT_EQ(c.judge().at(0).verdict, Verdict::holds);
}

TEST(Widths, AFloat2AsSimdPair) {
  World w;
  const int p = w.buffer("p", 32, {{"i", 6}});
  const int v = w.variable("v", 8, "float2");
  w.claim("v", {v}, stated("simd: i0; thread: i5 i4 i3 i2 i1"));
  Collector c(w.source, w.pool, w.value_bytes, {});
  run(w, c, 0, p, {.element_bits = 32, .registers = 2},
      [](auto, auto, int reg, int lane, int) { return std::optional<std::uint64_t>(lane * 2 + reg); });
  const ClaimResult r = c.judge().at(0);
  EXPECT_EQ(r.verdict, Verdict::holds) << r.difference;
}

TEST(Widths, ALoneHalfIsOnePlace) {
  World w;
  const int p = w.buffer("p", 16, {{"i", 5}});
  const int v = w.variable("h", 2, "__half");
  w.claim("h", {v}, stated("thread: i4 i3 i2 i1 i0"));
  Collector c(w.source, w.pool, w.value_bytes, {});
  std::vector<trace::WordTag> lanes;
  for (std::uint64_t lane = 0; lane < 32; ++lane) lanes.push_back(w.word(p, {lane}));
  w.emit(c, {.probe = 0, .variable = v}, lanes);
  const ClaimResult r = c.judge().at(0);
  EXPECT_EQ(r.verdict, Verdict::holds) << r.difference;
  EXPECT_EQ(r.places, 32u);
}

TEST(Widths, SwappedHalvesOfA64BitElementDiffer) {
  World w;
  const int p = w.buffer("p", 64, {{"i", 5}});
  const int v = w.variable("d", 8, "double");
  w.claim("d", {v}, stated("thread: i4 i3 i2 i1 i0"));
  for (const bool swapped : {false, true}) {
    Collector c(w.source, w.pool, w.value_bytes, {});
    for (int half = 0; half < 2; ++half) {
      std::vector<trace::WordTag> lanes;
      for (std::uint64_t lane = 0; lane < 32; ++lane) lanes.push_back(w.word(p, {lane}, swapped ? 1 - half : half));
      w.emit(c, {.probe = 0, .variable = v, .byte_offset = 4 * half}, lanes);
    }
    const ClaimResult r = c.judge().at(0);
    EXPECT_EQ(r.verdict == Verdict::holds && !r.computed, !swapped);
  }
}

ClaimResult of_words(World& w, int p, const std::function<trace::WordBits(std::uint64_t lane)>& bits,
                     std::string_view type = "float") {
  (void)p;
  const int v = w.variable("x", 4, std::string(type));
  w.claim("x", {v}, stated("thread: i4 i3 i2 i1 i0"));
  Collector c(w.source, w.pool, w.value_bytes, {});
  std::vector<trace::WordTag> lanes;
  for (std::uint64_t lane = 0; lane < 32; ++lane) lanes.push_back(w.pool.intern(bits(lane)));
  w.emit(c, {.probe = 0, .variable = v}, lanes);
  return c.judge().at(0);
}

TEST(Values, ComputedFromOneElementHoldsAndSaysSo) {
  World w;
  const int p = w.buffer("p", 32, {{"i", 5}});
  const ClaimResult r = of_words(w, p, [&](std::uint64_t lane) {
    trace::WordBits b;
    b.fill(trace::BitTag::computed(w.pool.intern_set(std::vector<std::uint64_t>{lane})));
    return b;
  });
  EXPECT_EQ(r.verdict, Verdict::holds) << r.difference << r.reason.words();
  EXPECT_TRUE(r.computed);
}

TEST(Values, FloatFromHalf) {
  World w;
  const int p = w.buffer("p", 16, {{"i", 5}});
  const ClaimResult r = of_words(w, p, [&](std::uint64_t lane) {
    trace::WordBits b;
    for (std::size_t n = 0; n < 16; ++n) b[n + 16] = trace::BitTag::source(lane * 16 + n);  // bf16 << 16
    return b;
  });
  EXPECT_EQ(r.verdict, Verdict::holds) << r.difference << r.reason.words();
  EXPECT_TRUE(r.computed);
}

TEST(Values, SumsAreUnchecked) {
  World w;
  const int p = w.buffer("p", 32, {{"i", 5}});
  const ClaimResult r = of_words(w, p, [&](std::uint64_t lane) {
    trace::WordBits b;
    b.fill(trace::BitTag::computed(w.pool.intern_set(std::vector<std::uint64_t>{lane & ~1ull, lane | 1})));
    return b;
  });
  EXPECT_EQ(r.verdict, Verdict::unchecked);
  EXPECT_TRUE(r.reason.words().starts_with("mixes elements")) << r.reason.words();
}

TEST(Values, TornAndLostBitsDiffer) {
  for (const bool lost : {false, true}) {
    World w;
    const int p = w.buffer("p", 32, {{"i", 5}});
    const ClaimResult r = of_words(w, p, [&](std::uint64_t lane) {
      trace::WordBits b;
      for (std::size_t n = 0; n < 32; ++n) {
        if (n < 8 && lost) continue;
        b[n] = trace::BitTag::source((n < 8 ? lane ^ 1 : lane) * 32 + n);
      }
      return b;
    });
    EXPECT_EQ(r.verdict, Verdict::differs);
  }
}

TEST(Values, ClearedSignIsArithmetic) {
  World w;
  const int p = w.buffer("p", 32, {{"i", 5}});
  const ClaimResult r = of_words(w, p, [&](std::uint64_t lane) {
    trace::WordBits b;
    for (std::size_t n = 0; n < 31; ++n) b[n] = trace::BitTag::source(lane * 32 + n);
    return b;
  });
  EXPECT_EQ(r.verdict, Verdict::holds);
  EXPECT_TRUE(r.computed);
}

}  // namespace
}  // namespace lanescope::claims::test
