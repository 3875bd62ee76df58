// Barriers: which warps wait after the current step, at which barrier, and for which warps.

#include "app/gui/panels/panel.h"
#include "viz/views/costs/warps.h"

namespace lanescope::gui {
namespace {

class BarriersPanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    if (!app.results.have || app.results.summary.timeline.empty()) return {};
    const results::Summary& s = app.results.summary;
    return views::barriers_words(s, views::barrier_rows(s, app.results.index, app.navigation.shown().step));
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    const results::StepIndex& index = app.results.index;
    const views::Selection shown = app.navigation.shown();
    const std::string stamp = scene_stamp(app) + std::to_string(index.marks());
    const auto make = [&](float width) {
      return views::barriers_view(app.results.summary, index, shown, {.width = width}, app.shell.theme());
    };
    apply_pointer(
        app, id(),
        canvas_.draw(app, stage, id(), area, stamp, make,
                     {.zooms = false, .shrink_to_fit = false, .centered = false, .grabs = {}, .scrolls = true}));
  }

  std::string csv(const App& app) const override {
    return app.results.have ? views::barriers_csv(app.results.summary, app.navigation.shown().step) : std::string();
  }

 private:
  SceneCanvas canvas_;
};

}  // namespace

std::unique_ptr<Panel> make_barriers_panel() { return std::make_unique<BarriersPanel>(); }

}  // namespace lanescope::gui
