// Shared memory: what lies in the banks, the access of this step wavefront by wavefront, and under another layout.

#include <algorithm>
#include <span>

#include "app/gui/panels/panel.h"
#include "app/gui/state/pins.h"
#include "kernels/base/numbers.h"
#include "viz/views/base/theme.h"
#include "viz/views/memory/banks.h"

namespace lanescope::gui {
namespace {

using Kind = views::WhatIf::Kind;

/// Below the title bar: one row to play wavefronts, one with the numbers of the other layout.
constexpr float bar_px = 30;

class SharedPanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    if (!app.results.have || app.results.summary.shared_bytes == 0) return {};
    std::string text = std::to_string(app.results.summary.shared_bytes) + " bytes";
    const auto& access = app.results.moment.access;
    if (!access || access->space != trace::MemorySpace::shared) return text;
    text += " · " + app.results.summary.lines.words(access->line);
    const std::string note = app.memory.evidence_words();
    return note.empty() ? text : note + " · " + text;
  }

  void choices(App& app, Stage& stage, HeaderRow& row) override {
    if (!app.results.have || app.results.summary.shared_bytes == 0) return;
    constexpr const char* values[] = {"as it is", "padding", "swizzle"};
    constexpr const char* entries[] = {"as it is", "what-if: padded rows", "what-if: swizzled rows"};
    const int kind = static_cast<int>(app.shell.view.what_if.kind);
    drop_down(row, stage, "Layout", "layout", values[kind], hint_of("whatif.next"), [&] {
      for (int i = 0; i < 3; ++i) {
        if (!menu_entry(stage, entries[i], kind == i)) continue;
        views::WhatIf next = app.shell.view.what_if;
        next.kind = static_cast<Kind>(i);
        app.memory.set_what_if(next);
      }
    });
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    if (app.results.summary.shared_bytes == 0)
      return draw_state(stage, area, "This kernel uses no shared memory.",
                        "Hide this panel with " + key_of("panel.shared") + " to make room for global memory.");
    const auto& access = app.results.moment.access;
    draw_error(app, stage, area, access && access->space == trace::MemorySpace::shared ? &*access : nullptr);
    const int count = app.memory.wavefront_count();
    if (count > 0) {
      player(app, stage, take_bar(stage, area), count);
      if (app.shell.view.what_if.kind != Kind::none) numbers(app, stage, take_bar(stage, area));
    }
    const views::WhatIf& w = app.shell.view.what_if;
    std::string stamp = scene_stamp(app) + app.shell.view.color_by;
    for (const int n : {static_cast<int>(area.h / stage.scale), app.memory.wavefront, static_cast<int>(w.kind),
                        w.row_words, w.padding_words, w.unit_words, w.rows_per_step})
      stamp += "|" + std::to_string(n);
    const auto make = [&](float width) { return scene_of(app, width, area.h / stage.scale); };
    const SceneCanvas::Result result = canvas_.draw(app, stage, id(), area, stamp, make, {});
    apply_pointer(app, id(), result);
    if (result.clicked && result.clicked->kind == scene::Id::Kind::wavefront) {
      app.memory.play_wavefronts(false);
      app.memory.show_wavefront(result.clicked->a);
    }
  }

  std::string csv(const App& app) const override {
    const bool played = app.memory.wavefront >= 0 || app.shell.view.what_if.kind != Kind::none;
    if (played && app.memory.wavefront_count() > 0)
      return views::to_csv(*app.results.moment.access, app.shell.view.what_if);
    return views::shared_csv(app.results.summary, app.results.moment);
  }

 private:
  static scene::Scene scene_of(const App& app, float width, float height) {
    const views::SharedOptions o{.width = width,
                                 .height = height,
                                 .color_by = app.shell.view.color_by,
                                 .wavefront = app.memory.wavefront,
                                 .what_if = app.shell.view.what_if,
                                 .controlled = true,
                                 .note = app.memory.evidence_words(),
                                 .pinned = pinned_now(app)};
    return views::shared_view(app.results.summary, app.results.moment, app.navigation.shown(), o, memory_theme(app));
  }

  /// A row off the top of the area.
  static Rectangle take_bar(const Stage& stage, Rectangle& area) {
    const float height = std::min(stage.px(bar_px), area.h);
    const Rectangle bar{area.x + stage.px(10), area.y, std::max(area.w - stage.px(24), 1.0f), height};
    area.y += height;
    area.h -= height;
    return bar;
  }

