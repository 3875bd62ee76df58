// Laws over random affine truths: what is true holds, every change of it differs, and what is then said to be there is
// the truth. The oracle looks at every place with the stated rows evaluated naively, name by name.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "world.h"

namespace lanescope::claims::test {
namespace {

using layout::Place;

struct Case {
  Shape shape;
  layout::PhysicalShape places;
  std::vector<AxisBits> axes;
  layout::AffineMap map;
  layout::Assignment truth;
  std::uint64_t place(std::uint64_t block, std::uint64_t warp, int reg, int lane, int part) const {
    return static_cast<std::uint64_t>(part) << places.offset(Place::simd) |
           static_cast<std::uint64_t>(reg) << places.offset(Place::reg) |
           static_cast<std::uint64_t>(lane) << places.offset(Place::thread) | warp << places.offset(Place::warp) |
           block << places.offset(Place::block);
  }
};

Case random_case(std::mt19937_64& random) {
  static constexpr int widths[] = {1, 4, 8, 16, 32, 64};
  Case c;
  c.shape.element_bits = widths[random() % 6];
  const int simd = c.shape.element_bits == 64 ? 0 : 5 - std::countr_zero(static_cast<unsigned>(c.shape.element_bits));
  const int reg = static_cast<int>(random() % 3), warp = static_cast<int>(random() % 3),
            block = static_cast<int>(random() % 2);
  c.shape.registers = 1 << reg;
  c.shape.warps = 1u << warp;
  c.shape.blocks = 1u << block;
  c.places.bits = {simd, reg, 5, warp, block};
  const int total = c.places.total();
  const int i = static_cast<int>(random() % static_cast<unsigned>(total + 1));
  const int j = static_cast<int>(random() % static_cast<unsigned>(total - i + 1));
  for (const AxisBits& a : {AxisBits{"i", i}, AxisBits{"j", j}, AxisBits{"k", total - i - j}}) {
    if (a.bits != 0) c.axes.push_back(a);
  }
  c.map = random_map(random, total);
  if (random() % 2 == 0) {  // as people write them: a permutation of bits
    std::vector<std::uint64_t> columns;
    for (int b = 0; b < total; ++b) columns.push_back(std::uint64_t{1} << b);
    std::ranges::shuffle(columns, random);
    c.map.columns = columns;
  }
  c.truth = assignment_of(c.places, c.axes, c.map);
  return c;
}

ClaimResult judge(const Case& c, const layout::Assignment& stated, bool one_array = false) {
  World w;
  const int buffer = w.buffer("p", c.shape.element_bits, c.axes);
  const int bytes = c.shape.element_bits == 64 ? 8 : 4;
  std::vector<int> registers;
  if (one_array) {
    registers.push_back(w.variable("x", bytes * c.shape.registers));
  } else {
    for (int r = 0; r < c.shape.registers; ++r) registers.push_back(w.variable("x" + std::to_string(r), bytes));
  }
  const int claim = w.claim("x", registers, stated);
  Collector collector(w.source, w.pool, w.value_bytes, w.caller_lines);
  run(w, collector, claim, buffer, c.shape, [&](auto block, auto warp, int reg, int lane, int part) {
    return std::optional(c.map(c.place(block, warp, reg, lane, part)));
  });
  return collector.judge().at(0);
}

/// Every place, every stated bit, name by name.
bool oracle(const Case& c, const layout::Assignment& stated) {
  std::map<std::string, int> bit_of;
  int at = 0;
  for (std::size_t n = c.axes.size(); n-- > 0;) {
    for (int b = 0; b < c.axes[n].bits; ++b) bit_of[c.axes[n].name + std::to_string(b)] = at++;
  }
  for (std::uint64_t place = 0; place < std::uint64_t{1} << c.places.total(); ++place) {
    const std::uint64_t element = c.map(place);
    for (int p = 0; p < c.places.total(); ++p) {
      const layout::PhysicalBit bit = c.places.bit_at(p);
      if (!stated.row(bit.place)) continue;
      const layout::Term& t = stated.row(bit.place)->at(static_cast<std::size_t>(bit.index));
      if (t.role == layout::Term::Role::unsaid) continue;
      bool sum = t.constant;
      for (const std::string& name : t.names) sum ^= (element >> bit_of.at(name) & 1) != 0;
      if (sum != ((place >> p & 1) != 0)) return false;
    }
  }
  return true;
}

std::vector<layout::PhysicalBit> all_bits(const Case& c) {
  std::vector<layout::PhysicalBit> bits;
  for (int p = 0; p < c.places.total(); ++p) bits.push_back(c.places.bit_at(p));
  return bits;
}

TEST(RandomClaims, WhatIsTrueHolds) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 60; ++round) {
    const Case c = random_case(random);
    const ClaimResult r = judge(c, c.truth, round % 2 != 0);
    ASSERT_EQ(r.verdict, Verdict::holds) << print(c.truth) << r.reason.words() << r.difference << " bits "
                                         << c.shape.element_bits;
    ASSERT_EQ(r.places, std::uint64_t{1} << c.places.total());
    ASSERT_EQ(r.inactive_places, 0u);
    ASSERT_TRUE(r.actual);
    EXPECT_TRUE(layout::compare(c.truth, *r.actual).empty()) << print(*r.actual);
  }
}

