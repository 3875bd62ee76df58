// Panels of what a GPU measured: metrics, stalls, comparison, host calls and machine code. Where there is no GPU they say
// why and what to do.

#include <algorithm>

#include "app/engine/summary/conclusion_of.h"
#include "app/gui/panels/panel.h"
#include "app/gui/state/glossary.h"
#include "app/gui/widgets/control_strip.h"
#include "kernels/base/numbers.h"
#include "kernels/base/text.h"
#include "viz/views/measured/measured.h"
#include "viz/views/tooltips.h"

namespace lanescope::gui {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  const std::vector<std::string_view> lines = split_lines(text);
  return {lines.begin(), lines.end()};
}

/// A strip of commands and choices above a scene that scrolls.
class MeasuredPanel : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    if (app.measurements.under_way) return "measuring " + app.measurements.what + "…";
    return app.measurements.last.device;
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    const float inset = stage.px(6);
    ControlStrip strip(stage, {area.x + inset, area.y, area.w - inset, 0});
    if (app.measurements.under_way) press(app, strip, "measure.stop", "Stop measuring");
    controls(app, strip);
    menus(app, stage);
    const float used = strip.bottom() - area.y + stage.px(4);
    const Rectangle rest{area.x, area.y + used, area.w, std::max(area.h - used, 1.0f)};
    height_ = rest.h / stage.scale;
    const auto make = [&](float width) { return scene(app, width); };
    const SceneCanvas::Result result =
        canvas_.draw(app, stage, id(), rest, stamp(app), make,
                     {.zooms = false, .shrink_to_fit = false, .centered = false, .scrolls = is_page()});
    if (result.wheel != 0) turn(app, result.wheel);
    if (result.clicked) {
      const views::Selection next =
          views::select(app.results.summary, app.results.moment, *result.clicked, app.navigation.selection);
      if (next.line != app.navigation.selection.line) {
        clicked_line_ = next.line;
        app.navigation.reveal_line = next.line;
        app.navigation.go_to_line(next.line);
      }
    }
    if (result.hit && !result.dragging && ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip))
      tooltip(stage, fact(app, *result.hit));
  }

 protected:
  static const Measurements& of(const App& app) { return app.measurements; }
  static std::string note(const App& app) { return app.measurements.stale_words(app.document.text()); }
  static void press(App& app, ControlStrip& strip, const char* command, const std::string& words) {
    const Command& c = *find_command(command);
    if (strip.press(c.title.c_str(), words, hint_of(command), refusal_of(app, c))) run_command(app, command);
  }
  /// A button that is on or off: its words say which.
  static void toggle(App& app, ControlStrip& strip, const char* id, bool& value, const char* on, const char* off,
                     const char* hint) {
    if (!strip.press(id, value ? on : off, hint)) return;
    value = !value;
    ++app.measurements.version;
  }

  virtual void controls(App& app, ControlStrip& strip) = 0;
  virtual void menus(App&, const Stage&) {}  ///< that the controls open
  virtual scene::Scene scene(const App& app, float width) = 0;
  /// A page goes up and down under the wheel; what is none turns itself.
  virtual bool is_page() const { return true; }
  virtual void turn(const App&, float /*notches*/) {}
  virtual std::string fact(const App&, const scene::Id&) const { return {}; }
  virtual std::string stamp(const App& app) {
    const views::Selection shown = app.navigation.shown();
    return app.shell.view.theme + "|" + std::to_string(of(app).version) + "|" + std::to_string(app.results.version) +
           "|" + std::to_string(shown.line) + "|" + note(app);
  }

  float height_ = 0;      ///< of the scene's room, at scale 1
  int clicked_line_ = 0;  ///< the line that was chosen here last

 private:
  SceneCanvas canvas_;
};

class MetricsPanel final : public MeasuredPanel {
 public:
  std::string csv(const App& app) const override {
    return unmeasured(app) ? views::metrics_csv(views::predictions(app.results.summary), nullptr)
                           : views::metrics_csv(of(app).last, baseline(app));
  }

 private:
  static const results::Measured* baseline(const App& app) {
    return app.measurements.baseline ? &*app.measurements.baseline : nullptr;
  }

  void controls(App& app, ControlStrip& strip) override {
    press(app, strip, "measure.counters", "Measure on the GPU");
    press(app, strip, "measure.instructions", "Measure lines");
    press(app, strip, of(app).baseline ? "measure.no_baseline" : "measure.baseline",
          of(app).baseline ? "Remove the baseline" : "Keep as baseline");
    press(app, strip, "measure.compare", "Add to comparison");
    Measurements& m = app.measurements;
    toggle(app, strip, "Whole run or line", m.line_only, "line", "whole run",
           "Selects the whole run or the current source line");
    toggle(app, strip, "All or differences", m.only_differences, "differences", "all counters",
           "Selects all counters, or only those that differ from the prediction");
    if (strip.field("Filter", "filter", m.filter, 150, "Part of a counter's name, legacy name or group")) ++m.version;
  }

