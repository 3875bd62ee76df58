#pragma once
// Palette, lists of files, questions, glossary and help: at most one, above everything.

#include <functional>
#include <string>
#include <vector>

#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

void draw_overlay(App& app, Stage& stage);

// One line of a list over the window.

/// One line of a list, with its action for Enter or a click.
struct Choice {
  std::string label, detail, refusal;
  std::function<void(App&)> pick;
  int score = 0;
  std::string more{};  ///< shown below the list while the cursor is here
};

void sort_choices(std::vector<Choice>& choices);
/// Commands that match the typed text, and kernels and steps that it names.
std::vector<Choice> command_choices(const App& app, const std::string& query);
/// Kernels of the catalogue that match the words, by topic if nothing is typed; then recent files by name.
std::vector<Choice> kernel_choices(const App& app, const std::string& query);
std::vector<Choice> snippet_choices(const std::string& query);
/// Presets of an assignment for one end of the layout under design, and the typed text if it is an assignment.
std::vector<Choice> preset_choices(const App& app, const std::string& query);
/// `path` with the home folder for a ~ at its beginning.
std::string expand_home(const std::string& path);
/// Recent files, and the contents of the typed folder: its parent, its folders and kernels by name.
std::vector<Choice> path_choices(const App& app, const std::string& typed);
/// The search itself, then its results; without a text, examples.
std::vector<Choice> step_choices(const App& app, const std::string& text);

// "Plan this better", drawn: two claims, the code between them beside the planner's, and the lines that would change.

/// In the window that is begun. Takes its keys: Enter applies the shown change, Tab shows the other variant, arrows
/// other claims.
void draw_better_plan(App& app, const Stage& stage);

// The keys of all commands, by group, for Shift+F1.

/// In the current ImGui window, as wide as it is.
void draw_key_list(const Stage& stage);

}  // namespace lanescope::gui
