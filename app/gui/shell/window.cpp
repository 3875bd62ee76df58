#include "app/gui/shell/window.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/gui/aids/context_menu.h"
#include "app/gui/commands/command.h"
#include "app/gui/model/steps.h"
#include "app/gui/shell/overlay.h"
#include "app/gui/state/glossary.h"
#include "app/gui/widgets/items.h"

namespace lanescope::gui {
namespace {

constexpr float title_bar_px = 44, gap_px = 8, header_px = 38, smallest_panel_px = 96;
/// Lower ones have no room for both memories one above the other and their sentences.
constexpr float low_window_px = 1040;

/// The tooltip of the title of a panel: the panel's term in the glossary.
std::string panel_explanation(PanelId id) { return explanation_of(std::string(panel_title(id)) + " panel"); }

/// Which panel reports of a first run, before there is anything else to show: the largest one that has no text of its own.
std::optional<PanelId> panel_for_run(const App& app, const Placement& placement) {
  if (app.results.have || !app.results.running) return std::nullopt;
  const PlacedPanel* largest = nullptr;
  for (const PlacedPanel& p : placement.panels) {
    const bool own = p.panel == PanelId::source || p.panel == PanelId::calculator || is_design_panel(p.panel);
    if (!own && (largest == nullptr || p.area.w * p.area.h > largest->area.w * largest->area.h)) largest = &p;
  }
  return largest == nullptr ? std::nullopt : std::optional(largest->panel);
}

}  // namespace

Window::Window() {
  static constexpr std::unique_ptr<Panel> (*makers[])() = {
      make_source_panel,     make_assignment_panel, make_registers_panel, make_global_panel,     make_shared_panel,
      make_inspector_panel,  make_timeline_panel,   make_ptx_panel,       make_divergence_panel, make_occupancy_panel,
      make_calculator_panel, make_metrics_panel,    make_stalls_panel,    make_compare_panel,    make_host_calls_panel,
      make_sass_panel,       make_live_panel,       make_buffers_panel,   make_problems_panel,   make_grid_panel,
      make_output_panel,     make_options_panel,    make_designer_panel,  make_plans_panel,      make_elements_panel,
      make_code_panel,       make_lanes_panel,      make_tree_panel,      make_journey_panel,    make_movement_panel,
      make_lesson_panel,     make_moments_panel,    make_barriers_panel,  make_claims_panel};
  for (const PanelId id : all_panels) {
    std::unique_ptr<Panel>& panel = panels_[static_cast<int>(id)];
    panel = entry_for(makers, id)();
    panel->set_id(id);
  }
}

bool Window::typing(const App& app) const {
  return std::any_of(panels_.begin(), panels_.end(), [&](const auto& p) { return p->typing(app); });
}

/// The panel in front says more of itself than its name.
std::string Window::tab_words(const App& app, const PlacedPanel& placed, PanelId tab) {
  return tab == placed.panel ? panels_[static_cast<int>(tab)]->title(app) : std::string(panel_title(tab));
}

/// Side by side where they leave half of the bar to the panel's own choices, else as a list. Returns where they end.
float Window::draw_title(App& app, Stage& stage, const PlacedPanel& placed, Rectangle bar) {
  const float x = bar.x + stage.px(14), y = bar.y + bar.h / 2 + stage.px(1);
  if (placed.tabs.size() < 2) {
    const bool active = app.shell.active_panel == placed.panel;
    const scene::Color ink = active ? stage.theme->text : views::mixed(*stage.theme, views::Mixed::quiet_title);
    const std::string words = tab_words(app, placed, placed.panel);
    const std::string id = "Title " + std::string(panel_name(placed.panel));
    ImGui::SetCursorScreenPos({x - stage.px(6), bar.y + stage.px(5)});
    if (ImGui::InvisibleButton(id.c_str(),
                               {text_width(stage.fonts.body_medium, words) + stage.px(12), bar.h - stage.px(8)}))
      app.shell.active_panel = placed.panel;
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) tooltip(stage, panel_explanation(placed.panel));
    context_menu(app, stage, placed.panel, "title menu");
    return x + draw_text(stage, stage.fonts.body_medium, {x, y}, ink, words);
  }
  float width = 0;
  for (const PanelId tab : placed.tabs)
    width += text_width(stage.fonts.body_medium, tab_words(app, placed, tab)) + stage.px(18);
  return width <= bar.w * 0.55f ? draw_tabs(app, stage, placed, bar) : draw_tab_list(app, stage, placed, bar);
}

