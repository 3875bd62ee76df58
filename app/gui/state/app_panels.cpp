// Which panels are on screen.

#include <algorithm>

#include "app/gui/state/app.h"
#include "app/gui/state/arrangement.h"

namespace lanescope::gui {

ViewOptions App::shown_view() const {
  ViewOptions shown = view;
  // A kernel without shared memory has no use for its panel.
  if (results.have && results.summary.shared_bytes == 0) shown.hidden[static_cast<int>(PanelId::shared)] = true;
  return shown;
}

bool App::in_front(PanelId id) const {
  if (view.maximised) return *view.maximised == id;
  return front_beside(shown_view(), id) == id;
}

void App::show_panel(PanelId id) {
  view.hidden[static_cast<int>(id)] = false;
  bring_to_front(view, id);
  active_panel = id;
  if (!view.maximised) return;
  const std::vector<PanelId> beside = tabs_beside(view, *view.maximised);
  if (std::find(beside.begin(), beside.end(), id) != beside.end())
    view.maximised = id;
  else
    view.maximised.reset();
}

void App::hide_panel(PanelId id) {
  if (std::count(view.hidden.begin(), view.hidden.end(), false) == 1)
    return remark("This is the last panel; show another one first.");
  view.hidden[static_cast<int>(id)] = true;
  view.maximised.reset();
  if (active_panel != id) return;
  if (const auto next = front_beside(shown_view(), id)) active_panel = *next;
}

}  // namespace lanescope::gui
