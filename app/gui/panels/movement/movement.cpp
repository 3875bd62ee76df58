// Movement: the statement of the step as two states, and every value on its way between them under the hand.

#include "app/gui/panels/panel.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/gui/commands/command.h"
#include "app/gui/widgets/items.h"
#include "results/step_index.h"
#include "viz/views/movement/movement.h"

namespace lanescope::gui {
namespace {

constexpr float foot_px = 30;

std::string speed_words(float speed) {
  return speed == 0.25f ? "a quarter" : speed == 0.5f ? "half" : speed == 1 ? "normal" : "double";
}

class MovementPanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    return app.results.have ? views::movement_subject(app.results.summary, app.results.moment) : std::string();
  }

  void choices(App& app, Stage& stage, HeaderRow& row) override {
    if (!app.results.have) return;
    MovementFocus& m = app.movement;
    drop_down(row, stage, "Movement speed", "speed", speed_words(m.speed()), hint_of("movement.speed"), [&] {
      for (const int n : {2, 3, 0, 1})
        if (const float speed = MovementFocus::speeds[static_cast<std::size_t>(n)];
            menu_entry(stage, speed_words(speed).c_str(), speed == m.speed()))
          m.set_speed(n);
    });
    if (row.choice("Movement label", "label", m.values ? "value" : "element", hint_of("movement.values")))
      run_command(app, "movement.values");
    if (app.results.moment.statement_first_line > 0 &&
        row.choice("Movement span", "of", m.one_statement ? "the statement" : "the exchange",
                   hint_of("movement.exchange")))
      run_command(app, "movement.exchange");
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    const Rectangle foot{area.x, area.y + area.h - stage.px(foot_px), area.w, stage.px(foot_px)};
    area.h = std::max(area.h - stage.px(foot_px), 1.0f);
    picture(app, stage, area);
    scrubber(app, stage, foot);
  }

 private:
  void picture(App& app, Stage& stage, Rectangle area) {
    views::Selection shown = app.navigation.shown();
    // Until the statement that was gone to has arrived, the one before stays in its last state.
    shown.share = app.results.moment.step == shown.step ? app.navigation.selection.share : 1;
    views::MovementOptions o{.height = std::floor(area.h / stage.scale) - 2,
                             .color_by = app.shell.view.color_by,
                             .values = app.movement.values,
                             .words = !stage.presentation};
    std::string stamp =
        fmt::format("{} {} {} {} {} {}", scene_stamp(app), shown.share, o.height, o.color_by, o.values, o.words);
    for (const auto& [buffer, element] : shown.pins) stamp += fmt::format(" {}:{}", buffer, element);
    const auto make = [&](float width) {
      o.width = width;
      return views::movement_view(app.results.summary, app.results.moment, shown, o, app.shell.theme());
    };
    lead_on(app, stage, area);  // before the picture, which takes every click that is left
    const SceneCanvas::Result result =
        canvas_.draw(app, stage, id(), area, stamp, make,
                     {.zooms = false, .shrink_to_fit = true, .centered = false, .least_fit = 0.5f});
    const float dragged = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, stage.px(4)).x;
    if (!result.dragging) dragging_ = false;
    if (result.dragging && (dragged != 0 || dragging_)) {
      if (!dragging_) drag_from_ = app.navigation.selection.share;
      dragging_ = true;
      app.movement.go_to(drag_from_ + dragged / std::max(area.w * 0.5f, 1.0f));
    }
    if (result.wheel != 0) app.movement.go_to(app.navigation.selection.share - result.wheel * MovementFocus::notch);
    if (!dragging_) apply_pointer(app, id(), result);
  }

  /// The compiler has put instructions of other lines between those of this one: a button to where its value arrives.
  static void lead_on(App& app, const Stage& stage, Rectangle area) {
    const results::Moment& now = app.results.moment;
    if (!now.movement || !now.movement->refused.empty() || !now.movement->flows.empty() || now.line <= 0) return;
    const auto later = results::next_statement_end(app.results.summary, now.step, static_cast<int>(now.warp), now.line);
    if (!later) return;
    const std::string label = "Go there";
    ButtonLook look{.color = stage.theme->accent};
    const ImVec2 at{area.x + (area.w - button_width(stage, label, look)) / 2, area.y + area.h / 2 + stage.px(34)};
    if (button(stage, "Go there", at, label, "Moves to the step at which this line writes", look))
      app.navigation.go_to_step(*later);
  }

  /// A bar from before to after, and a button that plays the way.
  static void scrubber(App& app, const Stage& stage, Rectangle row) {
    const views::Theme& t = *stage.theme;
    MovementFocus& m = app.movement;
    const float y = row.y + row.h / 2, share = app.navigation.selection.share;
    ButtonLook look{.icon = m.playing() ? Icon::pause : Icon::play, .color = t.text};
    if (button(stage, "Play the movement", {row.x, y}, "", hint_of("movement.play"), look))
      run_command(app, "movement.play");
    float x0 = row.x + button_width(stage, "", look) + stage.px(8);
    x0 += draw_text(stage, stage.fonts.small, {x0, y}, share <= 0 ? t.text : t.text_dim, "before") + stage.px(14);
    float x1 = row.x + row.w - stage.px(6);
    x1 -= draw_text(stage, stage.fonts.small, {x1, y}, t.text_dim, fmt::format("{:.0f} %", share * 100),
                    TextAlign::right) +
          stage.px(14);
    x1 = std::min(x1, row.x + row.w - stage.px(52));
    x1 -= draw_text(stage, stage.fonts.small, {x1, y}, share >= 1 ? t.text : t.text_dim, "after", TextAlign::right) +
          stage.px(14);
    if (x1 - x0 < stage.px(20)) return;
    ImGui::SetCursorScreenPos({x0 - stage.px(8), row.y});
    ImGui::InvisibleButton("Position between before and after", {x1 - x0 + stage.px(16), row.h});
    if (ImGui::IsItemActivated()) app.shell.active_panel = PanelId::movement;
    if (ImGui::IsItemActive()) m.go_to((ImGui::GetMousePos().x - x0) / (x1 - x0));
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip) && !ImGui::IsItemActive())
      tooltip(stage, "Dragging, or the wheel over the picture, moves every value from before to after");
    if (ImGui::IsItemHovered() && ImGui::GetIO().MouseWheel != 0)
      m.go_to(share - ImGui::GetIO().MouseWheel * MovementFocus::notch);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float x = x0 + (x1 - x0) * app.navigation.selection.share;
    list.AddLine({x0, y}, {x1, y}, to_im(t.border), stage.px(4));
    list.AddLine({x0, y}, {x, y}, to_im(t.accent), stage.px(4));
    for (int quarter = 0; quarter <= 4; ++quarter) {
      const float at = x0 + (x1 - x0) * static_cast<float>(quarter) / 4;
      list.AddCircleFilled({at, y}, stage.px(3), to_im(at <= x ? t.accent : t.border));
    }
    list.AddCircleFilled({x, y}, stage.px(7), to_im(t.accent));
  }

  SceneCanvas canvas_;
  bool dragging_ = false;
  float drag_from_ = 0;
};

}  // namespace

std::unique_ptr<Panel> make_movement_panel() { return std::make_unique<MovementPanel>(); }

}  // namespace lanescope::gui
