// Global and shared memory: what this step touches, and what that costs.

#include <algorithm>

#include "app/gui/command.h"
#include "app/gui/panel.h"
#include "app/gui/scene_canvas.h"
#include "viz/views/views.h"

namespace lanescope::gui {
namespace {

class GlobalPanel final : public Panel {
 public:
  PanelId id() const override { return PanelId::global; }

  std::string subtitle(const App& app) const override {
    if (!app.results.have) return {};
    const int buffer = shown_buffer(app);
    const auto& buffers = app.results.summary.buffers;
    if (buffer < 0 || buffer >= static_cast<int>(buffers.size())) return {};
    std::string text = buffers[buffer].name;
    const auto& access = app.moment.access;
    if (access && access->space == trace::MemorySpace::global && access->buffer == buffer)
      text += " · line " + std::to_string(access->line);
    return text;
  }

  void choices(App& app, Stage& stage, HeaderRow& row) override {
    const auto& buffers = app.results.summary.buffers;
    if (!app.results.have || buffers.size() < 2) return;
    const std::string value = app.view.buffer >= 0 && app.view.buffer < static_cast<int>(buffers.size())
                                  ? buffers[app.view.buffer].name
                                  : "accessed";
    if (row.choice("Buffer", "buffer", value, "Which array is shown")) ImGui::OpenPopup("buffer");
    if (!begin_menu(stage, "buffer")) return;
    if (menu_entry(stage, "the one accessed", app.view.buffer < 0)) app.view.buffer = -1;
    for (int i = 0; i < static_cast<int>(buffers.size()); ++i) {
      if (menu_entry(stage, buffers[i].name.c_str(), app.view.buffer == i)) app.view.buffer = i;
    }
    end_menu();
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    const views::Selection shown = app.shown();
    // Rows that fill the room: 128 bytes each, below them the sentences.
    const int rows = std::max(2, static_cast<int>((area.h / stage.scale - 86) / 38));
    const std::string stamp =
        scene_stamp(app) + app.view.color_by + "|" + std::to_string(app.view.buffer) + "|" + std::to_string(rows);
    const auto make = [&](float width) {
      views::GlobalOptions o;
      o.width = width;
      o.most_rows = rows;
      o.buffer = app.view.buffer;
      o.color_by = app.view.color_by;
      return views::global_view(app.results.summary, app.moment, shown, o, app.theme());
    };
    apply_pointer(app, id(), canvas_.draw(app, stage, id(), area, stamp, make, {}));
  }

 private:
  static int shown_buffer(const App& app) {
    if (app.view.buffer >= 0) return app.view.buffer;
    const auto& access = app.moment.access;
    return access && access->space == trace::MemorySpace::global ? access->buffer : 0;
  }
  SceneCanvas canvas_;
};

class SharedPanel final : public Panel {
 public:
  PanelId id() const override { return PanelId::shared; }

  std::string subtitle(const App& app) const override {
    if (!app.results.have || app.results.summary.shared_bytes == 0) return {};
    std::string text = std::to_string(app.results.summary.shared_bytes) + " bytes";
    const auto& access = app.moment.access;
    if (access && access->space == trace::MemorySpace::shared) text += " · line " + std::to_string(access->line);
    return text;
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    if (app.results.summary.shared_bytes == 0) {
      return draw_state(stage, area, "This kernel uses no shared memory.",
                        "Hide this panel with " + key_of("panel.shared") + " to make room for global memory.");
    }
    const views::Selection shown = app.shown();
    const int rows = std::max(4, static_cast<int>((area.h / stage.scale - 124) / 18));
    const std::string stamp = scene_stamp(app) + app.view.color_by + "|" + std::to_string(rows);
    const auto make = [&](float width) {
      views::SharedOptions o;
      o.width = width;
      o.most_rows = rows;
      o.color_by = app.view.color_by;
      return views::shared_view(app.results.summary, app.moment, shown, o, app.theme());
    };
    apply_pointer(app, id(), canvas_.draw(app, stage, id(), area, stamp, make, {}));
  }

 private:
  SceneCanvas canvas_;
};

}  // namespace

std::unique_ptr<Panel> make_global_panel() { return std::make_unique<GlobalPanel>(); }
std::unique_ptr<Panel> make_shared_panel() { return std::make_unique<SharedPanel>(); }

}  // namespace lanescope::gui
