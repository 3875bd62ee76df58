// Designs of several destinations, and plans through shared memory as accesses.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "app/design/design.h"
#include "app/design/sheet.h"
#include "app/design/study.h"

namespace lanescope::design {
namespace {

constexpr const char* first_state = "simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1";
constexpr const char* second_state = "simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1";

Design one_leg() {
  Design d;
  d.name = "transpose", d.type = "f16";
  d.from = first_state, d.to = second_state;
  return d;
}

/// Bits in some order.
std::string random_state(std::mt19937& random) {
  std::vector<std::string> names{"k0", "j3", "j2", "j1", "j0", "k3", "k2", "k1"};
  std::ranges::shuffle(names, random);
  return "simd: " + names[0] + "; register: " + names[1] + " " + names[2] + "; thread: " + names[3] + " " + names[4] +
         " " + names[5] + " " + names[6] + " " + names[7];
}

// --- chains ------------------------------------------------------------------------------------------------------------

Design chain_of_three() {
  Design d = with_destination_added(one_leg()).design;
  d.to = "simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1";
  return d;
}

TEST(Chains, EveryLegShowsTwoNeighbouringStates) {
  const Design d = chain_of_three();
  EXPECT_EQ(d.legs(), 2U);
  EXPECT_EQ(d.leg(), 1U);
  EXPECT_EQ(d.from, second_state);
  EXPECT_EQ(at_leg(d, 0).from, first_state);
  EXPECT_EQ(at_leg(at_leg(d, 0), 1), d);
  EXPECT_EQ(at_leg(d, 9), d);
  EXPECT_EQ(with_ends_turned(with_ends_turned(d).design).design, d);
  EXPECT_EQ(without_destination(with_destination_added(one_leg()).design)->design, one_leg());
  EXPECT_FALSE(without_destination(one_leg()));
}

TEST(Chains, AreWrittenAsStatesAndReadAgain) {
  std::mt19937 random(11);
  for (int n = 0; n < 200; ++n) {
    Design d = one_leg();
    d.from = random_state(random), d.to = random_state(random);
    const int more = static_cast<int>(random() % 4);
    for (int k = 0; k < more; ++k) {
      d = with_destination_added(d).design;
      d.to = random_state(random);
      if (random() % 2) d.steps = {*parse_exchange("r0 <-> t2"), *parse_exchange("s0 <-> r0")};
    }
    const auto read = read_designs(text_of(d));
    ASSERT_TRUE(read) << text_of(d);
    EXPECT_EQ(read->front(), at_leg(d, 0)) << text_of(d);
    EXPECT_EQ(text_of(d).find("states") != std::string::npos, more > 0);
  }
}

TEST(Chains, ADestinationMoreOrFewerLeavesTheRestOfAFileAsItIs) {
  const std::string text =
      "# mine\nname = \"a\"  # first\ntype = \"f16\"\nfrom = \"simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1\"\n"
      "to = \"simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1\"\nfree = \"lanes\"\n";
  const Design before = read_designs(text)->front();
  const std::string longer = with_design(text, 0, with_destination_added(before).design);
  ASSERT_TRUE(read_designs(longer)) << longer;
  EXPECT_EQ(read_designs(longer)->front().legs(), 2U);
  EXPECT_NE(longer.find("# mine\nname = \"a\"  # first\n"), std::string::npos) << longer;
  EXPECT_NE(longer.find("free = \"lanes\""), std::string::npos) << longer;
  EXPECT_EQ(longer.find("\nfrom"), std::string::npos) << longer;
  const std::string shorter =
      with_design(longer, 0, without_destination(with_destination_added(before).design)->design);
  EXPECT_EQ(read_designs(shorter)->front(), before) << shorter;
  EXPECT_NE(shorter.find("# mine\nname = \"a\"  # first\n"), std::string::npos) << shorter;
  EXPECT_NE(shorter.find("free = \"lanes\""), std::string::npos) << shorter;
  EXPECT_EQ(shorter.find("states"), std::string::npos) << shorter;
}

TEST(Chains, OfSeveralDesignsOnlyItsOwnChanges) {
  const std::string two = with_design(
      "[[plan]]\nname = \"a\"\nfrom = \"thread: i4 i3 i2 i1 i0\"\nto = \"\"\n"
      "[[plan]]\nname = \"b\"\nfrom = \"thread: j4 j3 j2 j1 j0\"\nto = \"\"\n",
      1, with_name({}, "x").design);
  const auto read = read_designs(two);
  ASSERT_TRUE(read);
  const std::string longer = with_design(two, 0, with_destination_added(read->front()).design);
  const auto again = read_designs(longer);
  ASSERT_TRUE(again) << longer;
  ASSERT_EQ(again->size(), 2U);
  EXPECT_EQ((*again)[0].legs(), 2U);
  EXPECT_EQ((*again)[1], (*read)[1]);
}

TEST(Chains, DamagedStatesAreRefused) {
  for (const char* text : {"states = 3", "states = [\"thread: i0\"]", "states = [1, 2]", "states = []"}) {
    const auto read = read_designs(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().front().line, 1) << text;
  }
}

TEST(Chains, RowsThatAStateLeavesOutStayAsInTheOneBefore) {
  Design d = one_leg();
  d.to = "simd: j3; register: k0 j2";
  d = with_destination_added(d).design;
  d.to = "register: j2 k0";
  const Sheet s = sheet_of(d);
  ASSERT_TRUE(s.from.assignment && s.to.assignment);
  EXPECT_EQ(layout::print_line(*s.from.assignment), "simd: j3; register: k0 j2; thread: j1 j0 k3 k2 k1");
  EXPECT_EQ(layout::print_line(*s.to.assignment), "simd: j3; register: j2 k0; thread: j1 j0 k3 k2 k1");
}

TEST(Chains, CostIsTheSumOfTheLegsAndTheHeaderHasAllOfThem) {
  const Study s = study_of(sheet_of(chain_of_three()));
  ASSERT_TRUE(s.chain);
  ASSERT_EQ(s.chain->legs.size(), 2U);
  for (const LegCost& leg : s.chain->legs) EXPECT_EQ(leg.counts.shuffles, 2);
  EXPECT_TRUE(s.chain->total.starts_with("4 shuffles")) << s.chain->total;
  EXPECT_TRUE(s.chain->direct.starts_with("no instruction")) << s.chain->direct;
  const std::string header = header_of(s, s.recommended());
  EXPECT_NE(header.find("void transpose_1("), std::string::npos);
  EXPECT_NE(header.find("void transpose_2("), std::string::npos);
  EXPECT_EQ(kernels_of(s, s.recommended()).size(), 2U);
  EXPECT_EQ(kernels_of(s, s.recommended())[1], kernel_of(s, s.recommended()));
}

// --- through shared memory ---------------------------------------------------------------------------------------------

TEST(SharedAccesses, AreThoseThatThePlanCounts) {
  Design d;
  d.type = "f32";
  d.from = "simd: -; register: i4 i3 i2; thread: j4 j3 j2 j1 j0; warp: i1 i0";
  d.to = "simd: -; register: j4 j3 j2; thread: i4 i3 i2 i1 i0; warp: j1 j0";
  const Study s = study_of(sheet_of(d));
  ASSERT_TRUE(s.planned);
  const int plan = s.recommended();
  const auto& cost = s.planned->plans[static_cast<std::size_t>(plan)].shared_cost;
  for (int warp = 0; warp < 4; ++warp) {
    const auto all = shared_accesses(s, plan, warp);
    ASSERT_EQ(static_cast<int>(all.size()), cost.stores + cost.loads);
    std::uint64_t wavefronts = 0, conflicts = 0;
    for (const SharedAccess& a : all) wavefronts += a.cost.wavefronts, conflicts += a.cost.bank_conflicts;
    EXPECT_EQ(static_cast<int>(wavefronts), cost.store_wavefronts + cost.load_wavefronts) << warp;
    EXPECT_EQ(conflicts, 0U) << warp;
    EXPECT_EQ(all.front().count, cost.stores);
    EXPECT_EQ(all.back().number, cost.loads);
  }
  EXPECT_TRUE(shared_accesses(study_of(sheet_of(one_leg())), 0, 0).empty()) << "by shuffles";
}

}  // namespace
}  // namespace lanescope::design
