// compare is empty exactly when both state the same relation; describe says a difference as a person would.

#include "tests/kernels/layout/support.h"

namespace lanescope::layout::test {
namespace {

/// The physical bits that both sides have, as a shape that covers them.
PhysicalShape covering(const Assignment& a, const Assignment& b) {
  PhysicalShape s;
  for (int p = 0; p < place_count; ++p) {
    s.bits[static_cast<std::size_t>(p)] = std::max(a.bits(static_cast<Place>(p)), b.bits(static_cast<Place>(p)));
  }
  return s;
}

Assignment small_assignment(Random& random) {
  static const std::vector<std::string> pool = {"i0", "i1", "j0"};
  Assignment a;
  for (const Place place : {Place::reg, Place::thread}) {
    std::vector<Term> row;
    for (int i = 0; i < 2; ++i) {
      const int kind = below(random, 6);
      if (kind == 0) row.push_back({.role = Term::Role::unused, .names = {}, .constant = false});
      if (kind == 1) row.push_back({.role = Term::Role::junk, .names = {}, .constant = false});
      if (kind < 2) continue;
      std::vector<std::string> names;
      for (const std::string& name : pool) {
        if (below(random, 3) == 0) names.push_back(name);
      }
      row.push_back(sum_of(names, below(random, 4) == 0));
    }
    a.row(place) = row;
  }
  return a;
}

TEST(Compare, IsEmptyExactlyForTheSameRelation) {
  // Every place against every element, over all names of either side.
  Random random(30);
  int equal = 0;
  const std::vector<std::string> names = {"i0", "i1", "j0"};
  for (int n = 0; n < 3000; ++n) {
    const Assignment a = small_assignment(random);
    Assignment b = a;
    if (below(random, 4) != 0) {
      const Assignment other = small_assignment(random);
      auto& row = *b.row(below(random, 2) == 0 ? Place::reg : Place::thread);
      row[static_cast<std::size_t>(below(random, 2))] = (*other.row(Place::reg))[0];
    }
    for (auto& row : b.rows) {
      if (!row) continue;
      for (Term& t : *row) std::reverse(t.names.begin(), t.names.end());  // the order of a sum means nothing
    }
    const PhysicalShape shape = covering(a, b);
    bool same = true;
    for (std::uint64_t place = 0; place < 16; ++place) {
      for (std::uint64_t element = 0; element < 8; ++element) {
        const Element e = element_of(names, element);
        same = same && holds(a, shape, place, e) == holds(b, shape, place, e);
      }
    }
    EXPECT_EQ(compare(a, b).empty(), same) << print(a) << "\n" << print(b);
    equal += same;
  }
  EXPECT_GT(equal, 500);
}

std::string difference(std::string_view stated, std::string_view real) {
  return describe(compare(parsed(stated), parsed(real)));
}

TEST(Compare, RowsThatAreAbsentAreNotCompared) {
  EXPECT_EQ(difference("register: i0", "simd: k0; register: i0; thread: j1 j0"), "");
  EXPECT_EQ(difference("register: i0; thread: j0", "register: i0"), "there is no t0, but it is stated to be j0");
  EXPECT_EQ(difference("register: i0", "register: i1 i0"), "r1 holds i1, but is not in the stated row");
  EXPECT_EQ(difference("simd:; register: i0", "register: i0"), "");
}

TEST(Describe, SwapsRotationsAndInversions) {
  EXPECT_EQ(difference("register: j3 j2", "register: j2 j3"), "r1 and r0 are swapped");
  EXPECT_EQ(difference("simd: k0; thread: j1 j0 k3", "simd: j1; thread: k0 j0 k3"), "t2 and s0 are swapped");
  EXPECT_EQ(difference("thread: i1 i0", "thread: i1+1 i0"), "t1 is inverted: it holds i1+1, not i1");
  EXPECT_EQ(difference("register: k0 j0", "register: k0+1 j0"), "r1 is inverted: it holds k0+1, not k0");
  EXPECT_EQ(difference("register: j3 j2", "register: j2 j3+1"),
            "r1 and r0 are swapped; r0 is inverted too: it holds j3+1");
  EXPECT_EQ(difference("thread: n2 n1 n5 n4 n3", "thread: n3 n2 n1 n5 n4"),
            "t4 t3 t2 t1 t0 are rotated by one to the right (t4 holds n3, t3 holds n2, t2 holds n1, t1 holds n5, t0 "
            "holds n4)");
  EXPECT_EQ(difference("thread: a b c", "thread: b c a"),
            "t2 t1 t0 are rotated by one to the left (t2 holds b, t1 holds c, t0 holds a)");
  EXPECT_EQ(difference("simd: a; register: b; thread: c", "simd: b; register: c; thread: a"),
            "t0, r0 and s0 are permuted cyclically (t0 holds a, r0 holds c, s0 holds b)");
  EXPECT_EQ(difference("thread: a b c d", "thread: d c b a"), "t3 and t0 are swapped; t2 and t1 are swapped");
}

TEST(Describe, WhatIsNoExchangeIsSaidBitByBit) {
  EXPECT_EQ(difference("simd: j3", "simd: k0"), "s0 holds k0, not j3");
  EXPECT_EQ(difference("register: i5", "register: i5+i0"), "r0 holds i5+i0, not i5");
  EXPECT_EQ(difference("thread: i1 i0", "thread: i1 [unused]"),
            "t0 is unused (both values hold the same elements), not i0");
  EXPECT_EQ(difference("thread: [unused]", "thread: i0"), "t0 holds i0, not [unused]");
  EXPECT_EQ(difference("simd: s0 <-> k0; register: j3", "simd: j3; register: j2"),
            "s0 holds j3, not k0; r0 holds j2, not j3");
}

TEST(Describe, NothingForNoDifference) { EXPECT_EQ(describe({}), ""); }

TEST(Describe, NamesEveryBitThatDiffers) {
  Random random(31);
  for (int n = 0; n < 500; ++n) {
    const auto differences = compare(random_assignment(random), random_assignment(random));
    const std::string words = describe(differences);
    EXPECT_EQ(words.empty(), differences.empty());
    for (const BitDifference& d : differences) EXPECT_NE(words.find(to_string(d.bit)), std::string::npos) << words;
  }
}

}  // namespace
}  // namespace lanescope::layout::test
