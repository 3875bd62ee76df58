// Conversions inside a warp: every plan is proved right place by place, and costs what is known to be possible.

#include "kernels/convert/warp_moves.h"

#include <gtest/gtest.h>

#include "tests/kernels/convert/random_pairs.h"

namespace lanescope::convert {
namespace {

layout::Assignment assignment(const std::string& text) {
  Expected<layout::Assignment> a = layout::parse(text);
  EXPECT_TRUE(a.has_value()) << text;
  return a.value_or(layout::Assignment{});
}

PlaceMap map_of(const std::string& from, const std::string& to, int element_bits) {
  Expected<PlaceMap> m = place_map(assignment(from), assignment(to), element_bits);
  EXPECT_TRUE(m.has_value()) << (m ? "" : m.error().front().message);
  return m.value_or(PlaceMap{});
}

std::string words(const Counts& c) {
  return fmt::format("{} shuffles, {} selects, {} permutes, {} logic", c.shuffles, c.selects, c.permutes, c.logic);
}

/// Each plan proved; the counts of the front, one line each.
std::string front(const PlaceMap& m) {
  std::string out;
  for (const WarpPlan& p : warp_plans(m)) {
    EXPECT_EQ(disprove(p.program, m), "");
    out += words(p.program.counts()) + "\n";
  }
  return out;
}

TEST(WarpMoves, EveryRandomPairIsRight) {
  RandomPairs random(1);
  for (const Kind kind : {Kind::permutation, Kind::linear, Kind::spare}) {
    for (const int bits : {1, 2, 4, 8, 16, 32, 64, 128}) {
      for (int n = 0; n < 40; ++n) {
        const Pair p = random.pair(kind, bits, 3);
        const Expected<PlaceMap> m = place_map(p.from, p.to, bits);
        ASSERT_TRUE(m.has_value()) << layout::print(p.from) << layout::print(p.to) << m.error().front().message;
        const std::vector<WarpPlan> plans = warp_plans(*m);
        EXPECT_FALSE(plans.empty());
        for (const WarpPlan& plan : plans)
          ASSERT_EQ(disprove(plan.program, *m), "") << bits << " bits\n"
                                                    << layout::print(p.from) << "\n"
                                                    << layout::print(p.to);
      }
    }
  }
}

TEST(WarpMoves, KnownExchanges) {
  // One bit: half a shuffle and one and a half selects for each register.
  std::cout << "1 bit R=8\n"
            << front(map_of("register: r2 r1 r0\nthread: t4 t3 t2 t1 t0", "register: r2 t3 r0\nthread: t4 r1 t2 t1 t0",
                            32));
  std::cout << "2 bits R=4\n"
            << front(map_of("register: r1 r0\nthread: t4 t3 t2 t1 t0", "register: t1 t0\nthread: t4 t3 t2 r1 r0", 32));
  std::cout << "3 bits R=8\n"
            << front(map_of("register: r2 r1 r0\nthread: t4 t3 t2 t1 t0", "register: t2 t1 t0\nthread: t4 t3 r2 r1 r0",
                            32));
  std::cout << "half2\n"
            << front(map_of("simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1",
                            "simd: j3; register: k0 j2; thread: j1 j0 k3 k2 k1", 16));
  std::cout << "half2 2\n"
            << front(map_of("simd: j3; register: k0 j2; thread: j1 j0 k3 k2 k1",
                            "simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1", 16));
  std::cout << "chime\n"
            << front(map_of("simd: n1 n0; register: e1 e0 n2; thread: t0 n6 n5 n4 n3",
                            "simd: e1 e0; register: n6 n0 t0; thread: n5 n4 n3 n2 n1", 8));
  std::cout << "chime free lanes\n"
            << front(map_of("simd: n1 n0; register: e1 e0 n2; thread: t0 n6 n5 n4 n3",
                            "simd: e1 e0; register: n6 n0 t0; thread: n2 n1 n5 n4 n3", 8));
  std::cout << "casm\n"
            << front(map_of("simd: d1 d0; register: d3 d2; thread: i1 i0 d6 d5 d4",
                            "simd: i1 i0; register: d6 d5; thread: d3 d2 d1 d0 d4", 8));
  std::cout << "bits\n"
            << front(map_of("simd: i4 i3 i2 i1 i0; thread: j2 j1 j0 j4 j3",
                            "simd: j4 j3 j2 j1 j0; thread: i4 i3 i2 i1 i0", 1));
  std::cout << "lagged\n"
            << front(map_of("register: i5; thread: i4 i3 i2 i1 i0", "register: i0; thread: i5 i4 i3 i2 i1", 32));
  std::cout << "dequant\n"
            << front(map_of("simd: t2 t1 t0; thread: t7 t6 t5 t4 t3",
                            "simd: [junk] t1 t0; register: t7; thread: t6 t5 t4 t3 t2", 4));
}

}  // namespace
}  // namespace lanescope::convert