TEST(RandomClaims, NothingIsAskedOfBitsThatAreNotSaid) {
  std::mt19937_64 random(12);
  int differing = 0, with_open_bits = 0;
  for (int round = 0; round < 60; ++round) {
    Case c = random_case(random);
    for (std::size_t b = 0; b < c.map.columns.size(); ++b) c.map.columns[b] = std::uint64_t{1} << b;
    std::ranges::shuffle(c.map.columns, random);
    c.truth = assignment_of(c.places, c.axes, c.map);
    layout::Assignment stated = c.truth;
    std::vector<layout::PhysicalBit> said;
    for (const layout::PhysicalBit& bit : all_bits(c)) {
      layout::Term& term = stated.row(bit.place)->at(static_cast<std::size_t>(bit.index));
      if (random() % 3 == 0) {
        term = {.role = layout::Term::Role::unsaid, .names = {}, .constant = false};
        ++with_open_bits;
      } else {
        said.push_back(bit);
      }
    }
    ASSERT_EQ(judge(c, stated).verdict, Verdict::holds) << print(stated) << "truth\n" << print(c.truth);
    for (std::size_t a = 1; a < said.size(); ++a) {
      layout::Assignment swapped = stated;
      std::swap(swapped.row(said[a].place)->at(static_cast<std::size_t>(said[a].index)),
                swapped.row(said[0].place)->at(static_cast<std::size_t>(said[0].index)));
      const bool holds = oracle(c, swapped);
      const ClaimResult r = judge(c, swapped);
      ASSERT_EQ(r.verdict, holds ? Verdict::holds : Verdict::differs) << print(swapped) << "truth\n" << print(c.truth);
      differing += holds ? 0 : 1;
    }
  }
  EXPECT_GT(differing, 100);
  EXPECT_GT(with_open_bits, 60);
}

TEST(RandomClaims, OneOfSeveralAlternativesHasToHold) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 6; ++round) {
    World w;
    const int buffer = w.buffer("p", 32, {{"i", 1}, {"j", 5}});
    const int x = w.variable("x", 8);
    const auto right = layout::parse("register: i0; thread: j4 j3 j2 j1 j0").value();
    const auto wrong = layout::parse("register: i0; thread: j3 j4 j2 j1 j0").value();
    const bool first = round % 3 == 0, none = round % 3 == 2;
    w.claim("x", {x}, first ? right : wrong, 20);
    w.claim("x", {x}, first || none ? wrong : right, 30);
    w.source.claims[1].alternative_of = 0;
    Collector collector(w.source, w.pool, w.value_bytes, w.caller_lines);
    for (int claim : {0, 1})
      run(w, collector, claim, buffer, {.element_bits = 32, .registers = 2}, [&](auto, auto, int reg, int lane, int) {
        return std::optional<std::uint64_t>(static_cast<std::uint64_t>(reg * 32 + lane));
      });
    const std::vector<ClaimResult> r = collector.judge();
    ASSERT_EQ(r.size(), 2u);
    for (const ClaimResult& one : r) EXPECT_EQ(one.verdict, none ? Verdict::differs : Verdict::holds) << one.difference;
    const std::string said =
        first ? "of 2 alternatives the one at line 20 holds" : "of 2 alternatives the one at line 30 holds";
    EXPECT_EQ(r[first ? 1 : 0].reason.words(), none ? "" : said);
    EXPECT_EQ(r[first ? 0 : 1].reason.words(), "");
  }
}

