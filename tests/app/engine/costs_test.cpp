// Costs of a run: sums of parts are the whole, and everything agrees with a count from the trace or by brute force.

#include <bit>
#include <map>
#include <set>
#include <tuple>

#include "app/engine/prepare/prepare.h"
#include "app/engine/summary/occupancy_info.h"
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
  const results::Summary& s() const { return session_.summary(); }
  Session session_;
};

TEST_P(Costs, InstructionsOfALineAddUpToIt) {
  ASSERT_EQ(s().pc_counters.size(), s().plain_code.size());
  std::map<int, results::LineCounters> sums;
  for (std::size_t pc = 0; pc < s().pc_counters.size(); ++pc) {
    const results::LineCounters& c = s().pc_counters[pc];
    ASSERT_EQ(c.line, s().plain_code[pc].line);
    // Line 0 is the total, as in Summary::counters; what has no line counts there only.
    for (const int line : c.line == 0 ? std::vector<int>{0} : std::vector<int>{0, c.line}) {
      results::LineCounters& sum = sums[line];
      sum.instructions += c.instructions, sum.thread_instructions += c.thread_instructions;
      sum.global_sectors += c.global_sectors, sum.shared_wavefronts += c.shared_wavefronts;
    }
  }
  for (const results::LineCounters& c : s().counters) {
    EXPECT_EQ(sums[c.line].instructions, c.instructions) << "line " << c.line;
    EXPECT_EQ(sums[c.line].thread_instructions, c.thread_instructions) << "line " << c.line;
    EXPECT_EQ(sums[c.line].global_sectors, c.global_sectors) << "line " << c.line;
    EXPECT_EQ(sums[c.line].shared_wavefronts, c.shared_wavefronts) << "line " << c.line;
  }
}

TEST_P(Costs, LanesOfTheTimelineAreThoseOfTheMoments) {
  ASSERT_EQ(s().active_masks.size(), s().timeline.size());
  for (std::size_t i = 0; i < s().timeline.size(); i += 7)
    EXPECT_EQ(s().active_masks[i], session_.moment({.step = s().timeline[i].step, .families = {}}).active);
}

