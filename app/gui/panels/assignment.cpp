// The assignment of the registers on screen: what the comment claims and what is really there.

#include "viz/views/registers/assignment.h"
#include "app/gui/panels/panel.h"
#include "app/gui/panels/scene_canvas.h"
#include "viz/views/base/selection.h"

namespace lanescope::gui {
namespace {

class AssignmentPanel final : public Panel {
 public:
  PanelId id() const override { return PanelId::assignment; }

  std::string title(const App& app) const override {
    const int family = app.results.moment.assignment_family;
    const auto& families = app.results.summary.families;
    return family >= 0 && family < static_cast<int>(families.size()) ? "Assignment of " + families[family].name
                                                                     : "Assignment";
  }

  void choices(App& app, Stage&, HeaderRow& row) override {
    if (!app.results.have || app.results.moment.assignment_family < 0) return;
    std::string text;
    if (app.results.moment.real && app.results.moment.line > 0)
      text = "actual at " + app.results.lines.words(app.results.moment.line);
    if (app.results.moment.claimed)
      text += text.empty() ? "claimed at " + app.results.lines.words(app.results.moment.claimed_line)
                           : ", claimed at " + app.results.lines.number(app.results.moment.claimed_line);
    row.words(text);
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    const views::Selection shown = app.navigation.shown();
    const std::string stamp = scene_stamp(app) + "|" + std::to_string(static_cast<int>(area.h / stage.scale));
    const auto make = [&](float width) {
      views::AssignmentOptions o;
      o.width = width;
      o.height = area.h / stage.scale;
      return views::assignment_view(app.results.summary, app.results.moment, shown, o, app.shell.theme());
    };
    apply_pointer(app, id(), canvas_.draw(app, stage, id(), area, stamp, make, {.centered = false}));
  }

 private:
  SceneCanvas canvas_;
};

}  // namespace

std::unique_ptr<Panel> make_assignment_panel() { return std::make_unique<AssignmentPanel>(); }

}  // namespace lanescope::gui
