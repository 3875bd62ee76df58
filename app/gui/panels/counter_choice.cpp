#include "app/gui/panels/panel.h"

#include <imgui_stdlib.h>

#include <algorithm>

#include "viz/views/measured/measured.h"

namespace lanescope::gui {
namespace {

constexpr float list_width = 560, most_list_height = 300;

struct Entry {
  views::CounterName name;
  bool chosen = false, measured = true;
};

/// Counters in the order of the measurements; after them the chosen ones that no variant has now.
std::vector<Entry> entries_of(const App& app) {
  const std::vector<views::Variant>& variants = app.measurements.variants;
  const auto chosen = app.shell.view.compare_counters.value_or(views::default_counters(variants));
  std::vector<Entry> all;
  for (views::CounterName& name : views::measured_counters(variants)) {
    const bool is_chosen = std::ranges::find(chosen, name.name) != chosen.end();
    all.push_back({.name = std::move(name), .chosen = is_chosen});
  }
  for (const std::string& name : chosen)
    if (std::ranges::none_of(all, [&](const Entry& e) { return e.name.name == name; }))
      all.push_back({.name = {.name = name}, .chosen = true, .measured = false});
  return all;
}

void choose(App& app, const std::vector<Entry>& entries) {
  auto& chosen = app.shell.view.compare_counters.emplace();
  for (const Entry& e : entries)
    if (e.chosen) chosen.push_back(e.name.name);
}

/// True: pressed.
bool draw_entry(const Stage& stage, Entry& entry, float right) {
  ImGui::PushFont(stage.fonts.code_small);
  const bool pressed = ImGui::Checkbox(entry.name.name.c_str(), &entry.chosen);
  ImGui::PopFont();
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const std::string& dim = entry.measured ? entry.name.legacy : "not measured";
  const float middle = (low.y + high.y) / 2, room = right - high.x - stage.px(14);
  if (room > stage.px(30))
    draw_text(stage, stage.fonts.small, {right, middle}, stage.theme->text_dim, dim, TextAlign::right, room);
  return pressed;
}

}  // namespace

void CounterChoice::draw(App& app, const Stage& stage) {
  if (!begin_menu(stage, id)) return;
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) ImGui::CloseCurrentPopup();
  if (ImGui::IsWindowAppearing()) {
    filter_.clear();
    ImGui::SetKeyboardFocusHere();
  }
  const float width = stage.px(list_width);
  ImGui::PushFont(stage.fonts.code_small);
  ImGui::SetNextItemWidth(width);
  ImGui::InputTextWithHint("##Counter filter", "part of a counter's current or legacy name", &filter_);
  ImGui::PopFont();

  std::vector<Entry> entries = entries_of(app);
  std::vector<Entry*> shown;
  for (Entry& e : entries)
    if (views::has_words(e.name.name + " " + e.name.legacy, filter_)) shown.push_back(&e);
  ImGui::PushFont(stage.fonts.code_small);
  const float row = ImGui::GetFrameHeightWithSpacing();
  ImGui::PopFont();
  const float height =
      std::min(row * static_cast<float>(std::max<std::size_t>(shown.size(), 1)), stage.px(most_list_height));
  ImGui::BeginChild("list of counters", {width, height});
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x - stage.px(4);
  if (shown.empty()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(stage, stage.fonts.small, {at.x + stage.px(4), at.y + row / 2}, stage.theme->text_dim,
              "No measured counter matches.");
  }
  for (Entry* e : shown)
    if (draw_entry(stage, *e, right)) choose(app, entries);
  ImGui::EndChild();

  const auto chosen = std::ranges::count_if(entries, &Entry::chosen);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = stage.px(26);
  draw_text(stage, stage.fonts.small, {at.x + stage.px(4), at.y + line / 2}, stage.theme->text_dim,
            std::to_string(chosen) + " of " + std::to_string(entries.size()) + " counters drawn");
  ButtonLook look{.refusal = app.shell.view.compare_counters ? "" : "These are the default counters."};
  const std::string words = "Default counters";
  const float wide = button_width(stage, words, look);
  if (button(stage, "Default counters", {at.x + width - wide, at.y + line / 2}, words,
             "Sectors and wavefronts, as far as a variant measured them", look))
    app.shell.view.compare_counters.reset();
  end_menu();
}

}  // namespace lanescope::gui
