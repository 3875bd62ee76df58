// Global memory: what this step touches, what really moves for it, and how often each sector was moved.

#include <algorithm>

#include "app/engine/summary/occupancy_info.h"
#include "app/gui/panels/panel.h"
#include "app/gui/state/pins.h"
#include "app/gui/widgets/control_strip.h"
#include "kernels/base/enum_size.h"
#include "results/access.h"
#include "results/moment.h"
#include "viz/views/base/draw.h"
#include "viz/views/base/selection.h"
#include "viz/views/memory/global.h"

namespace lanescope::gui {
namespace {

struct ModeWords {
  const char *value, *entry;
};
/// In the order of GlobalMode: on the button, and in its list.
constexpr ModeWords mode_words[] = {{"bytes", "bytes of the access"},
                                    {"transactions", "transactions: lines of 128 bytes beside sectors of 32"},
                                    {"line total", "sum over this source line"},
                                    {"block total", "sum over the whole block"}};

bool adds_up(const App& app) {
  return app.shell.view.global_mode == GlobalMode::line_total || app.shell.view.global_mode == GlobalMode::block_total;
}

class GlobalPanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    if (!app.results.have) return {};
    if (adds_up(app)) return totals_words(app);
    std::string note;
    const results::AccessInfo* access = app.memory.global_access(note);
    const int buffer = app.shell.view.buffer >= 0 ? app.shell.view.buffer : access != nullptr ? access->buffer : 0;
    const auto& buffers = app.results.summary.buffers;
    if (buffer < 0 || buffer >= static_cast<int>(buffers.size())) return note;
    std::string text = buffers[buffer].name;
    if (access != nullptr && access->buffer == buffer) {
      text += " · " + app.results.summary.lines.words(access->line);
      if (!note.empty()) text = note + " · " + text;
    } else {
      text += " · not accessed by this step";
    }
    return text;
  }

  void choices(App& app, Stage& stage, HeaderRow& row) override {
    if (!app.results.have) return;
    const GlobalMode mode = app.shell.view.global_mode;
    drop_down(row, stage, "Show", "show", entry_for(mode_words, mode).value, hint_of("global.mode"), [&] {
      for (int i = 0; i < global_mode_count; ++i)
        if (menu_entry(stage, mode_words[i].entry, static_cast<int>(mode) == i))
          app.shell.view.global_mode = static_cast<GlobalMode>(i);
    });
    const auto& buffers = app.results.summary.buffers;
    if (buffers.size() < 2) return;
    const std::string value = app.shell.view.buffer >= 0 && app.shell.view.buffer < static_cast<int>(buffers.size())
                                  ? buffers[app.shell.view.buffer].name
                                  : "accessed";
    drop_down(row, stage, "Buffer", "buffer", value, "Selects the buffer", [&] {
      if (menu_entry(stage, "the one accessed", app.shell.view.buffer < 0)) app.shell.view.buffer = -1;
      for (int i = 0; i < static_cast<int>(buffers.size()); ++i)
        if (menu_entry(stage, buffers[i].name.c_str(), app.shell.view.buffer == i)) app.shell.view.buffer = i;
    });
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    if (adds_up(app) && !app.results.moment.totals)
      return draw_state(stage, area, "The sums are being calculated.", "They appear with the next result.");
    std::string note;
    if (app.shell.view.global_mode == GlobalMode::transactions) {
      // Below the title, where a narrow panel has room for them.
      ControlStrip strip(stage, {area.x + stage.px(6), area.y, area.w - stage.px(6), 0});
      memory_choices(app, stage, strip, is_load(app));
      const float used = strip.bottom() - area.y;
      area = {area.x, area.y + used, area.w, std::max(area.h - used, 1.0f)};
    }
    if (!adds_up(app)) draw_error(app, stage, area, app.memory.global_access(note));
    const std::string stamp = scene_stamp(app) + app.shell.view.color_by + "|" + std::to_string(app.shell.view.buffer) +
                              "|" + std::to_string(static_cast<int>(app.shell.view.global_mode)) + "|" +
                              std::to_string(static_cast<int>(area.h / stage.scale)) + memory_stamp(app);
    const auto make = [&](float width) { return scene_of(app, width, area.h / stage.scale); };
    apply_pointer(app, id(), canvas_.draw(app, stage, id(), area, stamp, make, {}));
  }

