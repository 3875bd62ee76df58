// Journey: the path of each element that is followed, and what moved it.

#include <algorithm>

#include <fmt/format.h>

#include "app/gui/panels/panel.h"
#include "app/gui/state/pins.h"
#include "kernels/base/numbers.h"
#include "viz/views/base/elements.h"
#include "viz/views/journey/journey.h"

namespace lanescope::gui {
namespace {

class JourneyPanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    const auto& pins = app.navigation.selection.pins;
    if (!app.results.have || pins.empty()) return {};
    if (pins.size() == 1) return views::element_text(app.results.summary, pins[0].first, pins[0].second);
    return counted(pins.size(), "element");
  }

  void choices(App& app, Stage&, HeaderRow& row) override {
    if (!app.results.have || app.navigation.selection.pins.empty()) return;
    if (row.icon("Next place", Icon::step_forward, hint_of("journey.next"), refusal_of_journey(app)))
      run_command(app, "journey.next");
    if (row.icon("Previous place", Icon::step_back, hint_of("journey.previous"), refusal_of_journey(app)))
      run_command(app, "journey.previous");
    if (const auto block = block_of_journey(app))
      if (row.action("Record its block", fmt::format("record block {}", *block), hint_of("journey.record")))
        run_command(app, "journey.record");
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    const std::string stamp = scene_stamp(app) + std::to_string(app.results.journeys_version) + app.shell.view.color_by;
    const views::JourneyOptions chosen = journey_options(app);
    const auto make = [&](float width) {
      views::JourneyOptions o = chosen;
      o.width = width;
      return views::journey_view(app.results.summary, app.results.journeys, app.navigation.selection, o,
                                 app.shell.theme());
    };
    SceneCanvas::Result result =
        canvas_.draw(app, stage, id(), area, stamp, make,
                     {.zooms = false, .shrink_to_fit = false, .centered = false, .scrolls = true});
    if (result.hit && !result.dragging && ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip))
      tooltip(stage, views::journey_tooltip(app.results.summary, app.results.journeys, *result.hit));
    if (!result.clicked) return;
    const auto n = static_cast<std::size_t>(std::max(result.clicked->a, 0));
    const bool elsewhere = result.clicked->kind == scene::Id::Kind::journey_row &&
                           n < app.results.journeys.all.size() && !app.results.journeys.all[n].blocks.empty();
    if (elsewhere)
      app.requests.record_block(app.results.journeys.all[n].blocks.front());
    else if (result.clicked->kind == scene::Id::Kind::journey_branch)
      next_arrival(app, result.clicked->a);
    else
      go_in_journey(app, *result.clicked);
  }

  std::string csv(const App& app) const override {
    return views::journey_csv(app.results.summary, app.results.journeys, journey_options(app));
  }

 private:
  SceneCanvas canvas_;
};

}  // namespace

std::unique_ptr<Panel> make_journey_panel() { return std::make_unique<JourneyPanel>(); }

}  // namespace lanescope::gui
