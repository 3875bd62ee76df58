// Contents of registers and memory at a step, and where they came from.

#include <set>

#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

using test::request_for;

class Half2Moment : public testing::Test {
 protected:
  void SetUp() override {
    NEEDS_NVRTC();
    ASSERT_TRUE(session.run(request_for("half2.cu")).ok);
  }
  results::Moment at(std::int64_t step, std::int64_t from, std::vector<int> families) {
    return session.moment(
        {.step = step, .families = std::move(families), .first_warp = 0, .warp_count = 16, .moves_from = from});
  }
  Session session;
};

TEST_F(Half2Moment, RegistersHoldTheElementsThatTheClaimsSay) {
  const results::Summary& s = session.summary();
  const results::Moment m = at(test::last_step(s, 22), -2, {test::family(s, "x")});
  ASSERT_EQ(m.grids.size(), 1u);
  const results::RegisterGrid& g = m.grids[0];
  EXPECT_EQ(g.element_bits, 16);
  ASSERT_EQ(g.parts, 2);
  ASSERT_EQ(g.registers, 4);
  ASSERT_EQ(g.warps, 16);
  for (int w = 0; w < 16; ++w)
    for (int r = 0; r < 4; ++r)
      for (int part = 0; part < 2; ++part)
        for (int lane = 0; lane < 32; ++lane) {
          const results::Cell& c = g.at(w, r, part, lane);
          ASSERT_TRUE(c.defined);
          ASSERT_EQ(c.kind, static_cast<std::uint8_t>(trace::ElementTag::Kind::exact));
          ASSERT_EQ(c.element, static_cast<std::uint32_t>(256 * w + 64 * r + 2 * lane + part));
          ASSERT_EQ(c.sources, 1);
        }
}

TEST_F(Half2Moment, BeforeTheFirstStepNothingIsDefined) {
  const results::Moment m = at(-1, -2, {test::family(session.summary(), "x")});
  EXPECT_EQ(m.step, -1);
  for (const results::Cell& c : m.grids[0].cells) ASSERT_FALSE(c.defined);
  EXPECT_TRUE(m.moves.empty());
}

// Law: a move's source held before exactly what its destination holds after, and did not hold before.
TEST_F(Half2Moment, MovesConnectEqualElements) {
  const results::Summary& s = session.summary();
  const std::vector<int> families{test::family(s, "x"), test::family(s, "y"), test::family(s, "tmp")};
  for (const auto& [first, last] : {std::pair{19, 22}, {30, 33}, {41, 44}, {41, 49}}) {
    const std::int64_t from = test::first_step(s, first) - 1, to = test::last_step(s, last);
    const results::Moment before = at(from, -2, families), after = at(to, from, families);
    std::set<results::PlaceRef> destinations;
    for (const results::Move& move : after.moves) {
      const auto cell = [&](const results::Moment& m, const results::PlaceRef& p) {
        for (const auto& g : m.grids)
          if (g.family == p.family) return g.at(p.warp - g.first_warp, p.reg, p.part, p.lane);
        return results::Cell{};
      };
      ASSERT_EQ(cell(before, move.from).element, cell(after, move.to).element);
      ASSERT_TRUE(cell(before, move.from).defined);
      ASSERT_TRUE(destinations.insert(move.to).second) << "a place receives one element";
      ASSERT_EQ(move.from.warp, move.to.warp);
    }
  }
}

TEST_F(Half2Moment, ALocalTransposeStaysInItsLaneAndAWarpTransposeFollowsItsShuffle) {
  const results::Summary& s = session.summary();
  const std::vector<int> families{test::family(s, "x"), test::family(s, "y")};
  results::Moment m = at(test::last_step(s, 33), test::first_step(s, 30) - 1, families);
  EXPECT_EQ(m.moves.size(), 16u * 4 * 2 * 32);
  for (const results::Move& move : m.moves) ASSERT_EQ(move.from.lane, move.to.lane);
  m = at(test::last_step(s, 49), test::first_step(s, 41) - 1, {test::family(s, "y")});
  EXPECT_EQ(m.moves.size(), 16u * 4 * 2 * 32 / 2);  // every thread keeps half of its registers
  for (const results::Move& move : m.moves) ASSERT_EQ(move.from.lane ^ 4, move.to.lane);
}

