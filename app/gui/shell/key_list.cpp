#include "app/gui/shell/overlay.h"

#include <imgui.h>

#include <algorithm>

#include "app/gui/commands/command.h"
#include "app/gui/commands/groups.h"

namespace lanescope::gui {

void draw_key_list(const Stage& stage) {
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, line = stage.px(20.5f);
  draw_text(stage, stage.fonts.title, {top.x + stage.px(8), top.y + stage.px(14)}, stage.theme->text, "Keys");
  draw_text(stage, stage.fonts.small, {top.x + width - stage.px(8), top.y + stage.px(14)}, stage.theme->text_dim,
            "Escape closes this list. Ctrl+P finds each command by name.", TextAlign::right);
  const float column = (width - stage.px(24)) / 2;
  float x = top.x + stage.px(8), y = top.y + stage.px(44), lowest = y;
  int shown = 0, with_key = 0;
  for (const Command& c : commands()) with_key += !c.keys.empty();
  std::string group;
  for (const Command& c : commands()) {
    if (c.keys.empty()) continue;
    if (shown++ == (with_key + 1) / 2) {
      x += column + stage.px(16);
      y = top.y + stage.px(44);
      group.clear();
    }
    if (c.group != group) {
      group = c.group;
      draw_text(stage, stage.fonts.body_medium, {x, y}, stage.theme->accent, group);
      y += line;
    }
    draw_text(stage, stage.fonts.code_small, {x, y}, stage.theme->text, to_string(c.keys.front()));
    draw_text(stage, stage.fonts.small, {x + stage.px(112), y}, stage.theme->text_dim, c.title, TextAlign::left,
              column - stage.px(118));
    y += line;
    lowest = std::max(lowest, y);
  }
  ImGui::Dummy({1, lowest - top.y});
}

}  // namespace lanescope::gui
