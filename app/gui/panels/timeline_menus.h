#pragma once
// What the title bar of the timeline holds besides the step buttons: the search, the iterations, the legend.

#include "app/gui/panels/panel.h"
#include "results/loops.h"

namespace lanescope::gui {

/// The field, how many steps it finds, and the way to the next and the previous one.
void search_field(App& app, HeaderRow& row);

/// The signs with their words, where `room` (pixels at scale 1) holds all of them.
void inline_legend(const App& app, const Stage& stage, HeaderRow& row, float room);
/// The same as a list with what each sign means. Open while the popup "legend" is.
void legend_menu(const App& app, const Stage& stage);

/// Loops of the selected warp; `around`: those around the step, the innermost first. Open while "iteration" is.
void iteration_menu(App& app, const Stage& stage, const std::vector<results::Iteration>& around);

}  // namespace lanescope::gui
