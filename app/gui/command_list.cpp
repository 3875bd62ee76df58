// The table of commands.

#include <algorithm>

#include "app/gui/app.h"
#include "app/gui/command.h"
#include "app/gui/navigate.h"

namespace lanescope::gui {
namespace {

using Refusal = std::function<std::string(const App&)>;

std::vector<Chord> chords(std::initializer_list<const char*> texts) {
  std::vector<Chord> result;
  for (const char* text : texts) {
    if (const auto chord = parse_chord(text)) result.push_back(*chord);
  }
  return result;
}

std::string needs_results(const App& app) {
  if (app.results.have) return {};
  if (app.results.running) return "The kernel is still running; wait for its result.";
  return "Nothing has run yet; open a kernel, or mend the one on screen.";
}

std::string needs_claims(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return app.results.summary.claims.empty() ? "This kernel states no assignment; write one in a comment." : "";
}

void step_to(App& app, std::int64_t step, const char* otherwise) {
  app.playing = false;
  if (step < 0) return app.remark(otherwise);
  app.go_to_step(step);
}

void change_warp(App& app, int by) {
  const views::Summary& s = app.results.summary;
  const int warp = app.selection.warp + by;
  if (warp < 0 || warp >= static_cast<int>(s.warps)) return app.remark("There is no other warp that way.");
  // The same instruction of the other warp, so that only the warp changes.
  const StepCount here = count_in_warp(s, app.selection.step, app.selection.warp);
  std::int64_t step = first_step(s, warp), number = 1;
  for (; number < here.number; ++number) {
    const std::int64_t next = neighbour_step(s, step, warp, Direction::forward);
    if (next < 0) break;
    step = next;
  }
  if (step >= 0) app.go_to_step(step);
  app.selection.warp = warp;
}

void go_to_claim(App& app, const views::ClaimInfo& claim) {
  app.playing = false;
  app.selection.family = -1;
  app.go_to_step(step_of_claim(app.results.summary, claim, app.selection.warp));
  app.selection.line = claim.claim.first_line;
  app.reveal_line = claim.claim.first_line;
}

void neighbour_claim(App& app, Direction direction) {
  const auto& claims = app.results.summary.claims;
  const views::ClaimInfo* best = nullptr;
  for (const views::ClaimInfo& c : claims) {
    const bool further = direction == Direction::forward ? c.claim.first_line > app.selection.line
                                                         : c.claim.last_line < app.selection.line;
    if (!further) continue;
    if (best == nullptr || direction == Direction::back) best = &c;
    if (direction == Direction::forward) break;
  }
  if (best == nullptr)
    return app.remark(direction == Direction::forward ? "This is the last claim." : "This is the first claim.");
  go_to_claim(app, *best);
}

void first_failing_claim(App& app) {
  for (const views::ClaimInfo& c : app.results.summary.claims) {
    if (c.result.verdict == claims::Verdict::differs) return go_to_claim(app, c);
  }
  app.remark("No claim differs from what is really there.");
}

void next_theme(App& app) {
  const auto all = views::themes();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == &app.theme()) return app.set_theme(std::string(all[(i + 1) % all.size()]->name));
  }
  app.set_theme("dark");
}

void toggle_maximise(App& app) {
  if (app.view.maximised)
    app.view.maximised.reset();
  else
    app.view.maximised = app.active_panel;
}

void hide_panel(App& app, PanelId id) {
  bool& hidden = app.view.hidden[static_cast<int>(id)];
  if (!hidden && std::count(app.view.hidden.begin(), app.view.hidden.end(), false) == 1) {
    return app.remark("This is the last panel; show another one first.");
  }
  hidden = !hidden;
  app.view.maximised.reset();
}

void escape(App& app) {
  app.playing = false;
  if (app.overlay != Overlay::none) {
    app.overlay = Overlay::none;
  } else if (app.view.maximised) {
    app.view.maximised.reset();
  } else {
    app.selection.place.reset();
    app.selection.element.reset();
    app.selection.address.reset();
    app.selection.family = -1;
  }
}

