#pragma once
// Actions of commands and panels on the layout under design, beyond its own edits.

#include <string>

#include "app/gui/state/app.h"

namespace lanescope::gui {

/// "transpose.cuh" or "transpose.cu" beside the layout, else where was exported to last: by Designer::exporting.
std::string proposed_code_path(const App& app);
/// Writes the code that `Designer::exporting` names.
void write_code(App& app, const std::string& path);
/// Begins a layout with the actual assignment of the registers on show; its claim, if there is one, is the other end.
void design_from_variable(App& app);

/// Why the code between two claims cannot be compared with the planner's at the line that is meant; empty: it can.
std::string better_refusal(const App& app);
/// Opens that comparison; applies its change, as one step of undo.
void plan_better(App& app);
void take_better_plan(App& app);
/// Puts the function of the layout under design, its call and a claim where the caret is.
void insert_conversion(App& app);

}  // namespace lanescope::gui
