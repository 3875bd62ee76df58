// Elements: which element is in which register of which lane, on the way from one end to the other; or the bit matrix.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/design/costs.h"
#include "app/gui/commands/command.h"
#include "app/gui/panels/design/design_panels.h"
#include "app/gui/widgets/items.h"
#include "kernels/base/enum_size.h"
#include "kernels/base/numbers.h"
#include "viz/views/layouts/layouts.h"
#include "viz/views/memory/banks.h"
#include "viz/views/memory/calculator.h"

namespace lanescope::gui {
namespace {

constexpr float scrub_row_px = 30;

class ElementsPanel final : public Panel {
 public:
  void choices(App& app, Stage& stage, HeaderRow& row) override {
    Designer& d = app.designer;
    if (!d.is_open()) return;
    constexpr const char* views[] = {"elements", "bit matrix", "shared memory"};
    drop_down(row, stage, "Elements view", "show", entry_for(views, d.view), hint_of("design.matrix"), [&] {
      for (int n = 0; n < 3; ++n) {
        const bool chosen = static_cast<int>(d.view) == n;
        const std::string refusal = n == 2 && !chosen ? refusal_of(app, *find_command("design.shared")) : std::string();
        if (menu_entry(stage, views[n], chosen, {}, refusal))
          d.view = static_cast<ElementsView>(n), d.playing = false, ++d.version;
      }
    });
    const int warps = warps_of(d);
    if (warps <= 1 || d.view == ElementsView::matrix) return;
    if (row.icon("Next design warp", Icon::right, "Shows the next warp",
                 d.warp + 1 < warps ? "" : "This is the last warp."))
      d.warp = std::min(d.warp + 1, warps - 1), ++d.version;
    row.words("warp " + std::to_string(std::min(d.warp, warps - 1)));
    if (row.icon("Previous design warp", Icon::left, "Shows the previous warp",
                 d.warp > 0 ? "" : "This is the first warp."))
      d.warp = std::max(d.warp - 1, 0), ++d.version;
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_layout(app, stage, area, id())) return;
    Designer& d = app.designer;
    if (d.view == ElementsView::matrix) return matrix(app, stage, area);
    if (d.view == ElementsView::shared) return shared(app, stage, area);
    const std::vector<design::State>& path = d.path();
    if (path.size() > 1) {
      scrub(app, stage, path, {area.x, area.y, area.w, stage.px(scrub_row_px)});
      area.y += stage.px(scrub_row_px);
      area.h = std::max(area.h - stage.px(scrub_row_px), 1.0f);
    }
    grid(app, stage, path, area);
  }

 private:
  static int warps_of(const Designer& d) {
    const auto& a = d.sheet().to.assignment;
    return a ? 1 << std::min(a->bits(layout::Place::warp), 5) : 1;
  }

