// Conversions inside a warp: every plan is proved right place by place, and costs what is known to be possible.

#include "kernels/convert/warp_moves.h"

#include <gtest/gtest.h>

#include "kernels/convert/planner.h"
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

/// Proved plans.
std::vector<Counts> counts_of(const PlaceMap& m) {
  std::vector<Counts> out;
  for (const WarpPlan& p : warp_plans(m)) {
    EXPECT_EQ(disprove(p.program, m), "");
    out.push_back(p.program.counts());
  }
  return out;
}

TEST(WarpMoves, EveryRandomPairIsRight) {
  RandomPairs random(1);
  for (const Kind kind : {Kind::permutation, Kind::linear, Kind::spare}) {
    for (const int bits : {1, 2, 4, 8, 16, 32, 64, 128}) {
      for (int n = 0; n < 20; ++n) {
        const Pair p = random.pair(kind, bits, 3);
        const Expected<PlaceMap> m = place_map(p.from, p.to, bits);
        ASSERT_TRUE(m.has_value()) << layout::print(p.from) << layout::print(p.to) << m.error().front().message;
        const std::vector<WarpPlan> plans = warp_plans(*m);
        EXPECT_FALSE(plans.empty());
        for (const WarpPlan& plan : plans) {
          ASSERT_EQ(disprove(plan.program, *m), "") << bits << " bits\n"
                                                    << layout::print(p.from) << "\n"
                                                    << layout::print(p.to);
          EXPECT_GE(plan.program.counts().shuffles, shuffle_bound(*m).shuffles);
        }
      }
    }
  }
}

TEST(WarpMoves, AWrongProgramIsDisproved) {
  const PlaceMap m = map_of("register: r1 r0; thread: t4 t3 t2 t1 t0", "register: r1 t0; thread: t4 t3 t2 t1 r0", 32);
  const WordProgram right = warp_plans(m).front().program;
  int found = 0, changed = 0;
  for (std::size_t n = 0; n < right.code.size(); ++n) {
    for (const int what : {0, 1, 2}) {
      WordProgram wrong = right;
      Instruction& i = wrong.code[n];
      if (what == 0 && i.op == Op::select)
        std::swap(i.a, i.b);
      else if (what == 1 && i.op == Op::shuffle)
        i.from.constant ^= 2;
      else if (what == 2 && i.op == Op::input)
        i.number ^= 1;
      else
        continue;
      ++changed;
      if (!disprove(wrong, m).empty()) ++found;
    }
  }
  EXPECT_GT(changed, 8);
  EXPECT_EQ(found, changed);
}

/// Every permutation of up to 2 register and 3 lane bits of 32-bit elements needs the shuffles of its bound, no more.
TEST(WarpMoves, WordsMoveWithTheFewestShuffles) {
  for (int registers = 0; registers <= 2; ++registers) {
    for (int moving = 0; moving <= 3; ++moving) {
      std::vector<int> order;
      for (int i = 0; i < registers + moving; ++i) order.push_back(i);
      do {
        std::string from = "register:", to = "register:";
        const auto name = [&](int i) { return fmt::format(" e{}", i); };
        for (int i = 0; i < registers; ++i) from += name(i), to += name(order[static_cast<std::size_t>(i)]);
        from += "; thread:", to += "; thread:";
        for (int i = registers + moving; i < registers + 5; ++i) from += name(i), to += name(i);
        for (int i = registers; i < registers + moving; ++i)
          from += name(i), to += name(order[static_cast<std::size_t>(i)]);
        const PlaceMap m = map_of(from, to, 32);
        EXPECT_EQ(counts_of(m).front().shuffles, shuffle_bound(m).shuffles) << from << "\n" << to;
      } while (std::ranges::next_permutation(order).found);
    }
  }
}

TEST(WarpMoves, LargerPermutationsOfWordsDoToo) {
  RandomPairs random(3);
  for (int n = 0; n < 300; ++n) {
    const Pair p = random.pair(Kind::permutation, 32, 5);
    const PlaceMap m = *place_map(p.from, p.to, 32);
    EXPECT_EQ(warp_plans(m).front().program.counts().shuffles, shuffle_bound(m).shuffles)
        << layout::print(p.from) << "\n"
        << layout::print(p.to);
  }
}

/// Of R registers: (1 - 2^-m) R shuffles and 2 m R selects exchange m bits, 0.5 R and 1.5 R one bit; R shuffles where
/// lanes are permuted, too.
TEST(WarpMoves, ExchangesCostWhatIsPublished) {
  const auto exchange = [](int m, bool rotate) {
    std::vector<std::string> r = {"a2", "a1", "a0"}, t = {"b4", "b3", "b2", "b1", "b0"};
    const std::string from = fmt::format("register: {}; thread: {}", fmt::join(r, " "), fmt::join(t, " "));
    for (int i = 0; i < m; ++i) std::swap(r[static_cast<std::size_t>(i)], t[static_cast<std::size_t>(i)]);
    if (rotate) std::ranges::rotate(t, t.begin() + 1);
    return map_of(from, fmt::format("register: {}; thread: {}", fmt::join(r, " "), fmt::join(t, " ")), 32);
  };
  constexpr int registers = 8;
  for (int m = 1; m <= 3; ++m) {
    const Counts straight = counts_of(exchange(m, false)).front(), rotated = counts_of(exchange(m, true)).front();
    EXPECT_EQ(straight.shuffles, registers - (registers >> m));
    EXPECT_EQ(straight.selects, m == 1 ? registers * 3 / 2 : 2 * m * registers);
    EXPECT_EQ(rotated.shuffles, registers);
    EXPECT_LE(rotated.selects, 2 * m * registers);
    EXPECT_EQ(straight.permutes + straight.logic + rotated.permutes + rotated.logic, 0);
  }
}

