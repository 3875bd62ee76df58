
#include "viz/views/costs/occupancy.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/draw.h"

namespace lanescope::views {
namespace {

constexpr float occupancy_margin = 12, limiter_height = 22, curve_height = 172, wave_height = 20, narrow_chart = 700;

std::uint64_t unsigned_of(std::int64_t n) { return static_cast<std::uint64_t>(std::max<std::int64_t>(n, 0)); }

/// Blocks of a wave on a multiprocessor, dealt in turn (as occupancy::Waves::blocks_on).
int blocks_on(const WavesInfo& w, std::int64_t wave, int multiprocessor) {
  const std::int64_t per_wave = std::int64_t{w.multiprocessors} * w.blocks_per_multiprocessor;
  const std::int64_t in_wave = std::clamp<std::int64_t>(w.blocks - wave * per_wave, 0, per_wave);
  return static_cast<int>(in_wave / w.multiprocessors + (multiprocessor < in_wave % w.multiprocessors ? 1 : 0));
}

class OccupancyDrawing {
 public:
  OccupancyDrawing(const OccupancyInfo& info, const OccupancyOptions& options, const Theme& theme)
      : info_(info), options_(options), theme_(theme) {
    scene_.width = options.width > 0 ? options.width : 860;
  }

  Scene draw() {
    float y = headline();
    y = limiters(y + 6);
    if (info_.split && !info_.split->choices_bytes.empty()) y = split(*info_.split, y + 6);
    y = curves(y + 12);
    if (info_.waves && info_.waves->multiprocessors > 0 && info_.waves->blocks_per_multiprocessor > 0)
      y = waves(*info_.waves, y + 10);
    if (!info_.in_flight.empty() || info_.roofline) y = flight_and_roof(y + 10);
    scene_.height = y + 8;
    return std::move(scene_);
  }

 private:
  float room() const { return scene_.width - 2 * occupancy_margin; }

  void heading(float y, std::string title, std::string right) {
    add_text(scene_, {occupancy_margin, y}, std::move(title), theme_.text, type_px::note, Face::sans_bold);
    add_text(scene_, {scene_.width - occupancy_margin, y}, std::move(right), theme_.text_dim, type_px::tiny, Face::sans,
             Align::right);
  }

  // The places for warps of one multiprocessor, filled block by block.
  float headline() {
    const std::string words = info_.cannot_run.empty() ? info_.summary : "cannot run: " + info_.cannot_run;
    const float fits = type_px::title * std::min(1.0f, room() / (sans_width(words, type_px::title) * 1.06f));
    add_text(scene_, {occupancy_margin, 15}, words, info_.cannot_run.empty() ? theme_.text : theme_.bad, fits,
             Face::sans_bold, Align::left, {.kind = Id::Kind::title}, room());
    const int places = std::max(info_.most_warps, 1);
    const float pitch = room() / static_cast<float>(places);
    for (int n = 0; n < places; ++n) {
      const bool filled = n < info_.warps;
      const int block = n / std::max(info_.warps_per_block, 1);
      add_box(scene_, {occupancy_margin + pitch * static_cast<float>(n), 30, std::max(pitch - 2, 2.0f), 14},
              filled ? theme_.axis(block, std::max(info_.blocks, 1)) : theme_.cell_empty, {}, 2,
              filled ? Color{} : theme_.border);
    }
    const auto note = [&](float y, std::string words) {
      add_text(scene_, {occupancy_margin, y}, std::move(words), theme_.text_dim, type_px::tiny, Face::sans, Align::left,
               {.kind = Id::Kind::remark}, room());
    };
    note(57, fmt::format("warps of one multiprocessor of {}, one colour per block", info_.gpu));
    float y = 66;
    const auto more = [&](std::string words) {
      note(y + 6, std::move(words));
      y += 15;
    };
    if (info_.measured_percent)
      more(fmt::format("measured: {:.1f} % of the warp slots occupied on average, of {:.1f} % possible",
                       *info_.measured_percent, info_.percent));
    if (!info_.suggested.empty()) {
      const SuggestedBlockInfo& best = info_.suggested.front();
      const std::string brief =
          fmt::format("highest occupancy with blocks of {}: {:.1f} %, {}", counted(unsigned_of(best.threads), "thread"),
                      best.percent, counted(unsigned_of(best.blocks), "block"));
      std::string words =
          fmt::format("{} on a multiprocessor, {} fill the GPU", brief, spaced(unsigned_of(best.blocks_to_fill)));
      for (std::size_t n = 1; n < info_.suggested.size(); ++n)
        words += fmt::format("{}{}", n == 1 ? "; as high with " : ", ", info_.suggested[n].threads);
      more(sans_width(words, type_px::tiny) > room() ? brief : words);
    }
    if (info_.most_threads > 0)
      more(fmt::format("largest block that runs: {}", counted(unsigned_of(info_.most_threads), "thread")));
    return y;
  }

