// Contents of buffers before and after the run, and where a GPU left something else.

#include <algorithm>

#include "app/gui/panels/panel.h"
#include "app/gui/state/buffer_pages.h"
#include "app/gui/state/pins.h"
#include "app/gui/widgets/control_strip.h"
#include "kernels/base/numbers.h"
#include "kernels/base/text.h"
#include "viz/views/buffers/buffers.h"

namespace lanescope::gui {
namespace {

class BuffersPanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    if (app.measurements.under_way) return "measuring " + app.measurements.what + "…";
    const results::Contents& c = app.results.contents;
    if (!app.results.have || c.buffer < 0 || c.count == 0) return {};
    return c.name + " · " + c.element_type + " · elements " + spaced(c.first) + " to " + spaced(c.first + c.count - 1) +
           " of " + spaced(c.elements);
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    app.requests.request_contents();
    const float inset = stage.px(6);
    ControlStrip strip(stage, {area.x + inset, area.y, area.w - inset, 0});
    controls(app, stage, strip);
    const float used = strip.bottom() - area.y + stage.px(4);
    const Rectangle rest{area.x, area.y + used, area.w, std::max(area.h - used, 1.0f)};
    const std::string note = app.measurements.stale_words(app.document.text());
    const std::string stamp = scene_stamp(app) + "|" + std::to_string(app.results.contents_version) + "|" +
                              std::to_string(app.measurements.version) + "|" + note;
    const auto make = [&](float width) {
      return views::buffers_view(app.results.summary, app.results.moment, app.results.contents, app.measurements.last,
                                 app.navigation.shown(), {.width = width, .note = note, .pinned = pinned_now(app)},
                                 app.shell.theme());
    };
    follow(app);
    const SceneCanvas::Result result =
        canvas_.draw(app, stage, id(), rest, stamp, make,
                     {.zooms = false, .shrink_to_fit = false, .centered = false, .scrolls = true});
    apply_pointer(app, id(), result);
    if (result.clicked && result.clicked->kind == scene::Id::Kind::buffer_row) show_row(app, result.clicked->a);
    if (result.hit && !result.dragging && ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip))
      tooltip(stage, words_at(app, *result.hit));
  }

  std::string csv(const App& app) const override {
    return views::buffers_csv(app.results.summary, app.results.contents);
  }

 private:
  static std::string words_at(const App& app, const scene::Id& id) {
    std::string words = views::buffers_tooltip(app.results.summary, app.results.contents, app.measurements.last, id);
    const std::string pinned = pinned_words(app, id);
    return pinned.empty() || words.empty() ? words + pinned : words + "; " + pinned;
  }
  static bool press(App& app, ControlStrip& strip, const char* command) {
    const Command& c = *find_command(command);
    return strip.press(c.title.c_str(), c.title, hint_of(command), refusal_of(app, c)) && run_command(app, command);
  }
  static void turn(App& app, ControlStrip& strip, const char* command, Icon icon) {
    const Command& c = *find_command(command);
    if (strip.icon(c.title.c_str(), icon, hint_of(command), refusal_of(app, c))) run_command(app, command);
  }

  void controls(App& app, Stage& stage, ControlStrip& strip) {
    const auto& buffers = app.results.summary.buffers;
    const int here = app.results.contents.buffer;
    if (here >= 0 && here < static_cast<int>(buffers.size())) {
      drop_down(strip, stage, "Shown buffer", "buffer", buffers[static_cast<std::size_t>(here)].name,
                "Selects the buffer", [&] {
                  for (int i = 0; i < static_cast<int>(buffers.size()); ++i)
                    if (menu_entry(stage, buffers[static_cast<std::size_t>(i)].name.c_str(), here == i))
                      app.shell.show_contents(i, 0);
                });
      turn(app, strip, "buffers.previous_page", Icon::left);
      turn(app, strip, "buffers.next_page", Icon::right);
      if (strip.field("Element", "element", element_, 80, "Number of the element to show")) go_to_typed(app);
    }
    if (press(app, strip, "buffers.first_difference")) followed_.reset();  // again, though it is selected already
    press(app, strip, "buffers.compare");
    if (app.measurements.under_way) press(app, strip, "measure.stop");
  }

  /// An element that was selected elsewhere, or gone to, comes into sight once it is here.
  void follow(const App& app) {
    const auto& element = app.navigation.selection.element;
    if (element == followed_) return;
    const results::Contents& c = app.results.contents;
    const bool here =
        element && element->first == c.buffer && element->second >= c.first && element->second < c.first + c.count;
    const bool on_its_way = element && (element->first == app.shell.view.contents_buffer || element->first == c.buffer);
    if (!here && on_its_way) return;  // or its page was turned over, and may be turned back
    followed_ = element;
    if (!here) return;
    canvas_.reveal(
        {.kind = scene::Id::Kind::buffer_element, .a = element->first, .b = static_cast<int>(element->second)});
  }

  void go_to_typed(App& app) {
    const bool digits = !element_.empty() && element_.size() < 10 && without_trailing_digits(element_).empty();
    const std::uint64_t element = digits ? std::stoull(element_) : app.results.contents.elements;
    if (element < app.results.contents.elements) return go_to_element(app, app.results.contents.buffer, element);
    app.shell.show_status(app.results.contents.name + " has the elements 0 to " +
                          std::to_string(std::max<std::uint64_t>(app.results.contents.elements, 1) - 1) + ".");
  }

  /// A row of the comparison: its buffer, where it differs, or from the start.
  static void show_row(App& app, int row) {
    const int buffer = views::buffer_of_row(app.results.summary, app.measurements.last, row);
    if (buffer < 0) return app.shell.show_status("This kernel has no buffer of that name. Measure again.");
    const results::BufferComparison& b = app.measurements.last.buffers[static_cast<std::size_t>(row)];
    if (b.different > 0)
      go_to_element(app, buffer, b.first);
    else
      app.shell.show_contents(buffer, 0);
  }

  SceneCanvas canvas_;
  std::string element_;
  std::optional<std::pair<int, std::uint64_t>> followed_;
};

}  // namespace

std::unique_ptr<Panel> make_buffers_panel() { return std::make_unique<BuffersPanel>(); }

}  // namespace lanescope::gui
