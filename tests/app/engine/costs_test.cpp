// What a run costs: sums of parts are the whole, and everything agrees with a count from the trace or by brute force.

#include <bit>
#include <map>
#include <set>

#include "app/engine/occupancy_info.h"
#include "app/engine/register_caps.h"
#include "support.h"

namespace lanescope::engine {
namespace {

using namespace test;

const std::vector<std::string> kernels = {"half2.cu", "shared_transpose.cu", "wide.cu", "wrong_claim.cu"};

class Costs : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    NEEDS_NVRTC();
    session_.run(request_for(GetParam()));
    ASSERT_TRUE(session_.summary().ok) << all_words(session_.summary());
  }
  const views::Summary& s() const { return session_.summary(); }
  Session session_;
};

TEST_P(Costs, InstructionsOfALineAddUpToIt) {
  ASSERT_EQ(s().pc_counters.size(), s().plain_code.size());
  std::map<int, views::LineCounters> sums;
  for (std::size_t pc = 0; pc < s().pc_counters.size(); ++pc) {
    const views::LineCounters& c = s().pc_counters[pc];
    ASSERT_EQ(c.line, s().plain_code[pc].line);
    // Line 0 is the total, as in Summary::counters; what has no line counts there only.
    for (const int line : c.line == 0 ? std::vector<int>{0} : std::vector<int>{0, c.line}) {
      views::LineCounters& sum = sums[line];
      sum.instructions += c.instructions, sum.thread_instructions += c.thread_instructions;
      sum.global_sectors += c.global_sectors, sum.shared_wavefronts += c.shared_wavefronts;
    }
  }
  for (const views::LineCounters& c : s().counters) {
    EXPECT_EQ(sums[c.line].instructions, c.instructions) << "line " << c.line;
    EXPECT_EQ(sums[c.line].thread_instructions, c.thread_instructions) << "line " << c.line;
    EXPECT_EQ(sums[c.line].global_sectors, c.global_sectors) << "line " << c.line;
    EXPECT_EQ(sums[c.line].shared_wavefronts, c.shared_wavefronts) << "line " << c.line;
  }
}

TEST_P(Costs, LanesOfTheTimelineAreThoseOfTheMoments) {
  ASSERT_EQ(s().active_lanes.size(), s().timeline.size());
  for (std::size_t i = 0; i < s().timeline.size(); i += 7)
    EXPECT_EQ(s().active_lanes[i],
              std::popcount(session_.moment({.step = s().timeline[i].step, .families = {}}).active));
}

TEST_P(Costs, DivergenceCountsEveryInstructionAndLane) {
  ASSERT_FALSE(s().divergence.empty());
  for (const views::LineDivergence& d : s().divergence) {
    std::uint64_t instructions = 0, lanes = 0;
    for (std::uint64_t n = 0; n <= 32; ++n)
      instructions += d.instructions_by_lanes[n], lanes += n * d.instructions_by_lanes[n];
    for (const views::LineCounters& c : s().counters) {
      if (c.line != d.line) continue;
      EXPECT_EQ(instructions, c.instructions);
      EXPECT_EQ(lanes, c.thread_instructions);
    }
    EXPECT_LE(d.divergent_branches, d.branches);
  }
}

// A matched instruction has the same line and the same opcode, and no two stand in one place.
TEST_P(Costs, ProbedInstructionsStandWhereTheirPlainOnesDo) {
  ASSERT_EQ(s().plain_pcs.size(), s().code.size());
  const auto opcode = [](const std::string& text) { return text.substr(0, text.find_first_of(" ;")); };
  std::set<int> taken;
  for (std::size_t pc = 0; pc < s().code.size(); ++pc) {
    const int there = s().plain_pcs[pc];
    if (there < 0) continue;
    ASSERT_LT(static_cast<std::size_t>(there), s().plain_code.size());
    const trace::CodeSite& plain = s().plain_code[static_cast<std::size_t>(there)];
    EXPECT_EQ(plain.line, s().code[pc].line);
    EXPECT_EQ(opcode(plain.text), opcode(s().code[pc].text));
    EXPECT_TRUE(taken.insert(there).second);
    EXPECT_NE(s().code[pc].kind, trace::StepKind::probe);
  }
  EXPECT_GT(taken.size(), s().plain_code.size() / 4);
}

