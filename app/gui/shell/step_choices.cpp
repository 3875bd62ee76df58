#include <algorithm>

#include "app/gui/shell/overlay.h"
#include "kernels/base/numbers.h"
#include "viz/views/tooltips.h"

namespace lanescope::gui {
namespace {

constexpr std::size_t most_listed_steps = 200;

/// Becomes the search of the timeline, and moves there.
void search_for(App& app, const std::string& text) {
  app.search.text = text;
  if (const std::string words = app.search.go_on(); !words.empty()) app.shell.show_status(words);
}

}  // namespace

std::vector<Choice> step_choices(const App& app, const std::string& text) {
  std::vector<Choice> choices;
  if (text.empty()) {
    for (const std::string& example : example_queries(app.results.summary))
      choices.push_back({example, "example", {}, [example](App& a) { search_for(a, example); }});
    return choices;
  }
  const StepSearch::Found& found = app.search.find(text);
  if (!found.problem.empty()) {
    choices.push_back({found.problem, "", found.problem, [](App&) {}});
    return choices;
  }
  const std::string count = counted(found.steps.size(), "step") + (found.query.own_warp ? " of this warp" : "");
  choices.push_back({found.query.last ? "Go to the last one" : "Go to the next one", count, {}, [text](App& a) {
                       search_for(a, text);
                     }});
  const results::Summary& s = app.results.summary;
  // From here on: those that follow, or those before where the last one is requested; then the others.
  std::vector<std::uint32_t> steps = found.steps;
  const std::int64_t here = app.navigation.selection.step;
  const auto after =
      std::partition_point(steps.begin(), steps.end(), [&](std::uint32_t s) { return std::int64_t{s} <= here; });
  std::rotate(steps.begin(), after, steps.end());
  if (found.query.last) std::reverse(steps.begin(), steps.end());
  for (const std::uint32_t step : steps) {
    if (choices.size() > most_listed_steps) break;
    const std::string words = views::tooltip_text(
        s, app.results.moment, {.kind = scene::Id::Kind::timeline_step, .a = static_cast<int>(step)});
    const std::int64_t mark = app.results.index.mark_at(s, step);
    const int pc = mark < 0 ? -1 : s.timeline[static_cast<std::size_t>(mark)].pc;
    const bool known = pc >= 0 && static_cast<std::size_t>(pc) < s.code.size() &&
                       s.code[static_cast<std::size_t>(pc)].kind != trace::StepKind::probe;
    choices.push_back({words,
                       known ? std::string(results::opcode_of(s.code[static_cast<std::size_t>(pc)])) : "",
                       {},
                       [step, text](App& a) {
                         a.search.text = text;
                         a.navigation.playing = false;
                         a.navigation.go_to_step(step);
                       }});
  }
  return choices;
}

}  // namespace lanescope::gui
