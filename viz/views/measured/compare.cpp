#include "viz/views/measured/compare.h"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/table.h"

namespace lanescope::views {
namespace {

constexpr float bar_pitch = 24, bar_height = 16, value_width = 172;
constexpr double sector_bytes = 32;
/// Of the places for warps, those taken, on average over the cycles in which a multiprocessor had any.
constexpr std::string_view resident_warps = "sm__warps_active.avg.pct_of_peak_sustained_active";

std::optional<double> measured_value(const Measured& measured, std::string_view name) {
  const MetricRow* row = results::whole_run(measured, name);
  return row != nullptr ? row->measured : std::nullopt;
}

/// One bar for each variant.
struct Group {
  std::string title, unit;
  std::vector<std::optional<double>> values{};
  std::vector<double> spread{};  ///< empty: none
  double limit = 0;              ///< 0: none
  bool less_is_better = true;
  int decimals = 0;
};

Group time_group(std::span<const Variant> variants) {
  Group g{.title = "Time of all launches, median", .unit = "µs", .decimals = 2};
  for (const Variant& v : variants) {
    g.values.push_back(v.measured.timing ? std::optional(v.measured.timing->median_us) : std::nullopt);
    g.spread.push_back(v.measured.timing ? v.measured.timing->spread_us : 0);
  }
  return g;
}

Group bandwidth_group(std::span<const Variant> variants) {
  bool predicted = false;
  Group g{.unit = "GB/s", .less_is_better = false, .decimals = 1};
  for (const Variant& v : variants) {
    g.values.push_back(bandwidth_gb_per_s(v.measured));
    g.limit = std::max(g.limit, v.limit_gb_per_s);
    const auto moved = moved_bytes(v.measured);
    predicted |= moved && !moved->measured;
  }
  g.title = predicted ? "Bandwidth: predicted sectors over time" : "Bandwidth: sectors moved over time";
  return g;
}

Group counter_group(std::span<const Variant> variants, const std::string& name) {
  Group g{.title = name};
  for (const Variant& v : variants) {
    g.values.push_back(measured_value(v.measured, name));
    if (const MetricRow* row = results::whole_run(v.measured, name); row != nullptr && g.unit.empty())
      g.unit = row->unit;
  }
  return g;
}

class CompareDrawing {
 public:
  CompareDrawing(std::span<const Variant> variants, const CompareOptions& options, const Theme& theme)
      : variants_(variants), theme_(theme) {
    scene_.width = options.width > 0 ? options.width : 760;
    groups_ = {time_group(variants), bandwidth_group(variants)};
    for (const std::string& name : options.counters ? *options.counters : default_counters(variants))
      groups_.push_back(counter_group(variants, name));
    int longest = 4;
    for (const Variant& v : variants) longest = std::max(longest, columns(v.name));
    name_width_ = std::min(static_cast<float>(longest) * type_px::code * mono_advance + 12, scene_.width * 0.32f);
    bar_x_ = table_margin + name_width_;
  }

  Scene draw() {
    float y = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) y = draw(groups_[g], static_cast<int>(g), y);
    Diagnostics refused;
    for (const Variant& v : variants_)
      refused.insert(refused.end(), v.measured.refused.begin(), v.measured.refused.end());
    if (!refused.empty()) y = draw_refusals(scene_, refused, y + 6, theme_);
    scene_.height = y + 6;
    return std::move(scene_);
  }

 private:
  float draw(const Group& g, int number, float y) {
    const int fits = static_cast<int>((scene_.width - 2 * table_margin) / (type_px::title * 0.62f));
    add_text(scene_, {table_margin, y + 14}, cut(g.title, fits), theme_.text, type_px::note, Face::sans_bold);
    y += 28;
    double most = g.limit;
    for (std::size_t n = 0; n < g.values.size(); ++n)
      most = std::max(most, g.values[n].value_or(0) + (g.spread.empty() ? 0 : g.spread[n] / 2));
    const float room = std::max(scene_.width - table_margin - value_width - 8 - bar_x_, 20.0f);
    const auto x = [&](double value) { return bar_x_ + (most > 0 ? static_cast<float>(value / most) * room : 0); };
    const float top = y;
    for (std::size_t n = 0; n < variants_.size(); ++n, y += bar_pitch) bar(g, number, n, y, x);
    if (g.limit > 0) limit(g, x(g.limit), top, y);
    return y + (g.limit > 0 ? 18 : 8);
  }