  float limiters(float y) {
    heading(y + 10, "Limiting resources", "blocks that each resource allows");
    y += 24;
    int most = 1;
    for (const OccupancyLimiter& l : info_.limiters) most = std::max(most, l.blocks.value_or(0));
    for (std::size_t n = 0; n < info_.limiters.size(); ++n) {
      limiter(info_.limiters[n], static_cast<int>(n), most, y);
      y += limiter_pitch();
    }
    return y;
  }

  void limiter(const OccupancyLimiter& l, int number, int most, float y) {
    const Id id{.kind = Id::Kind::occupancy_limiter, .a = number};
    const float middle = y + limiter_height / 2, bar_x = occupancy_margin + 118, bar_end = detail_x() - 158;
    scene_.boxes.push_back({.id = id, .rect = {0, y, scene_.width, limiter_pitch()}});
    add_text(scene_, {occupancy_margin, middle}, l.resource, l.limiting ? theme_.text : theme_.text_dim, type_px::body,
             l.limiting ? Face::sans_bold : Face::sans, Align::left, id, 114);
    if (l.blocks) {
      const float full = std::max(bar_end - bar_x, 20.0f);
      const float width = std::max(full * static_cast<float>(*l.blocks) / static_cast<float>(most), 2.0f);
      add_box(scene_, {bar_x, y + 5, width, limiter_height - 10}, l.limiting ? theme_.warn : theme_.cell_plain, {}, 2);
    }
    const float number_right = detail_x() - 66;
    add_text(scene_, {number_right, middle}, l.blocks ? counted(unsigned_of(*l.blocks), "block") : "no limit",
             l.blocks ? theme_.text : theme_.text_faint, type_px::code, Face::mono, Align::right, id);
    if (l.limiting)
      add_text(scene_, {number_right + 10, middle}, "limits", theme_.warn, type_px::note, Face::sans_bold, Align::left,
               id);
    if (l.detail.empty()) return;
    const Point at = narrow_panel() ? Point{occupancy_margin, y + limiter_height + 6} : Point{detail_x(), middle};
    add_text(scene_, at, l.detail, theme_.text_dim, type_px::tiny, Face::sans, Align::left, id,
             scene_.width - occupancy_margin - at.x);
  }

  // One bar is the memory that both share; its left part is dragged to where the carveout is needed.
  float split(const SplitInfo& s, float y) {
    const int all = s.shared_bytes + s.l1_bytes, most = s.choices_bytes.back();
    heading(y + 10, "Shared memory and L1, KB",
            s.carveout_percent ? fmt::format("carveout {} %", *s.carveout_percent)
                               : "the driver decides; shown: the smallest size for these blocks");
    y += 22;
    const float scale = room() / static_cast<float>(all), high = 16;
    const auto part = [&](int from, int bytes, Color fill, std::string_view name) {
      const Rect r{occupancy_margin + scale * static_cast<float>(from), y, scale * static_cast<float>(bytes), high};
      add_box(scene_, r, fill, {}, 2, theme_.border);
      for (const std::string& words : {fmt::format("{} {:.0f} KB", name, bytes / 1024.0),
                                       fmt::format("{} {:.0f} KB", name.substr(0, name.find(' ')), bytes / 1024.0),
                                       fmt::format("{:.0f} KB", bytes / 1024.0)}) {
        if (sans_width(words, type_px::tiny) + 8 > r.w) continue;
        add_text(scene_, center(r), words, text_on(fill), type_px::tiny, Face::sans, Align::center, {}, r.w);
        break;
      }
    };
    if (s.shared_bytes > 0) part(0, s.shared_bytes, theme_.axis(0, 1), "shared memory");
    if (s.l1_bytes > 0) part(s.shared_bytes, s.l1_bytes, theme_.cell_plain, "L1");
    for (int percent = 0; percent <= 100; ++percent)  // to be pointed at
      scene_.boxes.push_back(
          {.id = {.kind = Id::Kind::occupancy_split, .a = percent},
           .rect = {occupancy_margin + scale * static_cast<float>(most) * static_cast<float>(percent) / 101, y - 3,
                    scale * static_cast<float>(most) / 101, high + 16}});
    float last = -100;
    for (const int bytes : s.choices_bytes) {
      const float x = occupancy_margin + scale * static_cast<float>(bytes);
      add_line(scene_, {x, y + high}, {x, y + high + 4}, theme_.text_dim);
      const std::string words = fmt::format("{}", bytes / 1024);
      if (x - last < sans_width(words, type_px::tiny) + 12) continue;
      add_text(scene_, {x, y + high + 10}, words, theme_.text_dim, type_px::tiny, Face::mono, Align::center);
      last = x;
    }
    const float handle = occupancy_margin + scale * static_cast<float>(s.shared_bytes);
    scene_.outlines.push_back({.rect = {handle - 3, y - 3, 6, high + 6},
                               .fill = theme_.accent,
                               .stroke = theme_.panel,
                               .stroke_width = 1,
                               .radius = 3});
    return y + high + 18;
  }

