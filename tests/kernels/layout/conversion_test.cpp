// Rows and maps say the same thing: each direction against evaluation term by term, and the published layouts.

#include "tests/kernels/layout/basis_list.h"
#include "tests/kernels/layout/support.h"

namespace lanescope::layout::test {
namespace {

/// The law of from_map: every place holds what the rows say, logical bits left unsaid may be anything, copy bits exist.
void expect_rows_are_true(const PhysicalToLogical& m, const Assignment& a) {
  std::vector<std::string> copies;
  for (const std::string& name : logical_bits(a)) {
    if (std::find(m.names.begin(), m.names.end(), name) == m.names.end()) copies.push_back(name);
  }
  for (std::uint64_t place = 0; place < std::uint64_t{1} << m.shape.total(); ++place) {
    bool some = false;
    for (std::uint64_t copy = 0; copy < std::uint64_t{1} << copies.size() && !some; ++copy) {
      Element e = element_of(m.names, m.map(place));
      e.merge(element_of(copies, copy));
      some = holds(a, m.shape, place, e);
    }
    ASSERT_TRUE(some) << print(a) << "place " << place;
  }
}

/// to_map(from_map(m)) agrees with m on every logical bit that the rows name.
void expect_agreement(const PhysicalToLogical& m, const PhysicalToLogical& back) {
  ASSERT_EQ(back.shape, m.shape);
  for (std::size_t n = 0; n < back.names.size(); ++n) {
    const auto at = std::find(m.names.begin(), m.names.end(), back.names[n]) - m.names.begin();
    if (at == static_cast<std::ptrdiff_t>(m.names.size())) continue;  // a copy bit
    for (int p = 0; p < m.shape.total(); ++p) {
      const auto column = static_cast<std::size_t>(p);
      EXPECT_EQ(back.map.columns[column] >> n & 1, m.map.columns[column] >> at & 1) << back.names[n];
    }
    EXPECT_EQ(back.map.constant >> n & 1, m.map.constant >> at & 1) << back.names[n];
  }
}

PhysicalToLogical random_layout(Random& random, bool bijection) {
  PhysicalToLogical m{.shape = random_shape(random, 2), .names = {}, .map = {}};
  const int bits = m.shape.total();
  m.map = bijection ? random_bijection(random, bits) : random_map(random, bits, below(random, 7));
  if (!bijection && below(random, 2) == 0) {
    for (auto& column : m.map.columns) column &= below(random, 2) == 0 ? 0 : ~std::uint64_t{0};
  }
  m.names = numbered("i", m.map.out_bits);
  return m;
}

TEST(Conversion, BijectionsGoThereAndBack) {
  Random random(20);
  for (int n = 0; n < 500; ++n) {
    const PhysicalToLogical m = random_layout(random, true);
    const Assignment a = from_map(m);
    const std::optional<PhysicalToLogical> back = to_map(a);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->shape, m.shape);
    EXPECT_EQ(back->names, m.names);
    EXPECT_EQ(back->map, m.map);
    expect_rows_are_true(m, a);
    if (a != Assignment{}) {
      EXPECT_EQ(parsed(print(a)), a);
    }
  }
}

TEST(Conversion, NoMapGivesAFalseRow) {
  Random random(21);
  for (int n = 0; n < 1000; ++n) {
    const PhysicalToLogical m = random_layout(random, false);
    const Assignment a = from_map(m);
    expect_rows_are_true(m, a);
    if (a != Assignment{}) {
      EXPECT_EQ(parsed(print(a)), a);
    }
    const std::optional<PhysicalToLogical> back = to_map(a);
    ASSERT_TRUE(back) << print(a) << why_no_map(a);
    expect_agreement(m, *back);
  }
}

TEST(Conversion, ToMapPutsEveryElementWhereTheRowsPutIt) {
  Random random(22);
  int maps = 0;
  for (int n = 0; n < 4000; ++n) {
    const Assignment a = random_assignment(random);
    const std::optional<PhysicalToLogical> m = to_map(a);
    EXPECT_EQ(m.has_value(), why_no_map(a).empty());
    if (!m || m->shape.total() > 12) continue;
    ++maps;
    for (std::uint64_t place = 0; place < std::uint64_t{1} << m->shape.total(); ++place) {
      bool junk = false;
      for (int p = 0; p < m->shape.total(); ++p) {
        const PhysicalBit bit = m->shape.bit_at(p);
        const Term& t = (*a.row(bit.place))[static_cast<std::size_t>(bit.index)];
        junk = junk || ((place >> p & 1) != 0 && t.role == Term::Role::junk);
      }
      if (!junk) {
        ASSERT_TRUE(holds(a, m->shape, place, element_of(m->names, m->map(place)))) << print(a) << place;
      }
    }
  }
  EXPECT_GT(maps, 150);
}

TEST(Conversion, SpecialCasesComeOutAsDocumented) {
  const auto rows = [](PhysicalShape shape, std::vector<std::string> names, AffineMap map) {
    return print_line(from_map({shape, std::move(names), std::move(map)}));
  };
  const PhysicalShape r1t1{{0, 1, 1, 0, 0}};
  EXPECT_EQ(rows(r1t1, {"i0"}, {1, {1, 0}, 0}), "register: i0; thread: [unused]");
  EXPECT_EQ(rows(r1t1, {"i0"}, {1, {1, 0}, 1}), "register: i0+1; thread: [unused]");
  EXPECT_EQ(rows(r1t1, {"i0"}, {1, {1, 1}, 0}), "register: i0+copy0; thread: copy0");
  EXPECT_EQ(rows(r1t1, {"i0", "j0"}, {2, {3, 0}, 0}), "register: i0; thread: [unused]") << "j0 follows i0";
  EXPECT_EQ(rows(r1t1, {"i0", "j0"}, {2, {3, 2}, 0}), "register: i0; thread: j0+i0");
  EXPECT_EQ(rows(r1t1, {"copy0"}, {1, {1, 1}, 0}), "register: copy_0+copy0; thread: copy_0") << "the name is taken";
}

TEST(Conversion, WhatNoMapCanSayIsExplained) {
  EXPECT_FALSE(to_map(parsed("register: i0; thread: i0")));
  EXPECT_NE(why_no_map(parsed("register: i0; thread: i0")).find("r0 and t0"), std::string::npos);
  EXPECT_NE(why_no_map(parsed("register: i0+i1")).find("cannot address 2 logical bits"), std::string::npos);
  EXPECT_NE(why_no_map(parsed("register: i0+i1; thread: i0 i1")).find("r0, t0 and t1"), std::string::npos);
  EXPECT_EQ(why_no_map(parsed("register: i5+i0; thread: i5 i4 i3 i2 i1")), "");
}

// --- published layouts ----------------------------------------------------------------------------------------------

class PublishedLayout : public testing::TestWithParam<std::size_t> {
 protected:
  static PhysicalToLogical layout(const nlohmann::json& row) {
    std::vector<BasisList> lists;
    for (const auto& [key, bases] : row["in_bases"].items()) {
      const Place place = key == "lane"    ? Place::thread
                          : key == "warp"  ? Place::warp
                          : key == "block" ? Place::block
                                           : Place::reg;
      lists.push_back({place, bases.get<std::vector<std::vector<int>>>()});
    }
    std::vector<std::string> axes;
    for (std::size_t n = 0; n < row["out_dims"].size(); ++n) axes.emplace_back(1, static_cast<char>('i' + n));
    Expected<PhysicalToLogical> m = from_bases(lists, axes);
    EXPECT_TRUE(m) << row["id"];
    return m ? *m : PhysicalToLogical{};
  }
};

TEST_P(PublishedLayout, GoesThereAndBack) {
  const nlohmann::json& row = published()["layouts"][GetParam()];
  const PhysicalToLogical m = layout(row);
  const Assignment a = from_map(m);
  EXPECT_EQ(parsed(print(a)), a);
  EXPECT_EQ(parsed(print_line(a)), a);
  const std::optional<PhysicalToLogical> back = to_map(a);
  ASSERT_TRUE(back) << why_no_map(a);
  expect_agreement(m, *back);
  // Every logical bit that a place varies is named, and the bits that vary nothing are [unused].
  EXPECT_EQ(
      static_cast<int>(back->names.size()),
      rank(m.map) + static_cast<int>(std::count_if(back->names.begin(), back->names.end(),
                                                   [](const std::string& name) { return name.starts_with("copy"); })));
  for (int p = 0; p < m.shape.total(); ++p) {
    const PhysicalBit bit = m.shape.bit_at(p);
    const Term& t = (*a.row(bit.place))[static_cast<std::size_t>(bit.index)];
    EXPECT_EQ(t.role == Term::Role::unused, m.map.columns[static_cast<std::size_t>(p)] == 0) << to_string(bit);
  }
}

TEST_P(PublishedLayout, IsRecoveredFromItsPlaces) {
  const PhysicalToLogical m = layout(published()["layouts"][GetParam()]);
  std::vector<Observation> all = observe_all(m.map);
  Random random(GetParam());
  std::shuffle(all.begin(), all.end(), random);
  const auto result = infer({m.shape, m.names, all});
  ASSERT_TRUE(std::holds_alternative<Inference>(result));
  const Inference& found = std::get<Inference>(result);
  EXPECT_EQ(found.map, m.map);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.assignment, from_map(m));
}