/// Conversions of production kernels, with the shuffles of their hand-written code.
TEST(WarpMoves, ProductionChains) {
  struct Chain {
    const char *from, *to;
    int bits, shuffles, by_hand;
  };
  const std::vector<Chain> chains = {
      {"simd: n1 n0; register: e1 e0 n2; thread: t0 n6 n5 n4 n3",
       "simd: e1 e0; register: n6 n0 t0; thread: n5 n4 n3 n2 n1", 8, 8, 16},
      {"simd: n1 n0; register: e1 e0 n2; thread: t0 n6 n5 n4 n3",
       "simd: e1 e0; register: n6 n0 t0; thread: n2 n1 n5 n4 n3", 8, 6, 16},  // lanes in the order that costs least
      {"simd: d1 d0; register: d3 d2; thread: i1 i0 d6 d5 d4", "simd: i1 i0; register: d6 d5; thread: d3 d2 d1 d0 d4",
       8, 6, 8},
      {"simd: i4 i3 i2 i1 i0; thread: j2 j1 j0 j4 j3", "simd: j4 j3 j2 j1 j0; thread: i4 i3 i2 i1 i0", 1, 5, 5},
      {"simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1", "simd: j3; register: k0 j2; thread: j1 j0 k3 k2 k1", 16, 0,
       0},
      {"simd: j3; register: k0 j2; thread: j1 j0 k3 k2 k1", "simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1", 16, 2,
       2},
  };
  for (const Chain& c : chains) {
    const PlaceMap m = map_of(c.from, c.to, c.bits);
    EXPECT_EQ(counts_of(m).front().shuffles, c.shuffles) << c.from;
    EXPECT_LE(c.shuffles, c.by_hand);
    EXPECT_LE(shuffle_bound(m).shuffles, c.shuffles) << shuffle_bound(m).argument;
  }
}

/// r0 holds i5+i0 on the way: a sum, which no exchange of bits makes.
TEST(WarpMoves, ASumOfBitsIsFoundWithoutBeingTold) {
  const std::vector<Counts> front =
      counts_of(map_of("register: i5; thread: i4 i3 i2 i1 i0", "register: i0; thread: i5 i4 i3 i2 i1", 32));
  EXPECT_EQ(front.front(), (Counts{2, 4, 0, 0}));
}

TEST(WarpMoves, LocalTransposesUseTheSelectorsOfTheNotes) {
  const PlaceMap m = map_of("simd: a1 a0; register: b1 b0; thread: t4 t3 t2 t1 t0",
                            "simd: b1 b0; register: a1 a0; thread: t4 t3 t2 t1 t0", 8);
  const std::vector<WarpPlan> plans = warp_plans(m);
  ASSERT_EQ(plans.size(), 1U);
  EXPECT_EQ(plans[0].program.counts(), (Counts{0, 0, 8, 0}));
  for (const Instruction& i : plans[0].program.code) {
    if (i.op == Op::input) continue;
    EXPECT_EQ(i.op, Op::permute);
    const std::uint32_t s = i.table[0];
    EXPECT_TRUE(s == 0x6240 || s == 0x7351 || s == 0x5410 || s == 0x7632) << std::hex << s;
  }
}

TEST(WarpMoves, MistakesAreNamed) {
  const auto message = [](const std::string& from, const std::string& to, int bits) {
    const Expected<PlaceMap> m = place_map(assignment(from), assignment(to), bits);
    return m ? std::string() : m.error().front().message;
  };
  EXPECT_EQ(message("thread: i4 i3 i2 i1 i0", "thread: i4 i3 i2 i1 j0", 32), "`i0` is in `from` and not in `to`");
  EXPECT_EQ(message("thread: i0", "thread: i0", 7), "elements of 7 bits cannot be moved");
  EXPECT_EQ(message("simd: i1 i0", "simd: i1 i0", 16),
            "2 simd bits of 16-bit elements do not fit into 32-bit registers");
  EXPECT_EQ(message("thread: i5 i4 i3 i2 i1 i0", "thread: i5 i4 i3 i2 i1 i0", 32), "a warp has 5 thread bits");
  EXPECT_NE(message("register: i0; thread: i0", "thread: i0", 32), "");
}

}  // namespace
}  // namespace lanescope::convert