float Window::draw_tabs(App& app, Stage& stage, const PlacedPanel& placed, Rectangle bar) {
  const views::Theme& t = *stage.theme;
  float x = bar.x + stage.px(14);
  const float y = bar.y + bar.h / 2 + stage.px(1);
  for (const PanelId tab : placed.tabs) {
    const bool front = tab == placed.panel;
    const std::string words = tab_words(app, placed, tab);
    const float width = text_width(stage.fonts.body_medium, words);
    ImGui::SetCursorScreenPos({x - stage.px(6), bar.y + stage.px(5)});
    const std::string id = words + "###Tab " + std::string(panel_name(tab));
    if (ImGui::InvisibleButton(id.c_str(), {width + stage.px(12), bar.h - stage.px(8)})) app.shell.show_panel(tab);
    const bool hovered = ImGui::IsItemHovered();
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) {
      const std::string key = front ? std::string() : hint_of("panel." + std::string(panel_name(tab))) + "\n";
      tooltip(stage, key + panel_explanation(tab));
    }
    const scene::Color ink = front ? app.shell.active_panel == tab ? t.text : views::mixed(t, views::Mixed::quiet_title)
                             : hovered ? t.text
                                       : t.text_dim;
    draw_text(stage, front ? stage.fonts.body_medium : stage.fonts.body, {x, y}, ink, words);
    if (front) {
      const float line = bar.y + bar.h - stage.px(6);
      ImGui::GetWindowDrawList()->AddLine({x, line}, {x + width, line}, to_im(t.accent), stage.px(2));
    }
    x += width + stage.px(18);
  }
  return x - stage.px(8);
}

float Window::draw_tab_list(App& app, Stage& stage, const PlacedPanel& placed, Rectangle bar) {
  const float x = bar.x + stage.px(14), y = bar.y + bar.h / 2 + stage.px(1);
  const std::string words = tab_words(app, placed, placed.panel);
  const float width = text_width(stage.fonts.body_medium, words);
  const std::string name = "Tabs of " + std::string(panel_name(placed.panel));
  ImGui::SetCursorScreenPos({x - stage.px(6), bar.y + stage.px(5)});
  if (ImGui::InvisibleButton(name.c_str(), {width + stage.px(26), bar.h - stage.px(8)})) ImGui::OpenPopup("tabs");
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) tooltip(stage, "Other panels in this position");
  const scene::Color ink = ImGui::IsItemHovered() || app.shell.active_panel == placed.panel
                               ? stage.theme->text
                               : views::mixed(*stage.theme, views::Mixed::quiet_title);
  draw_text(stage, stage.fonts.body_medium, {x, y}, ink, words);
  draw_icon(stage, Icon::down, {x + width + stage.px(11), y}, stage.px(7), stage.theme->text_dim);
  if (begin_menu(stage, "tabs")) {
    for (const PanelId tab : placed.tabs) {
      const std::string entry = std::string(panel_title(tab)) + "##Tab " + std::string(panel_name(tab));
      if (menu_entry(stage, entry.c_str(), tab == placed.panel, key_of("panel." + std::string(panel_name(tab)))))
        app.shell.show_panel(tab);
    }
    end_menu();
  }
  return x + width + stage.px(18);
}

void Window::draw_header(App& app, Stage& stage, Panel& panel, const PlacedPanel& placed, Rectangle bar) {
  const float y = bar.y + bar.h / 2 + stage.px(1);
  float from = draw_title(app, stage, placed, bar) + stage.px(12);
  HeaderRow row(stage, from, bar.x + bar.w - stage.px(9), y);
  const bool maximised = app.shell.view.maximised == panel.id();
  const std::string command = "Maximise " + std::string(panel_name(panel.id()));
  if (row.icon(command.c_str(), maximised ? Icon::restore : Icon::maximise,
               maximised ? "Restore  (M)" : "Maximise  (M)")) {
    app.shell.active_panel = panel.id();
    run_command(app, "view.maximise");
  }
  panel.choices(app, stage, row);
  if (const float lead = panel.lead(app, stage, {from, y}); lead > 0) from += lead + stage.px(10);
  const float room = row.left() - from - stage.px(10);
  if (room > stage.px(30)) {
    const std::string words = panel.subtitle(app);
    draw_text(stage, stage.fonts.small, {from, y}, stage.theme->text_dim,
              fitting_parts(stage.fonts.small, words, room));
  }
  // A double click on the free part of the bar does the same as the button.
  if (room > 0) {
    ImGui::SetCursorScreenPos({from, bar.y});
    ImGui::InvisibleButton("title bar", {std::max(row.left() - from, 1.0f), bar.h});
    if (ImGui::IsItemActivated()) app.shell.active_panel = panel.id();
    const bool twice = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    context_menu(app, stage, panel.id(), "bar menu");
    if (twice) run_command(app, "view.maximise");
  }
}

