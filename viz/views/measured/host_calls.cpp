#include "viz/views/measured/measured.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/table.h"

namespace lanescope::views {
namespace {

bool alike(const LaunchRow& a, const LaunchRow& b) {
  return a.kernel == b.kernel && a.stream == b.stream && a.grid.x == b.grid.x && a.grid.y == b.grid.y &&
         a.grid.z == b.grid.z && a.block.x == b.block.x && a.block.y == b.block.y && a.block.z == b.block.z &&
         a.registers == b.registers && a.static_shared_bytes == b.static_shared_bytes &&
         a.dynamic_shared_bytes == b.dynamic_shared_bytes && a.local_bytes == b.local_bytes;
}

std::string shape(const trace::Dim3& d) {
  if (d.z > 1) return fmt::format("{}x{}x{}", d.x, d.y, d.z);
  return d.y > 1 ? fmt::format("{}x{}", d.x, d.y) : fmt::format("{}", d.x);
}

class HostCallsDrawing {
 public:
  HostCallsDrawing(const Measured& measured, const HostCallsOptions& options, const Theme& theme)
      : measured_(measured), options_(options), theme_(theme) {
    scene_.width = options.width > 0 ? options.width : 820;
  }

  Scene draw() {
    float y = 0;
    if (!options_.note.empty())
      y = draw_paragraph(scene_, options_.note, table_margin, 6, scene_.width - 2 * table_margin, theme_.warn,
                         type_px::note);
    if (in_several_streams(measured_)) y = draw_stream_lanes(scene_, measured_, y, theme_) + 10;
    if (!measured_.launches.empty()) y = launches(y) + 10;
    if (!measured_.host_calls.empty()) y = calls(y);
    scene_.height = y + 8;
    return std::move(scene_);
  }

 private:
  /// A name at the left, then right edges of `headings` spread evenly over what is left of the width.
  std::vector<TableColumn> columns(std::string name, float name_share, const std::vector<const char*>& headings) {
    const float left = scene_.width * name_share, room = scene_.width - table_margin - left;
    std::vector<TableColumn> out{
        {.heading = std::move(name), .x = table_margin, .room = left - table_margin, .right = false}};
    float n = 0;
    for (const char* heading : headings) {
      n += 1;
      out.push_back({.heading = heading, .x = left + room * n / static_cast<float>(headings.size())});
    }
    return out;
  }

  float title(std::string words, float y) {
    add_text(scene_, {table_margin, y + 14}, std::move(words), theme_.text, type_px::title, Face::sans_bold);
    return y + 26;
  }

  float launches(float y) {
    y = title("Launches", y);
    const bool wide = scene_.width >= 760, streams = in_several_streams(measured_);
    std::vector<const char*> headings{"launches", "average", "registers", "shared", "local"};
    if (wide) headings = {"grid", "block", "launches", "average", "least", "most", "registers", "shared", "local"};
    if (streams) headings.insert(headings.begin(), "stream");
    const auto cols = columns("kernel", wide ? 0.22f : 0.24f, headings);
    draw_headings(scene_, cols, y, theme_);
    y += table_heading_height;
    int n = 0;
    for (const LaunchProfile& p : launch_profile(measured_)) {
      const LaunchRow& l = p.first;
      const auto number = [](int v) { return spaced(static_cast<std::uint64_t>(std::max(v, 0))); };
      const std::string shared = number(l.static_shared_bytes + l.dynamic_shared_bytes);
      const std::string average = duration_text(p.average_us()), count = spaced(p.launches);
      std::vector<std::string> cells =
          wide ? std::vector<std::string>{l.kernel,
                                          shape(l.grid),
                                          shape(l.block),
                                          count,
                                          average,
                                          duration_text(p.least_us),
                                          duration_text(p.most_us),
                                          number(l.registers),
                                          shared,
                                          number(l.local_bytes)}
               : std::vector<std::string>{l.kernel, count, average, number(l.registers), shared, number(l.local_bytes)};
      if (streams) cells.insert(cells.begin() + 1, fmt::format("{}", l.stream));
      draw_row(scene_, cols, {.kind = Id::Kind::launch_row, .a = n++}, y, cells, false, theme_);
      y += table_row_height;
    }
    return draw_paragraph(scene_, "Registers and local bytes are per thread, shared bytes per block.", table_margin,
                          y + 6, scene_.width - 2 * table_margin, theme_.text_faint, type_px::tiny);
  }