  float widest_detail() const {
    float widest = 0;
    for (const OccupancyLimiter& l : info_.limiters) widest = std::max(widest, sans_width(l.detail, type_px::tiny));
    return widest;
  }
  bool narrow_panel() const {
    return scene_.width < narrow_chart || scene_.width * 0.5f - occupancy_margin < widest_detail() + 6;
  }
  float limiter_pitch() const { return narrow_panel() ? limiter_height + 14 : limiter_height; }
  // Details are in a column as wide as the longest of them; in a narrow panel they are below.
  float detail_x() const {
    if (narrow_panel()) return scene_.width - occupancy_margin + 12;
    return std::max(scene_.width - occupancy_margin - widest_detail() - 6, scene_.width * 0.5f);
  }

  float curves(float y) {
    const int count = static_cast<int>(info_.curves.size());
    if (count == 0) return y;
    const bool stacked = scene_.width < narrow_chart;
    const float width = stacked ? scene_.width : scene_.width / static_cast<float>(count);
    for (int n = 0; n < count; ++n) {
      const Rect area{stacked ? 0 : width * static_cast<float>(n),
                      stacked ? y + curve_height * static_cast<float>(n) : y, width, curve_height};
      draw_curve(scene_, info_.curves[n], n, area, theme_);
    }
    return y + curve_height * (stacked ? static_cast<float>(count) : 1);
  }

  float waves(const WavesInfo& w, float y) {
    heading(y + 10, "Blocks on the multiprocessors",
            fmt::format(
                "{} · {} · {} % of the block slots used", counted(unsigned_of(w.blocks), "block"),
                counted(unsigned_of(w.waves), "wave"),
                w.used_percent < 1 ? fmt::format("{:.2g}", w.used_percent) : fmt::format("{:.0f}", w.used_percent)));
    y += 24;
    const auto shown = std::min<std::int64_t>(w.waves, std::max(options_.most_waves, 2));
    // The last wave is the one that differs: it is always shown.
    for (std::int64_t n = 0; n < shown; ++n) {
      const bool last = n + 1 == shown;
      if (last && shown < w.waves) {
        add_text(scene_, {occupancy_margin + 62, y + 7},
                 fmt::format("{} more, identical", counted(unsigned_of(w.waves - shown), "wave")), theme_.text_faint,
                 type_px::tiny);
        y += 16;
      }
      wave(w, last ? w.waves - 1 : n, y);
      y += wave_height;
    }
    return y + 2;
  }

  void wave(const WavesInfo& w, std::int64_t number, float y) {
    // The widest count is that of a full wave; a character of the fixed-width face is 0.6 of its size wide.
    const std::string places_words = spaced(unsigned_of(w.multiprocessors * w.blocks_per_multiprocessor));
    const std::string widest = fmt::format("{0} of {0} block slots", places_words);
    const auto characters = std::ranges::count_if(widest, [](char c) { return (c & 0xc0) != 0x80; });
    const float count_width = std::max(150.0f, 0.6f * type_px::code * static_cast<float>(characters) + 4);
    const float x0 = occupancy_margin + 62;
    add_text(scene_, {x0 - 8, y + 8}, fmt::format("wave {}", number + 1), theme_.text_dim, type_px::tiny, Face::mono,
             Align::right);
    const float pitch = (scene_.width - occupancy_margin - count_width - x0) / static_cast<float>(w.multiprocessors);
    int filled = 0;
    for (int m = 0; m < w.multiprocessors; ++m) {
      const int blocks = blocks_on(w, number, m);
      filled += blocks;
      const float gap = pitch > 4 ? 1.0f : 0.3f;
      const Rect rect{x0 + pitch * static_cast<float>(m), y, pitch - gap, 15};
      const Id id{.kind = Id::Kind::occupancy_block, .a = m, .b = static_cast<int>(number)};
      // Where empty cells have the colour of the ground, a hairline shows that there is one.
      const bool outlined = pitch > 4 && theme_.cell_empty == theme_.panel;
      add_box(scene_, rect, theme_.cell_empty, id, 0, outlined ? theme_.border : Color{});
      const float share = static_cast<float>(blocks) / static_cast<float>(w.blocks_per_multiprocessor);
      if (blocks > 0)
        add_box(scene_, {rect.x, rect.y + rect.h * (1 - share), rect.w, rect.h * share}, theme_.axis(0, 1));
    }
    const int places = w.multiprocessors * w.blocks_per_multiprocessor;
    add_text(scene_, {scene_.width - occupancy_margin, y + 8},
             fmt::format("{} of {} block slots", spaced(unsigned_of(filled)), spaced(unsigned_of(places))),
             filled < places ? theme_.text : theme_.text_dim, type_px::code, Face::mono, Align::right);
  }

