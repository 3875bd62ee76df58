// Commands that go somewhere: steps, lines, warps, claims.

#include "app/gui/commands/groups.h"
#include "app/gui/state/app.h"
#include "app/gui/state/steps.h"

namespace lanescope::gui {
namespace {

std::string needs_claims(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return app.results.summary.claims.empty() ? "This kernel states no assignment; write one in a comment." : "";
}

void step_to(App& app, std::int64_t step, const char* otherwise) {
  app.navigation.playing = false;
  if (step < 0) return app.shell.remark(otherwise);
  app.navigation.go_to_step(step);
}

void change_warp(App& app, int by) {
  const results::Summary& s = app.results.summary;
  const int warp = app.navigation.selection.warp + by;
  if (warp < 0 || warp >= static_cast<int>(s.warps)) return app.shell.remark("There is no other warp that way.");
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
    return app.shell.remark(direction == Direction::forward ? "This is the last claim." : "This is the first claim.");
  go_to_claim(app, *best);
}

void first_failing_claim(App& app) {
  for (const results::ClaimInfo& c : app.results.summary.claims) {
    if (c.result.verdict == claims::Verdict::differs) return go_to_claim(app, c);
  }
  app.shell.remark("No claim differs from what is really there.");
}

void toggle_play(App& app) {
  app.navigation.playing = !app.navigation.playing;
  const results::Summary& s = app.results.summary;
  if (app.navigation.playing &&
      neighbour_line(s, app.navigation.selection.step, app.navigation.selection.warp, Direction::forward) < 0) {
    app.navigation.go_to_step(first_step(s, app.navigation.selection.warp));
  }
}

}  // namespace

void add_step_commands(std::vector<Command>& all) {
  const std::string g = "Step";
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
              "There is no step that way.");
    };
  };
  all.push_back({"step.next", g, "Next step", "One instruction of this warp forward.", chords({"Right", "Alt+Right"}),
                 true, in_warp(Direction::forward), needs_results});
  all.push_back({"step.previous", g, "Previous step", "One instruction of this warp back.",
                 chords({"Left", "Alt+Left"}), true, in_warp(Direction::back), needs_results});
  all.push_back({"step.next_line", g, "Next line", "To the end of this warp's next source line.",
                 chords({"Shift+Right", "Alt+Shift+Right"}), true, line(Direction::forward), needs_results});
  all.push_back({"step.previous_line", g, "Previous line", "To the end of this warp's source line before.",
                 chords({"Shift+Left", "Alt+Shift+Left"}), true, line(Direction::back), needs_results});
  all.push_back({"step.next_any", g, "Next step of any warp", "One step of the block forward, whichever warp takes it.",
                 chords({".", "Alt+."}), true, any_warp(Direction::forward), needs_results});
  all.push_back({"step.previous_any", g, "Previous step of any warp",
                 "One step of the block back, whichever warp took it.", chords({",", "Alt+,"}), true,
                 any_warp(Direction::back), needs_results});
  all.push_back({"step.first", g, "First step", "To this warp's first instruction.", chords({"Home", "Alt+Home"}),
                 false,
                 [](App& a) {
                   step_to(a, first_step(a.results.summary, a.navigation.selection.warp), "This warp took no step.");
                 },
                 needs_results});
  all.push_back(
      {"step.last", g, "Last step", "To this warp's last instruction.", chords({"End", "Alt+End"}), false,
       [](App& a) { step_to(a, last_step(a.results.summary, a.navigation.selection.warp), "This warp took no step."); },
       needs_results});
  all.push_back({"step.play", g, "Play", "Goes forward line by line until the end; again stops it.",
                 chords({"Space", "Alt+Space"}), false, toggle_play, needs_results});
  all.push_back({"warp.next", g, "Next warp", "The same instruction of the next warp.", chords({"Down", "Alt+Down"}),
                 true, [](App& a) { change_warp(a, 1); }, needs_results});
  all.push_back({"warp.previous", g, "Previous warp", "The same instruction of the warp before.",
                 chords({"Up", "Alt+Up"}), true, [](App& a) { change_warp(a, -1); }, needs_results});
  all.push_back({"claim.next", g, "Next claim", "To the next assignment comment and what is really there.",
                 chords({"N", "Alt+N"}), true, [](App& a) { neighbour_claim(a, Direction::forward); }, needs_claims});
  all.push_back({"claim.previous", g, "Previous claim", "To the assignment comment before.", chords({"P", "Alt+P"}),
                 true, [](App& a) { neighbour_claim(a, Direction::back); }, needs_claims});
  all.push_back({"claim.first_failing", g, "First claim that differs",
                 "To the first comment that is not what the hardware holds.", chords({"F", "Alt+F"}), false,
                 first_failing_claim, needs_claims});
}

}  // namespace lanescope::gui