  scene::Scene scene(const App& app, float width) override {
    const views::Selection shown = app.navigation.shown();
    const views::MetricsOptions options{.width = width,
                                        .line = of(app).line_only ? std::max(shown.line, 1) : 0,
                                        .filter = of(app).filter,
                                        .only_differences = of(app).only_differences,
                                        .conclusion = conclusion(app),
                                        .note = note(app),
                                        .lines = app.results.summary.lines};
    if (!unmeasured(app)) return views::metrics_view(of(app).last, baseline(app), shown, options, app.shell.theme());
    views::MetricsOptions predicted = options;
    predicted.note = "Counters: not measured. Predicted values of the run in the emulator, loads and stores together:";
    results::Measured all = views::predictions(app.results.summary);
    all.refused = of(app).last.refused;
    return views::metrics_view(all, nullptr, shown, predicted, app.shell.theme());
  }

  /// There is nothing of a GPU to show, and no launch of it failed.
  static bool unmeasured(const App& app) {
    const results::Measured& m = of(app).last;
    return m.metrics.empty() && !m.timing && m.fault.empty();
  }

  /// Of the text that was measured, for the whole run.
  static std::string conclusion(const App& app) {
    if (unmeasured(app) || of(app).line_only || of(app).text != app.results.text) return {};
    return conclusion::paragraph(engine::conclusion_of(app.results.summary, of(app).last));
  }

  std::string fact(const App& app, const scene::Id& id) const override {
    if (id.kind == scene::Id::Kind::time_bin && of(app).last.timing)
      return views::time_tooltip(*of(app).last.timing, id);
    return views::metric_tooltip(unmeasured(app) ? views::predictions(app.results.summary) : of(app).last, id);
  }
};

class StallsPanel final : public MeasuredPanel {
 public:
  std::string csv(const App& app) const override { return views::stalls_csv(of(app).last); }

 private:
  void controls(App& app, ControlStrip& strip) override { press(app, strip, "measure.stalls", "Sample stalls"); }
  scene::Scene scene(const App& app, float width) override {
    return views::stalls_view(of(app).last, lines_of(of(app).text), app.navigation.shown(),
                              {.width = width, .note = note(app)}, app.shell.theme());
  }
  std::string fact(const App& app, const scene::Id& id) const override {
    return views::stall_tooltip(of(app).last, id);
  }
};

class ComparePanel final : public MeasuredPanel {
 public:
  std::string subtitle(const App& app) const override {
    const std::size_t n = of(app).variants.size();
    return n == 0 ? "" : counted(n, "variant");
  }
  std::string csv(const App& app) const override {
    return views::compare_csv(of(app).variants, {.counters = app.shell.view.compare_counters});
  }

 private:
  void controls(App& app, ControlStrip& strip) override {
    press(app, strip, "measure.counters", "Measure on the GPU");
    press(app, strip, "measure.compare", "Add to comparison");
    press(app, strip, "measure.clear", "Clear");
    if (strip.press("Counters", "Counters…", "Selects the counters",
                    of(app).variants.empty()
                        ? "The comparison is empty. Measure, and add the measurement to the comparison."
                        : ""))
      ImGui::OpenPopup(CounterChoice::id);
  }
  void menus(App& app, const Stage& stage) override { choice_.draw(app, stage); }
  std::string stamp(const App& app) override {
    std::string text = MeasuredPanel::stamp(app) + "|";
    if (!app.shell.view.compare_counters) return text + "usual";
    for (const std::string& name : *app.shell.view.compare_counters) text += name + " ";
    return text;
  }
  scene::Scene scene(const App& app, float width) override {
    return views::compare_view(of(app).variants, {.width = width, .counters = app.shell.view.compare_counters},
                               app.shell.theme());
  }

  CounterChoice choice_;
};

class HostCallsPanel final : public MeasuredPanel {
 public:
  std::string csv(const App& app) const override { return views::host_calls_csv(of(app).last); }

 private:
  void controls(App& app, ControlStrip& strip) override { press(app, strip, "measure.activity", "Record host calls"); }
  scene::Scene scene(const App& app, float width) override {
    return views::host_calls_view(of(app).last, {.width = width, .note = note(app)}, app.shell.theme());
  }
  std::string fact(const App& app, const scene::Id& id) const override {
    return views::host_call_tooltip(of(app).last, id);
  }
};