  void bar(const Group& g, int number, std::size_t n, float y, const auto& x) {
    const Id id{.kind = Id::Kind::variant_bar, .a = static_cast<std::int32_t>(n), .b = number};
    const float middle = y + bar_height / 2 + 2;
    add_text(scene_, {table_margin, middle},
             cut(variants_[n].name, std::max(static_cast<int>((name_width_ - 8) / (type_px::code * mono_advance)), 3)),
             theme_.text, type_px::code, Face::mono, Align::left, id);
    const auto& value = g.values[n];
    add_box(scene_, {bar_x_, y + 2, value ? std::max(x(*value) - bar_x_, 1.0f) : 1.0f, bar_height},
            theme_.axis(static_cast<int>(n), static_cast<int>(variants_.size())), id, 2);
    if (value && !g.spread.empty() && g.spread[n] > 0) {
      const float from = x(std::max(*value - g.spread[n] / 2, 0.0)), to = x(*value + g.spread[n] / 2);
      add_line(scene_, {from, middle}, {to, middle}, theme_.text, 1.5f);
      for (const float end : {from, to}) add_line(scene_, {end, middle - 4}, {end, middle + 4}, theme_.text, 1.5f);
    }
    add_text(scene_, {scene_.width - table_margin, middle}, words(g, n), value ? theme_.text : theme_.text_faint,
             type_px::code, Face::mono, Align::right, id);
  }

  std::string words(const Group& g, std::size_t n) const {
    if (!g.values[n]) return "not measured";
    std::string text = g.decimals > 0 ? fmt::format("{:.{}f}", *g.values[n], g.decimals) : number_text(*g.values[n]);
    if (!g.unit.empty()) text += " " + g.unit;
    if (n == 0 || !g.values[0] || *g.values[0] == 0) return text;
    return text + fmt::format(" ({:.2f}×)", *g.values[n] / *g.values[0]);
  }

  void limit(const Group& g, float x, float top, float bottom) {
    add_line(scene_, {x, top - 2}, {x, bottom + 2}, theme_.warn, 1.5f, {}, true);
    add_text(scene_, {x, bottom + 9}, fmt::format("the GPU's limit, {} GB/s", number_text(g.limit)), theme_.warn,
             type_px::tiny, Face::sans, Align::right);
  }

  std::span<const Variant> variants_;
  const Theme& theme_;
  std::vector<Group> groups_;
  float name_width_ = 0, bar_x_ = 0;
  Scene scene_;
};

}  // namespace

