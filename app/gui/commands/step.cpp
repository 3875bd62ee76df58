// Commands that go somewhere: steps, lines, warps, claims.

#include <algorithm>

#include "app/gui/commands/groups.h"
#include "app/gui/model/steps.h"
#include "results/step_index.h"

namespace lanescope::gui {
namespace {

std::string needs_claims(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return app.results.summary.claims.empty() ? "This kernel has no assignment comment. Write one first." : "";
}

void step_to(App& app, std::int64_t step, const char* otherwise) {
  app.navigation.playing = false;
  if (step < 0) return app.shell.show_status(otherwise);
  app.navigation.go_to_step(step);
}

void change_warp(App& app, int by) {
  const results::Summary& s = app.results.summary;
  const int warp = app.navigation.selection.warp + by;
  if (warp < 0 || warp >= static_cast<int>(s.warps))
    return app.shell.show_status("There is no further warp in this direction.");
  // The same instruction of the other warp, so that only the warp changes.
  const StepCount here = count_in_warp(s, app.navigation.selection.step, app.navigation.selection.warp);
  std::int64_t step = first_step(s, warp), number = 1;
  for (; number < here.number; ++number) {
    const std::int64_t next = neighbour_step(s, step, warp, Direction::forward);
    if (next < 0) break;
    step = next;
  }
  if (step >= 0) app.navigation.go_to_step(step);
  app.navigation.selection.warp = warp;
}

void go_to_claim(App& app, const results::ClaimInfo& claim) {
  app.navigation.playing = false;
  app.navigation.selection.family = -1;
  app.navigation.go_to_claim(claim);
}

void neighbour_claim(App& app, Direction direction) {
  const auto& claims = app.results.summary.claims;
  const results::ClaimInfo* best = nullptr;
  for (const results::ClaimInfo& c : claims) {
    const bool further = direction == Direction::forward ? c.claim.first_line > app.navigation.selection.line
                                                         : c.claim.last_line < app.navigation.selection.line;
    if (!further) continue;
    if (best == nullptr || direction == Direction::back) best = &c;
    if (direction == Direction::forward) break;
  }
  if (best == nullptr)
    return app.shell.show_status(direction == Direction::forward ? "This is the last claim."
                                                                 : "This is the first claim.");
  go_to_claim(app, *best);
}

void first_failing_claim(App& app) {
  for (const results::ClaimInfo& c : app.results.summary.claims)
    if (c.result.verdict == claims::Verdict::differs) return go_to_claim(app, c);
  app.shell.show_status("No claim differs from the actual assignment.");
}

void toggle_play(App& app) {
  app.navigation.playing = !app.navigation.playing;
  const results::Summary& s = app.results.summary;
  if (app.navigation.playing &&
      neighbour_line(s, app.navigation.selection.step, app.navigation.selection.warp, Direction::forward) < 0) {
    app.navigation.go_to_step(first_step(s, app.navigation.selection.warp));
  }
}

std::string needs_loops(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return app.results.summary.loops.empty() ? "This kernel has no loop: the compiler may have unrolled it." : "";
}

std::string needs_later_part(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  const results::Summary& s = app.results.summary;
  const std::uint64_t end = s.first_step + s.timeline.size();
  return end < s.block_steps || s.timeline.size() < s.steps || (s.block_steps == 0 && !s.timeline.empty())
             ? std::string()
             : "All later steps of this block are shown.";
}

std::string needs_earlier_part(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return app.results.summary.first_step > 0 ? std::string() : "The block's first step is shown.";
}

void record_step(App& app, std::uint64_t step) {
  app.navigation.playing = false;
  app.requests.record({.block = app.results.summary.recorded_block, .step = static_cast<std::int64_t>(step)});
}

/// The same instruction in the next or the previous iteration of the innermost loop; from outside into the next loop.
void change_iteration(App& app, int by) {
  const Results& r = app.results;
  const int warp = app.navigation.selection.warp;
  const std::int64_t step = app.navigation.selection.step;
  const auto around = results::iterations_at(r.summary, r.index, warp, step);
  if (!around.empty()) {
    const std::int64_t to =
        results::step_in_iteration(r.summary, r.index, around.front().loop, warp, step, around.front().number + by);
    return step_to(app, to, by > 0 ? "This is the loop's last iteration." : "This is the loop's first iteration.");
  }
  std::int64_t nearest = -1;
  for (const int loop : results::loops_of(r.summary, r.index, warp)) {
    const std::int64_t to = results::step_in_iteration(r.summary, r.index, loop, warp, step, 1);
    if (to >= 0 && (nearest < 0 || to < nearest)) nearest = to;
  }
  step_to(app, nearest, "This warp executes no loop.");
}

void search_on(App& app, Direction direction) {
  if (const std::string words = app.search.go(direction); !words.empty()) app.shell.show_status(words);
}

}  // namespace

void add_step_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Step");
  const auto in_warp = [](Direction d) {
    return [d](App& a) {
      step_to(a, neighbour_step(a.results.summary, a.navigation.selection.step, a.navigation.selection.warp, d),
              d == Direction::forward ? "This is the warp's last step." : "This is the warp's first step.");
    };
  };
  const auto line = [](Direction d) {
    return [d](App& a) {
      step_to(a, neighbour_line(a.results.summary, a.navigation.selection.step, a.navigation.selection.warp, d),
              d == Direction::forward ? "This is the warp's last line." : "This is the warp's first line.");
    };
  };
  const auto any_warp = [](Direction d) {
    return [d](App& a) {
      step_to(a, neighbour_step_any_warp(a.results.summary, a.navigation.selection.step, d),
              "There is no further step in this direction.");
    };
  };
  group.add_repeating("step.next", "Next step", "Moves to the next instruction of this warp.", {"Right", "Alt+Right"},
                      needs_results, in_warp(Direction::forward));
  group.add_repeating("step.previous", "Previous step", "Moves to the previous instruction of this warp.",
                      {"Left", "Alt+Left"}, needs_results, in_warp(Direction::back));
  group.add_repeating("step.next_line", "Next line", "Moves to the end of this warp's next source line.",
                      {"Shift+Right", "Alt+Shift+Right"}, needs_results, line(Direction::forward));
  group.add_repeating("step.previous_line", "Previous line", "Moves to the end of this warp's previous source line.",
                      {"Shift+Left", "Alt+Shift+Left"}, needs_results, line(Direction::back));
  group.add_repeating("step.next_any", "Next step of any warp", "Moves to the next step of the block, of any warp.",
                      {".", "Alt+."}, needs_results, any_warp(Direction::forward));
  group.add_repeating("step.previous_any", "Previous step of any warp",
                      "Moves to the previous step of the block, of any warp.", {",", "Alt+,"}, needs_results,
                      any_warp(Direction::back));
  group.add("step.first", "First step", "Moves to this warp's first instruction.", {"Home", "Alt+Home"}, needs_results,
            [](App& a) {
              step_to(a, first_step(a.results.summary, a.navigation.selection.warp),
                      "This warp executed no instruction.");
            });
  group.add("step.last", "Last step", "Moves to this warp's last instruction.", {"End", "Alt+End"}, needs_results,
            [](App& a) {
              step_to(a, last_step(a.results.summary, a.navigation.selection.warp),
                      "This warp executed no instruction.");
            });
  group.add("step.play", "Play", "Steps line by line to the end. The same command stops it.", {"Space", "Alt+Space"},
            needs_results, toggle_play);
  group.add_repeating("warp.next", "Next warp", "Moves to the same instruction of the next warp.", {"Down", "Alt+Down"},
                      needs_results, [](App& a) { change_warp(a, 1); });
  group.add_repeating("warp.previous", "Previous warp", "Moves to the same instruction of the previous warp.",
                      {"Up", "Alt+Up"}, needs_results, [](App& a) { change_warp(a, -1); });
  group.add_repeating("iteration.next", "Next iteration",
                      "Moves to the same instruction in the next iteration of the innermost loop.", {"I", "Alt+I"},
                      needs_loops, [](App& a) { change_iteration(a, 1); });
  group.add_repeating("iteration.previous", "Previous iteration",
                      "Moves to the same instruction in the previous iteration of the innermost loop.",
                      {"Shift+I", "Alt+Shift+I"}, needs_loops, [](App& a) { change_iteration(a, -1); });
  group.add("iteration.go", "Go to an iteration…", "Requests the number of an iteration of the innermost loop.", {},
            needs_loops, [](App& a) { show_overlay(a, Overlay::iteration); });
  group.add(
      "step.go_to", "Go to a step of a block…",
      "Moves to any step of any block: \"5000000\" is a step of this block, \"3:200\" one of block 3. Steps that are "
      "not recorded are run again from the nearest checkpoint.",
      {}, needs_results, [](App& a) { show_overlay(a, Overlay::go_to_step); });
  group.add("step.later_part", "Later steps", "Records the steps of this block that follow those on the timeline.", {},
            needs_later_part,
            [](App& a) { record_step(a, a.results.summary.first_step + a.results.summary.timeline.size()); });
  group.add("step.earlier_part", "Earlier steps", "Records the steps of this block before those on the timeline.", {},
            needs_earlier_part, [](App& a) {
              // A part has a million steps, some of them before the one that it is recorded for.
              record_step(
                  a, a.results.summary.first_step - std::min<std::uint64_t>(a.results.summary.first_step, 900'000));
            });
  group.add("search.steps", "Search steps…",
            "Finds steps in words: \"shared store with a conflict\", \"r3 of lane 7 last written\", \"iteration 37\".",
            {"/", "Alt+/"}, needs_results, [](App& a) { show_overlay(a, Overlay::steps); });
  group.add_repeating("search.next", "Next found step", "Moves to the next step that the search finds.", {";", "Alt+;"},
                      needs_results, [](App& a) { search_on(a, Direction::forward); });
  group.add_repeating("search.previous", "Previous found step", "Moves to the previous step that the search finds.",
                      {"Shift+;", "Alt+Shift+;"}, needs_results, [](App& a) { search_on(a, Direction::back); });
  group.add_repeating("claim.next", "Next claim",
                      "Moves to the next assignment comment and shows the actual assignment.", {"N", "Alt+N"},
                      needs_claims, [](App& a) { neighbour_claim(a, Direction::forward); });
  group.add_repeating("claim.previous", "Previous claim", "Moves to the previous assignment comment.", {"P", "Alt+P"},
                      needs_claims, [](App& a) { neighbour_claim(a, Direction::back); });
  group.add("claim.first_failing", "First claim that differs",
            "Moves to the first assignment comment that differs from the actual assignment.", {"F", "Alt+F"},
            needs_claims, first_failing_claim);
}

}  // namespace lanescope::gui
