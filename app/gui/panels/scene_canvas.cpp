#include "app/gui/panels/panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/aids/context_menu.h"
#include "app/gui/state/glossary.h"
#include "app/gui/state/pins.h"
#include "viz/views/base/draw.h"
#include "viz/views/costs/heat.h"
#include "viz/views/tooltips.h"

namespace lanescope::gui {
namespace {

constexpr float smallest_zoom = 0.25f, largest_zoom = 12;

void write(std::string& out, const views::Selection& s) {
  fmt::format_to(std::back_inserter(out), "{} {} {} {} {};", s.step, s.line, s.family, s.warp, s.block);
  if (s.place)
    fmt::format_to(std::back_inserter(out), "p{},{},{},{},{};", s.place->family, s.place->warp, s.place->reg,
                   s.place->part, s.place->lane);
  if (s.element) fmt::format_to(std::back_inserter(out), "e{},{};", s.element->first, s.element->second);
  if (s.address) fmt::format_to(std::back_inserter(out), "a{},{};", s.address->first, s.address->second);
  for (const auto& [buffer, element] : s.pins) fmt::format_to(std::back_inserter(out), "k{},{};", buffer, element);
}

/// Words under a point: a heading, the name of a counter.
const scene::Label* label_at(const scene::Scene& scene, scene::Point at) {
  for (const scene::Label& l : scene.labels) {
    if (std::abs(at.y - l.at.y) > l.size * 0.7f) continue;
    const bool mono = l.face == scene::Face::mono || l.face == scene::Face::mono_bold;
    const float width = mono ? static_cast<float>(views::columns(l.text)) * l.size * views::mono_advance
                             : views::sans_width(l.text, l.size);
    const float left =
        l.align == scene::Align::left ? l.at.x : l.at.x - (l.align == scene::Align::center ? width / 2 : width);
    if (at.x >= left - 2 && at.x <= left + width + 2) return &l;
  }
  return nullptr;
}

}  // namespace

std::string scene_stamp(const App& app) {
  std::string stamp = fmt::format("{} {} {} ", app.results.version, app.results.moment_version, app.shell.view.theme);
  if (!app.navigation.selection.pins.empty()) stamp += fmt::format("j{} ", app.results.journeys_version);
  write(stamp, app.navigation.shown());
  if (app.memory.has_error()) stamp += "trouble";
  return stamp;
}

views::Theme memory_theme(const App& app) {
  views::Theme theme = app.shell.theme();
  if (app.memory.has_error()) theme.good = theme.text_dim;
  return theme;
}

void draw_error(const App& app, const Stage& stage, Rectangle& area, const results::AccessInfo* access) {
  const std::string words = access == nullptr ? std::string() : app.memory.error_of(*access);
  if (words.empty()) return;
  const float pad = stage.px(10);
  const float height =
      draw_wrapped(stage, stage.fonts.small, {area.x + pad, area.y}, area.w - 2 * pad, stage.theme->bad, words) +
      stage.px(2);
  area.y += height;
  area.h = std::max(area.h - height, 1.0f);
}

SceneCanvas::Result SceneCanvas::draw(App& app, Stage& stage, PanelId panel, Rectangle area, const std::string& stamp,
                                      const std::function<scene::Scene(float)>& make, const Options& options) {
  Result result;
  const float width = std::max(area.w / stage.scale, 60.0f);
  if (stamp != stamp_ || width != width_) {
    scene_ = make(width);
    ++stage.scenes_made;
    stamp_ = stamp;
    width_ = width;
  }
  float fit_scale = stage.scale;
  if (options.shrink_to_fit && scene_.height > 0 && scene_.width > 0) {
    const float whole = std::min(area.h / scene_.height, area.w / scene_.width);
    fit_scale = whole < stage.scale * options.least_fit ? stage.scale : std::min(whole, stage.scale);
  }
  ImGui::SetCursorScreenPos(area.min());
  const std::string id = "scene##" + std::string(panel_name(panel));
  ImGui::InvisibleButton(
      id.c_str(), {std::max(area.w, 1.0f), std::max(area.h, 1.0f)},
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle | ImGuiButtonFlags_MouseButtonRight);
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  const bool may_say = ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip) && !active;
  const bool menu_opened = context_menu(app, stage, panel);
  result.hovered = hovered;
  if (hovered || active) navigate(app, stage, panel, area, fit_scale, options, active, result);
  if (app.shell.active_panel == panel) {
    if (app.shell.fit_request) fit();
    if (app.shell.zoom_request > 0) zoom_ = std::clamp(zoom_ * app.shell.zoom_request, smallest_zoom, largest_zoom);
  }

