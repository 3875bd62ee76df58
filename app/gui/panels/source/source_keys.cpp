// Keys of the source panel.

#include <imgui_internal.h>

#include "app/gui/panels/source/source_panel.h"
#include "app/gui/state/editing_aids.h"

namespace lanescope::gui {
namespace {

bool pressed(ImGuiKey key) { return ImGui::IsKeyPressed(key, true); }

std::string utf8(ImWchar c) {
  char buffer[5];
  ImTextCharToUtf8(buffer, c);
  return buffer;
}

}  // namespace

void SourcePanel::take_motions(Writing& w) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool shift = io.KeyShift, ctrl = io.KeyCtrl;
  const int page = std::max(1, rows_ - 2);
  const std::size_t before = w.edit.caret;
  if (pressed(ImGuiKey_LeftArrow)) w.edit.move(ctrl ? Motion::word_left : Motion::left, shift);
  if (pressed(ImGuiKey_RightArrow)) w.edit.move(ctrl ? Motion::word_right : Motion::right, shift);
  if (pressed(ImGuiKey_UpArrow)) w.edit.move(Motion::up, shift);
  if (pressed(ImGuiKey_DownArrow)) w.edit.move(Motion::down, shift);
  if (!ctrl && pressed(ImGuiKey_PageUp)) w.edit.move(Motion::up, shift, page);
  if (!ctrl && pressed(ImGuiKey_PageDown)) w.edit.move(Motion::down, shift, page);
  if (pressed(ImGuiKey_Home)) w.edit.move(ctrl ? Motion::text_start : Motion::line_start, shift);
  if (pressed(ImGuiKey_End)) w.edit.move(ctrl ? Motion::text_end : Motion::line_end, shift);
  w.reveal_caret |= w.edit.caret != before;
}

/// Applies what changes the text; returns what to call it, with the same name for what belongs to one undo step.
std::string SourcePanel::take_changes(TextEdit& edit) {
  ImGuiIO& io = ImGui::GetIO();
  std::string name;
  if (io.KeyCtrl) {
    if (pressed(ImGuiKey_A)) edit.select_all();
    if (pressed(ImGuiKey_C) && edit.has_selection()) ImGui::SetClipboardText(edit.selected().c_str());
    if (pressed(ImGuiKey_X) && edit.has_selection()) {
      ImGui::SetClipboardText(edit.selected().c_str());
      edit.erase_selection();
      name = "cut";
    }
    if (const char* clip = pressed(ImGuiKey_V) ? ImGui::GetClipboardText() : nullptr; clip != nullptr) {
      edit.insert(clip);
      name = "paste";
    }
  } else {
    std::string typed;
    for (const ImWchar c : io.InputQueueCharacters)
      if (c >= 32 && c != 127) typed += utf8(c);
    io.InputQueueCharacters.resize(0);
    if (!typed.empty()) {
      edit.insert(typed);
      name = "typing";
    }
    if (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeypadEnter)) edit.new_line(), name = "new line";
    if (pressed(ImGuiKey_Tab)) edit.indent(!io.KeyShift), name = "indentation";
  }
  if (pressed(ImGuiKey_Backspace)) edit.erase(io.KeyCtrl ? Motion::word_left : Motion::left), name = "deletion";
  if (pressed(ImGuiKey_Delete)) edit.erase(io.KeyCtrl ? Motion::word_right : Motion::right), name = "deletion";
  return name;
}

/// True: a key was the list's.
bool SourcePanel::take_suggestion_keys(App& app) {
  Suggestions& s = app.writing.suggestions;
  const int count = static_cast<int>(s.offers.list.size());
  const bool enter = pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeypadEnter);
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false))
    s = {};
  else if (pressed(ImGuiKey_DownArrow))
    s.chosen = (s.chosen + 1) % count, s.asked = true;
  else if (pressed(ImGuiKey_UpArrow))
    s.chosen = (s.chosen + count - 1) % count, s.asked = true;
  else if (ImGui::IsKeyPressed(ImGuiKey_Tab, false) || (enter && s.asked))
    take_suggestion(app);
  else
    return false;
  return true;
}

void SourcePanel::take_keys(App& app) {
  if (ImGui::GetIO().KeyAlt) return;  // those are commands
  Writing& w = app.writing;
  if (w.suggestions.open && take_suggestion_keys(app)) return;
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) {
    w.focused = false;
    return;
  }
  const std::size_t caret = w.edit.caret;
  take_motions(w);
  if (w.edit.caret != caret) app.document.end_merge(), w.suggestions = {};
  const std::string name = take_changes(w.edit);
  if (name.empty() || w.edit.text == app.document.text()) return;
  const std::string place = " at line " + std::to_string(w.line());
  const bool merges = name == "typing" || name == "deletion";
  app.editor.edit(w.edit.text, name + place, merges ? name + place : std::string());
  w.reveal_caret = true;
  const bool asked = w.suggestions.open && w.suggestions.asked;
  w.suggestions = {};
  if (merges && (name == "typing" || asked)) suggest(app, false);
  w.suggestions.asked = asked;
}

}  // namespace lanescope::gui
