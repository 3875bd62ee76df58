// Views of costs against the prices of profiling/access, and data that reads back from CSV.

#include <bit>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "kernels/base/numbers.h"
#include "profiling/access/patterns.h"
#include "profiling/access/traffic.h"
#include "tests/viz/cost_fixtures.h"
#include "tests/viz/scene_queries.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/theme.h"
#include "viz/views/costs/heat.h"
#include "viz/views/costs/occupancy.h"
#include "viz/views/costs/warps.h"
#include "viz/views/memory/banks.h"
#include "viz/views/memory/calculator.h"
#include "viz/views/memory/global.h"
#include "viz/views/memory/what_if.h"
#include "viz/views/tooltips.h"

namespace lanescope::views {
namespace {

using scene::Id;

access::Access random_access(std::mt19937& random, trace::MemorySpace space) {
  access::Access p{.space = space,
                   .kind = random() % 2 ? trace::AccessKind::load : trace::AccessKind::store,
                   .width_bytes = 1 << random() % 5,
                   .mask = random() % 3 ? ~0u : static_cast<std::uint32_t>(random())};
  for (auto& address : p.addresses)
    address = random() % 2048 / static_cast<unsigned>(p.width_bytes) * static_cast<unsigned>(p.width_bytes);
  return p;
}

TEST(TrafficView, SaysBothCosts) {
  Moment moment = fixtures::moment();
  moment.access = fixtures::strided_load();
  const scene::Scene scene =
      traffic_view(fixtures::summary(), moment, {}, {.memory = access::classic_memory()}, dark_theme());
  EXPECT_TRUE(says(scene, "32 transactions"));
  EXPECT_TRUE(says(scene, "64 of 4\u00a0096 bytes used (1.6 %)"));
  EXPECT_TRUE(says(scene, "64 of 1\u00a0024 bytes used (6.3 %)"));
}

// From Maxwell on L1 holds sectors: lines of 128 bytes are no transactions.
TEST(TrafficView, OfToday) {
  Moment moment = fixtures::moment();
  moment.access = fixtures::strided_load();
  const TrafficOptions options{.arch = "sm_90"};
  const scene::Scene scene = traffic_view(fixtures::summary(), moment, {}, options, dark_theme());
  EXPECT_EQ(traffic_pictures(*moment.access, options), 1);
  EXPECT_EQ(traffic_pictures(*moment.access, {.memory = access::classic_memory()}), 2);
  EXPECT_TRUE(says(scene, "32 sectors in 32 lines"));
  EXPECT_FALSE(says(scene, "transaction"));
  EXPECT_FALSE(says(scene, "Cached in L1"));
  const scene::Scene totals = traffic_totals_view(fixtures::summary(), fixtures::totals(), {}, options, dark_theme());
  EXPECT_FALSE(says(totals, "transaction"));
  moment.access->kind = trace::AccessKind::store;
  EXPECT_EQ(traffic_pictures(*moment.access, {.memory = access::classic_memory()}), 1);  // stores go to L2
}

// Compute capability 1.x: each transaction has its size, and what is framed is what a transaction moves.
TEST(TrafficView, HalfWarpsOfTheFirstGeneration) {
  access::MemoryModel model = access::h200_memory();
  model.half_warps = access::HalfWarps::segments;
  std::mt19937 random(7);
  for (int n = 0; n < 100; ++n) {
    const access::Access p = random_access(random, trace::MemorySpace::global);
    Moment moment = fixtures::moment();
    moment.access = results::priced(p);
    const TrafficOptions options{.most_rows = 64, .arch = "sm_13", .memory = model};
    ASSERT_EQ(traffic_pictures(*moment.access, options), 1);
    const scene::Scene scene = traffic_view({}, moment, {}, options, dark_theme());
    std::set<std::uint64_t> sectors;
    std::uint32_t bytes = 0;
    for (const access::Transaction& t : access::half_warp_transactions(p, model.half_warps)) {
      bytes += t.bytes;
      for (std::uint64_t at = t.address; at < t.address + t.bytes; at += 32) sectors.insert(at / 32);
    }
    std::set<std::uint64_t> framed;
    for (const scene::Box& box : scene.boxes)
      if (box.id.kind == Id::Kind::memory_sector && box.stroke == dark_theme().accent)
        framed.insert(static_cast<std::uint64_t>(box.id.b * 4 + box.id.c));
    EXPECT_EQ(framed, sectors) << n;
    EXPECT_TRUE(says(scene, counted(bytes, "byte") + " transferred")) << bytes;
  }
}

// As many rows as there are addresses, each lane in the row of its own.
TEST(ConstantView, OneRowForEachAddress) {
  std::mt19937 random(8);
  for (int n = 0; n < 50; ++n) {
    access::Access p = random_access(random, trace::MemorySpace::constant);
    for (auto& address : p.addresses) address %= 64;
    const access::Cost cost = access::cost(p);
    const scene::Scene scene = constant_view(p, {.most_rows = 32}, dark_theme());
    EXPECT_EQ(count(scene, Id::Kind::calculator_lane), static_cast<int>(32 * cost.broadcasts));
    int served = 0;
    for (const scene::Box& box : scene.boxes)
      served += box.id.kind == Id::Kind::calculator_lane && !(box.fill == dark_theme().cell_empty);
    EXPECT_EQ(served, std::popcount(p.mask));
    if (p.mask != 0) {
      EXPECT_TRUE(says(scene, counted(cost.broadcasts, "broadcast")));
    }
  }
}

// A caching load moves whole lines, a non-caching one sectors: so the view computes them.
TEST(TrafficView, AgreesWithAccess) {
  std::mt19937 random(4);
  for (int n = 0; n < 200; ++n) {
    access::Access p = random_access(random, trace::MemorySpace::global);
    p.kind = trace::AccessKind::load;
    const access::Cost info = access::cost(p);
    const auto cached = access::traffic(p, access::LoadPath::caching, access::classic_memory());
    const auto uncached = access::traffic(p, access::LoadPath::non_caching, access::classic_memory());
    EXPECT_EQ(info.bytes_wanted, cached.bytes_wanted);
    if (p.width_bytes > 4) continue;  // the classic generations split those into several requests
    EXPECT_EQ(info.lines * 128, cached.bytes_moved);
    EXPECT_EQ(info.sectors * 32, uncached.bytes_moved);
  }
}

TEST(TrafficTotals, SumsAgreeWithTheAccesses) {
  std::mt19937 random(5);
  AccessTotals totals{.buffer = 0};
  std::uint64_t lines = 0, sectors = 0, wanted = 0;
  for (int n = 0; n < 100; ++n) {
    AccessInfo info = results::priced(random_access(random, trace::MemorySpace::global));
    info.buffer = 0;
    accumulate(totals, info);
    lines += info.cost.lines, sectors += info.cost.sectors, wanted += info.cost.bytes_wanted;
  }
  std::uint64_t transactions = 0, moved = 0, used = 0;
  for (const LineTransfers& line : totals.lines) {
    transactions += line.transactions, used += line.bytes_wanted;
    for (auto times : line.sectors) moved += times;
  }
  EXPECT_EQ(totals.requests, 100u);
  EXPECT_EQ(totals.loads + totals.stores, 100u);
  EXPECT_EQ(transactions, lines);
  EXPECT_EQ(moved, sectors);
  EXPECT_EQ(used, wanted);
}

// Compute capability 1.x: the sums are those of the single accesses, by size and by byte, and the picture says them.
TEST(TrafficTotals, OfHalfWarpsAreThoseOfTheAccesses) {
  for (const access::HalfWarps rule : {access::HalfWarps::in_order, access::HalfWarps::segments}) {
    access::MemoryModel memory = access::h200_memory();
    memory.half_warps = rule;
    std::mt19937 random(9);
    AccessTotals totals{.buffer = 0};
    std::array<std::uint64_t, 3> by_size{};
    std::uint64_t moved = 0, transactions = 0;
    for (int n = 0; n < 200; ++n) {
      const access::Access p = random_access(random, trace::MemorySpace::global);
      AccessInfo info = results::priced(p);
      info.buffer = 0;
      accumulate(totals, info);
      const access::Traffic one = access::traffic(p, access::LoadPath::non_caching, memory);
      for (std::size_t size = 0; size < 3; ++size) by_size[size] += one.by_size[size];
      moved += one.bytes_moved, transactions += one.transactions;
    }
    const std::size_t index = static_cast<std::size_t>(rule) - 1;
    EXPECT_EQ(totals.half_warp_sizes[index], by_size);
    std::uint64_t of_lines = 0, sectors = 0;
    for (const LineTransfers& line : totals.lines) {
      of_lines += line.half_warps[index].transactions;
      for (const std::uint64_t times : line.half_warps[index].sectors) sectors += times;
    }
    EXPECT_EQ(of_lines, transactions);
    EXPECT_EQ(sectors * 32, moved);
    const scene::Scene scene = traffic_totals_view(fixtures::summary(), totals, {},
                                                   {.width = 900, .arch = "sm_1x", .memory = memory}, dark_theme());
    EXPECT_TRUE(says(scene, counted(transactions, "transaction") + " on sm_1x: "));
    EXPECT_TRUE(says(scene, spaced(by_size[0]) + " of 32"));
    EXPECT_TRUE(says(scene, "of " + spaced(moved) + " bytes used"));
    EXPECT_FALSE(says(scene, "sector"));
    EXPECT_TRUE(to_csv(fixtures::summary(), totals, rule).starts_with("buffer,line_offset_bytes,sector,transactions,"));
  }
}

TEST(TrafficTotals, OtherBuffersAndLinesDoNotCount) {
  AccessTotals totals{.buffer = 1};
  accumulate(totals, fixtures::coalesced_load());
  EXPECT_EQ(totals.requests, 0u);
  AccessTotals of_line{.buffer = 0, .code_line = 13};
  accumulate(of_line, fixtures::coalesced_load());
  EXPECT_TRUE(of_line.lines.empty());
}

TEST(BanksView, CostsAreThoseOfAccess) {
  std::mt19937 random(6);
  for (int n = 0; n < 300; ++n) {
    const access::Access p = random_access(random, trace::MemorySpace::shared);
    const AccessInfo info = results::priced(p);
    WhatIf what_if{.kind = static_cast<WhatIf::Kind>(random() % 3)};
    what_if.row_words = 1 << random() % 7, what_if.padding_words = static_cast<int>(random() % 5);
    what_if.unit_words = 1 << random() % 3;
    const BankCosts costs = bank_costs(info, what_if);
    EXPECT_EQ(costs.before.wavefronts, info.cost.wavefronts);
    EXPECT_EQ(costs.after.wavefronts, access::cost(apply(p, what_if)).wavefronts);
    if (p.mask == 0) continue;
    const scene::Scene scene =
        banks_view(info, {}, {.most_rows = 80, .wavefront = 0, .what_if = what_if}, dark_theme());
    // The strip has a cell for each wavefront there is room for, on both sides.
    const int sides = what_if.kind == WhatIf::Kind::none ? 1 : 2;
    EXPECT_LE(count(scene, Id::Kind::wavefront),
              static_cast<int>(costs.before.wavefronts + (sides - 1) * costs.after.wavefronts));
    EXPECT_GE(count(scene, Id::Kind::wavefront), sides);
  }
}

TEST(BanksView, OneWordOfPaddingEndsAColumnsConflict) {
  const auto [summary, moment] = fixtures::shared_tile();
  for (const auto kind : {WhatIf::Kind::padding, WhatIf::Kind::swizzle}) {
    const scene::Scene scene = shared_view(summary, moment, {}, {.what_if = {.kind = kind}}, dark_theme());
    EXPECT_TRUE(says(scene, "32 wavefronts → 1 wavefront"));
    EXPECT_TRUE(says(scene, "32 wavefronts, ideal 1"));
    EXPECT_TRUE(says(scene, "1 wavefront, ideal 1"));
    EXPECT_TRUE(says(scene, "32-way bank conflict, 31 wavefronts above the minimum"));
    EXPECT_TRUE(says(scene, "no bank conflict"));
  }
}

// Played to its end, each word that the access touches is lit in exactly one wavefront.
TEST(BanksView, EveryWordIsServedOnce) {
  const auto [summary, moment] = fixtures::shared_tile();
  std::multiset<std::string> lit;
  for (int n = 0; n < 32; ++n) {
    const scene::Scene scene = shared_view(summary, moment, {}, {.most_rows = 32, .wavefront = n}, dark_theme());
    EXPECT_TRUE(says(scene, "wavefront " + std::to_string(n + 1) + " of 32 serves lane "));
    for (const scene::Box& box : scene.outlines) {
      if (box.id.kind == Id::Kind::shared_word) lit.insert(scene::to_string(box.id));
    }
  }
  EXPECT_EQ(lit.size(), 32u);
  EXPECT_EQ(std::set<std::string>(lit.begin(), lit.end()).size(), 32u);
}

TEST(Calculator, TableAgreesWithAccess) {
  std::mt19937 random(7);
  for (int n = 0; n < 100; ++n) {
    access::Access p = random_access(random, trace::MemorySpace::global);
    int bytes = 1;
    for (const WidthCost& cost : costs_by_width(p)) {
      p.width_bytes = bytes;
      EXPECT_EQ(cost.width_bytes, bytes);
      p.space = trace::MemorySpace::global;
      EXPECT_EQ(cost.global, access::cost(p));
      p.space = trace::MemorySpace::shared;
      EXPECT_EQ(cost.shared, access::cost(p));
      int misaligned = 0;
      for (std::size_t lane = 0; lane < 32; ++lane)
        misaligned += (p.mask >> lane & 1) != 0 && p.addresses[lane] % static_cast<std::uint64_t>(bytes) != 0;
      EXPECT_EQ(cost.misaligned_lanes, misaligned);
      bytes *= 2;
    }
  }
}

TEST(Calculator, HasACellForEachLaneAndWidth) {
  for (const auto space : {trace::MemorySpace::global, trace::MemorySpace::shared}) {
    const auto pattern = *access::make_pattern({.shape = access::Shape::stride, .space = space, .amount = 32});
    const scene::Scene scene = calculator_view(pattern, {}, dark_theme());
    EXPECT_EQ(count(scene, Id::Kind::calculator_lane), 32);
    EXPECT_EQ(count(scene, Id::Kind::calculator_width), 5);
  }
}

TEST(Calculator, HeadingsAreShortWhereTheTableIsNarrow) {
  const access::Access pattern{.width_bytes = 4, .mask = ~0u, .addresses = {}};
  const auto headings = [&](float width) { return calculator_view(pattern, {.width = width}, dark_theme()); };
  for (const char* long_one : {"bytes per lane", "128-byte lines", "shared wavefronts"}) {
    EXPECT_TRUE(says(headings(780), long_one)) << long_one;
    EXPECT_FALSE(says(headings(500), long_one)) << long_one;
  }
  for (const char* short_one : {"width", "lines", "wavefronts"})
    EXPECT_TRUE(says(headings(500), short_one)) << short_one;
}

TEST(Heat, LinesAddUpAndTheLargestIsOne) {
  const Summary s = fixtures::profiled();
  for (const HeatCounter& counter : heat_counters()) {
    const HeatColumn column = heat(s, counter.name, dark_theme());
    double sum = 0, most = 0;
    for (const HeatCell& cell : column.cells) {
      EXPECT_GT(cell.line, 0);
      EXPECT_FALSE(cell.words.empty());
      EXPECT_GE(contrast(cell.ink, cell.fill), 4.5);
      EXPECT_EQ(column.at(cell.line), &cell);
      sum += cell.value, most = std::max(most, cell.share);
    }
    if (column.cells.empty()) continue;
    EXPECT_DOUBLE_EQ(most, 1) << counter.name;
    if (counter.name.ends_with("instructions")) {
      EXPECT_DOUBLE_EQ(sum, column.total);
    }
  }
  EXPECT_TRUE(heat(s, "nonsense", dark_theme()).cells.empty());
  EXPECT_EQ(heat(s, "instructions", dark_theme()).at(9999), nullptr);
}

TEST(Heat, MuchStandsOutFromTheGround) {
  for (const Theme* theme : themes()) {
    double before = 0;
    for (double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      const double now = contrast(heat_color(*theme, share), theme->panel);
      EXPECT_GT(now, before) << theme->name;
      before = now;
    }
  }
}

TEST(Ptx, RowsFollowTheMomentAndSelectTheirLine) {
  const Summary s = fixtures::profiled();
  const scene::Scene scene = ptx_view(s, fixtures::moment(), {}, {.most_rows = 9}, dark_theme());
  EXPECT_EQ(count(scene, Id::Kind::ptx_row), 9);
  EXPECT_NE(scene::find(scene, {.kind = Id::Kind::ptx_row, .a = 41}), nullptr);
  EXPECT_TRUE(says(scene, "now"));
  EXPECT_EQ(select(s, {}, {.kind = Id::Kind::ptx_row, .a = 41}, {}).line, 33);
  EXPECT_NE(tooltip_text(s, {}, {.kind = Id::Kind::ptx_row, .a = 41}).find("line 33"), std::string::npos);
}

TEST(Ptx, NamesTheProductOfAnFma) {
  Summary s = fixtures::profiled();
  auto& code = s.plain_code.empty() ? s.code : s.plain_code;
  code[41].product_pc = 38;
  EXPECT_TRUE(says(ptx_view(s, fixtures::moment(), {}, {.most_rows = 9}, dark_theme()), "// one fma with pc 38"));
  EXPECT_NE(contraction_words(code, 41).find("pc 38"), std::string::npos);
  EXPECT_EQ(contraction_words(code, 40), "");
}

TEST(Divergence, SumsAndSelection) {
  const Summary s = fixtures::profiled();
  const scene::Scene scene = divergence_view(s, fixtures::moment(), {}, {}, dark_theme());
  EXPECT_EQ(count(scene, Id::Kind::divergence_bar), 4 * 68);
  EXPECT_TRUE(says(scene, "32.0 of 32"));
  const DivergenceSums total = sums_of(s.divergence.front());
  std::uint64_t lanes = 0;
  for (auto active : s.active_masks) lanes += static_cast<std::uint64_t>(std::popcount(active));
  EXPECT_EQ(total.instructions, s.timeline.size());
  EXPECT_EQ(total.lanes, lanes);
  const Selection picked = select(s, {}, {.kind = Id::Kind::divergence_bar, .a = 3, .b = 123}, {});
  EXPECT_EQ(picked.step, 123);
  EXPECT_EQ(picked.warp, 3);
}

TEST(OccupancyView, NamesTheLimitAndEveryPoint) {
  const OccupancyInfo info = fixtures::occupancy_info();
  const scene::Scene scene = occupancy_view(info, {}, dark_theme());
  EXPECT_TRUE(says(scene, "limits"));
  EXPECT_TRUE(says(scene, "136 of 396 block slots"));
  std::size_t dots = 0;
  for (const auto& curve : info.curves) dots += curve.dots.size();
  EXPECT_EQ(count(scene, Id::Kind::occupancy_point), static_cast<int>(dots));
  EXPECT_NE(occupancy_tooltip(info, {.kind = Id::Kind::occupancy_point, .a = 0, .b = 65}).find("37.5 %"),
            std::string::npos);
  EXPECT_NE(occupancy_tooltip(info, {.kind = Id::Kind::occupancy_limiter, .a = 2}).find("the limiting resource"),
            std::string::npos);
}

/// The count of a full wave beside its boxes, not on them.
TEST(OccupancyView, CountsOfFullWavesLieBesideTheirBlocks) {
  OccupancyInfo info = fixtures::occupancy_info();
  for (const int blocks : {1, 8, 32}) {
    info.waves =
        WavesInfo{.blocks = 132 * blocks, .waves = 1, .multiprocessors = 132, .blocks_per_multiprocessor = blocks};
    const scene::Scene scene = occupancy_view(info, {}, dark_theme());
    float boxes_end = 0, text_begins = -1;
    for (const scene::Box& b : scene.boxes)
      if (b.id.kind == Id::Kind::occupancy_block) boxes_end = std::max(boxes_end, b.rect.x + b.rect.w);
    for (const scene::Label& t : scene.labels)
      if (t.text.ends_with(" block slots")) {
        const auto wide = std::ranges::count_if(t.text, [](char c) { return (c & 0xc0) != 0x80; });
        text_begins = t.at.x - 0.6f * t.size * static_cast<float>(wide);
      }
    EXPECT_GT(boxes_end, 0);
    EXPECT_GE(text_begins, boxes_end) << blocks;
  }
}

TEST(Csv, TextReadsBackWhateverItHolds) {
  std::mt19937 random(8);
  for (int n = 0; n < 500; ++n) {
    std::string text;
    for (std::size_t length = random() % 9; text.size() < length;) text += ",\"\n ab;é"[random() % 9];
    if (text.empty()) continue;
    const auto rows = csv::parse(csv::field(text) + ",x\n");
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0], (std::vector<std::string>{text, "x"}));
  }
  EXPECT_TRUE(csv::parse("\"open").empty());
}

