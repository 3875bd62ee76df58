#include "app/gui/model/shell.h"

#include <algorithm>

#include "app/gui/model/arrangement.h"

namespace lanescope::gui {
namespace {

constexpr double status_seconds = 4.0;

}  // namespace

void Shell::set_theme(const std::string& name) {
  theme_ = &views::theme_named(name);
  view.theme = theme_->name;
}

void Shell::set_scale(float scale) { view.scale = std::clamp(scale, smallest_scale, largest_scale); }

void Shell::set_arrangement(Arrangement a) {
  const bool lesson = !view.hidden[static_cast<int>(PanelId::lesson)];
  const bool problems = in_front(PanelId::problems);  // the list that one works on goes along
  view.arrangement = a;
  view.maximised.reset();
  view.hidden = default_hidden(a);
  view.front[static_cast<int>(a)].clear();
  if (problems && !view.hidden[static_cast<int>(PanelId::problems)]) bring_to_front(view, PanelId::problems);
  if (lesson && a != Arrangement::design) {
    view.hidden[static_cast<int>(PanelId::lesson)] = false;
    bring_to_front(view, PanelId::lesson);
  }
}

ViewOptions Shell::shown_view() const {
  ViewOptions shown = view;
  if (without_shared) shown.hidden[static_cast<int>(PanelId::shared)] = true;
  return shown;
}

bool Shell::in_front(PanelId id) const {
  if (view.presentation) return staged == id;
  if (view.maximised) return *view.maximised == id;
  return front_beside(shown_view(), id) == id;
}

std::vector<PanelId> Shell::stage_pictures() const {
  std::vector<PanelId> pictures{PanelId::registers, PanelId::movement, PanelId::assignment, PanelId::global};
  if (!without_shared) pictures.push_back(PanelId::shared);
  pictures.push_back(PanelId::timeline);
  return pictures;
}

void Shell::present(bool on) {
  view.presentation = on;
  if (!on) return;
  const std::vector<PanelId> pictures = stage_pictures();
  const bool picture = std::find(pictures.begin(), pictures.end(), active_panel) != pictures.end();
  staged = picture ? active_panel : PanelId::registers;
  active_panel = staged;
}

void Shell::show_panel(PanelId id) {
  if (view.presentation) {
    staged = active_panel = id;
    return;
  }
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

void Shell::hide_panel(PanelId id) {
  const ViewOptions shown = shown_view();
  if (std::count(shown.hidden.begin(), shown.hidden.end(), false) == 1)
    return show_status("This is the only visible panel. Show another one first.");
  view.hidden[static_cast<int>(id)] = true;
  view.maximised.reset();
  if (active_panel != id) return;
  if (const auto next = front_beside(shown_view(), id)) active_panel = *next;
}

void Shell::show_contents(int buffer, std::uint64_t first) {
  view.contents_buffer = buffer, view.contents_first = first;
}

void Shell::show_status(std::string text) {
  status_text = std::move(text);
  status_until = now + status_seconds;
}

void Shell::notify(Notice notice) {
  dismiss(notice.id);
  notices.push_back(std::move(notice));
}

void Shell::dismiss(const std::string& id) {
  std::erase_if(notices, [&](const Notice& n) { return n.id == id; });
}

bool Shell::expire_status() {
  if (status_text.empty() || now <= status_until) return false;
  status_text.clear();
  return true;
}

}  // namespace lanescope::gui
