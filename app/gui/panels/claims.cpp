// Claims: what each function's registers hold, comment by comment, with the verdicts.

#include "app/gui/panels/panel.h"
#include "viz/views/registers/claim_states.h"

namespace lanescope::gui {
namespace {

class ClaimsPanel final : public Panel {
 public:
  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    const views::Selection& selection = app.navigation.selection;
    const std::string stamp = scene_stamp(app) + "|" + std::to_string(selection.line);
    const auto make = [&](float width) {
      return views::claim_states_view(app.results.summary, selection, {.width = width}, app.shell.theme());
    };
    apply_pointer(app, id(),
                  canvas_.draw(app, stage, id(), area, stamp, make,
                               {.zooms = false, .shrink_to_fit = false, .centered = false, .scrolls = true}));
  }

 private:
  SceneCanvas canvas_;
};

}  // namespace

std::unique_ptr<Panel> make_claims_panel() { return std::make_unique<ClaimsPanel>(); }

}  // namespace lanescope::gui