  float calls(float y) {
    double all = 0;
    for (const HostCallRow& c : measured_.host_calls) all += c.total_us;
    y = title(fmt::format("Host calls · {} in total", duration_text(all)), y);
    const auto cols = columns("call", 0.38f, {"calls", "total", "average", "least", "most"});
    draw_headings(scene_, cols, y, theme_);
    y += table_heading_height;
    std::vector<std::size_t> order(measured_.host_calls.size());
    for (std::size_t n = 0; n < order.size(); ++n) order[n] = n;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return measured_.host_calls[a].total_us > measured_.host_calls[b].total_us;
    });
    const std::size_t shown = std::min(order.size(), static_cast<std::size_t>(std::max(options_.most_calls, 1)));
    for (std::size_t n = 0; n < shown; ++n) {
      const HostCallRow& c = measured_.host_calls[order[n]];
      const float share = all > 0 ? static_cast<float>(c.total_us / all) : 0;
      add_box(scene_, {table_margin - 4, y + 2, (scene_.width - 2 * table_margin + 8) * share, 16},
              with_alpha(theme_.axis(0, 1), 0x48), {}, 2);
      draw_row(scene_, cols, {.kind = Id::Kind::host_call_row, .a = static_cast<std::int32_t>(order[n])}, y,
               std::vector<std::string>{c.name, spaced(c.calls), duration_text(c.total_us), duration_text(c.average_us),
                                        duration_text(c.least_us), duration_text(c.most_us)},
               false, theme_);
      y += table_row_height;
    }
    std::string foot = "Bars show the share of the total time in calls.";
    if (shown < order.size())
      foot += fmt::format(" {} with less time not shown.", counted(order.size() - shown, "call"));
    return draw_paragraph(scene_, foot, table_margin, y + 6, scene_.width - 2 * table_margin, theme_.text_faint,
                          type_px::tiny);
  }

  const Measured& measured_;
  const HostCallsOptions& options_;
  const Theme& theme_;
  Scene scene_;
};

}  // namespace

std::vector<LaunchProfile> launch_profile(const Measured& measured) {
  std::vector<LaunchProfile> out;
  for (const LaunchRow& launch : measured.launches) {
    auto found = std::find_if(out.begin(), out.end(), [&](const auto& p) { return alike(p.first, launch); });
    if (found == out.end()) {
      out.push_back({.first = launch, .least_us = launch.duration_us, .most_us = launch.duration_us});
      found = out.end() - 1;
    }
    ++found->launches;
    found->total_us += launch.duration_us;
    found->least_us = std::min(found->least_us, launch.duration_us);
    found->most_us = std::max(found->most_us, launch.duration_us);
  }
  return out;
}

Scene host_calls_view(const Measured& measured, const HostCallsOptions& options, const Theme& theme) {
  if (measured.launches.empty() && measured.host_calls.empty())
    return refused_view(measured.refused, "Host calls", "Record host calls to see launches and calls with their times.",
                        options.width > 0 ? options.width : 820, theme);
  return HostCallsDrawing(measured, options, theme).draw();
}

std::string host_call_tooltip(const Measured& measured, const Id& id) {
  if (id.kind == Id::Kind::host_call_row && id.a >= 0 && id.a < static_cast<int>(measured.host_calls.size())) {
    const HostCallRow& c = measured.host_calls[static_cast<std::size_t>(id.a)];
    return fmt::format("{}: {}, {} in total", c.name, counted(c.calls, "call"), duration_text(c.total_us));
  }
  if (id.kind == Id::Kind::launch_mark) return launch_mark_tooltip(measured, id);
  const auto profile = launch_profile(measured);
  if (id.kind != Id::Kind::launch_row || id.a < 0 || id.a >= static_cast<int>(profile.size())) return {};
  const LaunchProfile& p = profile[static_cast<std::size_t>(id.a)];
  return fmt::format("{}: {} of {} blocks of {} threads\n{} static and {} dynamic bytes of shared memory per block",
                     p.first.kernel, fmt::format("{} {}", p.launches, p.launches == 1 ? "launch" : "launches"),
                     shape(p.first.grid), shape(p.first.block), p.first.static_shared_bytes,
                     p.first.dynamic_shared_bytes);
}

std::string host_calls_csv(const Measured& measured) {
  csv::Table table({"what", "name", "calls", "total_us", "average_us", "least_us", "most_us", "grid", "block",
                    "registers", "static_shared_bytes", "dynamic_shared_bytes", "local_bytes", "stream"});
  for (const LaunchProfile& p : launch_profile(measured))
    table.row("launch", p.first.kernel, p.launches, p.total_us, p.average_us(), p.least_us, p.most_us,
              shape(p.first.grid), shape(p.first.block), p.first.registers, p.first.static_shared_bytes,
              p.first.dynamic_shared_bytes, p.first.local_bytes, p.first.stream);
  for (const HostCallRow& c : measured.host_calls)
    table.row("call", c.name, c.calls, c.total_us, c.average_us, c.least_us, c.most_us, "", "", "", "", "", "", "");
  return table.text();
}

}  // namespace lanescope::views