TEST(Csv, EveryViewIsARectangleWithItsRows) {
  const Summary s = fixtures::profiled();
  const Moment m = fixtures::moment();
  const auto [tile, tile_moment] = fixtures::shared_tile();
  const auto pattern = *access::make_pattern({});
  const std::pair<std::string, std::size_t> all[] = {
      {to_csv("registers", s, m), m.grids[0].cells.size()},
      {to_csv("global", s, m), 32},
      {to_csv("shared", tile, tile_moment), 1024},
      {to_csv("timeline", s, m), s.timeline.size()},
      {to_csv("assignment", s, m), 12},
      {to_csv("counters", s, m), s.counters.size()},
      {to_csv("ptx", s, m), s.code.size()},
      {to_csv("divergence", s, m), s.divergence.size()},
      {to_csv(s, fixtures::totals()), 4 + 2 + 2 + 30},
      {to_csv(heat(s, "instructions", dark_theme())), s.counters.size() - 1},
      {to_csv(*tile_moment.access, {.kind = WhatIf::Kind::padding}), 64},
      {to_csv(pattern), 5},
      {to_csv(fixtures::occupancy_info()), 255 + 228 + 32},
  };
  for (const auto& [text, rows] : all) {
    const auto table = csv::parse(text);
    ASSERT_FALSE(table.empty());
    EXPECT_EQ(table.size(), rows + 1) << table[0][0];
    for (const auto& row : table) EXPECT_EQ(row.size(), table[0].size()) << table[0][0];
  }
  EXPECT_TRUE(to_csv("nonsense", s, m).empty());
}

}  // namespace
}  // namespace lanescope::views