  app.shell.zoom[static_cast<std::size_t>(panel)] = zoom_;
  reveal_now(area, fit_scale * zoom_);
  if (options.scrolls) keep_page_in_place(stage, area, fit_scale * zoom_);
  DrawnScene& drawn = stage.scenes[std::string(panel_name(panel))];
  drawn.scale = fit_scale * zoom_;
  drawn.origin = {std::round(area.x + spare(area, drawn.scale, options) + pan_.x), std::round(area.y + pan_.y)};
  drawn.area = area;
  drawn.scene = scene_;
  const ImVec2 mouse = ImGui::GetMousePos();
  result.at = drawn.to_scene(mouse);
  if (hovered && !panning_) {
    if (const scene::Box* box = scene::hit(scene_, result.at)) result.hit = box->id;
  }
  if (hovered && result.hit && ImGui::IsMouseClicked(ImGuiMouseButton_Left) && options.grabs &&
      options.grabs(*result.hit)) {
    grabbed_ = result.hit;
    grabbed_at_ = result.at;
  }
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) grabbed_.reset();
  result.grabbed = grabbed_;
  if (grabbed_) result.moved = {result.at.x - grabbed_at_.x, result.at.y - grabbed_at_.y};
  const bool still =
      ImGui::GetMouseDragDelta(ImGuiMouseButton_Left).x == 0 && ImGui::GetMouseDragDelta(ImGuiMouseButton_Left).y == 0;
  if (hovered && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !panning_ && still) result.clicked = result.hit;
  if (menu_opened && hovered) result.clicked = result.hit;  // the menu is about it
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left) && !ImGui::IsMouseDown(ImGuiMouseButton_Middle)) panning_ = false;
  result.dragging = active && ImGui::IsMouseDown(ImGuiMouseButton_Left);
  paint_scene(stage, drawn);
  if (result.hit && !grabbed_) point_at(app, stage, panel, drawn, *result.hit, may_say);
  if (may_say)
    if (const scene::Label* label = label_at(drawn.scene, result.at)) point_at_words(label->text);
  return result;
}

/// A frame around what is under the mouse where something else is pinned, and after a moment what is known about it.
void SceneCanvas::point_at(const App& app, const Stage& stage, PanelId panel, const DrawnScene& drawn,
                           const scene::Id& id, bool may_say) {
  if (explains_itself(panel) || !app.results.have) return;
  if (const scene::Box* box = scene::find(drawn.scene, id); box != nullptr && app.navigation.pinned()) {
    const ImVec2 low = drawn.to_screen({box->rect.x, box->rect.y}),
                 high = drawn.to_screen({box->rect.x + box->rect.w, box->rect.y + box->rect.h});
    ImGui::GetWindowDrawList()->AddRect(low, high, to_im(views::with_alpha(stage.theme->text, 150)), stage.px(2), 0,
                                        stage.px(1));
  }
  if (!may_say) return;
  std::string words = views::tooltip_text(app.results.summary, app.results.moment, id);
  const auto& code = views::ptx_code(app.results.summary);
  if (id.kind == scene::Id::Kind::ptx_row && id.a >= 0 && id.a < static_cast<int>(code.size())) {
    words += "\n\n" + explained_text(app, code[static_cast<std::size_t>(id.a)].text);
    if (const std::string fma = views::contraction_words(code, id.a); !fma.empty()) words += "\n" + fma;
  }
  if (const std::string pinned = pinned_words(app, id); !pinned.empty()) words += (words.empty() ? "" : "; ") + pinned;
  tooltip(stage, words);
}