TEST_P(Costs, DivergenceCountsEveryInstructionAndLane) {
  ASSERT_FALSE(s().divergence.empty());
  for (const results::LineDivergence& d : s().divergence) {
    std::uint64_t instructions = 0, lanes = 0;
    for (std::uint64_t n = 0; n <= 32; ++n)
      instructions += d.instructions_by_lanes[n], lanes += n * d.instructions_by_lanes[n];
    for (const results::LineCounters& c : s().counters) {
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
    const results::AccessTotals whole = totals(0);
    std::uint64_t requests = 0, sectors = 0, brute_requests = 0, brute_sectors = 0, whole_sectors = 0;
    std::set<int> lines;
    for (const results::TimelineMark& m : s().timeline) {
      if (m.line > 0) lines.insert(m.line);
      const results::Moment at = session_.moment({.step = m.step, .families = {}});
      const bool here = at.access && at.access->buffer == buffer && at.access->space == trace::MemorySpace::global &&
                        (m.kind == trace::StepKind::load || m.kind == trace::StepKind::store) &&
                        s().code[static_cast<std::size_t>(m.pc)].text.find(".global") != std::string::npos;
      if (here) ++brute_requests, brute_sectors += at.access->cost.sectors;
    }
    const auto sectors_of = [](const results::AccessTotals& t) {
      std::uint64_t n = 0;
      for (const results::LineTransfers& l : t.lines)
        for (const std::uint64_t count : l.sectors) n += count;
      return n;
    };
    for (const int line : lines) {
      const results::AccessTotals one = totals(line);
      requests += one.requests, sectors += sectors_of(one);
    }
    whole_sectors = sectors_of(whole);
    EXPECT_EQ(whole.requests, requests);
    EXPECT_EQ(whole_sectors, sectors);
    EXPECT_EQ(whole.requests, brute_requests);
    EXPECT_EQ(whole_sectors, brute_sectors);
  }
}

/// Sums over every global access of a line (0: of all) in the moments, added up without the code that is under test.
results::AccessTotals brute_totals(const Session& session, int buffer, int line) {
  results::AccessTotals sum{.buffer = buffer, .code_line = line};
  std::map<std::uint64_t, results::LineTransfers> touched;
  for (const results::TimelineMark& mark : session.summary().timeline) {
    const bool access = mark.kind == trace::StepKind::load || mark.kind == trace::StepKind::store;
    if (!access || (line > 0 && mark.line != line)) continue;
    const results::Moment at = session.moment({.step = mark.step, .families = {}});
    if (!at.access || at.access->space != trace::MemorySpace::global || at.access->buffer != buffer) continue;
    std::set<std::uint64_t> bytes;
    for (int lane = 0; lane < 32; ++lane)
      for (int b = 0; b < at.access->width_bytes && (at.access->mask >> lane & 1); ++b)
        bytes.insert(at.access->addresses[static_cast<std::size_t>(lane)] + static_cast<std::uint64_t>(b));
    ++sum.requests, ++(mark.kind == trace::StepKind::load ? sum.loads : sum.stores);
    std::set<std::uint64_t> sectors;
    for (const std::uint64_t b : bytes) {
      results::LineTransfers& here = touched[b / 128];
      here.line = b / 128;
      here.used[b % 128 / 32] |= 1U << (b % 32);
      ++here.bytes_wanted;
      sectors.insert(b / 32);
    }
    std::set<std::uint64_t> lines;
    for (const std::uint64_t sector : sectors) ++touched[sector / 4].sectors[sector % 4], lines.insert(sector / 4);
    for (const std::uint64_t l : lines) ++touched[l].transactions;
  }
  for (const auto& [at, l] : touched) sum.lines.push_back(l);
  return sum;
}

void expect_same(const results::AccessTotals& a, const results::AccessTotals& b) {
  EXPECT_EQ(a.buffer, b.buffer);
  EXPECT_EQ(a.code_line, b.code_line);
  EXPECT_EQ(std::tie(a.requests, a.loads, a.stores), std::tie(b.requests, b.loads, b.stores));
  ASSERT_EQ(a.lines.size(), b.lines.size());
  for (std::size_t i = 0; i < a.lines.size(); ++i) {
    const results::LineTransfers &x = a.lines[i], &y = b.lines[i];
    EXPECT_EQ(std::tie(x.line, x.transactions, x.sectors, x.used, x.bytes_wanted),
              std::tie(y.line, y.transactions, y.sectors, y.used, y.bytes_wanted))
        << "128-byte line " << x.line;
  }
}

// Requested twice, the second time from what is remembered, and in the order of neither lines nor buffers.
TEST_P(Costs, TotalsAreThoseOfTheMoments) {
  std::set<int> lines = {0};
  for (const results::TimelineMark& m : s().timeline)
    if (m.kind == trace::StepKind::load || m.kind == trace::StepKind::store) lines.insert(m.line);
  for (int again = 0; again < 2; ++again)
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
      for (int buffer = 0; buffer < static_cast<int>(s().buffers.size()); ++buffer) {
        SCOPED_TRACE("line " + std::to_string(*line) + ", buffer " + std::to_string(buffer));
        const auto totals =
            session_.moment({.step = 0, .families = {}, .totals_line = *line, .totals_buffer = buffer}).totals;
        ASSERT_TRUE(totals);
        expect_same(*totals, brute_totals(session_, buffer, *line));
      }
}

// Remembered totals of one run are not used for the next.
TEST(Totals, BelongToTheirRun) {
  NEEDS_NVRTC();
  Session both, alone;
  const MomentRequest whole{.step = 0, .families = {}, .totals_line = 0, .totals_buffer = 0};
  both.run(request_for("shared_transpose.cu"));
  const auto before = both.moment(whole).totals;
  both.run(request_for("half2.cu"));
  alone.run(request_for("half2.cu"));
  const auto after = both.moment(whole).totals, expected = alone.moment(whole).totals;
  ASSERT_TRUE(before && after && expected);
  EXPECT_NE(before->requests, expected->requests);
  expect_same(*after, *expected);
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
  for (const results::OccupancyCurveInfo& curve : info->curves)
    for (const results::OccupancyDot& dot : curve.dots) {
      if (dot.x == curve.current) {
        EXPECT_EQ(dot.blocks, info->blocks) << curve.title;
      }
    }
  // More registers never hold more warps.
  int before = info->most_warps;
  for (const results::OccupancyDot& dot : info->curves[0].dots) EXPECT_LE(dot.warps, before), before = dot.warps;
  EXPECT_FALSE(occupancy_info(s(), {.gpu = "Babbage 1"}));
}

TEST_P(Costs, FewerRegistersNeverSpillLess) {
  const auto rows = register_caps(request_for(GetParam()), {0, 16, 24, 32, 64, -1});
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 6U);
  EXPECT_EQ((*rows)[0].registers, s().resources.registers);
  for (std::size_t i = 1; i < 5; ++i) {
    const results::RegisterLimit& row = (*rows)[i];
    ASSERT_TRUE(row.refused.empty()) << row.refused;
    // ptxas raises a cap below what its calling convention needs, 24 registers on sm_90.
    EXPECT_LE(row.registers, std::max(row.cap, 24));
    if (i > 1) {
      EXPECT_LE(row.spill_bytes, (*rows)[i - 1].spill_bytes);
    }
    EXPECT_GE(row.local_bytes, row.spill_bytes);
  }
  EXPECT_FALSE((*rows)[5].refused.empty());
}