  /// A bar along the states, and a button that plays them.
  void scrub(App& app, const Stage& stage, const std::vector<design::State>& path, Rectangle row) const {
    Designer& d = app.designer;
    const float y = row.y + row.h / 2;
    ButtonLook look{.icon = d.playing ? Icon::pause : Icon::play};
    if (button(stage, "Play moves", {row.x, y}, "", hint_of("design.play"), look)) run_command(app, "design.play");
    const float x0 = row.x + stage.px(40), end = static_cast<float>(path.size()) - 1;
    const std::size_t next = static_cast<std::size_t>(std::ceil(std::clamp(d.along, 0.0f, end)));
    const bool between = d.along > std::floor(d.along);
    const std::string words = between ? path[next].what : next == 0 ? path[0].what : "after: " + path[next].what;
    const float words_width = std::min(stage.px(190), row.w * 0.36f);
    const float x1 = row.x + row.w - words_width - stage.px(16);
    draw_text(stage, stage.fonts.small, {x1 + stage.px(14), y}, stage.theme->text_dim, words, TextAlign::left,
              words_width);
    if (x1 <= x0) return;
    ImGui::SetCursorScreenPos({x0 - stage.px(8), row.y});
    ImGui::InvisibleButton("Scrub", {x1 - x0 + stage.px(16), row.h});
    if (ImGui::IsItemActive()) {
      d.playing = false;
      d.along = std::clamp((ImGui::GetMousePos().x - x0) / (x1 - x0), 0.0f, 1.0f) * end;
      if (std::abs(d.along - std::round(d.along)) < 0.04f) d.along = std::round(d.along);
      ++d.version;
    }
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip))
      tooltip(stage, "Dragging moves the elements from before to after");
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddLine({x0, y}, {x1, y}, to_im(stage.theme->border), stage.px(3));
    const auto at = [&](float along) { return x0 + (x1 - x0) * along / end; };
    list.AddLine({x0, y}, {at(d.along), y}, to_im(stage.theme->accent), stage.px(3));
    for (std::size_t n = 0; n < path.size(); ++n)
      list.AddCircleFilled({at(static_cast<float>(n)), y}, stage.px(3.5f),
                           to_im(static_cast<float>(n) <= d.along ? stage.theme->accent : stage.theme->border));
    list.AddCircleFilled({at(d.along), y}, stage.px(6), to_im(stage.theme->accent));
  }

  void grid(App& app, Stage& stage, const std::vector<design::State>& path, Rectangle area) {
    Designer& d = app.designer;
    views::ElementsInput in;
    const float along = std::clamp(d.along, 0.0f, std::max(static_cast<float>(path.size()) - 1, 0.0f));
    const auto first = static_cast<std::size_t>(std::floor(along));
    if (!path.empty()) {
      in.before = &path[first].assignment;
      if (first + 1 < path.size() && along > std::floor(along)) {
        in.after = &path[first + 1].assignment;
        in.share = along - std::floor(along);
      }
    }
    in.warp = d.warp;
    if (in.before != nullptr) {
      design::MemoryOrder order = design::memory_order(path.front().assignment, d.sheet().design.memory);
      in.names = std::move(order.names);
      in.offsets = std::move(order.offsets);
    }
    if (const auto& chip = d.picked ? d.picked : d.focused) {
      const auto& a = d.sheet().side(static_cast<design::End>(chip->end)).assignment;
      if (a && chip->bit.index < a->bits(chip->bit.place)) {
        const layout::Term& term = (*a->row(chip->bit.place))[static_cast<std::size_t>(chip->bit.index)];
        if (term.names.size() == 1) in.lit = term.names.front();
      }
    }
    const std::string stamp =
        fmt::format("{} {} {} {}", d.version, app.shell.view.theme, in.lit, static_cast<int>(area.h / stage.scale));
    const float height = area.h / stage.scale;
    SceneCanvas::Result r = canvas_.draw(
        app, stage, id(), area, stamp,
        [&](float width) { return views::element_grid(in, width, height, app.shell.theme()); }, {.least_fit = 0.92f});
    say(stage, r);
  }

  /// The accesses of the plan to shared memory, one wavefront after the other.
  void shared(App& app, Stage& stage, Rectangle area) {
    Designer& d = app.designer;
    const std::vector<design::SharedAccess>& all = d.accesses();
    if (all.empty())
      return draw_state(stage, area, "The chosen plan does not pass through shared memory.",
                        "Choose one that does in the panel Plans, or show the elements.");
    int left = d.wavefront;
    std::size_t at = 0;
    for (; at + 1 < all.size() && left >= static_cast<int>(all[at].cost.wavefronts); ++at)
      left -= static_cast<int>(all[at].cost.wavefronts);
    const design::SharedAccess& a = all[at];
    std::uint64_t wavefronts = 0, conflicts = 0;
    for (const design::SharedAccess& one : all) wavefronts += one.cost.wavefronts, conflicts += one.cost.bank_conflicts;
    // The bar of the wavefronts.
    const Rectangle row{area.x, area.y, area.w, stage.px(scrub_row_px)};
    const float y = row.y + row.h / 2;
    ButtonLook look{.icon = d.playing ? Icon::pause : Icon::play};
    if (button(stage, "Play moves", {row.x, y}, "", hint_of("design.play"), look)) run_command(app, "design.play");
    const std::string words = fmt::format("{} {} of {} · wavefront {} of {}", a.access.reads() ? "load" : "store",
                                          a.number, a.count, left + 1, a.cost.wavefronts);
    const float words_width = std::min(text_width(stage.fonts.small, words) + stage.px(4), row.w * 0.5f);
    const float x0 = row.x + stage.px(40), x1 = row.x + row.w - words_width - stage.px(16);
    draw_text(stage, stage.fonts.small, {x1 + stage.px(14), y}, stage.theme->text_dim, words, TextAlign::left,
              words_width);
    const int last = std::max(static_cast<int>(wavefronts) - 1, 1);
    if (x1 > x0) {
      ImGui::SetCursorScreenPos({x0 - stage.px(8), row.y});
      ImGui::InvisibleButton("Scrub", {x1 - x0 + stage.px(16), row.h});
      if (ImGui::IsItemActive()) {
        d.playing = false;
        const float share = std::clamp((ImGui::GetMousePos().x - x0) / (x1 - x0), 0.0f, 1.0f);
        d.show_wavefront(static_cast<int>(std::round(share * static_cast<float>(last))));
      }
      if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) tooltip(stage, "Dragging passes through the wavefronts");
      ImDrawList& list = *ImGui::GetWindowDrawList();
      const float here = x0 + (x1 - x0) * static_cast<float>(d.wavefront) / static_cast<float>(last);
      list.AddLine({x0, y}, {x1, y}, to_im(stage.theme->border), stage.px(3));
      list.AddLine({x0, y}, {here, y}, to_im(stage.theme->accent), stage.px(3));
      list.AddCircleFilled({here, y}, stage.px(6), to_im(stage.theme->accent));
    }
    draw_text(stage, stage.fonts.small, {area.x + stage.px(4), row.y + row.h + stage.px(9)},
              conflicts == 0 ? stage.theme->good : stage.theme->warn,
              fmt::format("{} of this warp: {}, {}",
                          (all.size() == 1 ? std::string("1 access") : fmt::format("{} accesses", all.size())),
                          counted(wavefronts, "wavefront"),
                          conflicts == 0 ? std::string("no bank conflict") : counted(conflicts, "bank conflict")),
              TextAlign::left, area.w - stage.px(8));
    const float used = row.h + stage.px(20);
    area.y += used, area.h = std::max(area.h - used, 1.0f);
    results::AccessInfo info{a.access};
    info.cost = a.cost;
    const std::string stamp = fmt::format("shared {} {} {} {}", d.version, app.shell.view.theme, d.wavefront,
                                          static_cast<int>(area.h / stage.scale));
    const float height = area.h / stage.scale;
    SceneCanvas::Result r = shared_canvas_.draw(app, stage, id(), area, stamp,
                                                [&](float width) {
                                                  views::SharedOptions options;
                                                  options.width = width, options.height = height,
                                                  options.wavefront = left, options.controlled = true;
                                                  return views::banks_view(info, {}, options, app.shell.theme());
                                                },
                                                {.least_fit = 0.92f});
    say(stage, r);
  }

  void matrix(App& app, Stage& stage, Rectangle area) {
    const design::Study* s = app.designer.study();
    if (s == nullptr || !s->planned)
      return draw_state(stage, area, "There is no bit matrix.", "It is that of a conversion which can be planned.");
    const std::string stamp = fmt::format("matrix {} {}", app.designer.version, app.shell.view.theme);
    SceneCanvas::Result r = matrix_canvas_.draw(
        app, stage, id(), area, stamp,
        [&](float width) {
          design::Matrix m = design::matrix_of(*s->planned);
          return views::bit_matrix({std::move(m.rows), std::move(m.columns), std::move(m.ones), std::move(m.remarks)},
                                   width, app.shell.theme());
        },
        {});
    say(stage, r);
  }

  static void say(const Stage& stage, const SceneCanvas::Result& r) {
    if (!r.hit || !r.hovered || !ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) return;
    const auto drawn = stage.scenes.find("elements");
    if (drawn == stage.scenes.end()) return;
    for (const scene::Fact& f : drawn->second.scene.facts)
      if (f.id == *r.hit) return tooltip(stage, f.text);
  }

  SceneCanvas canvas_, matrix_canvas_, shared_canvas_;
};

}  // namespace

std::unique_ptr<Panel> make_elements_panel() { return std::make_unique<ElementsPanel>(); }

}  // namespace lanescope::gui