void show_overlay(App& app, Overlay overlay) {
  app.overlay_text.clear();
  app.overlay = app.overlay == overlay ? Overlay::none : overlay;
}

void toggle_play(App& app) {
  app.playing = !app.playing;
  const views::Summary& s = app.results.summary;
  if (app.playing && neighbour_line(s, app.selection.step, app.selection.warp, Direction::forward) < 0) {
    app.go_to_step(first_step(s, app.selection.warp));
  }
}

void add_file_commands(std::vector<Command>& all) {
  const std::string g = "File";
  all.push_back({"file.kernels",
                 g,
                 "Open a kernel of the catalogue…",
                 "Lists the kernels that come with lanescope and the recent files.",
                 chords({"Ctrl+K"}),
                 false,
                 [](App& a) { show_overlay(a, Overlay::kernels); },
                 {}});
  all.push_back({"file.open",
                 g,
                 "Open a file…",
                 "Opens a .cu or .ptx file by its path.",
                 chords({"Ctrl+O"}),
                 false,
                 [](App& a) { show_overlay(a, Overlay::open_path); },
                 {}});
  all.push_back({"file.new",
                 g,
                 "New kernel",
                 "Starts from a small kernel with a launch header and one claim.",
                 chords({"Ctrl+N"}),
                 false,
                 [](App& a) { a.new_kernel(); },
                 {}});
  all.push_back({"file.save",
                 g,
                 "Save",
                 "Writes the text to its file.",
                 chords({"Ctrl+S"}),
                 false,
                 [](App& a) { a.save(); },
                 {}});
  all.push_back({"file.save_as",
                 g,
                 "Save as…",
                 "Writes the text to another file and goes on with that one.",
                 chords({"Ctrl+Shift+S"}),
                 false,
                 [](App& a) { show_overlay(a, Overlay::save_path); },
                 {}});
  all.push_back({"file.reload",
                 g,
                 "Read the file again",
                 "Drops the edits that are not saved.",
                 {},
                 false,
                 [](App& a) { a.reload(); },
                 [](const App& a) {
                   return a.editing.file().empty() ? std::string("This text has no file yet; save it first.") : "";
                 }});
  all.push_back({"file.keep",
                 g,
                 "Keep my edits",
                 "Goes on with the text on screen although the file changed on disk.",
                 {},
                 false,
                 [](App& a) { a.dismiss("disk"); },
                 {}});
  all.push_back({"app.quit",
                 g,
                 "Quit",
                 "Closes lanescope; asks when there are edits that are not saved.",
                 chords({"Ctrl+Q"}),
                 false,
                 [](App& a) { a.close(); },
                 {}});
}

void add_edit_commands(std::vector<Command>& all) {
  const std::string g = "Edit";
  all.push_back(
      {"edit.undo", g, "Undo", "Takes back the last change of the text.", chords({"Ctrl+Z"}), true,
       [](App& a) { a.undo(); },
       [](const App& a) { return a.editing.can_undo() ? "" : std::string("Nothing has been changed yet."); }});
  all.push_back({"edit.redo", g, "Redo", "Makes the change again that was taken back.",
                 chords({"Ctrl+Y", "Ctrl+Shift+Z"}), true, [](App& a) { a.redo(); },
                 [](const App& a) { return a.editing.can_redo() ? "" : std::string("Nothing has been undone."); }});
  all.push_back({"edit.source",
                 g,
                 "Type in the source",
                 "Puts the caret on the current line; Escape leaves it.",
                 chords({"Enter", "Ctrl+E"}),
                 false,
                 [](App& a) { a.editor_focus_request = PanelId::source; },
                 {}});
}