INSTANTIATE_TEST_SUITE_P(All, PublishedLayout, testing::Range(std::size_t{0}, published()["layouts"].size()),
                         [](const auto& param_info) {
                           std::string id = published()["layouts"][param_info.param]["id"];
                           for (char& c : id) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           return id + "_" + std::to_string(param_info.param);
                         });

TEST(PublishedLayouts, AreAllThere) { EXPECT_EQ(published()["layouts"].size(), 113u); }

TEST(BasisLists, MistakesAreRefused) {
  const std::vector<std::string> axes = {"dim0"};
  EXPECT_FALSE(from_bases(std::vector<BasisList>{{Place::reg, {{1, 1}}}}, axes));
  EXPECT_FALSE(from_bases(std::vector<BasisList>{{Place::reg, {{-1}}}}, axes));
  EXPECT_FALSE(from_bases(std::vector<BasisList>{{Place::reg, {{1}}}, {Place::reg, {{2}}}}, axes));
  const auto m = from_bases(std::vector<BasisList>{{Place::thread, {{1}, {2}}}, {Place::reg, {{4}}}}, axes);
  ASSERT_TRUE(m);
  EXPECT_EQ(print_line(from_map(*m)), "register: dim0_2; thread: dim0_1 dim0_0");
}

}  // namespace
}  // namespace lanescope::layout::test
