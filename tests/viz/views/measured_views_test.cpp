// Views of measurements against sums made here, as pictures whose words fit, and as CSV.

#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "tests/viz/cost_fixtures.h"
#include "tests/viz/measured_fixtures.h"
#include "tests/viz/scene_queries.h"
#include "viz/paint/paint.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/table.h"
#include "viz/views/base/theme.h"
#include "viz/views/costs/occupancy.h"
#include "viz/views/measured/compare.h"
#include "viz/views/measured/live.h"
#include "viz/views/measured/measured.h"
#include "viz/views/tooltips.h"

namespace lanescope::views {
namespace {

using scene::Id;

std::vector<Variant> variants() {
  return {{"padded", fixtures::measured(), 4800}, {"as it was before the padding", fixtures::slower(), 4800}};
}
std::vector<LiveSample> samples(int many) {
  std::vector<LiveSample> all;
  std::mt19937 random(3);
  for (int n = 0; n < many; ++n) {
    all.push_back({"n " + std::to_string(n), fixtures::measured()});
    all.back().measured.timing->median_us += static_cast<double>(random() % 300) / 100;
    all.back().measured.metrics[2].measured = 65536 + static_cast<double>(random() % 4000);
  }
  return all;
}

std::vector<Picture> measured_pictures(const Theme& theme, float width) {
  const Measured m = fixtures::measured(), none = fixtures::refused(), before = fixtures::slower();
  const std::vector<std::string> text(40, "    tile[threadIdx.y + r][threadIdx.x] = input[(y + r) * width + x];");
  Selection selected;
  selected.line = 21;
  Measured partly = m;
  partly.refused = none.refused;
  partly.fault = "an illegal memory access was encountered", partly.fault_line = 23;
  OccupancyInfo occupancy = fixtures::occupancy_info();
  occupancy.roofline->measured = MeasuredRoof{.operations_per_byte = 0.21, .gop_per_s = 640};
  occupancy.measured_percent = 31.25;
  occupancy.roofs = {{.memory = "device memory",
                      .gb_per_s = 4800,
                      .source = "the table",
                      .bytes = 1e6,
                      .operations_per_byte = 0.25,
                      .attainable_gop_per_s = 1200,
                      .lowest = true},
                     {.memory = "L2",
                      .gb_per_s = 11827,
                      .source = "measured on a GPU of this name, by reads of 4 MB",
                      .bytes = 1e6,
                      .operations_per_byte = 0.25,
                      .attainable_gop_per_s = 2957,
                      .achieved_gb_per_s = 1820.0,
                      .achieved_from = "lts__t_bytes"},
                     {.memory = "shared memory", .gb_per_s = 33454, .source = "computed"}};
  const CompareOptions one{.width = width, .counters = {{"dram__bytes_read.sum"}}};
  return {{"metrics", metrics_view(m, nullptr, selected, {.width = width}, theme)},
          {"metrics_baseline", metrics_view(m, &before, selected, {.width = width, .note = "of an older text"}, theme)},
          {"metrics_line", metrics_view(m, nullptr, selected, {.width = width, .line = 21}, theme)},
          {"metrics_refused", metrics_view(none, nullptr, selected, {.width = width}, theme)},
          {"metrics_partly", metrics_view(partly, nullptr, selected, {.width = width}, theme)},
          {"stalls", stalls_view(m, text, selected, {.width = width}, theme)},
          {"stalls_few", stalls_view(m, {}, selected, {.width = width, .most_lines = 3, .by_line = true}, theme)},
          {"stalls_none", stalls_view({}, {}, selected, {.width = width}, theme)},
          {"host_calls", host_calls_view(m, {.width = width}, theme)},
          {"host_calls_streams", host_calls_view(fixtures::streams(), {.width = width}, theme)},
          {"host_calls_refused", host_calls_view(none, {.width = width}, theme)},
          {"sass", sass_view(m, text, selected, {.width = width}, theme)},
          {"sass_threads", sass_view(m, {}, {}, {.width = width, .most_rows = 60, .threads = true}, theme)},
          {"compare", compare_view(variants(), {.width = width}, theme)},
          {"compare_one", compare_view(variants(), one, theme)},
          {"compare_none", compare_view({}, {.width = width}, theme)},
          {"live", live_view(samples(30), {.width = width}, theme)},
          {"live_one", live_view(samples(1), {.width = width, .note = "half of what was requested"}, theme)},
          {"live_none", live_view({}, {.width = width}, theme)},
          {"occupancy", occupancy_view(occupancy, {.width = width}, theme)},
          {"roofline", roofline_view(occupancy, {.width = width}, theme)},
          {"roofline_none", roofline_view({}, {.width = width}, theme)}};
}

TEST(MeasuredViews, LabelsFitTheirRoomAndTheScene) {
  for (const float width : {0.0f, 480.0f, 900.0f, 1400.0f}) {
    for (const Picture& p : measured_pictures(dark_theme(), width)) {
      for (const scene::Label& label : p.scene.labels) {
        EXPECT_EQ(paint::fitted(label.face, label.size, label.text, label.max_width), label.text)
            << p.name << " " << width << ": cut";
        const float wide = paint::text_width(label.face, label.size, label.text), left = left_of(label, wide);
        EXPECT_GE(left, -0.5f) << p.name << " " << width << ": " << label.text;
        EXPECT_LE(left + wide, p.scene.width + 0.5f) << p.name << " " << width << ": " << label.text;
        EXPECT_GE(label.at.y - label.size / 2, -0.5f) << p.name << " " << width << ": " << label.text;
        EXPECT_LE(label.at.y + label.size / 2, p.scene.height + 0.5f) << p.name << " " << width << ": " << label.text;
      }
    }
  }
}

TEST(MeasuredViews, LabelsDoNotOverlapAndIdsAreUnique) {
  for (const float width : {480.0f, 900.0f}) {
    for (const Picture& p : measured_pictures(light_theme(), width)) {
      std::vector<std::pair<scene::Rect, std::string>> placed;
      for (const scene::Label& l : p.scene.labels) {
        if (l.text.empty()) continue;
        const float wide = paint::text_width(l.face, l.size, l.text);
        const scene::Rect rect{left_of(l, wide), l.at.y - l.size * 0.36f, wide, l.size * 0.72f};
        for (const auto& [other, words] : placed) {
          const bool apart = rect.x + rect.w <= other.x + 0.5f || other.x + other.w <= rect.x + 0.5f ||
                             rect.y + rect.h <= other.y + 0.5f || other.y + other.h <= rect.y + 0.5f;
          EXPECT_TRUE(apart) << p.name << " " << width << ": \"" << l.text << "\" over \"" << words << "\"";
        }
        placed.emplace_back(rect, l.text);
      }
      std::set<std::string> seen;
      for (const scene::Box& box : p.scene.boxes) {
        if (box.id.kind == Id::Kind::none) continue;
        const std::string text = scene::to_string(box.id);
        EXPECT_TRUE(seen.insert(text).second) << p.name << ": " << text;
        EXPECT_EQ(scene::parse_id(text), box.id) << text;
      }
    }
  }
}

// To look at them: LANESCOPE_PICTURES=folder.
TEST(MeasuredViews, ArePainted) {
  const char* folder = std::getenv("LANESCOPE_PICTURES");
  for (const Theme* theme : {&dark_theme(), &light_theme()}) {
    for (const Picture& p : measured_pictures(*theme, 0)) {
      const auto png = paint::to_png(p.scene, theme->paper(), 1);
      ASSERT_TRUE(png) << p.name;
      if (folder == nullptr) continue;
      std::ofstream out(std::string(folder) + "/" + p.name + "_" + std::string(theme->name) + ".png", std::ios::binary);
      out.write(reinterpret_cast<const char*>(png->data()), static_cast<std::streamsize>(png->size()));
    }
  }
}

TEST(MetricsView, ShowsExactlyTheRowsThatAreAskedFor) {
  const Measured m = fixtures::measured();
  std::mt19937 random(11);
  const std::string words[] = {"", "SECTORS", "gld", "memory ld", "inst", "nothing like it", "smsp sum"};
  for (int n = 0; n < 200; ++n) {
    MetricsOptions o{.line = static_cast<int>(random() % 3) * 21 - (random() % 5 == 0 ? 1 : 0),
                     .filter = words[random() % 7],
                     .only_differences = random() % 2 == 0,
                     .silent = random() % 2 == 0};
    const std::vector<std::size_t> rows = metric_rows(m, o);
    const std::set<std::size_t> shown(rows.begin(), rows.end());
    EXPECT_EQ(shown.size(), rows.size());
    for (std::size_t r = 0; r < m.metrics.size(); ++r) {
      const MetricRow& row = m.metrics[r];
      bool wanted = o.line < 0 || row.line == o.line;
      if (o.only_differences) wanted &= row.predicted && row.measured && *row.predicted != *row.measured;
      if (!o.silent) wanted &= row.predicted.value_or(0) != 0 || row.measured.value_or(0) != 0;
      if (o.filter == "nothing like it") wanted = false;
      if (o.filter == "gld") wanted &= row.legacy == "gld_transactions";
      if (o.filter == "SECTORS") wanted &= row.name.find("sectors") != row.name.npos;
      if (o.filter == "memory ld") wanted &= row.group.ends_with("memory") && row.name.find("ld") != row.name.npos;
      if (o.filter == "inst") wanted &= row.name.find("inst") != row.name.npos;
      if (o.filter == "smsp sum") wanted &= row.name.starts_with("smsp");
      EXPECT_EQ(shown.contains(r), wanted) << row.name << " " << o.filter;
    }
    std::set<std::string> closed;  // a group is one run of rows
    for (std::size_t r = 1; r < rows.size(); ++r) {
      if (m.metrics[rows[r]].group == m.metrics[rows[r - 1]].group) continue;
      EXPECT_TRUE(closed.insert(m.metrics[rows[r - 1]].group).second);
      EXPECT_FALSE(closed.contains(m.metrics[rows[r]].group));
    }
    EXPECT_EQ(count(metrics_view(m, nullptr, {}, o, dark_theme()), Id::Kind::metric_row),
              static_cast<int>(rows.size()));
  }
}

TEST(MetricsView, RatioDeltaAndCause) {
  const Measured m = fixtures::measured(), before = fixtures::slower();
  const scene::Scene scene = metrics_view(m, &before, {}, {}, dark_theme());
  EXPECT_TRUE(says(scene, "0.95"));     // 9728 of 10240
  EXPECT_TRUE(says(scene, "-50.0 %"));  // sectors against the baseline's
  EXPECT_TRUE(says(scene, "lost arbitration"));
  EXPECT_TRUE(says(scene, "gld_transactions"));
  EXPECT_TRUE(says(scene, "4.25 µs"));
  EXPECT_EQ(measured_ratio({.predicted = 0, .measured = 0}), 1.0);
  EXPECT_FALSE(measured_ratio({.predicted = 0, .measured = 3}));
  EXPECT_FALSE(measured_ratio({.predicted = 2}));
  const Id id{.kind = Id::Kind::metric_row, .a = 8, .b = 21};
  EXPECT_EQ(select({}, {}, id, {}).line, 21);
  EXPECT_NE(metric_tooltip(m, id).find("once gld_transactions"), std::string::npos);
  EXPECT_EQ(measured_by_line(m, "smsp__sass_inst_executed.sum"),
            (std::vector<std::pair<int, double>>{{21, 2048}, {24, 3584}}));
  EXPECT_EQ(counters_by_line(m).size(), 2u);
}

TEST(MeasuredViews, ARefusalSaysWhyOnceAndWhatToDo) {
  const Measured none = fixtures::refused();
  for (const scene::Scene& scene :
       {metrics_view(none, nullptr, {}, {}, dark_theme()), stalls_view(none, {}, {}, {}, dark_theme()),
        sass_view(none, {}, {}, {}, dark_theme()), host_calls_view(none, {}, dark_theme())}) {
    EXPECT_TRUE(says(scene, "not measured"));
    EXPECT_TRUE(says(scene, "To do: install the NVIDIA driver"));
    EXPECT_EQ(std::count_if(scene.labels.begin(), scene.labels.end(),
                            [](const auto& l) { return l.text.find("libcuda") != l.text.npos; }),
              1);
  }
}

TEST(StallsView, PartsOfALineAreInProportionAndAddUp) {
  const Measured m = fixtures::measured();
  std::map<int, std::uint64_t> lines;
  std::uint64_t all = 0, by_reason = 0;
  for (const StallRow& row : m.stalls) lines[row.line] += row.samples, all += row.samples;
  const auto totals = stall_totals(m);
  for (const StallTotal& t : totals) by_reason += t.samples;
  EXPECT_EQ(by_reason, all);
  EXPECT_TRUE(
      std::is_sorted(totals.begin(), totals.end(), [](const auto& a, const auto& b) { return a.samples > b.samples; }));
  const scene::Scene scene = stalls_view(m, {}, {}, {}, dark_theme());
  std::map<int, float> widths;
  for (const scene::Box& box : scene.boxes)
    if (box.id.kind == Id::Kind::stall_bar) widths[box.id.a] += box.rect.w + 1;
  const auto [longest, most] =
      *std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  for (const auto& [line, samples] : lines) {
    EXPECT_NEAR(widths[line] / widths[longest], static_cast<double>(samples) / static_cast<double>(most), 0.02) << line;
  }
  EXPECT_EQ(select({}, {}, {.kind = Id::Kind::stall_bar, .a = 21, .b = 0}, {}).line, 21);
  EXPECT_NE(stall_tooltip(m, {.kind = Id::Kind::stall_reason, .a = 0}).find(totals[0].words), std::string::npos);
}

// Samples of idle cycles are a part of the others: in the heading, in the facts, in the table. Earlier files have none.
TEST(StallsView, IdleSamplesAreAShareOfAllWhereTheyAreKnown) {
  Measured m = fixtures::measured();
  std::uint64_t all = 0, idle = 0, by_reason = 0;
  for (const StallRow& row : m.stalls) all += row.samples, idle += row.idle;
  for (const StallTotal& t : stall_totals(m)) {
    EXPECT_LE(t.idle, t.samples) << t.reason;
    by_reason += t.idle;
  }
  EXPECT_EQ(by_reason, idle);
  const std::string share =
      fmt::format("{:.1f} % of them in cycles", 100.0 * static_cast<double>(idle) / static_cast<double>(all));
  EXPECT_TRUE(says(stalls_view(m, {}, {}, {.width = 1400}, dark_theme()), share)) << share;
  EXPECT_NE(stall_tooltip(m, {.kind = Id::Kind::stall_reason, .a = 0}).find("without an issued instruction"),
            std::string::npos);
  std::uint64_t in_table = 0;
  const auto table = csv::parse(stalls_csv(m));
  for (std::size_t n = 1; n < table.size(); ++n) in_table += std::stoull(table[n].back());
  EXPECT_EQ(in_table, idle);
  for (StallRow& row : m.stalls) row.idle = 0;
  EXPECT_FALSE(says(stalls_view(m, {}, {}, {.width = 1400}, dark_theme()), "without an issued instruction"));
  EXPECT_EQ(csv::parse(stalls_csv(m))[1].back(), "");
}

TEST(SassView, RowsOfTheSelectedLineAreInSightAndMarked) {
  const Measured m = fixtures::measured();
  for (int line = 19; line < 26; ++line) {
    Selection selected;
    selected.line = line;
    const scene::Scene scene = sass_view(m, {}, selected, {.most_rows = 9}, dark_theme());
    EXPECT_EQ(count(scene, Id::Kind::sass_row), 9);
    const int first = sass_row_of(m, line);
    EXPECT_EQ(m.sass[static_cast<std::size_t>(first)].line, line);
    const scene::Box* box = scene::find(scene, {.kind = Id::Kind::sass_row, .a = first, .b = line});
    ASSERT_NE(box, nullptr);
    EXPECT_EQ(box->fill, dark_theme().row_highlight);
  }
  EXPECT_EQ(sass_row_of(m, 0), -1);
  EXPECT_EQ(select({}, {}, {.kind = Id::Kind::sass_row, .a = 3, .b = 20}, {}).line, 20);
}

TEST(CompareView, BandwidthIsMovedBytesOverTimeUnderTheLimit) {
  const std::vector<Variant> all = variants();
  const auto moved = moved_bytes(all[1].measured);
  ASSERT_TRUE(moved);
  EXPECT_TRUE(moved->measured);
  EXPECT_EQ(moved->bytes, 32.0 * (16384 + 8192));
  EXPECT_NEAR(*bandwidth_gb_per_s(all[1].measured), 32.0 * 24576 / 6.8e-6 / 1e9, 1e-9);
  const scene::Scene scene = compare_view(all, {}, dark_theme());
  EXPECT_TRUE(says(scene, "limit, 4\u00a0800 GB/s"));
  EXPECT_TRUE(says(scene, "(2.00×)"));  // sectors of loads
  const auto width = [&](int variant, int group) {
    return scene::find(scene, {.kind = Id::Kind::variant_bar, .a = variant, .b = group})->rect.w;
  };
  EXPECT_NEAR(width(1, 0) / width(0, 0), 6.8 / 4.25, 0.01);
  EXPECT_FALSE(bandwidth_gb_per_s(fixtures::refused()));
  const auto roof = measured_roof(all[0].measured, 32.0 * 16384);
  ASSERT_TRUE(roof);
  EXPECT_NEAR(roof->operations_per_byte, 1.0, 1e-12);
  EXPECT_NEAR(roof->gop_per_s, *bandwidth_gb_per_s(all[0].measured), 1e-9);
}

TEST(CompareView, DrawsTheCountersThatAreNamedAndNoOthers) {
  const std::vector<Variant> all = variants();
  const auto bars = [&](const std::optional<std::vector<std::string>>& counters) {
    return count(compare_view(all, {.counters = counters}, dark_theme()), Id::Kind::variant_bar);
  };
  const auto columns = [&](const std::optional<std::vector<std::string>>& counters) {
    return csv::parse(compare_csv(all, {.counters = counters})).front();
  };
  const auto usual = default_counters(all);
  const int variant_count = static_cast<int>(all.size());
  EXPECT_EQ(bars({}), variant_count * (2 + static_cast<int>(usual.size())));
  EXPECT_EQ(bars(std::vector<std::string>{}), variant_count * 2);
  EXPECT_EQ(bars(std::vector<std::string>{"dram__bytes_read.sum"}), variant_count * 3);
  EXPECT_EQ(columns(std::vector<std::string>{"dram__bytes_read.sum"}).back(), "dram__bytes_read.sum");
  EXPECT_EQ(columns(std::vector<std::string>{}).size() + usual.size(), columns({}).size());
  EXPECT_TRUE(says(compare_view(all, {.counters = {{"absent.sum"}}}, dark_theme()), "not measured"));
}

// Each counter of the whole run that has a value in some variant, once, with its older name.
TEST(CompareView, WhatCanBeNamedIsWhatWasMeasured) {
  std::vector<Variant> all = variants();
  all[1].measured.metrics.push_back({.name = "only__here.sum", .legacy = "old_here", .measured = 3});
  std::set<std::string> expected, named;
  for (const Variant& v : all)
    for (const MetricRow& row : v.measured.metrics)
      if (row.line == 0 && row.measured) expected.insert(row.name);
  for (const CounterName& c : measured_counters(all)) EXPECT_TRUE(named.insert(c.name).second) << c.name;
  EXPECT_EQ(named, expected);
  EXPECT_FALSE(named.contains("lanescope__inst_executed_op_shuffle.sum"));  // predicted only
  EXPECT_EQ(measured_counters(all).back().legacy, "old_here");
  for (const std::string& usual : default_counters(all)) EXPECT_TRUE(named.contains(usual)) << usual;
  EXPECT_TRUE(measured_counters({}).empty());
}

TEST(Metrics, WordsAreFoundInAnyOrderAndCase) {
  EXPECT_TRUE(has_words("l1tex__t_sectors.sum gld_transactions", "GLD sectors"));
  EXPECT_TRUE(has_words("anything", ""));
  EXPECT_TRUE(has_words("anything", "  thing "));
  EXPECT_FALSE(has_words("l1tex__t_sectors.sum gld_transactions", "gld store"));
}

// The ring stands at bytes and time as measured; without a time, or without floating-point work, there is none.
TEST(CompareView, AMeasurementStandsUnderItsRoof) {
  Measured m = fixtures::measured();
  m.metrics.push_back({.name = "sm__warps_active.avg.pct_of_peak_sustained_active", .measured = 37.5});
  const WorkInfo work{.fp32_operations = 1 << 20};
  OccupancyInfo info = fixtures::occupancy_info();
  put_measured(info, m, work);
  ASSERT_TRUE(info.roofline->measured);
  EXPECT_NEAR(info.roofline->measured->gop_per_s / info.roofline->measured->operations_per_byte, *bandwidth_gb_per_s(m),
              1e-9);
  EXPECT_TRUE(says(occupancy_view(info, {}, dark_theme()), "measured: 37.5 %"));
  EXPECT_TRUE(says(roofline_view(info, {}, dark_theme()), "ring: measured"));
  const auto table = csv::parse(roofline_csv(info));
  ASSERT_EQ(table.size(), 4u);
  EXPECT_EQ(table[3][1], "measured");
  EXPECT_NEAR(std::stod(table[3][3]), info.roofline->measured->gop_per_s, 1e-6);
  m.timing.reset(), m.metrics.clear();
  put_measured(info, m, work);
  EXPECT_FALSE(info.roofline->measured || info.measured_percent);
  EXPECT_EQ(csv::parse(roofline_csv(info)).size(), 3u);
  info.roofline.reset();
  put_measured(info, fixtures::measured(), work);
  EXPECT_FALSE(info.roofline);
}

// Where bytes of the memories were counted, each has its point at these, and the ring stands below the lowest of them: for a
// kernel that L2 serves that is not device memory.
TEST(CompareView, CountedBytesSayWhichRoofHoldsTheKernel) {
  const WorkInfo work{.fp32_operations = 1 << 20};
  const double operations = work.fp32_operations;
  std::mt19937 random(15);
  std::set<std::string> least_of;
  for (int round = 0; round < 200; ++round) {
    OccupancyInfo info = fixtures::occupancy_info();
    info.roofs = {{.memory = "device memory", .gb_per_s = 4800, .bytes = 1e6, .operations_per_byte = operations / 1e6},
                  {.memory = "L2", .gb_per_s = 10000, .bytes = 1e6, .operations_per_byte = operations / 1e6},
                  {.memory = "shared memory", .gb_per_s = 33000}};
    Measured m = fixtures::measured();
    const double dram = 1 + random() % 2000000, l2 = 1 + random() % 2000000;
    std::erase_if(m.metrics, [](const results::MetricRow& r) {
      return r.name.starts_with("dram__bytes") || r.name == "lts__t_bytes.sum";
    });
    m.metrics.push_back({.name = "dram__bytes_read.sum", .measured = dram});
    m.metrics.push_back({.name = "dram__bytes_write.sum", .measured = 0});
    m.metrics.push_back({.name = "lts__t_bytes.sum", .measured = l2});
    put_measured(info, m, work);
    const double peak = info.roofline->peak_gop_per_s;
    const double under_dram = std::min(peak, operations / dram * 4800),
                 under_l2 = std::min(peak, operations / l2 * 10000);
    EXPECT_DOUBLE_EQ(info.roofs[0].attainable_gop_per_s, under_dram);
    EXPECT_DOUBLE_EQ(info.roofs[1].attainable_gop_per_s, under_l2);
    double least = std::min(under_dram, under_l2);
    if (info.roofs[2].counted) least = std::min(least, info.roofs[2].attainable_gop_per_s);
    ASSERT_EQ(std::ranges::count_if(info.roofs, &RoofInfo::lowest), 1);
    const RoofInfo& lowest = *std::ranges::find_if(info.roofs, &RoofInfo::lowest);
    EXPECT_EQ(lowest.attainable_gop_per_s, least);
    ASSERT_TRUE(info.roofline->measured);
    EXPECT_EQ(info.roofline->measured->memory, lowest.memory);
    EXPECT_EQ(info.roofline->measured->attainable_gop_per_s, least);
    EXPECT_EQ(info.roofline->measured->operations_per_byte, lowest.operations_per_byte);
    EXPECT_TRUE(says(roofline_view(info, {}, dark_theme()), "of that roof's limit"));
    least_of.insert(lowest.memory);
  }
  EXPECT_GE(least_of.size(), 2u);
}

TEST(LiveView, OnePlotACounterOverTheNewestSamples) {
  const auto all = samples(50);
  const scene::Scene scene = live_view(all, {.most_samples = 10}, dark_theme());
  EXPECT_EQ(count(scene, Id::Kind::live_plot), 1 + 5);  // time, and the counters that are not 0
  EXPECT_TRUE(says(scene, "now n 49"));
  const auto solid = std::count_if(scene.lines.begin(), scene.lines.end(), [](const auto& l) { return !l.dashed; });
  EXPECT_EQ(solid, 6 * 9);
}

TEST(MeasuredViews, CsvIsARectangleWithItsRows) {
  const Measured m = fixtures::measured(), before = fixtures::slower();
  std::size_t live = 0;
  for (const MetricRow& row : m.metrics) live += row.line == 0 && row.measured ? 1u : 0u;
  const std::pair<std::string, std::size_t> all[] = {{metrics_csv(m, &before), m.metrics.size()},
                                                     {stalls_csv(m), m.stalls.size()},
                                                     {sass_csv(m), m.sass.size()},
                                                     {host_calls_csv(m), 2 + m.host_calls.size()},
                                                     {compare_csv(variants(), {}), 2},
                                                     {live_csv(samples(4)), 4 * (live + 1)}};
  for (const auto& [text, rows] : all) {
    const auto table = csv::parse(text);
    ASSERT_FALSE(table.empty());
    EXPECT_EQ(table.size(), rows + 1) << table[0][0];
    for (const auto& row : table) EXPECT_EQ(row.size(), table[0].size()) << table[0][0];
  }
}

TEST(Table, WrappedWordsAreTheSameWordsInTheirOrder) {
  std::mt19937 random(5);
  for (int n = 0; n < 300; ++n) {
    std::string text;
    for (std::size_t words = random() % 30; words > 0; --words)
      text += (text.empty() ? "" : " ") + std::string(1 + random() % 12, static_cast<char>('a' + random() % 26));
    std::string again;
    const auto width = static_cast<float>(80 + random() % 400);
    for (const std::string& line : wrapped(text, width, 12)) {
      again += (again.empty() ? "" : " ") + line;
      EXPECT_TRUE(line.find(' ') == line.npos || sans_width(line, 12) <= width) << line;
    }
    EXPECT_EQ(again, text);
  }
}

}  // namespace
}  // namespace lanescope::views