  static void player(App& app, Stage& stage, Rectangle bar, int count) {
    const float y = bar.y + bar.h / 2;
    float x = bar.x;
    const auto press = [&](const char* name, Icon icon, const char* command) {
      ButtonLook look{.icon = icon};
      if (button(stage, name, {x, y}, "", hint_of(command), look)) run_command(app, command);
      x += button_width(stage, "", look) + stage.px(1);
    };
    press("Wavefront before", Icon::step_back, "wavefront.previous");
    press("Play wavefronts", app.memory.wavefronts_playing ? Icon::pause : Icon::play, "wavefront.play");
    press("Wavefront after", Icon::step_forward, "wavefront.next");
    const std::string words = app.memory.wavefront < 0 ? "all of " + counted(count, "wavefront")
                                                       : "wavefront " + std::to_string(app.memory.wavefront + 1) +
                                                             " of " + std::to_string(count);
    ButtonLook look;
    const float room = std::max(button_width(stage, "wavefront 888 of 888", look), button_width(stage, words, look));
    if (x + room > bar.x + bar.w) return;  // the buttons alone, where there is no room for words
    if (button(stage, "All wavefronts", {bar.x + bar.w - room, y}, words, hint_of("wavefront.all"), look))
      run_command(app, "wavefront.all");
    slider(app, stage, {x + stage.px(8), bar.y, bar.x + bar.w - room - x - stage.px(18), bar.h}, count);
  }

  /// A position for each wavefront; the knob can be dragged.
  static void slider(App& app, const Stage& stage, Rectangle track, int count) {
    if (track.w < stage.px(40)) return;
    ImGui::SetCursorScreenPos(track.min());
    ImGui::InvisibleButton("Wavefronts", {track.w, track.h});
    const float step = track.w / static_cast<float>(count);
    if (ImGui::IsItemActive()) {
      app.memory.play_wavefronts(false);
      app.memory.show_wavefront(std::clamp(static_cast<int>((ImGui::GetMousePos().x - track.x) / step), 0, count - 1));
    }
    const views::Theme& t = *stage.theme;
    const bool hovered = ImGui::IsItemHovered() || ImGui::IsItemActive();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float y = track.y + track.h / 2, half = stage.px(2);
    list.AddRectFilled({track.x, y - half}, {track.x + track.w, y + half}, to_im(t.border), half);
    if (app.memory.wavefront < 0) return;
    const float x = track.x + step * (static_cast<float>(app.memory.wavefront) + 0.5f);
    list.AddRectFilled({track.x, y - half}, {x, y + half}, to_im(t.accent), half);
    list.AddCircleFilled({x, y}, stage.px(hovered ? 6.5f : 5.5f), to_im(t.accent));
  }

  static void numbers(App& app, Stage& stage, Rectangle bar) {
    views::WhatIf w = app.shell.view.what_if;
    Cursor at{bar.x, bar.y + bar.h / 2};
    constexpr int rows[] = {8, 16, 17, 32, 33, 34, 36, 40, 64, 128, 256}, paddings[] = {1, 2, 4, 8, 16},
                  powers[] = {1, 2, 4, 8};
    bool changed = number(stage, at, "row words", "rows of", counted(w.row_words, "word"), hint_of("whatif.row_longer"),
                          w.row_words, rows, "word");
    if (w.kind == Kind::padding) {
      changed |= number(stage, at, "padding words", "padding", counted(w.padding_words, "word"), hint_of("whatif.more"),
                        w.padding_words, paddings, "word");
    } else {
      changed |= number(stage, at, "unit words", "units of", counted(w.unit_words, "word"), hint_of("whatif.more"),
                        w.unit_words, powers, "word");
      changed |= number(stage, at, "rows per step", "rows per permutation", counted(w.rows_per_step, "row"),
                        hint_of("whatif.step"), w.rows_per_step, powers, "row");
    }
    if (changed) app.memory.set_what_if(w);
  }

  struct Cursor {
    float x = 0, y = 0;
  };

  /// "rows of 32 words ▾": common numbers in a list, any other typed above it.
  static bool number(Stage& stage, Cursor& at, const char* id, const char* name, const std::string& value,
                     const std::string& hint, int& chosen, std::span<const int> common, const char* unit) {
    ButtonLook look{.icon = Icon::down, .name = name};
    if (button(stage, id, {at.x, at.y}, value, hint, look)) ImGui::OpenPopup(id);
    at.x += button_width(stage, value, look) + stage.px(6);
    if (!begin_menu(stage, id)) return false;
    bool changed = false;
    ImGui::PushFont(stage.fonts.body);
    ImGui::SetNextItemWidth(stage.px(120));
    int typed = chosen;
    if (ImGui::InputInt((std::string("##") + id).c_str(), &typed, 1, 8, ImGuiInputTextFlags_EnterReturnsTrue)) {
      chosen = typed;
      changed = true;
    }
    ImGui::PopFont();
    for (const int n : common) {
      if (!menu_entry(stage, counted(n, unit).c_str(), n == chosen)) continue;
      chosen = n;
      changed = true;
    }
    end_menu();
    return changed;
  }

  SceneCanvas canvas_;
};

}  // namespace

std::unique_ptr<Panel> make_shared_panel() { return std::make_unique<SharedPanel>(); }

}  // namespace lanescope::gui