INSTANTIATE_TEST_SUITE_P(Kernels, Costs, testing::ValuesIn(kernels),
                         [](const auto& name) { return name.param.substr(0, name.param.find('.')); });

// 96 sums that live through a loop fit in no 32 registers: the kernel as it is keeps them, a capped one spills.
RunRequest hungry(const std::string& options = {}) {
  RunRequest request;
  request.file = "hungry.cu";
  request.text = "/*\n[lanescope]\nblock = [32]\n" + options +
                 "\n[buffers]\np = \"f32 i:4096\"\nq = \"f32 i:4096 = zeros\"\n*/\n"
                 "__global__ void hungry(const float* p, float* q) {\n"
                 "  float sums[96];\n"
                 "#pragma unroll\n"
                 "  for (int i = 0; i < 96; ++i) sums[i] = p[threadIdx.x + 32 * i];\n"
                 "#pragma unroll 1\n"
                 "  for (int k = 0; k < 4; ++k) {\n"
                 "#pragma unroll\n"
                 "    for (int i = 0; i < 96; ++i) sums[i] = sums[i] * sums[(i + 37) % 96] + p[k];\n"
                 "  }\n"
                 "#pragma unroll\n"
                 "  for (int i = 0; i < 96; ++i) q[threadIdx.x + 32 * i] = sums[i];\n"
                 "}\n";
  return request;
}

TEST(Caps, TooFewRegistersSpill) {
  NEEDS_NVRTC();
  const auto rows = register_caps(hungry(), {0, 64, 32});
  ASSERT_TRUE(rows);
  const results::RegisterLimit &free = (*rows)[0], &half = (*rows)[1], &tight = (*rows)[2];
  EXPECT_GT(free.registers, 96);
  EXPECT_EQ(free.spill_bytes, 0);
  EXPECT_LE(half.registers, 64);
  EXPECT_LE(tight.registers, 32);
  // Each of 96 words that finds no register is stored at least once: 4 bytes, and 4 more to load it again.
  EXPECT_GE(half.spill_bytes, 4 * (96 - 64));
  EXPECT_GE(tight.spill_bytes, 4 * (96 - 32));
  EXPECT_GT(tight.spill_bytes, half.spill_bytes);
}

// Registers and spills under a file's own options are those of its run; a cap replaces these options.
TEST(Caps, OfTheFileItselfAreTheRunsOwn) {
  NEEDS_NVRTC();
  const RunRequest capped = hungry("options = [\"--maxrregcount=32\"]");
  Session session;
  session.run(capped);
  ASSERT_TRUE(session.summary().ok) << all_words(session.summary());
  const results::ResourceInfo& r = session.summary().resources;
  EXPECT_GT(r.spill_bytes, 0);
  const auto rows = register_caps(capped, {0, 255});
  ASSERT_TRUE(rows);
  EXPECT_EQ((*rows)[0].registers, r.registers);
  EXPECT_EQ((*rows)[0].spill_bytes, r.spill_bytes);
  EXPECT_EQ((*rows)[0].local_bytes, r.local_bytes);
  EXPECT_GT((*rows)[1].registers, 96);
  EXPECT_EQ((*rows)[1].spill_bytes, 0);
}

TEST(Caps, BarePtxIsRefused) { EXPECT_FALSE(register_caps(request_for("copy.ptx"), {0, 32})); }

TEST(OccupancyInfo, UnknownRegistersAreAsked) {
  results::Summary s;
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