void add_run_commands(std::vector<Command>& all) {
  const std::string g = "Run";
  all.push_back({"run.now",
                 g,
                 "Run",
                 "Compiles and runs the text as it is now.",
                 chords({"Ctrl+R"}),
                 false,
                 [](App& a) { a.run(); },
                 {}});
  all.push_back({"run.stop", g, "Stop the run", "Ends a run that takes too long; the last result stays.",
                 chords({"Ctrl+."}), false, [](App& a) { a.stop(); },
                 [](const App& a) { return a.results.running ? "" : std::string("Nothing is running."); }});
}

void add_step_commands(std::vector<Command>& all) {
  const std::string g = "Step";
  const auto in_warp = [](Direction d) {
    return [d](App& a) {
      step_to(a, neighbour_step(a.results.summary, a.selection.step, a.selection.warp, d),
              d == Direction::forward ? "This is the warp's last step." : "This is the warp's first step.");
    };
  };
  const auto line = [](Direction d) {
    return [d](App& a) {
      step_to(a, neighbour_line(a.results.summary, a.selection.step, a.selection.warp, d),
              d == Direction::forward ? "This is the warp's last line." : "This is the warp's first line.");
    };
  };
  const auto any_warp = [](Direction d) {
    return [d](App& a) {
      step_to(a, neighbour_step_any_warp(a.results.summary, a.selection.step, d), "There is no step that way.");
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
                 [](App& a) { step_to(a, first_step(a.results.summary, a.selection.warp), "This warp took no step."); },
                 needs_results});
  all.push_back({"step.last", g, "Last step", "To this warp's last instruction.", chords({"End", "Alt+End"}), false,
                 [](App& a) { step_to(a, last_step(a.results.summary, a.selection.warp), "This warp took no step."); },
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

void add_picture_commands(std::vector<Command>& all) {
  const std::string g = "Picture";
  all.push_back({"picture.label",
                 g,
                 "Next label mode",
                 "Cells show their element, their value or their tag.",
                 chords({"L"}),
                 false,
                 [](App& a) { a.view.label = static_cast<views::LabelMode>((static_cast<int>(a.view.label) + 1) % 3); },
                 {}});
  all.push_back({"picture.arrows",
                 g,
                 "Arrows",
                 "Shows or hides where data moved in this step.",
                 chords({"A"}),
                 false,
                 [](App& a) { a.view.arrows = !a.view.arrows; },
                 {}});
  all.push_back({"picture.all_warps",
                 g,
                 "All warps or one",
                 "Registers of one warp, or of up to sixteen.",
                 chords({"W"}),
                 false,
                 [](App& a) { a.view.warps_shown = a.view.warps_shown > 1 ? 1 : 16; },
                 {}});
  all.push_back({"picture.heat",
                 g,
                 "Next heat column",
                 "Counts beside the source lines: none, instructions, sectors, wavefronts.",
                 chords({"H"}),
                 false,
                 [](App& a) { a.view.heat = static_cast<Heat>((static_cast<int>(a.view.heat) + 1) % heat_count); },
                 {}});
  all.push_back({"picture.fit",
                 g,
                 "Fit",
                 "Shows the whole picture of the active panel.",
                 chords({"0"}),
                 false,
                 [](App& a) { a.fit_request = true; },
                 {}});
  all.push_back({"picture.zoom_in",
                 g,
                 "Zoom in",
                 "Enlarges the picture of the active panel.",
                 chords({"+"}),
                 true,
                 [](App& a) { a.zoom_request = 1.25f; },
                 {}});
  all.push_back({"picture.zoom_out",
                 g,
                 "Zoom out",
                 "Shrinks the picture of the active panel.",
                 chords({"-"}),
                 true,
                 [](App& a) { a.zoom_request = 0.8f; },
                 {}});
  all.push_back({"picture.deselect",
                 g,
                 "Back out",
                 "Closes what is open, restores a maximised panel, or forgets the selected cell.",
                 chords({"Escape"}),
                 false,
                 escape,
                 {}});
}

void add_window_commands(std::vector<Command>& all) {
  const std::string g = "Window";
  all.push_back({"app.palette",
                 g,
                 "Find a command…",
                 "Every command by name.",
                 chords({"Ctrl+P", "Ctrl+Shift+P"}),
                 false,
                 [](App& a) { show_overlay(a, Overlay::palette); },
                 {}});
  all.push_back({"app.help",
                 g,
                 "Help",
                 "Keys and what the picture means.",
                 chords({"F1"}),
                 false,
                 [](App& a) { show_overlay(a, Overlay::help); },
                 {}});
  all.push_back({"view.maximise",
                 g,
                 "Maximise the panel",
                 "The active panel takes the whole window; again gives it back.",
                 chords({"M", "F11"}),
                 false,
                 toggle_maximise,
                 {}});
  all.push_back({"view.hide",
                 g,
                 "Hide the panel",
                 "The active panel makes room for the others.",
                 {},
                 false,
                 [](App& a) { hide_panel(a, a.active_panel); },
                 {}});
  int number = 1;
  for (const PanelId id : all_panels) {
    const std::string key = "Ctrl+" + std::to_string(number++), title(panel_title(id));
    all.push_back({"panel." + std::string(panel_name(id)),
                   g,
                   "Panel: " + title,
                   "Shows or hides the panel.",
                   chords({key.c_str()}),
                   false,
                   [id](App& a) { hide_panel(a, id); },
                   {}});
  }
  all.push_back({"panel.all",
                 g,
                 "Show all panels",
                 "Brings back what was hidden, and the arrangement's own proportions.",
                 {},
                 false,
                 [](App& a) {
                   a.view.hidden = {};
                   a.view.maximised.reset();
                   a.view.shares[static_cast<int>(a.view.arrangement)] = {};
                 },
                 {}});
  const char* keys[] = {"F2", "F3", "F4"};
  const char* meanings[] = {"The picture of the moment in the middle.",
                            "More source, and the assignment beside what is really there.", "Memory and counters."};
  for (int i = 0; i < arrangement_count; ++i) {
    const auto a = static_cast<Arrangement>(i);
    std::string name(arrangement_name(a)), id = name;
    id[0] = static_cast<char>(std::tolower(id[0]));
    all.push_back({"arrange." + id,
                   g,
                   "Arrange: " + name,
                   meanings[i],
                   chords({keys[i]}),
                   false,
                   [a](App& app) { app.set_arrangement(a); },
                   {}});
  }
  all.push_back({"view.theme", g, "Next theme", "Dark, light, high contrast.", chords({"T"}), false, next_theme, {}});
  all.push_back({"view.larger",
                 g,
                 "Larger",
                 "Raises the scale of everything.",
                 chords({"Ctrl++"}),
                 true,
                 [](App& a) { a.set_scale(a.view.scale + 0.125f); },
                 {}});
  all.push_back({"view.smaller",
                 g,
                 "Smaller",
                 "Lowers the scale of everything.",
                 chords({"Ctrl+-"}),
                 true,
                 [](App& a) { a.set_scale(a.view.scale - 0.125f); },
                 {}});
  all.push_back({"view.usual",
                 g,
                 "Usual scale",
                 "Back to scale 1.",
                 chords({"Ctrl+0"}),
                 false,
                 [](App& a) { a.set_scale(1); },
                 {}});
  all.push_back({"view.presentation",
                 g,
                 "Presentation mode",
                 "Type and lines half as large again, for the last row of a class.",
                 chords({"F5"}),
                 false,
                 [](App& a) { a.view.presentation = !a.view.presentation; },
                 {}});
  all.push_back({"view.full_screen",
                 g,
                 "Full screen",
                 "The window takes the whole display.",
                 chords({"Ctrl+F11"}),
                 false,
                 [](App& a) { a.full_screen_request = true; },
                 {}});
}

}  // namespace

std::span<const Command> commands() {
  static const std::vector<Command> all = [] {
    std::vector<Command> list;
    add_file_commands(list);
    add_edit_commands(list);
    add_run_commands(list);
    add_step_commands(list);
    add_picture_commands(list);
    add_window_commands(list);
    return list;
  }();
  return all;
}

}  // namespace lanescope::gui