  std::string csv(const App& app) const override {
    if (adds_up(app))
      return app.results.moment.totals
                 ? views::to_csv(app.results.summary, *app.results.moment.totals, memory_shown(app).memory.half_warps)
                 : "";
    std::string note;
    return views::global_csv(app.results.summary, moment_shown(app, note));
  }

 private:
  /// The access on show is a load, or there is none.
  static bool is_load(const App& app) {
    std::string note;
    const results::AccessInfo* access = app.memory.global_access(note);
    return access == nullptr || access->kind == trace::AccessKind::load;
  }

  static std::string totals_words(const App& app) {
    if (app.shell.view.global_mode == GlobalMode::block_total) return "over the whole block";
    const int line = app.memory.totals_line();
    std::string text = "over " + app.results.summary.lines.words(line);
    if (line != app.navigation.selection.line)
      text += ", the last before " + app.results.lines.words(app.navigation.selection.line);
    return text;
  }

  /// The moment with the access on show in place of its own.
  static results::Moment moment_shown(const App& app, std::string& note) {
    results::Moment moment{.step = app.results.moment.step, .access = app.results.moment.access};
    if (const results::AccessInfo* access = app.memory.global_access(note)) moment.access = *access;
    // Of an earlier access, and of evidence, it is not known here what they stored.
    if (note.empty()) moment.arrived = app.results.moment.arrived;
    return moment;
  }

  /// Rows that fill the room: 128 bytes each, below them the sentences.
  static scene::Scene scene_of(const App& app, float width, float height) {
    const views::Selection shown = app.navigation.shown();
    const views::Theme theme = memory_theme(app);
    const auto rows = [&](float sentences, float row) {
      return std::max(2, static_cast<int>((height - sentences) / row));
    };
    engine::ShownMemory memory = memory_shown(app);
    if (adds_up(app)) {
      const views::TrafficOptions o{.width = width,
                                    .most_rows = rows(130, 29),
                                    .buffer = app.shell.view.buffer,
                                    .arch = std::move(memory.arch),
                                    .memory = std::move(memory.memory),
                                    .pinned = pinned_now(app)};
      return views::traffic_totals_view(app.results.summary, *app.results.moment.totals, shown, o, theme);
    }
    std::string note;
    const results::Moment moment = moment_shown(app, note);
    const bool here = moment.access && moment.access->space == trace::MemorySpace::global &&
                      (app.shell.view.buffer < 0 || app.shell.view.buffer == moment.access->buffer);
    if (app.shell.view.global_mode == GlobalMode::transactions && here) {
      views::TrafficOptions o{.width = width,
                              .buffer = app.shell.view.buffer,
                              .note = note,
                              .height = height,
                              .arch = std::move(memory.arch),
                              .memory = std::move(memory.memory),
                              .path = path_shown(app, is_load(app)),
                              .pinned = pinned_now(app)};
      const bool stacked = width < 540 && views::traffic_pictures(*moment.access, o) > 1;
      const bool low = stacked && height < 300;
      o.most_rows = low       ? std::max(static_cast<int>((height - 2 * 76) / 62), 1)
                    : stacked ? rows(176, 62)
                              : rows(88, 31);
      return views::traffic_view(app.results.summary, moment, shown, o, theme);
    }
    const views::GlobalOptions o{.width = width,
                                 .most_rows = rows(86, 38),
                                 .buffer = app.shell.view.buffer,
                                 .color_by = app.shell.view.color_by,
                                 .note = note,
                                 .pinned = pinned_now(app)};
    return views::global_view(app.results.summary, moment, shown, o, theme);
  }

  SceneCanvas canvas_;
};

}  // namespace

std::unique_ptr<Panel> make_global_panel() { return std::make_unique<GlobalPanel>(); }

}  // namespace lanescope::gui
