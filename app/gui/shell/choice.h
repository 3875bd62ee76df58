#pragma once
// One line of a list over the window.

#include <functional>
#include <string>
#include <vector>

#include "app/gui/state/app.h"

namespace lanescope::gui {

/// One line of a list: what Enter or a click does with it.
struct Choice {
  std::string label, detail, refusal;
  std::function<void(App&)> pick;
  int score = 0;
};

/// Presets of an assignment for one end of the layout under design, and what is typed where it can be read as one.
std::vector<Choice> preset_choices(const App& app, const std::string& query);

}  // namespace lanescope::gui
