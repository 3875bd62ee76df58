// What keys do in the source panel.

#include <imgui_internal.h>

#include "app/gui/panels/source_panel.h"

namespace lanescope::gui {
namespace {

bool pressed(ImGuiKey key) { return ImGui::IsKeyPressed(key, true); }

std::string utf8(ImWchar c) {
  char buffer[5];
  ImTextCharToUtf8(buffer, c);
  return buffer;
}

}  // namespace

void SourcePanel::take_motions(const Stage&, Rectangle area) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool shift = io.KeyShift, ctrl = io.KeyCtrl;
  const int page = std::max(1, static_cast<int>(area.h / line_height_) - 2);
  const std::size_t before = edit_.caret;
  if (pressed(ImGuiKey_LeftArrow)) edit_.move(ctrl ? Motion::word_left : Motion::left, shift);
  if (pressed(ImGuiKey_RightArrow)) edit_.move(ctrl ? Motion::word_right : Motion::right, shift);
  if (pressed(ImGuiKey_UpArrow)) edit_.move(Motion::up, shift);
  if (pressed(ImGuiKey_DownArrow)) edit_.move(Motion::down, shift);
  if (pressed(ImGuiKey_PageUp)) edit_.move(Motion::up, shift, page);
  if (pressed(ImGuiKey_PageDown)) edit_.move(Motion::down, shift, page);
  if (pressed(ImGuiKey_Home)) edit_.move(ctrl ? Motion::text_start : Motion::line_start, shift);
  if (pressed(ImGuiKey_End)) edit_.move(ctrl ? Motion::text_end : Motion::line_end, shift);
  reveal_caret_ |= edit_.caret != before;
}

/// Applies what changes the text; returns what to call it, with the same name for what belongs to one undo step.
std::string SourcePanel::take_changes() {
  ImGuiIO& io = ImGui::GetIO();
  std::string name;
  if (io.KeyCtrl) {
    if (pressed(ImGuiKey_A)) edit_.select_all();
    if (pressed(ImGuiKey_C) && edit_.has_selection()) ImGui::SetClipboardText(edit_.selected().c_str());
    if (pressed(ImGuiKey_X) && edit_.has_selection()) {
      ImGui::SetClipboardText(edit_.selected().c_str());
      edit_.erase_selection();
      name = "cut";
    }
    if (const char* clip = pressed(ImGuiKey_V) ? ImGui::GetClipboardText() : nullptr; clip != nullptr) {
      edit_.insert(clip);
      name = "paste";
    }
    if (pressed(ImGuiKey_Slash)) {
      edit_.toggle_comment();
      name = "comment";
    }
  } else {
    std::string typed;
    for (const ImWchar c : io.InputQueueCharacters) {
      if (c >= 32 && c != 127) typed += utf8(c);
    }
    io.InputQueueCharacters.resize(0);
    if (!typed.empty()) {
      edit_.insert(typed);
      name = "typing";
    }
    if (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeypadEnter)) edit_.new_line(), name = "new line";
    if (pressed(ImGuiKey_Tab)) edit_.indent(!io.KeyShift), name = "indentation";
  }
  if (pressed(ImGuiKey_Backspace)) edit_.erase(io.KeyCtrl ? Motion::word_left : Motion::left), name = "deletion";
  if (pressed(ImGuiKey_Delete)) edit_.erase(io.KeyCtrl ? Motion::word_right : Motion::right), name = "deletion";
  return name;
}

void SourcePanel::take_keys(App& app, const Stage& stage, Rectangle area) {
  if (ImGui::GetIO().KeyAlt) return;  // those are commands
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) {
    focused_ = false;
    return;
  }
  const std::size_t caret = edit_.caret;
  take_motions(stage, area);
  if (edit_.caret != caret) app.document.end_merge();
  const std::string name = take_changes();
  if (name.empty() || edit_.text == app.document.text()) return;
  const int line = LineIndex(edit_.text).line_of(edit_.caret) + 1;
  const std::string place = " at line " + std::to_string(line);
  const bool merges = name == "typing" || name == "deletion";
  app.editor.edit(edit_.text, name + place, merges ? name + place : std::string());
  reveal_caret_ = true;
}

}  // namespace lanescope::gui
