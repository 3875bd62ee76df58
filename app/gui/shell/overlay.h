#pragma once
// Palette, lists of files, questions, glossary and help: at most one, above everything.

#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

void draw_overlay(App& app, Stage& stage);

}  // namespace lanescope::gui
