// The assignment of the registers on screen: what the comment claims and what is really there.

#include "app/gui/panels/panel.h"
#include "kernels/source/offsets/pointer_offsets.h"
#include "viz/views/base/selection.h"
#include "viz/views/offsets/offsets.h"
#include "viz/views/registers/registers.h"

namespace lanescope::gui {
namespace {

class AssignmentPanel final : public Panel {
 public:
  std::string title(const App& app) const override {
    if (app.results.have && shown_offset(app)) return "Pointer offset";
    const int family = app.results.moment.assignment_family;
    const auto& families = app.results.summary.families;
    return family >= 0 && family < static_cast<int>(families.size()) ? "Assignment of " + families[family].name
                                                                     : "Assignment";
  }

  void choices(App& app, Stage&, HeaderRow& row) override {
    if (!app.results.have || app.results.moment.assignment_family < 0 || shown_offset(app)) return;
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
    if (const auto offset = shown_offset(app)) return draw_offset(app, stage, area, *offset);
    const views::Selection shown = app.navigation.shown();
    const std::string stamp = scene_stamp(app) + "|" + std::to_string(static_cast<int>(area.h / stage.scale));
    const auto make = [&](float width) {
      views::AssignmentOptions o{.width = width, .height = area.h / stage.scale};
      return views::assignment_view(app.results.summary, app.results.moment, shown, o, app.shell.theme());
    };
    apply_pointer(app, id(), canvas_.draw(app, stage, id(), area, stamp, make, {.centered = false}));
  }

 private:
  struct Shown {
    const source::PointerOffsets* offsets;
    std::size_t step;
  };

  /// The pointer offset at the selected line, of the text that ran last.
  std::optional<Shown> shown_offset(const App& app) const {
    if (read_ != app.results.version) {
      read_ = app.results.version;
      offsets_.clear();
      if (may_have_offsets(app.results.text)) offsets_ = offsets_of(app);
    }
    for (const source::PointerOffsets& o : offsets_)
      if (const int step = source::step_at_line(o, app.navigation.selection.line); step >= 0)
        return Shown{&o, static_cast<std::size_t>(step)};
    return std::nullopt;
  }

  static bool may_have_offsets(const std::string& text) {
    return text.find("before") != std::string::npos || text.find("process") != std::string::npos;
  }

  static std::vector<source::PointerOffsets> offsets_of(const App& app) {
    const auto source = source::read(app.document.file(), app.results.text, {.watch_probes = false});
    if (!source) return {};
    for (const source::LaunchSpec& launch : source->header.launches)
      if (launch.kernel == app.results.summary.kernel) return source::pointer_offsets(*source, launch);
    return {};
  }

  void draw_offset(App& app, Stage& stage, Rectangle area, const Shown& shown) {
    const source::ThreadAt thread{.block = app.results.moment.block, .warp = app.results.moment.warp, .lane = 0};
    const std::string stamp = scene_stamp(app) + "|offset " + std::to_string(shown.step) + shown.offsets->root +
                              std::to_string(static_cast<int>(area.h / stage.scale));
    const auto make = [&](float width) {
      const views::OffsetsOptions options{.width = width, .height = area.h / stage.scale, .thread = thread};
      return views::offsets_view(*shown.offsets, shown.step, options, app.shell.theme());
    };
    apply_pointer(app, id(), canvas_.draw(app, stage, id(), area, stamp, make, {.centered = false}));
  }

  SceneCanvas canvas_;
  mutable std::uint64_t read_ = ~std::uint64_t{0};  ///< Results::summary_version of `offsets_`
  mutable std::vector<source::PointerOffsets> offsets_;
};

}  // namespace

std::unique_ptr<Panel> make_assignment_panel() { return std::make_unique<AssignmentPanel>(); }

}  // namespace lanescope::gui
