// Commands on measurements of a GPU.

#include "app/gui/commands/groups.h"

namespace lanescope::gui {
namespace {

std::string needs_rest(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  if (app.results.running) return "The kernel is running; wait for its result.";
  return app.measurements.under_way ? std::string("A measurement is under way; wait for it.") : std::string();
}

std::string needs_measurement(const App& app) {
  const results::Measured& m = app.measurements.last;
  return m.timing || !m.metrics.empty() ? std::string() : "Nothing has been measured yet; measure on the GPU first.";
}

std::string needs_baseline(const App& app) {
  return app.measurements.baseline ? std::string() : "There is no baseline; keep one first.";
}

std::string needs_variants(const App& app) {
  return app.measurements.variants.empty() ? "The comparison is empty already." : std::string();
}

/// One part on its own: each is a process, and none waits for another.
engine::MeasureRequest only(bool engine::MeasureRequest::*part) {
  engine::MeasureRequest request{.timing = false, .counters = false};
  request.*part = true;
  return request;
}

}  // namespace

void add_measure_commands(std::vector<Command>& all) {
  const std::string g = "Measure";
  const auto add = [&](const char* id, const char* title, const char* description, std::function<void(App&)> run,
                       std::function<std::string(const App&)> refusal, std::vector<Chord> keys = {}) {
    all.push_back({id, g, title, description, std::move(keys), false, std::move(run), std::move(refusal)});
  };
  add(
      "measure.counters", "Measure on the GPU",
      "Time, and every predicted counter that the hardware has, beside the prediction.",
      [](App& a) {
        a.shell.show_panel(PanelId::metrics);
        a.requests.measure({}, "time and counters");
      },
      needs_rest, chords({"Ctrl+Shift+M"}));
  add(
      "measure.instructions", "Measure instructions",
      "How often each machine instruction ran, and so the counters of each line.",
      [](App& a) {
        a.shell.show_panel(PanelId::sass);
        a.requests.measure(only(&engine::MeasureRequest::instructions), "instructions");
      },
      needs_rest);
  add(
      "measure.stalls", "Sample stalls", "Where warps wait and for what, line by line.",
      [](App& a) {
        a.shell.show_panel(PanelId::stalls);
        a.requests.measure(only(&engine::MeasureRequest::stalls), "stalls");
      },
      needs_rest);
  add(
      "measure.activity", "Record host calls", "Launches and calls of the driver, with their times.",
      [](App& a) {
        a.shell.show_panel(PanelId::host_calls);
        a.requests.measure(only(&engine::MeasureRequest::activity), "host calls");
      },
      needs_rest);
  add(
      "measure.stop", "Stop measuring", "Ends the measurement that is under way.",
      [](App& a) { a.requests.stop_measuring(); },
      [](const App& a) { return a.measurements.under_way ? std::string() : "Nothing is being measured."; });
  add(
      "measure.live", "Measure live",
      "Launches and counts on the GPU whenever the text or a number of the kernel changes; again stops it.",
      [](App& a) {
        a.shell.show_panel(PanelId::live);
        a.requests.measure_live(!a.measurements.live.on);
      },
      needs_results);
  add(
      "measure.own_numbers", "The header's own numbers", "Takes back what was moved in the live panel, and runs.",
      [](App& a) {
        a.requests.take_back_overrides();
        a.requests.run();
      },
      [](const App& a) { return a.settings.overrides.empty() ? "Every number is the header's own." : std::string(); });
  add(
      "measure.baseline", "Keep as baseline", "Later measurements say how far they are from this one.",
      [](App& a) {
        a.measurements.keep_as_baseline();
        a.shell.remark("Kept: the next measurements are compared with this one.");
      },
      needs_measurement);
  add(
      "measure.no_baseline", "Forget the baseline", "Measurements stand alone again.",
      [](App& a) {
        a.measurements.baseline.reset();
        ++a.measurements.version;
      },
      needs_baseline);
  add(
      "measure.compare", "Add to comparison", "Puts the last measurement beside others, as bars.",
      [](App& a) {
        a.measurements.add_variant();
        a.shell.show_panel(PanelId::compare);
      },
      needs_measurement);
  add(
      "measure.clear", "Clear the comparison", "Takes every variant out.",
      [](App& a) {
        a.measurements.variants.clear();
        ++a.measurements.version;
      },
      needs_variants);
}

}  // namespace lanescope::gui