std::optional<MovedBytes> moved_bytes(const Measured& measured) {
  const MetricRow* load = results::whole_run(measured, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
  const MetricRow* store = results::whole_run(measured, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum");
  if (load == nullptr || store == nullptr) return std::nullopt;
  if (load->measured && store->measured) return MovedBytes{sector_bytes * (*load->measured + *store->measured), true};
  if (load->predicted && store->predicted)
    return MovedBytes{sector_bytes * (*load->predicted + *store->predicted), false};
  return std::nullopt;
}

std::optional<double> bandwidth_gb_per_s(const Measured& measured) {
  const auto moved = moved_bytes(measured);
  if (!moved || !measured.timing || measured.timing->median_us <= 0) return std::nullopt;
  return moved->bytes / measured.timing->median_us * 1e-3;
}

std::optional<MeasuredRoof> measured_roof(const Measured& measured, double operations) {
  const auto moved = moved_bytes(measured);
  if (operations <= 0 || !moved || moved->bytes <= 0 || !measured.timing || measured.timing->median_us <= 0)
    return std::nullopt;
  return MeasuredRoof{.operations_per_byte = operations / moved->bytes,
                      .gop_per_s = operations / measured.timing->median_us * 1e-3};
}

namespace {

/// The point of each memory at the bytes that it moved: a cache that holds the data leaves few for device memory, which is
/// then not what holds the kernel.
void put_counted_bytes(OccupancyInfo& info, const Measured& measured, double operations) {
  const double peak = info.roofline ? info.roofline->peak_gop_per_s : info.peak_gop_per_s;
  bool counted = false;
  for (const results::AchievedBandwidth& a : results::achieved_bandwidths(measured))
    for (RoofInfo& roof : info.roofs) {
      if (roof.memory != a.memory) continue;
      roof.achieved_gb_per_s = a.gb_per_s, roof.achieved_from = a.from;
      roof.bytes = a.bytes, roof.counted = counted = true;
      roof.operations_per_byte = operations / a.bytes;
      roof.attainable_gop_per_s = operations > 0 ? std::min(peak, roof.operations_per_byte * roof.gb_per_s) : 0;
    }
  if (!counted) return;
  const auto key = [](const RoofInfo& r) {
    return r.attainable_gop_per_s > 0 ? r.attainable_gop_per_s : std::numeric_limits<double>::infinity();
  };
  const auto lowest = std::ranges::min_element(info.roofs, {}, key);
  for (RoofInfo& roof : info.roofs) roof.lowest = &roof == &*lowest && roof.attainable_gop_per_s > 0;
  if (!info.roofline || !info.roofline->measured || !lowest->lowest || !lowest->counted) return;
  MeasuredRoof& ring = *info.roofline->measured;
  ring.memory = lowest->memory;
  ring.operations_per_byte = lowest->operations_per_byte;
  ring.attainable_gop_per_s = lowest->attainable_gop_per_s;
}

}  // namespace

void put_measured(OccupancyInfo& info, const Measured& measured, const WorkInfo& work) {
  const auto operations = static_cast<double>(std::max(work.fp32_operations, work.fp64_operations));
  if (info.roofline) info.roofline->measured = measured_roof(measured, operations);
  put_counted_bytes(info, measured, operations);
  info.measured_percent = measured_value(measured, resident_warps);
}

std::vector<CounterName> measured_counters(std::span<const Variant> variants) {
  std::vector<CounterName> out;
  std::set<std::string_view> seen;
  for (const Variant& v : variants)
    for (const MetricRow& row : v.measured.metrics)
      if (row.line == 0 && row.measured && seen.insert(row.name).second) out.push_back({row.name, row.legacy});
  return out;
}

std::vector<std::string> default_counters(std::span<const Variant> variants) {
  static constexpr std::string_view wanted[] = {
      "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"};
  std::vector<std::string> out;
  for (const std::string_view name : wanted)
    for (const Variant& v : variants)
      if (measured_value(v.measured, name).value_or(0) > 0) {
        out.emplace_back(name);
        break;
      }
  return out;
}

Scene compare_view(std::span<const Variant> variants, const CompareOptions& options, const Theme& theme) {
  const float width = options.width > 0 ? options.width : 760;
  if (variants.empty())
    return empty_view(width, 110, "Nothing to compare yet. Measure a kernel and add it to the comparison.", theme);
  return CompareDrawing(variants, options, theme).draw();
}

std::string compare_csv(std::span<const Variant> variants, const CompareOptions& options) {
  std::string text = "variant,device,median_us,spread_us,bandwidth_gb_per_s,limit_gb_per_s";
  const std::vector<std::string> counters = options.counters ? *options.counters : default_counters(variants);
  for (const std::string& name : counters) text += "," + csv::field(name);
  text += "\n";
  const auto number = [](const std::optional<double>& v) { return v ? fmt::format("{}", *v) : std::string(); };
  for (const Variant& v : variants) {
    const auto& t = v.measured.timing;
    text += csv::field(v.name) + "," + csv::field(v.measured.device) + "," +
            number(t ? std::optional(t->median_us) : std::nullopt) + "," +
            number(t ? std::optional(t->spread_us) : std::nullopt) + "," + number(bandwidth_gb_per_s(v.measured)) +
            "," + (v.limit_gb_per_s > 0 ? fmt::format("{}", v.limit_gb_per_s) : std::string());
    for (const std::string& name : counters) text += "," + number(measured_value(v.measured, name));
    text += "\n";
  }
  return text;
}

}  // namespace lanescope::views