TEST_F(Half2Moment, StatementsAreSaidInTheWordsOfTheNotes) {
  const results::Summary& s = session.summary();
  results::Moment m = at(test::last_step(s, 33), -2, {});
  EXPECT_EQ(m.assignment_family, test::family(s, "y"));
  EXPECT_EQ(m.statement_words, "s0 <-> r1 (local transpose)");
  ASSERT_TRUE(m.real && m.claimed);
  EXPECT_EQ(layout::print_line(*m.real), layout::print_line(*m.claimed));
  EXPECT_EQ(m.claimed_line, s.claims[1].claim.first_line);
  EXPECT_EQ(m.statement_first_line, 30) << "y0 was written there: the four statements make one exchange";
  m = at(test::last_step(s, 49), -2, {});
  EXPECT_EQ(m.statement_words, "r0 <-> t2 (warp transpose)");
  EXPECT_EQ(m.statement_first_line, 43);
}

// A shuffle, a store and the exit write none of y's registers: earlier changes of y are not reported for them.
TEST_F(Half2Moment, WhatAStatementDidIsSaidOfThatStatementOnly) {
  const results::Summary& s = session.summary();
  const int y = test::family(s, "y");
  int said = 0;
  for (const results::TimelineMark& mark : s.timeline) {
    if (mark.warp != 0) continue;
    const results::Moment m =
        session.moment({.step = mark.step, .families = {y}, .moves_from = -2, .assignment_family = y});
    if (m.statement_words.empty()) continue;
    ++said;
    EXPECT_TRUE(mark.line == 33 || mark.line == 49) << "line " << mark.line << ": " << m.statement_words;
    EXPECT_NE(mark.kind, trace::StepKind::shuffle);
    EXPECT_NE(mark.kind, trace::StepKind::store);
    EXPECT_NE(mark.kind, trace::StepKind::exit);
  }
  EXPECT_GT(said, 0);
}

TEST_F(Half2Moment, AnAccessHasItsBufferOffsetsAndCost) {
  const results::Summary& s = session.summary();
  for (const results::TimelineMark& mark : s.timeline) {
    if (mark.line != 20 || mark.kind != trace::StepKind::load) continue;
    const results::Moment m = at(mark.step, -2, {});
    ASSERT_TRUE(m.access);
    EXPECT_EQ(m.access->buffer, 0);
    EXPECT_EQ(m.access->cost.sectors, 4u);
    EXPECT_EQ(m.access->cost.requests, 1u);
    for (int lane = 0; lane < 32; ++lane)
      ASSERT_EQ(m.access->addresses[static_cast<std::size_t>(lane)],
                512u * mark.warp + 128 + 4u * static_cast<unsigned>(lane));
  }
}

TEST(Moment, ElementsOf64BitsMergeTwoWords) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(request_for("wide.cu"));
  ASSERT_TRUE(s.ok) << test::all_words(s);
  const int x = test::family(s, "x");
  EXPECT_EQ(s.families[static_cast<std::size_t>(x)].registers, (std::vector<std::string>{"x0", "x1"}));
  const results::Moment m = session.moment({.step = static_cast<std::int64_t>(s.steps) - 1, .families = {x}});
  ASSERT_EQ(m.grids[0].element_bits, 64);
  ASSERT_EQ(m.grids[0].registers, 2);
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(m.grids[0].at(0, 1, 0, lane).element, 32u + static_cast<unsigned>(lane));
}

TEST(Moment, SharedMemoryShowsWhichElementEachWordHolds) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(request_for("shared_transpose.cu"));
  ASSERT_TRUE(s.ok) << test::all_words(s);
  EXPECT_EQ(s.shared_bytes, 4096u);
  const results::Moment m = session.moment({.step = static_cast<std::int64_t>(s.steps) - 1, .families = {}});
  ASSERT_EQ(m.shared_cells.size(), 1024u);
  for (std::uint32_t word = 0; word < 1024; ++word) {
    ASSERT_TRUE(m.shared_cells[word].defined);
    ASSERT_EQ(m.shared_cells[word].element, word);
  }
}

}  // namespace
}  // namespace lanescope::engine