TEST(RandomClaims, EverySwapOfTwoTermsDiffersAndTheTruthIsSaid) {
  std::mt19937_64 random(2);
  int differing = 0;
  for (int round = 0; round < 12; ++round) {
    const Case c = random_case(random);
    const auto bits = all_bits(c);
    for (std::size_t a = 0; a < bits.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        layout::Assignment stated = c.truth;
        std::swap(stated.row(bits[a].place)->at(static_cast<std::size_t>(bits[a].index)),
                  stated.row(bits[b].place)->at(static_cast<std::size_t>(bits[b].index)));
        const ClaimResult r = judge(c, stated);
        const bool holds = oracle(c, stated);
        ASSERT_EQ(r.verdict, holds ? Verdict::holds : Verdict::differs) << print(stated) << "truth\n"
                                                                        << print(c.truth) << r.reason.words();
        if (holds) continue;
        ++differing;
        ASSERT_TRUE(r.actual) << r.actual_words;
        EXPECT_TRUE(layout::compare(c.truth, *r.actual).empty()) << print(*r.actual) << "truth\n" << print(c.truth);
        EXPECT_FALSE(r.difference.empty());
        ASSERT_TRUE(r.first_failure);
      }
    }
  }
  EXPECT_GT(differing, 300);
}

TEST(RandomClaims, EveryInvertedBitDiffers) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 12; ++round) {
    const Case c = random_case(random);
    for (const layout::PhysicalBit bit : all_bits(c)) {
      layout::Assignment stated = c.truth;
      layout::Term& t = stated.row(bit.place)->at(static_cast<std::size_t>(bit.index));
      t.constant = !t.constant;
      const ClaimResult r = judge(c, stated);
      ASSERT_EQ(r.verdict, Verdict::differs) << print(stated);
      ASSERT_TRUE(r.actual);
      EXPECT_TRUE(layout::compare(c.truth, *r.actual).empty());
      EXPECT_NE(r.difference.find("inverted"), std::string::npos) << r.difference;
    }
  }
}

/// Bits that no row names do not vary while the places of the absent rows stay fixed.
bool unnamed_bits_rest(const Case& c, const layout::Assignment& stated) {
  std::uint64_t named = 0, absent = 0;
  int at = 0;
  const auto names = layout::logical_bits(stated);
  for (std::size_t n = c.axes.size(); n-- > 0;) {
    for (int b = 0; b < c.axes[n].bits; ++b, ++at) {
      if (std::ranges::find(names, c.axes[n].name + std::to_string(b)) != names.end()) named |= std::uint64_t{1} << at;
    }
  }
  for (int p = 0; p < c.places.total(); ++p) {
    if (!stated.row(c.places.bit_at(p).place)) absent |= std::uint64_t{1} << p;
  }
  std::map<std::uint64_t, std::uint64_t> seen;
  for (std::uint64_t place = 0; place < std::uint64_t{1} << c.places.total(); ++place) {
    const bool blocks = stated.row(Place::block).has_value();
    const std::uint64_t instance = blocks ? 0 : place >> c.places.offset(Place::block) << c.places.offset(Place::block);
    const std::uint64_t rest = c.map(place) & ~named;
    if (seen.try_emplace((place & absent) | instance, rest).first->second != rest) return false;
  }
  return true;
}

TEST(RandomClaims, RowsThatAreLeftOutClaimNothing) {
  std::mt19937_64 random(4);
  int held = 0, differed = 0;
  for (int round = 0; round < 200; ++round) {
    const Case c = random_case(random);
    layout::Assignment stated = c.truth;
    for (auto& row : stated.rows) {
      if (random() % 3 == 0) row.reset();
    }
    const ClaimResult r = judge(c, stated);
    const bool expected = oracle(c, stated) && unnamed_bits_rest(c, stated);
    ASSERT_EQ(r.verdict, expected ? Verdict::holds : Verdict::differs) << print(stated) << "truth\n"
                                                                       << print(c.truth) << r.difference;
    (expected ? held : differed)++;
  }
  EXPECT_GT(held, 80);
  EXPECT_GT(differed, 10);
}

