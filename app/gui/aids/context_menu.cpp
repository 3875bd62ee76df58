#include "app/gui/aids/context_menu.h"

#include <algorithm>
#include <optional>

#include "app/gui/commands/command.h"
#include "kernels/base/text.h"

namespace lanescope::gui {
namespace {

constexpr std::string_view code_menu =
    "step.previous step.next | picture.heat view.code_beside | picture.save_svg picture.save_png "
    "picture.save_csv | view.maximise view.hide";
/// By panel; the last row is that of all others.
struct MenuRow {
  std::optional<PanelId> panel;
  std::string_view commands;  ///< a | separates groups
};
constexpr MenuRow menus[] = {
    {PanelId::source,
     "edit.cut edit.copy edit.paste | edit.fix edit.true_assignment edit.annotate edit.snippet | "
     "design.better design.insert design.from_variable | edit.comment edit.bracket | edit.find "
     "edit.replace edit.go_to_line | claim.next picture.heat | view.code_beside view.maximise "
     "view.hide"},
    {PanelId::registers,
     "picture.copy picture.deselect | journey.pin tree.register tree.warp | picture.label "
     "picture.arrows picture.all_warps | picture.fit picture.save_svg picture.save_png "
     "picture.save_csv | view.maximise view.hide"},
    {PanelId::global,
     "picture.copy picture.deselect journey.pin tree.memory | global.bytes global.transactions "
     "global.line_total global.block_total | picture.fit picture.save_svg picture.save_png "
     "picture.save_csv | view.maximise view.hide"},
    {PanelId::shared,
     "picture.copy picture.deselect journey.pin tree.memory | wavefront.play wavefront.next "
     "wavefront.all whatif.next | picture.fit picture.save_svg picture.save_png picture.save_csv | "
     "view.maximise view.hide"},
    {PanelId::timeline,
     "step.play step.first step.previous step.next step.last claim.next | picture.fit picture.zoom_in "
     "picture.zoom_out | picture.save_svg picture.save_png picture.save_csv | view.maximise view.hide"},
    {PanelId::tree,
     "tree.result tree.register tree.warp tree.memory tree.back | picture.fit picture.save_svg "
     "picture.save_png picture.save_csv | view.maximise view.hide"},
    {PanelId::journey,
     "journey.next journey.previous journey.arrival | journey.pin journey.unpin_all | "
     "picture.save_svg picture.save_png picture.save_csv | view.maximise view.hide"},
    {PanelId::ptx, code_menu},
    {PanelId::sass, code_menu},
    {{},
     "picture.copy picture.deselect journey.pin | picture.fit picture.save_svg picture.save_png "
     "picture.save_csv | view.maximise view.hide"}};

}  // namespace

std::vector<std::string> context_commands(PanelId panel) {
  const auto row = std::ranges::find_if(menus, [&](const MenuRow& r) { return !r.panel || r.panel == panel; });
  return words_between(row->commands, " ");
}

bool context_menu(App& app, const Stage& stage, PanelId panel, const char* name) {
  const ImVec2 moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Right, stage.px(4));
  const bool opened = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                      ImGui::IsMouseReleased(ImGuiMouseButton_Right) && moved.x == 0 && moved.y == 0;
  if (opened) {
    app.shell.active_panel = panel;
    ImGui::OpenPopup(name);
  }
  if (!begin_menu(stage, name)) return opened;
  for (const std::string& id : context_commands(panel)) {
    const Command* command = find_command(id);
    if (command == nullptr)
      ImGui::Separator();
    else if (menu_entry(stage, command->title.c_str(), false, key_of(id), refusal_of(app, *command)))
      run_command(app, id);
  }
  end_menu();
  return opened;
}

}  // namespace lanescope::gui