// The sum over all lines is the sum of the sums of each, and every access of the block is in it.
TEST_P(Costs, TrafficOfTheBlockIsThatOfItsLines) {
  for (int buffer = 0; buffer < static_cast<int>(s().buffers.size()); ++buffer) {
    const auto totals = [&](int line) {
      return *session_.moment({.step = 0, .families = {}, .totals_line = line, .totals_buffer = buffer}).totals;
    };
    const views::AccessTotals whole = totals(0);
    std::uint64_t requests = 0, sectors = 0, brute_requests = 0, brute_sectors = 0, whole_sectors = 0;
    std::set<int> lines;
    for (const views::TimelineMark& m : s().timeline) {
      if (m.line > 0) lines.insert(m.line);
      const views::Moment at = session_.moment({.step = m.step, .families = {}});
      const bool here = at.access && at.access->buffer == buffer && at.access->space == trace::MemorySpace::global &&
                        (m.kind == trace::StepKind::load || m.kind == trace::StepKind::store) &&
                        s().code[static_cast<std::size_t>(m.pc)].text.find(".global") != std::string::npos;
      if (here) ++brute_requests, brute_sectors += at.access->sectors;
    }
    const auto sectors_of = [](const views::AccessTotals& t) {
      std::uint64_t n = 0;
      for (const views::LineTouches& l : t.lines)
        for (const std::uint64_t count : l.sectors) n += count;
      return n;
    };
    for (const int line : lines) {
      const views::AccessTotals one = totals(line);
      requests += one.requests, sectors += sectors_of(one);
    }
    whole_sectors = sectors_of(whole);
    EXPECT_EQ(whole.requests, requests);
    EXPECT_EQ(whole_sectors, sectors);
    EXPECT_EQ(whole.requests, brute_requests);
    EXPECT_EQ(whole_sectors, brute_sectors);
  }
}

TEST_P(Costs, OccupancyFollowsFromTheResources) {
  EXPECT_GT(s().resources.registers, 0);
  EXPECT_EQ(s().resources.spill_bytes, 0);
  EXPECT_EQ(s().resources.blocks, s().grid.count());
  EXPECT_EQ(s().resources.threads_per_block, static_cast<int>(s().block.count()));
  EXPECT_EQ(s().resources.static_shared_bytes + s().resources.dynamic_shared_bytes, static_cast<int>(s().shared_bytes));
  const auto info = occupancy_info(s(), {});
  ASSERT_TRUE(info);
  EXPECT_EQ(info->gpu, "H200");
  EXPECT_EQ(info->warps, info->blocks * info->warps_per_block);
  ASSERT_EQ(info->curves.size(), 3U);
  // The point of each curve at which the kernel stands is the kernel.
  for (const views::OccupancyCurveInfo& curve : info->curves)
    for (const views::OccupancyDot& dot : curve.dots) {
      if (dot.x == curve.current) {
        EXPECT_EQ(dot.blocks, info->blocks) << curve.title;
      }
    }
  // More registers never hold more warps.
  int before = info->most_warps;
  for (const views::OccupancyDot& dot : info->curves[0].dots) EXPECT_LE(dot.warps, before), before = dot.warps;
  EXPECT_FALSE(occupancy_info(s(), {.gpu = "Babbage 1"}));
}

TEST_P(Costs, FewerRegistersNeverSpillLess) {
  const auto rows = register_caps(request_for(GetParam()), {0, 16, 24, 32, 64, -1});
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 6U);
  EXPECT_EQ((*rows)[0].registers, s().resources.registers);
  for (std::size_t i = 1; i < 5; ++i) {
    const views::CapInfo& row = (*rows)[i];
    ASSERT_TRUE(row.refused.empty()) << row.refused;
    EXPECT_LE(row.registers, std::max(row.cap, 16));
    if (i > 1) {
      EXPECT_LE(row.spill_bytes, (*rows)[i - 1].spill_bytes);
    }
    EXPECT_GE(row.local_bytes, row.spill_bytes);
  }
  EXPECT_FALSE((*rows)[5].refused.empty());
}

INSTANTIATE_TEST_SUITE_P(Kernels, Costs, testing::ValuesIn(kernels),
                         [](const auto& name) { return name.param.substr(0, name.param.find('.')); });

TEST(Caps, BarePtxIsRefused) { EXPECT_FALSE(register_caps(request_for("copy.ptx"), {0, 32})); }

TEST(OccupancyInfo, UnknownRegistersAreAsked) {
  views::Summary s;
  s.arch = "sm_90";
  s.resources.threads_per_block = 256;
  EXPECT_FALSE(occupancy_info(s, {}));
  const auto info = occupancy_info(s, {.registers = 65});
  ASSERT_TRUE(info);
  EXPECT_EQ(info->blocks, 3);  // occupancy.h reckons this one by hand
  EXPECT_FALSE(info->waves);
  EXPECT_FALSE(info->roofline);
  for (const std::string& name : gpu_names()) EXPECT_TRUE(occupancy_info(s, {.gpu = name, .registers = 32})) << name;
}

}  // namespace
}  // namespace lanescope::engine
