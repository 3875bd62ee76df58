// Occupancy: how full a multiprocessor of any GPU gets with this kernel, or with one of its numbers changed.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/panels/panel.h"
#include "app/gui/widgets/control_strip.h"
#include "results/occupancy.h"
#include "viz/views/costs/occupancy.h"
#include "viz/views/measured/compare.h"

namespace lanescope::gui {
namespace {

using scene::Id;

constexpr int most_registers = 255, most_threads = 1024, most_dynamic_shared_bytes = 256 * 1024;
/// Of results::OccupancyInfo::curves.
enum Curve { registers_curve, shared_curve, threads_curve };

class OccupancyPanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    return app.results.have && app.occupancy.is_what_if() ? "what-if; the kernel has other values" : "";
  }

  void choices(App& app, Stage& stage, HeaderRow& row) override {
    if (!app.results.have) return;
    const std::string chosen = app.occupancy.choice.gpu.empty() && info_ ? info_->gpu : app.occupancy.choice.gpu;
    drop_down(row, stage, "GPU", "GPU", chosen.empty() ? "none" : chosen, "Selects the GPU", [&] {
      for (const std::string& name : engine::gpu_names())
        if (menu_entry(stage, name.c_str(), name == chosen)) app.occupancy.choice.gpu = name;
    });
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    const float inset = stage.px(6);
    ControlStrip strip(stage, {area.x + inset, area.y, area.w - inset, 0});
    numbers(app, strip);
    const std::string stamp = stamp_of(app);
    if (stamp != stamp_) {
      stamp_ = stamp;
      info_ = engine::occupancy_info(app.results.summary, app.occupancy.choice);
      if (info_ && is_measured(app, info_->gpu))
        views::put_measured(*info_, app.measurements.last, app.results.summary.work);
    }
    limits(app, stage, strip, {area.x + inset, strip.bottom(), area.w - 2 * inset, 0});
    const float used = bottom_ - area.y + stage.px(4);
    const Rectangle rest{area.x, area.y + used, area.w, std::max(area.h - used, 1.0f)};
    if (!info_) {
      const Diagnostic& d = info_.error().front();
      return draw_state(stage, rest, d.message + ".", d.remedy.empty() ? "" : "To do: " + d.remedy + ".");
    }
    const auto make = [&](float width) { return views::occupancy_view(*info_, {.width = width}, app.shell.theme()); };
    const SceneCanvas::Result result =
        canvas_.draw(app, stage, id(), rest, stamp, make,
                     {.zooms = false,
                      .shrink_to_fit = false,
                      .centered = false,
                      .grabs = [](const Id& at) { return at.kind == Id::Kind::occupancy_split; },
                      .scrolls = true});
    if (result.clicked) click(app, *result.clicked);
    if (result.grabbed && result.hit && result.hit->kind == Id::Kind::occupancy_split)
      app.occupancy.choice.carveout_percent = result.hit->a;
    if (result.hit && !result.dragging && ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip))
      tooltip(stage, views::occupancy_tooltip(*info_, *result.hit));
  }

 private:
  /// The kernel as it is, by the GPU that is drawn.
  static bool is_measured(const App& app, const std::string& gpu) {
    return !app.occupancy.is_what_if() && app.measurements.text == app.results.text &&
           engine::table_name(app.measurements.last.device) == gpu;
  }

  static std::string stamp_of(const App& app) {
    const engine::OccupancyChoice& c = app.occupancy.choice;
    std::string text = app.shell.view.theme + "|" + c.gpu + "|" + std::to_string(app.results.version) + "|" +
                       std::to_string(app.measurements.version);
    text += "|" + c.shared_formula + "|" + std::to_string(c.bandwidth_gb_per_s.value_or(0)) + "|" +
            std::to_string(c.bytes_per_thread);
    for (const auto& number :
         {c.registers, c.threads, c.dynamic_shared_bytes, c.carveout_percent, c.latency_cycles, c.arithmetic_cycles})
      text += number ? "|" + std::to_string(*number) : std::string("|");
    return text;
  }

  void numbers(App& app, ControlStrip& strip) const {
    const results::ResourceInfo& own = app.results.summary.resources;
    const auto number = [&](const char* id, const char* name, std::optional<int>& chosen, int of_kernel, int low,
                            int high, int step, const char* hint) {
      int value = chosen.value_or(std::max(of_kernel, low));
      if (!strip.number(id, name, value, low, high, step, hint)) return;
      chosen = value;
      if (value == of_kernel) chosen.reset();
    };
    number("Registers", "registers", app.occupancy.choice.registers, own.registers, 1, most_registers, 8,
           "Registers per thread, in units of 8 as the hardware allocates them");
    number("Threads", "threads per block", app.occupancy.choice.threads, own.threads_per_block, 1, most_threads, 32,
           "In units of 32. The number of blocks is adjusted so that the number of threads stays the same.");
    number("Dynamic shared", "dynamic shared bytes", app.occupancy.choice.dynamic_shared_bytes,
           own.dynamic_shared_bytes, 0, most_dynamic_shared_bytes, 1024,
           "Dynamic shared memory per block, in addition to the static shared memory of the kernel");
    if (info_ && info_->split) {
      const results::SplitInfo& s = *info_->split;
      int percent = s.carveout_percent.value_or(s.shared_bytes * 100 / std::max(s.choices_bytes.back(), 1));
      if (strip.number("Carveout", "carveout, %", percent, 0, 100, 5,
                       "Shared memory preferred over L1; the bar below can be dragged"))
        app.occupancy.choice.carveout_percent = percent;
    }
    if (strip.press("Reset", "Reset", hint_of("occupancy.reset"), refusal_of(app, *find_command("occupancy.reset"))))
      run_command(app, "occupancy.reset");
    if (strip.press("Recompile with register limits",
                    app.occupancy.limits.under_way ? "compiling…" : "Recompile with register limits",
                    hint_of("occupancy.caps"), refusal_of(app, *find_command("occupancy.caps"))))
      run_command(app, "occupancy.caps");
    if (info_ && info_->flight.memory_cycles > 0) own_latency(app, *info_, strip);
  }

  /// Operands of Little's law; another number than the table's is a what-if.
  static void own_latency(App& app, const results::OccupancyInfo& info, ControlStrip& strip) {
    engine::OccupancyChoice& choice = app.occupancy.choice;
    strip.next_row();
    const auto number = [&](const char* id, const char* name, auto& chosen, int now, int high, int step,
                            const char* hint) {
      if (strip.number(id, name, now, 1, high, step, hint)) chosen = now;
    };
    number("Memory latency", "memory latency, cycles", choice.latency_cycles, info.flight.memory_cycles, 100'000, 50,
           "Latency of device memory for Little's law, in place of the table's");
    number("Bandwidth", "bandwidth, GB/s", choice.bandwidth_gb_per_s,
           static_cast<int>(std::lround(info.flight.bandwidth_gb_per_s)), 1'000'000, 100,
           "Bandwidth of device memory for Little's law, in place of the table's");
    number("Bytes in flight", "bytes in flight per thread", choice.bytes_per_thread, info.flight.bytes_per_thread, 4096,
           4, "Width of a load times the loads of a thread that do not wait for each other");
    number("Arithmetic latency", "arithmetic latency, cycles", choice.arithmetic_cycles, info.flight.arithmetic_cycles,
           10'000, 1, "Latency of arithmetic for Little's law, in place of the table's");
  }

  /// One row for each register limit; a click makes its registers the what-if.
  void limits(App& app, const Stage& stage, ControlStrip& strip, Rectangle table) {
    if (!app.occupancy.limits.refused.empty()) strip.sentence(app.occupancy.limits.refused, stage.theme->bad);
    bottom_ = strip.bottom();
    if (app.occupancy.limits.rows.empty()) return;
    const float line = stage.px(20);
    table.y = bottom_ + stage.px(6);
    table.w = std::min(table.w, stage.px(620));
    row(stage, table, {"limit", "registers", "spills, bytes", "local, bytes", "resident warps"}, stage.fonts.small,
        stage.theme->text_dim);
    for (const results::RegisterLimit& c : app.occupancy.limits.rows) {
      table.y += line;
      ImGui::SetCursorScreenPos({table.x, table.y});
      const std::string name = c.cap == 0 ? std::string("no register limit") : "limit " + std::to_string(c.cap);
      if (ImGui::InvisibleButton(name.c_str(), {table.w, line}) && c.registers > 0) {
        app.occupancy.choice.registers = c.registers;
        if (c.registers == app.results.summary.resources.registers) app.occupancy.choice.registers.reset();
      }
      const bool hovered = ImGui::IsItemHovered();
      const std::string note = c.refused.empty()
                                   ? results::above_the_limit(c, app.results.summary.resources.launch_bounds_threads)
                                   : c.refused;
      if (hovered && !note.empty()) tooltip(stage, note);
      const auto number = [](int n) { return n < 0 ? std::string("–") : std::to_string(n); };
      row(stage, table,
          {c.cap == 0 ? "none" : std::to_string(c.cap),
           number(c.registers) + (c.cap > 0 && c.registers > c.cap ? " *" : ""), number(c.spill_bytes),
           number(c.local_bytes), warps_of(app, c)},
          stage.fonts.code_small,
          hovered             ? stage.theme->accent
          : c.spill_bytes > 0 ? stage.theme->warn
                              : stage.theme->text);
    }
    bottom_ = table.y + line + stage.px(6);
  }

  static std::string warps_of(const App& app, const results::RegisterLimit& c) {
    if (c.registers < 0) return "not compiled";
    engine::OccupancyChoice choice = app.occupancy.choice;
    choice.registers = c.registers;
    const auto info = engine::occupancy_info(app.results.summary, choice);
    return info ? std::to_string(info->warps) + " of " + std::to_string(info->most_warps) : "–";
  }

  static void row(const Stage& stage, Rectangle table, const std::array<std::string, 5>& words, ImFont* font,
                  scene::Color color) {
    constexpr float rights[] = {0.10f, 0.30f, 0.54f, 0.76f, 1.0f};
    for (std::size_t n = 0; n < words.size(); ++n)
      draw_text(stage, font, {table.x + table.w * rights[n], table.y + stage.px(10)}, color, words[n],
                TextAlign::right);
  }

  /// A dot of a curve is a what-if; the kernel's own is none.
  static void click(App& app, const Id& at) {
    if (at.kind == Id::Kind::occupancy_split) app.occupancy.choice.carveout_percent = at.a;
    if (at.kind != Id::Kind::occupancy_point) return;
    const results::ResourceInfo& own = app.results.summary.resources;
    const auto set = [](std::optional<int>& chosen, int value, int of_kernel) {
      chosen = value;
      if (value == of_kernel) chosen.reset();
    };
    if (at.a == registers_curve) set(app.occupancy.choice.registers, at.b, own.registers);
    if (at.a == threads_curve) set(app.occupancy.choice.threads, at.b, own.threads_per_block);
    if (at.a == shared_curve)
      set(app.occupancy.choice.dynamic_shared_bytes, std::max(at.b - own.static_shared_bytes, 0),
          own.dynamic_shared_bytes);
  }

  SceneCanvas canvas_;
  std::string stamp_;
  float bottom_ = 0;  ///< of the controls
  Expected<results::OccupancyInfo> info_;
};

}  // namespace

std::unique_ptr<Panel> make_occupancy_panel() { return std::make_unique<OccupancyPanel>(); }

}  // namespace lanescope::gui
