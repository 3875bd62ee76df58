#include "app/gui/aids/context_menu.h"

#include "app/gui/commands/command.h"

namespace lanescope::gui {
namespace {

constexpr const char* source_menu[] = {"edit.cut",
                                       "edit.copy",
                                       "edit.paste",
                                       "",
                                       "edit.fix",
                                       "edit.true_assignment",
                                       "edit.annotate",
                                       "edit.snippet",
                                       "",
                                       "design.better",
                                       "design.insert",
                                       "design.from_variable",
                                       "",
                                       "edit.comment",
                                       "edit.bracket",
                                       "",
                                       "edit.find",
                                       "edit.replace",
                                       "edit.go_to_line",
                                       "",
                                       "claim.next",
                                       "picture.heat",
                                       "",
                                       "view.code_beside",
                                       "view.maximise",
                                       "view.hide"};
constexpr const char* registers_menu[] = {"picture.copy",
                                          "picture.deselect",
                                          "",
                                          "journey.pin",
                                          "tree.register",
                                          "tree.warp",
                                          "",
                                          "picture.label",
                                          "picture.arrows",
                                          "picture.all_warps",
                                          "",
                                          "picture.fit",
                                          "picture.save_svg",
                                          "picture.save_png",
                                          "picture.save_csv",
                                          "",
                                          "view.maximise",
                                          "view.hide"};
constexpr const char* global_menu[] = {"picture.copy",
                                       "picture.deselect",
                                       "journey.pin",
                                       "tree.memory",
                                       "",
                                       "global.bytes",
                                       "global.transactions",
                                       "global.line_total",
                                       "global.block_total",
                                       "",
                                       "picture.fit",
                                       "picture.save_svg",
                                       "picture.save_png",
                                       "picture.save_csv",
                                       "",
                                       "view.maximise",
                                       "view.hide"};
constexpr const char* shared_menu[] = {"picture.copy",   "picture.deselect", "journey.pin",      "tree.memory",      "",
                                       "wavefront.play", "wavefront.next",   "wavefront.all",    "whatif.next",      "",
                                       "picture.fit",    "picture.save_svg", "picture.save_png", "picture.save_csv", "",
                                       "view.maximise",  "view.hide"};
constexpr const char* timeline_menu[] = {"step.play",
                                         "step.first",
                                         "step.previous",
                                         "step.next",
                                         "step.last",
                                         "claim.next",
                                         "",
                                         "picture.fit",
                                         "picture.zoom_in",
                                         "picture.zoom_out",
                                         "",
                                         "picture.save_svg",
                                         "picture.save_png",
                                         "picture.save_csv",
                                         "",
                                         "view.maximise",
                                         "view.hide"};
constexpr const char* tree_menu[] = {
    "tree.result", "tree.register",    "tree.warp",        "tree.memory",      "tree.back", "",
    "picture.fit", "picture.save_svg", "picture.save_png", "picture.save_csv", "",          "view.maximise",
    "view.hide"};
constexpr const char* journey_menu[] = {
    "journey.next",     "journey.previous", "journey.arrival",  "", "journey.pin",   "journey.unpin_all", "",
    "picture.save_svg", "picture.save_png", "picture.save_csv", "", "view.maximise", "view.hide"};
constexpr const char* code_menu[] = {
    "step.previous",    "step.next",        "", "picture.heat",  "view.code_beside", "", "picture.save_svg",
    "picture.save_png", "picture.save_csv", "", "view.maximise", "view.hide"};
constexpr const char* other_menu[] = {"picture.copy",     "picture.deselect", "journey.pin",      "", "picture.fit",
                                      "picture.save_svg", "picture.save_png", "picture.save_csv", "", "view.maximise",
                                      "view.hide"};

}  // namespace

std::span<const char* const> context_commands(PanelId panel) {
  switch (panel) {
    case PanelId::source:
      return source_menu;
    case PanelId::registers:
      return registers_menu;
    case PanelId::global:
      return global_menu;
    case PanelId::shared:
      return shared_menu;
    case PanelId::timeline:
      return timeline_menu;
    case PanelId::tree:
      return tree_menu;
    case PanelId::journey:
      return journey_menu;
    case PanelId::ptx:
    case PanelId::sass:
      return code_menu;
    default:
      return other_menu;
  }
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
  for (const char* id : context_commands(panel)) {
    const Command* command = find_command(id);
    if (command == nullptr) {
      ImGui::Separator();
    } else if (menu_entry(stage, command->title.c_str(), false, key_of(id), refusal_of(app, *command))) {
      run_command(app, id);
    }
  }
  end_menu();
  return opened;
}

}  // namespace lanescope::gui