void Window::draw_panel(App& app, Stage& stage, const PlacedPanel& placed) {
  Panel& panel = *panels_[static_cast<int>(placed.panel)];
  const Rectangle all{placed.area.x, placed.area.y, placed.area.w, placed.area.h};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(all.min(), all.max(), to_im(stage.theme->panel), stage.px(6));
  const bool active = app.shell.active_panel == placed.panel;
  const scene::Color edge_ink = active ? views::mixed(*stage.theme, views::Mixed::active_edge) : stage.theme->border;
  list.AddRect(all.min(), all.max(), to_im(edge_ink), stage.px(6), 0, stage.hairline());
  ImGui::SetCursorScreenPos(all.min());
  ImGui::BeginChild(std::string(panel_name(placed.panel)).c_str(), {all.w, all.h}, ImGuiChildFlags_None,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const float header = stage.px(header_px), edge = stage.px(1);
  draw_header(app, stage, panel, placed, {all.x, all.y, all.w, header});
  const bool flush =
      placed.panel == PanelId::source || placed.panel == PanelId::inspector || placed.panel == PanelId::problems;
  const float pad = flush ? edge : stage.px(12);
  const Rectangle body{all.x + pad, all.y + header, std::max(all.w - 2 * pad, 1.0f),
                       std::max(all.h - header - (flush ? edge : stage.px(8)), 1.0f)};
  stage.bodies[std::string(panel_name(placed.panel))] = body;
  panel.body(app, stage, body);
  if (placed.panel == run_panel_)
    draw_run_under_way(app, stage, {all.x + pad, all.y + header, all.w - 2 * pad, all.h - header - stage.px(8)});
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    app.shell.active_panel = placed.panel;
  ImGui::EndChild();
}

void Window::draw_splitter(App& app, const Stage& stage, const Splitter& s) {
  const std::string id = "splitter " + std::to_string(s.split);
  ImGui::SetCursorScreenPos({s.area.x, s.area.y});
  ImGui::InvisibleButton(id.c_str(), {std::max(s.area.w, 1.0f), std::max(s.area.h, 1.0f)});
  float& share = app.shell.view.shares[static_cast<int>(app.shell.view.arrangement)][s.split];
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    ImGui::SetMouseCursor(s.side_by_side ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    const float w = stage.px(2);
    const ImVec2 c{s.area.x + s.area.w / 2, s.area.y + s.area.h / 2};
    const ImVec2 low = s.side_by_side ? ImVec2{c.x - w / 2, s.area.y} : ImVec2{s.area.x, c.y - w / 2};
    const ImVec2 high =
        s.side_by_side ? ImVec2{c.x + w / 2, s.area.y + s.area.h} : ImVec2{s.area.x + s.area.w, c.y + w / 2};
    ImGui::GetWindowDrawList()->AddRectFilled(low, high, to_im(stage.theme->accent), w / 2);
  }
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 0))
    share = share_at(s, s.side_by_side ? ImGui::GetMousePos().x : ImGui::GetMousePos().y);
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) share = 0;
}

// --- notices ---------------------------------------------------------------------------------------------------------

float Window::draw_notices(App& app, const Stage& stage, float top, float width) {
  if (app.shell.notices.empty()) return 0;
  const Notice notice = app.shell.notices.back();
  ButtonLook close, press;
  close.icon = Icon::close;
  press.pill = true;
  press.color = stage.theme->accent;
  const float left = stage.px(36);
  float room = width - stage.px(12) - button_width(stage, "", close) - left - stage.px(16);
  for (const Notice::Button& b : notice.buttons) room -= button_width(stage, b.label, press) + stage.px(8);
  const auto lines = wrapped_lines(stage.fonts.body, notice.text, std::max(room, stage.px(120)));
  const float pitch = stage.px(20);
  const float height = stage.px(36) + pitch * static_cast<float>(std::max<std::size_t>(lines.size(), 1) - 1);
  const float y = top + height / 2;
  const scene::Color color = notice.kind == Notice::Kind::error     ? stage.theme->bad
                             : notice.kind == Notice::Kind::warning ? stage.theme->warn
                                                                    : stage.theme->accent;
  const views::Mixed ground = notice.kind == Notice::Kind::error     ? views::Mixed::notice_error
                              : notice.kind == Notice::Kind::warning ? views::Mixed::notice_warning
                                                                     : views::Mixed::notice;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({0, top}, {width, top + height}, to_im(views::mixed(*stage.theme, ground)));
  list.AddRectFilled({0, top}, {stage.px(4), top + height}, to_im(color));
  float right = width - stage.px(12) - button_width(stage, "", close);
  if (button(stage, "Dismiss", {right, y}, "", "Dismiss", close)) app.shell.dismiss(notice.id);
  for (const Notice::Button& b : notice.buttons) {
    right -= button_width(stage, b.label, press) + stage.px(8);
    if (button(stage, b.label.c_str(), {right, y}, b.label, hint_of(b.command), press)) run_command(app, b.command);
  }
  draw_verdict_icon(stage, notice.kind == Notice::Kind::error ? VerdictIcon::bad : VerdictIcon::warning,
                    {stage.px(22), y}, stage.px(9));
  note_text(notice.text);
  float at = top + stage.px(18);
  for (const std::string_view line : lines) {
    draw_text(stage, stage.fonts.body, {left, at}, stage.theme->text, line);
    at += pitch;
  }
  return height;
}