  float flight_and_roof(float y) {
    const bool stacked = scene_.width < narrow_chart;
    const float width = stacked || !info_.roofline ? scene_.width : scene_.width / 2;
    float end = y;
    if (!info_.in_flight.empty()) end = flight(y, width);
    if (info_.roofline) {
      const bool alone = stacked || info_.in_flight.empty();
      const float roof_width = alone ? scene_.width : width;
      const float high = 190 + roof_rows_height(info_.roofs, roof_width);
      end = std::max(end, draw_roofline(scene_, *info_.roofline, info_.roofs,
                                        {alone ? 0 : width, stacked ? end + 8 : y, roof_width, high}, theme_));
    }
    return end;
  }

  float flight(float y, float width) {
    add_text(scene_, {occupancy_margin, y + 12}, "Warps needed to hide latency", theme_.text, type_px::note,
             Face::sans_bold);
    y += 26;
    for (const InFlightInfo& f : info_.in_flight) {
      const bool enough = f.resident_warps >= f.needed_warps;
      add_text(scene_, {occupancy_margin, y + 8}, f.what, theme_.text, type_px::body, Face::sans, Align::left, {},
               width - 190);
      add_text(scene_, {width - occupancy_margin, y + 8},
               fmt::format("{} resident, {} needed", spaced(unsigned_of(f.resident_warps)),
                           spaced(unsigned_of(f.needed_warps))),
               theme_.text, type_px::code, Face::mono, Align::right);
      const float most = static_cast<float>(std::max<std::int64_t>({f.needed_warps, f.resident_warps, 1}));
      const float bar = width - 2 * occupancy_margin;
      const Rect ground{occupancy_margin, y + 20, bar * static_cast<float>(f.needed_warps) / most, 8};
      scene_.boxes.push_back({.rect = ground, .fill = theme_.cell_empty, .radius = 2, .hatched = !enough});
      add_box(scene_, {occupancy_margin, y + 20, bar * static_cast<float>(f.resident_warps) / most, 8},
              enough ? theme_.good : theme_.warn, {}, 2);
      add_verdict_sign(scene_, {}, {occupancy_margin + 4.5f, y + 40}, 8,
                       enough ? claims::Verdict::holds : claims::Verdict::unchecked, theme_);
      std::string words = enough ? "hidden" : "not hidden";
      if (!enough && f.independent_needed > 0)
        words += fmt::format(": {} independent per thread would be enough", f.independent_needed);
      add_text(scene_, {occupancy_margin + 15, y + 40}, std::move(words), enough ? theme_.good : theme_.warn,
               type_px::note, Face::sans, Align::left, {}, width - 2 * occupancy_margin - 15);
      add_text(scene_, {occupancy_margin, y + 56}, f.law, theme_.text_dim, type_px::tiny, Face::sans, Align::left, {},
               width - 2 * occupancy_margin);
      y += 72;
    }
    return y;
  }