void SceneCanvas::reveal_now(Rectangle area, float scale) {
  const scene::Box* box = revealed_ ? scene::find(scene_, *revealed_) : nullptr;
  if (box == nullptr) return;
  const float top = box->rect.y * scale + pan_.y, bottom = top + box->rect.h * scale;
  // No further than to its ends: what fits whole stays whole.
  if (top < 0 || bottom > area.h)
    pan_.y = std::clamp(area.h / 3 - box->rect.y * scale, std::min(area.h - scene_.height * scale, 0.0f), 0.0f);
  revealed_.reset();
}

/// Never beyond its ends; a thumb at the right says that there is more.
void SceneCanvas::keep_page_in_place(const Stage& stage, Rectangle area, float scale) {
  const float w = scene_.width * scale, h = scene_.height * scale;
  pan_.x = std::clamp(pan_.x, std::min(area.w - w, 0.0f), 0.0f);
  pan_.y = std::clamp(pan_.y, std::min(area.h - h, 0.0f), 0.0f);
  if (h <= area.h + 1) return;
  const float x = area.x + area.w + stage.px(2), top = area.y - pan_.y / h * area.h;
  ImGui::GetWindowDrawList()->AddRectFilled({x, top}, {x + stage.px(3), top + area.h * area.h / h},
                                            to_im(stage.theme->border), stage.px(1.5f));
}

float SceneCanvas::spare(Rectangle area, float scale, const Options& options) const {
  return options.centered ? std::max(area.w - scene_.width * scale, 0.0f) / 2 : 0;
}

void SceneCanvas::navigate(App& app, const Stage& stage, PanelId panel, Rectangle area, float fit_scale,
                           const Options& options, bool active, Result& result) {
  const bool zooms = options.zooms;
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) || io.MouseWheel != 0) app.shell.active_panel = panel;
  if (!zooms) {
    result.wheel = io.MouseWheel;
    if (options.scrolls) pan_.y += io.MouseWheel * stage.px(60);
  } else if (io.MouseWheel != 0) {
    const float before = zoom_;
    zoom_ = std::clamp(zoom_ * std::pow(1.18f, io.MouseWheel), smallest_zoom, largest_zoom);
    const float spare_before = spare(area, fit_scale * before, options),
                spare_after = spare(area, fit_scale * zoom_, options);
    // The point under the cursor stays under it.
    const ImVec2 at{io.MousePos.x - area.x, io.MousePos.y - area.y};
    const float ratio = zoom_ / before;
    pan_.x = at.x - spare_after - (at.x - spare_before - pan_.x) * ratio;
    pan_.y = at.y - (at.y - pan_.y) * ratio;
  }
  if (zooms && !grabbed_ && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) fit();
  result.double_clicked = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  const bool drag = (zooms || options.scrolls) && active && !grabbed_ &&
                    (ImGui::IsMouseDragging(ImGuiMouseButton_Left, stage.px(4)) ||
                     ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 1));
  if (drag) {
    panning_ = true;
    pan_.x += io.MouseDelta.x;
    pan_.y += io.MouseDelta.y;
  }
  if (zooms && (panning_ || io.MouseWheel != 0)) {
    // Never out of sight.
    const float w = scene_.width * fit_scale * zoom_, h = scene_.height * fit_scale * zoom_, keep = stage.px(48);
    pan_.x = std::clamp(pan_.x, keep - w, area.w - keep);
    pan_.y = std::clamp(pan_.y, keep - h, area.h - keep);
  }
}

void apply_pointer(App& app, PanelId panel, const SceneCanvas::Result& result) {
  const std::string name(panel_name(panel));
  if (result.hit) {
    app.navigation.hovered = result.hit;
    app.navigation.hovered_scene = name;
  } else if (app.navigation.hovered_scene == name) {
    app.navigation.hovered.reset();
    app.navigation.hovered_scene.clear();
  }
  if (!result.clicked) return;
  app.navigation.select(
      views::select(app.results.summary, app.results.moment, *result.clicked, app.navigation.selection));
  if (ImGui::GetIO().KeyCtrl) run_command(app, "journey.pin");
}

}  // namespace lanescope::gui
