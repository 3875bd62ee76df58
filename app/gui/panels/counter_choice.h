#pragma once
// Which counters the comparison draws: a list of check boxes with a filter, in a small window over the panel.

#include <string>

#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

class CounterChoice {
 public:
  /// Draws the list while it is open; ImGui::OpenPopup(id) opens it. What is chosen is ViewOptions::compare_counters.
  void draw(App& app, const Stage& stage);
  static constexpr const char* id = "counters of the comparison";

 private:
  std::string filter_;
};

}  // namespace lanescope::gui