/// Long code: a part of it, around the selected line until the wheel turns it. Of a GPU with its counts where it was
/// measured, else as it was assembled.
class SassPanel final : public MeasuredPanel {
 public:
  std::string subtitle(const App& app) const override {
    if (app.measurements.under_way || counted(app)) return MeasuredPanel::subtitle(app);
    return app.results.code.sass.empty() ? "" : "assembled for " + app.results.code.arch;
  }
  std::string csv(const App& app) const override { return views::sass_csv(shown(app), counted(app)); }

 private:
  // Of sass_view: a row of an instruction or of a source line, and what stands above and below them.
  static constexpr float row_px = 19, frame_px = 120;

  static bool counted(const App& app) { return !of(app).last.sass.empty(); }
  static const results::Measured& shown(const App& app) { return counted(app) ? of(app).last : app.results.code; }
  static const std::string& text(const App& app) { return counted(app) ? of(app).text : app.results.text; }
  static std::uint64_t version(const App& app) { return of(app).version + app.results.code_version; }

  void controls(App& app, ControlStrip& strip) override {
    press(app, strip, "measure.instructions", "Measure instructions");
    if (counted(app))
      toggle(app, strip, "Warps or threads", app.measurements.threads, "thread instructions", "warp instructions",
             "Selects the counter beside each instruction");
    else
      app.requests.request_machine_code();
  }
  bool is_page() const override { return of_code_ == 0; }
  void turn(const App&, float notches) override { first_ = std::max(first_ - static_cast<int>(notches * 3), 0); }

  std::string stamp(const App& app) override {
    of_code_ = static_cast<int>(shown(app).sass.size());
    follow(app);
    rows_ = rows_from(app, first_);
    while (first_ > 0 && first_ + rows_ >= of_code_ && first_ - 1 + rows_from(app, first_ - 1) >= of_code_)
      rows_ = rows_from(app, --first_);
    return MeasuredPanel::stamp(app) + "|" + std::to_string(first_) + "|" + std::to_string(rows_) + "|" +
           std::to_string(app.results.code_version);
  }

  /// Another line was selected elsewhere: its first instruction comes into sight.
  void follow(const App& app) {
    const int line = app.navigation.selection.line, row = views::sass_row_of(shown(app), line);
    if (line == line_ && version_ == version(app)) return;
    const bool here = line == clicked_line_;
    line_ = line, version_ = version(app);
    if (row >= 0 && !here && (row < first_ || row >= first_ + rows_)) first_ = std::max(row - rows_ / 3, 0);
    first_ = std::clamp(first_, 0, std::max(of_code_ - 1, 0));
  }

  /// How many fit below each other, source lines between them included.
  int rows_from(const App& app, int first) const {
    const auto& code = shown(app).sass;
    float left = height_ - frame_px;
    int rows = 0;
    for (std::size_t n = static_cast<std::size_t>(std::max(first, 0)); n < code.size(); ++n, ++rows) {
      left -= row_px * (rows == 0 || code[n].line != code[n - 1].line ? 2 : 1);
      if (left < 0) break;
    }
    return std::max(rows, 1);
  }

  scene::Scene scene(const App& app, float width) override {
    return views::sass_view(shown(app), lines_of(text(app)), app.navigation.shown(),
                            {.width = width,
                             .first = first_,
                             .most_rows = rows_,
                             .threads = of(app).threads,
                             .counted = counted(app),
                             .note = counted(app) ? note(app) : ""},
                            app.shell.theme());
  }
  std::string fact(const App& app, const scene::Id& id) const override {
    const std::string words = views::sass_tooltip(shown(app), id, counted(app));
    const auto& rows = shown(app).sass;
    const bool known = id.kind == scene::Id::Kind::sass_row && id.a >= 0 && id.a < static_cast<int>(rows.size());
    if (!known || rows[static_cast<std::size_t>(id.a)].text.empty()) return words;
    return words + "\n\n" + explained_text(app, rows[static_cast<std::size_t>(id.a)].text);
  }

  int first_ = 0, rows_ = 1, line_ = -1, of_code_ = 0;
  std::uint64_t version_ = 0;
};

}  // namespace

std::unique_ptr<Panel> make_metrics_panel() { return std::make_unique<MetricsPanel>(); }
std::unique_ptr<Panel> make_stalls_panel() { return std::make_unique<StallsPanel>(); }
std::unique_ptr<Panel> make_compare_panel() { return std::make_unique<ComparePanel>(); }
std::unique_ptr<Panel> make_host_calls_panel() { return std::make_unique<HostCallsPanel>(); }
std::unique_ptr<Panel> make_sass_panel() { return std::make_unique<SassPanel>(); }

}  // namespace lanescope::gui