void Window::draw_status(const App& app, const Stage& stage) {
  if (app.shell.status_text.empty()) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float w = text_width(stage.fonts.body, app.shell.status_text) + stage.px(32), h = stage.px(34);
  const ImVec2 low{std::round((screen.x - w) / 2), std::round(screen.y - h - stage.px(20))}, high{low.x + w, low.y + h};
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled(low, high, to_im(views::mixed(*stage.theme, views::Mixed::status)), h / 2);
  list.AddRect(low, high, to_im(views::mixed(*stage.theme, views::Mixed::status_edge)), h / 2);
  list.AddText(stage.fonts.body, stage.fonts.body->FontSize,
               {std::round(low.x + stage.px(16)), std::round(low.y + (h - stage.fonts.body->FontSize) / 2)},
               to_im(stage.theme->text), app.shell.status_text.c_str());
}

/// In a low window both memories are tabs of one place: the one that the step accesses comes to the front.
void Window::front_memory(App& app) {
  const auto& access = app.results.moment.access;
  if (!access || access_seen_ == app.results.moment_version) return;
  access_seen_ = app.results.moment_version;
  const bool shared = access->space == trace::MemorySpace::shared;
  const PanelId wanted = shared ? PanelId::shared : PanelId::global, other = shared ? PanelId::global : PanelId::shared;
  const std::vector<PanelId> tabs = tabs_beside(app.shell.view, wanted);
  const bool together = std::ranges::find(tabs, other) != tabs.end() && tabs.size() == 2;
  if (together && front_beside(app.shell.view, wanted) == other) bring_to_front(app.shell.view, wanted);
}

// --- the whole -------------------------------------------------------------------------------------------------------

void Window::draw(App& app, Stage& stage) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  stage.scenes.clear();
  stage.bodies.clear();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(screen);
  ImGui::PushFont(stage.fonts.body);
  ImGui::Begin("lanescope", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav);
  const float bar = stage.px(title_bar_px), gap = stage.px(gap_px);
  if (shows_lecture(app))
    draw_lecture_title(app, stage, {0, 0, screen.x, bar});
  else
    draw_top_bar(app, stage, {0, 0, screen.x, bar});
  const float top = bar + draw_notices(app, stage, bar, screen.x) + gap;
  const Area whole{gap, top, std::max(screen.x - 2 * gap, 1.0f), std::max(screen.y - top - gap, 1.0f)};
  const bool presents = app.shell.view.presentation;
  app.shell.view.low = screen.y < stage.px(low_window_px);
  front_memory(app);
  const Placement placement = presents ? Placement{.panels = {{app.shell.staged, whole, {app.shell.staged}}}}
                                       : place(app.shell.shown_view(), whole, gap, stage.px(smallest_panel_px));
  for (const auto& panel : panels_) {
    const auto drawn = [&](const PlacedPanel& p) { return p.panel == panel->id(); };
    if (std::none_of(placement.panels.begin(), placement.panels.end(), drawn)) panel->leave_typing(app);
  }
  for (const Splitter& s : placement.splitters) draw_splitter(app, stage, s);
  run_panel_ = panel_for_run(app, placement);
  if (presents)
    presentation_.draw(app, stage, panel(app.shell.staged), {whole.x, whole.y, whole.w, whole.h});
  else
    for (const PlacedPanel& p : placement.panels) draw_panel(app, stage, p);
  if (app.shell.overlay == Overlay::none) explain_pointed(stage, &meaning_of);
  draw_overlay(app, stage);
  draw_status(app, stage);
  ImGui::End();
  ImGui::PopFont();
  app.shell.fit_request = false;
  app.shell.zoom_request = 0;
}

}  // namespace lanescope::gui