  const OccupancyInfo& info_;
  const OccupancyOptions& options_;
  const Theme& theme_;
  Scene scene_;
};

}  // namespace

Scene roofline_view(const OccupancyInfo& info, const OccupancyOptions& options, const Theme& theme) {
  Scene scene{.width = options.width > 0 ? options.width : 620};
  if (!info.roofline) {
    scene = empty_view(scene.width, info.roofs.empty() ? 120 : 64,
                       "This kernel has no floating-point operations, so it has no roofline.", theme);
    if (info.roofs.empty()) return scene;
    // Bandwidths need no operations.
    const float top = scene.height;
    scene.height += roof_rows_height(info.roofs, scene.width) + 12;
    draw_roof_rows(scene, info.roofs, {0, top, scene.width, roof_rows_height(info.roofs, scene.width)}, theme);
    return scene;
  }
  const float height = std::clamp(scene.width * 0.5f, 190.0f, 420.0f) + roof_rows_height(info.roofs, scene.width);
  scene.height = draw_roofline(scene, *info.roofline, info.roofs, {0, 4, scene.width, height}, theme) + 8;
  return scene;
}

Scene occupancy_view(const OccupancyInfo& info, const OccupancyOptions& options, const Theme& theme) {
  if (info.most_warps <= 0)
    return empty_view(options.width > 0 ? options.width : 860, 120,
                      "The occupancy is not known yet. Compile the kernel.", theme);
  return OccupancyDrawing(info, options, theme).draw();
}

std::string occupancy_tooltip(const OccupancyInfo& info, const Id& id) {
  if (id.kind == Id::Kind::occupancy_limiter && id.a >= 0 && id.a < static_cast<int>(info.limiters.size())) {
    const OccupancyLimiter& l = info.limiters[id.a];
    if (!l.blocks) return fmt::format("{}: the kernel uses none", l.resource);
    return fmt::format("{}: room for {}{}{}", l.resource, counted(unsigned_of(*l.blocks), "block"),
                       l.limiting ? ", the smallest number: the limiting resource" : "",
                       l.detail.empty() ? "" : "; " + l.detail);
  }
  if (id.kind == Id::Kind::occupancy_point && id.a >= 0 && id.a < static_cast<int>(info.curves.size())) {
    const OccupancyCurveInfo& curve = info.curves[id.a];
    for (const OccupancyDot& dot : curve.dots) {
      if (dot.x != id.b) continue;
      return fmt::format("{} {}: {}, {}, {:.1f} %{}{}", spaced(unsigned_of(dot.x)), curve.unit,
                         counted(unsigned_of(dot.blocks), "block"), counted(unsigned_of(dot.warps), "warp"),
                         dot.percent, dot.limiting.empty() ? "" : ", limited by ", dot.limiting);
    }
  }
  if (id.kind == Id::Kind::roofline_roof && id.a >= 0 && id.a < static_cast<int>(info.roofs.size())) {
    const RoofInfo& r = info.roofs[static_cast<std::size_t>(id.a)];
    std::string words = fmt::format("{}: {:.0f} GB/s at most; {}", r.memory, r.gb_per_s, r.source);
    if (r.achieved_gb_per_s) words += fmt::format("; achieved {:.0f} GB/s, {}", *r.achieved_gb_per_s, r.achieved_from);
    return words;
  }
  if (id.kind == Id::Kind::occupancy_split && info.split)
    return fmt::format("carveout {} %: at least {} of shared memory", id.a,
                       counted(unsigned_of(std::int64_t{info.split->choices_bytes.back()} * id.a / 100), "byte"));
  if (id.kind == Id::Kind::occupancy_block && info.waves && info.waves->multiprocessors > 0)
    return fmt::format("multiprocessor {}, wave {}: {}", id.a, id.b + 1,
                       counted(unsigned_of(blocks_on(*info.waves, id.b, id.a)), "block"));
  return {};
}

std::string roofline_csv(const OccupancyInfo& info) {
  csv::Table table({"gpu", "what", "operations_per_byte", "gop_per_s", "gb_per_s"});
  if (const auto& r = info.roofline) {
    table.row(info.gpu, "ridge", r->ridge_operations_per_byte, r->peak_gop_per_s, r->bandwidth_gb_per_s);
    table.row(info.gpu, "attainable", r->operations_per_byte, r->attainable_gop_per_s, "");
    if (r->measured) table.row(info.gpu, "measured", r->measured->operations_per_byte, r->measured->gop_per_s, "");
  }
  for (const RoofInfo& r : info.roofs) {
    table.row(info.gpu, r.memory, r.operations_per_byte, r.attainable_gop_per_s, r.gb_per_s);
    if (r.achieved_gb_per_s) table.row(info.gpu, r.memory + ", achieved", "", "", *r.achieved_gb_per_s);
  }
  return table.text();
}

std::string to_csv(const OccupancyInfo& info) {
  csv::Table table({"curve", "x", "unit", "blocks", "warps", "percent", "limiting"});
  for (const OccupancyCurveInfo& curve : info.curves)
    for (const OccupancyDot& dot : curve.dots)
      table.row(curve.title, dot.x, curve.unit, dot.blocks, dot.warps, dot.percent, dot.limiting);
  return table.text();
}

}  // namespace lanescope::views