/// Some physical bits change nothing, some logical bits are those of a tile: constant in a block, different between blocks.
TEST(RandomClaims, BroadcastBitsAndTiles) {
  std::mt19937_64 random(6);
  int differing = 0;
  for (int round = 0; round < 30; ++round) {
    Case c = random_case(random);
    c.places.bits[4] = 0;
    c.shape.blocks = 2;
    const int places = c.places.total();
    std::vector<int> kept;
    layout::Assignment truth;
    std::vector<std::pair<layout::PhysicalBit, bool>> unused;
    for (int p = 0; p < places; ++p) {
      const bool used = random() % 4 != 0;
      if (used) kept.push_back(p);
      unused.emplace_back(c.places.bit_at(p), !used);
    }
    const int elements = static_cast<int>(kept.size());
    if (elements < 2) continue;
    const layout::AffineMap dense = random_map(random, elements);
    c.axes = {{"tile", 2}, {"i", elements}};
    c.map = {.out_bits = elements,
             .columns = std::vector<std::uint64_t>(static_cast<std::size_t>(places)),
             .constant = dense.constant};
    for (int n = 0; n < elements; ++n)
      c.map.columns[static_cast<std::size_t>(kept[static_cast<std::size_t>(n)])] =
          dense.columns[static_cast<std::size_t>(n)];
    truth = assignment_of(c.places, {{"i", elements}}, c.map);
    for (const auto& [bit, is_unused] : unused) {
      EXPECT_EQ(truth.row(bit.place)->at(static_cast<std::size_t>(bit.index)).role == layout::Term::Role::unused,
                is_unused);
    }
    const auto judge_tiles = [&](const layout::Assignment& stated) {
      World w;
      const int buffer = w.buffer("p", c.shape.element_bits, c.axes);
      std::vector<int> registers;
      for (int r = 0; r < c.shape.registers; ++r)
        registers.push_back(w.variable("x", c.shape.element_bits == 64 ? 8 : 4));
      const int claim = w.claim("x", registers, stated);
      Collector collector(w.source, w.pool, w.value_bytes, w.caller_lines);
      run(w, collector, claim, buffer, c.shape, [&](auto block, auto warp, int reg, int lane, int part) {
        return std::optional(c.map(c.place(0, warp, reg, lane, part)) | (block + 1) << elements);
      });
      return collector.judge().at(0);
    };
    ASSERT_EQ(judge_tiles(truth).verdict, Verdict::holds) << print(truth) << judge_tiles(truth).difference;
    const auto bits = all_bits(c);
    for (std::size_t n = 0; n + 1 < bits.size(); ++n) {
      layout::Assignment stated = truth;
      std::swap(stated.row(bits[n].place)->at(static_cast<std::size_t>(bits[n].index)),
                stated.row(bits[n + 1].place)->at(static_cast<std::size_t>(bits[n + 1].index)));
      const ClaimResult r = judge_tiles(stated);
      ASSERT_EQ(r.verdict, stated == truth ? Verdict::holds : Verdict::differs) << print(stated) << "truth\n"
                                                                                << print(truth);
      if (stated == truth) continue;
      ++differing;
      ASSERT_TRUE(r.actual);
      EXPECT_TRUE(layout::compare(truth, *r.actual).empty()) << print(*r.actual) << "truth\n"
                                                             << print(truth) << "stated\n"
                                                             << print(stated);
      EXPECT_FALSE(r.difference.empty());
    }
  }
  EXPECT_GT(differing, 100);
}

TEST(RandomClaims, TheFailingInstanceIsTheLowest) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 20; ++round) {
    const Case c = random_case(random);
    if (c.shape.warps < 2) continue;
    World w;
    const int buffer = w.buffer("p", c.shape.element_bits, c.axes);
    std::vector<int> registers;
    for (int r = 0; r < c.shape.registers; ++r)
      registers.push_back(w.variable("x", c.shape.element_bits == 64 ? 8 : 4));
    const int claim = w.claim("x", registers, c.truth);
    Collector collector(w.source, w.pool, w.value_bytes, w.caller_lines);
    const std::uint64_t bad_block = random() % c.shape.blocks, bad_warp = random() % c.shape.warps;
    run(w, collector, claim, buffer, c.shape, [&](auto block, auto warp, int reg, int lane, int part) {
      const bool bad = block == bad_block && warp >= bad_warp;
      return std::optional(c.map(c.place(block, warp, reg, bad ? lane ^ 3 : lane, part)));
    });
    const ClaimResult r = collector.judge().at(0);
    ASSERT_EQ(r.verdict, Verdict::differs);
    EXPECT_EQ(r.first_failure->block, bad_block);
    EXPECT_EQ(r.first_failure->warp, bad_warp);
  }
}

}  // namespace
}  // namespace lanescope::claims::test
