#pragma once
// Aids that change the source: snippets, fixes, assignment comments that the run showed to be true.

#include <vector>

#include "app/assist/completion.h"
#include "app/assist/fixes.h"
#include "app/gui/state/app.h"

namespace lanescope::gui {

/// The line (from 1, on screen) that commands on a line mean: the caret's while one writes, else the current one.
int line_meant(const App& app);

/// Lists suggestions for the caret; closes the list if there are none. `asked`: by a key.
void suggest(App& app, bool asked);
void take_suggestion(App& app);
void insert_snippet(App& app, const assist::Snippet& snippet);

/// Of a line on screen; none where the text is not the one that ran.
std::vector<assist::Fix> fixes_of(const App& app, int line);
void apply_fix(App& app, const assist::Fix& fix);

/// In place of the rows of the claim at this line, or, where there is none, as a comment about the registers on show.
void write_true_assignment(App& app);
/// A comment about the variable at the caret, after the statement of its line.
void annotate_variable(App& app);
/// Puts the launch header in front that a strange file lacks.
void write_launch_header(App& app);
/// Writes a comment that was waiting for the moment it is about. True: something changed.
bool finish_annotation(App& app);

}  // namespace lanescope::gui
