// Commands on measurements of a GPU.

#include "app/gui/commands/groups.h"

namespace lanescope::gui {
namespace {

std::string needs_rest(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  if (app.results.running) return "The kernel is running. Wait for its result.";
  return app.measurements.under_way ? std::string("A measurement is running. Wait for its result.") : std::string();
}

std::string needs_measurement(const App& app) {
  const results::Measured& m = app.measurements.last;
  return m.timing || !m.metrics.empty() ? std::string() : "There is no measurement yet. Measure on the GPU first.";
}

std::string needs_baseline(const App& app) {
  return app.measurements.baseline ? std::string() : "There is no baseline. Keep one first.";
}

std::string needs_variants(const App& app) {
  return app.measurements.variants.empty() ? "The comparison is empty." : std::string();
}

/// One part on its own: each is a process, and none waits for another.
engine::MeasureRequest only(bool engine::MeasureRequest::*part) {
  engine::MeasureRequest request{.timing = false, .counters = false};
  request.*part = true;
  return request;
}

}  // namespace

void add_measure_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Measure");
  group.add("measure.counters", "Measure on the GPU",
            "Measures the time and all predicted counters that the hardware has, for comparison with the prediction.",
            {"Ctrl+Shift+M"}, needs_rest, [](App& a) {
              a.shell.show_panel(PanelId::metrics);
              a.requests.measure({}, "time and counters");
            });
  group.add("measure.instructions", "Measure instructions",
            "Measures the executions of each machine instruction, and from them the counters of each line.", {},
            needs_rest, [](App& a) {
              a.shell.show_panel(PanelId::sass);
              a.requests.measure(only(&engine::MeasureRequest::instructions), "instructions");
            });
  group.add("measure.stalls", "Sample stalls", "Samples the stall reasons of each source line.", {}, needs_rest,
            [](App& a) {
              a.shell.show_panel(PanelId::stalls);
              a.requests.measure(only(&engine::MeasureRequest::stalls), "stalls");
            });
  group.add("measure.activity", "Record host calls", "Records launches and driver calls with their times.", {},
            needs_rest, [](App& a) {
              a.shell.show_panel(PanelId::host_calls);
              a.requests.measure(only(&engine::MeasureRequest::activity), "host calls");
            });
  group.add(
      "measure.stop", "Stop measuring", "Stops the current measurement.", {},
      [](const App& a) { return a.measurements.under_way ? std::string() : "No measurement is running."; },
      [](App& a) { a.requests.stop_measuring(); });
  group.add("measure.live", "Measure live",
            "Measures on the GPU after every change of the text or of a launch parameter. The same command stops it.",
            {}, needs_results, [](App& a) {
              a.shell.show_panel(PanelId::live);
              a.requests.measure_live(!a.measurements.live.on);
            });
  group.add(
      "measure.own_numbers", "Reset to the header's values", "Discards the changes in the live panel, and runs.", {},
      [](const App& a) { return a.settings.overrides.empty() ? "All values are those of the header." : std::string(); },
      [](App& a) {
        a.requests.take_back_overrides();
        a.requests.run();
      });
  group.add("measure.baseline", "Keep as baseline", "Keeps this measurement; later ones show their ratio to it.", {},
            needs_measurement, [](App& a) {
              a.measurements.keep_as_baseline();
              a.shell.show_status("This measurement is the baseline of the next ones.");
            });
  group.add("measure.no_baseline", "Remove the baseline", "Removes the baseline.", {}, needs_baseline, [](App& a) {
    a.measurements.baseline.reset();
    ++a.measurements.version;
  });
  group.add("measure.compare", "Add to comparison", "Adds the last measurement to the bars of the panel Compare.", {},
            needs_measurement, [](App& a) {
              a.measurements.add_variant();
              a.shell.show_panel(PanelId::compare);
            });
  group.add("measure.clear", "Clear the comparison", "Removes all variants from the comparison.", {}, needs_variants,
            [](App& a) {
              a.measurements.variants.clear();
              ++a.measurements.version;
            });
}

}  // namespace lanescope::gui
