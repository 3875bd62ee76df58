#include "app/gui/shell/overlay.h"

#include <fmt/format.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/gui/commands/command.h"
#include "app/gui/commands/design_actions.h"
#include "app/gui/commands/groups.h"
#include "app/gui/state/editing_aids.h"
#include "app/gui/state/glossary.h"
#include "app/gui/welcome/welcome_page.h"
#include "kernels/base/enum_size.h"
#include "kernels/base/numbers.h"

namespace lanescope::gui {
namespace {

struct ListState {
  int cursor = 0;
  std::string query;
  Overlay overlay = Overlay::none;
  bool fresh = true;      ///< the input takes the keyboard
  int frames_at_end = 0;  ///< of the input, in which its caret moves to the end
};

constexpr float wide_px = 860;

class Overlays;
struct OverlayRow {
  const char* hint = nullptr;  ///< of the input; nullptr: `draw` draws the overlay
  std::vector<Choice> (*choices)(const App&, const std::string& typed) = nullptr;  ///< nullptr: a path is typed
  void (*draw)(Overlays&, App&, Stage&) = nullptr;
  float width_px = 560;
};

class Overlays {
 public:
  void draw(App& app, Stage& stage) {
    if (app.shell.overlay != Overlay::better && app.improvement.is_open()) app.improvement.end();
    if (app.shell.overlay == Overlay::none) {
      state_.overlay = Overlay::none;
      return;
    }
    if (state_.overlay != app.shell.overlay) state_ = {.cursor = 0, .overlay = app.shell.overlay};
    if (app.shell.overlay == Overlay::picture_notes) return draw_picture_notes(app, stage);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const OverlayRow& row = row_of(app.shell.overlay);
    const bool wide = row.width_px >= wide_px;
    const float width = std::min(stage.px(row.width_px), screen.x - stage.px(40));
    ImGui::GetWindowDrawList()->AddRectFilled({0, 0}, screen, to_im(views::with_alpha(stage.theme->background, 140)));
    ImGui::SetNextWindowPos({std::round((screen.x - width) / 2), std::round(screen.y * (wide ? 0.06f : 0.12f))});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, screen.y * 0.86f});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(stage.px(10), stage.px(10)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, stage.px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, to_vec(views::mixed(*stage.theme, views::Mixed::overlay)));
    // A list that the overlay opened keeps the keyboard, and clicks into it are not outside.
    const bool listing = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    if (!listing) ImGui::SetNextWindowFocus();
    ImGui::Begin("overlay", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNav);
    const bool outside =
        ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
        !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    draw_content(row, app, stage);
    if (!listing && ((outside && !state_.fresh) || ImGui::IsKeyPressed(ImGuiKey_Escape, false)))
      app.shell.overlay = Overlay::none;
    state_.fresh = false;
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
  }

 private:
  static const OverlayRow& row_of(Overlay overlay) {
    static constexpr OverlayRow rows[] = {
        {},
        {"Type a command", command_choices},
        {"Type a name, or words of what a kernel shows: race, stencil, bank-conflict", kernel_choices, nullptr,
         wide_px},
        {"Path of a .cu or .ptx file, or the beginning of a name"},
        {"Path to save under"},
        {"Path to save the panel under: .svg, .png or .csv"},
        {.draw = [](Overlays& o, App& app, Stage& stage) { o.glossary_terms(app, stage); }, .width_px = wide_px},
        {.draw = [](Overlays&, App&, Stage& stage) { draw_key_list(stage); }, .width_px = wide_px},
        {.draw = [](Overlays& o, App& app, Stage& stage) { o.question(app, stage); }},
        {"Steps to find, for example: shared store with a conflict", step_choices},
        {.draw = [](Overlays& o, App& app, Stage& stage) { o.go_to_line(app, stage); }},
        {.draw = [](Overlays& o, App& app, Stage& stage) { o.go_to_step(app, stage); }},
        {"Type the snippet to write", [](const App&, const std::string& typed) { return snippet_choices(typed); }},
        {"Type the number of an iteration",
         [](const App& app, const std::string& typed) {
           return typed.empty() ? std::vector<Choice>{} : step_choices(app, "iteration " + typed);
         }},
        {"Path to save the layout under: .layout"},
        {"Path to write the code to"},
        {"Type a name, or a layout: CuTe, Triton, register: i1 i0; thread: …", preset_choices},
        {.draw = [](Overlays&, App& app, Stage& stage) { draw_better_plan(app, stage); }, .width_px = wide_px},
        {"Path of the handout: .html (a page with all steps), .pdf (slides), .png or .svg (this moment)"},
        {.draw = [](Overlays&, App& app, Stage& stage) { draw_welcome(app, stage); }, .width_px = 1240},
        {}};
    return entry_for(rows, overlay);
  }

  void draw_content(const OverlayRow& row, App& app, Stage& stage) {
    if (row.draw != nullptr) return row.draw(*this, app, stage);
    if (row.choices == nullptr) return path(app, stage, row.hint);
    list(app, stage, row.hint, row.choices(app, app.shell.overlay_text));
  }

  bool input(App& app, const Stage& stage, const char* hint) {
    ImGui::PushFont(stage.fonts.body);
    ImGui::SetNextItemWidth(-1);
    if (state_.fresh)
      ImGui::SetKeyboardFocusHere(), state_.frames_at_end = app.shell.overlay == Overlay::open_path ? 2 : 0;
    // The folder that stands there is continued with, not replaced: ImGui selects all of it.
    const auto at_end = [](ImGuiInputTextCallbackData* data) {
      auto& frames = *static_cast<int*>(data->UserData);
      if (data->EventFlag != ImGuiInputTextFlags_CallbackAlways || frames == 0) return 0;
      --frames;
      data->ClearSelection();
      data->CursorPos = data->BufTextLen;
      return 0;
    };
    const bool entered =
        ImGui::InputTextWithHint("##query", hint, &app.shell.overlay_text,
                                 ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_EscapeClearsAll |
                                     ImGuiInputTextFlags_CallbackHistory | ImGuiInputTextFlags_CallbackAlways,
                                 at_end, &state_.frames_at_end);
    ImGui::PopFont();
    if (app.shell.overlay_text != state_.query) {
      state_.query = app.shell.overlay_text;
      state_.cursor = 0;
    }
    return entered;
  }

  void pick(App& app, const Choice& choice) {
    const Overlay before = app.shell.overlay;
    const std::string text = app.shell.overlay_text;
    if (!choice.refusal.empty()) return app.shell.show_status(choice.refusal);
    choice.pick(app);
    // Picking a folder continues in the same list; a command may open another one.
    if (app.shell.overlay == before && app.shell.overlay_text == text)
      app.shell.overlay = Overlay::none;
    else
      state_.fresh = true;
  }

  void rows(App& app, const Stage& stage, const std::vector<Choice>& choices) {
    const int count = static_cast<int>(choices.size());
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) ++state_.cursor;
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) --state_.cursor;
    state_.cursor = std::clamp(state_.cursor, 0, std::max(count - 1, 0));
    const float line = stage.px(30);
    const bool explains = std::ranges::any_of(choices, [](const Choice& c) { return !c.more.empty(); });
    const float most = ImGui::GetIO().DisplaySize.y * (explains ? 0.5f : 0.6f);
    const float height = std::min(static_cast<float>(std::max(count, 1)) * line, most);
    ImGui::BeginChild("rows", {0, height});
    if (choices.empty()) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      draw_text(stage, stage.fonts.body, {at.x + stage.px(8), at.y + line / 2}, stage.theme->text_dim,
                "Nothing matches. Type fewer letters.");
    }
    const Choice* picked = nullptr;
    for (int i = 0; i < count; ++i) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float width = ImGui::GetContentRegionAvail().x;
      ImGui::PushID(i);  // a recent file may have the name of one in this folder
      if (ImGui::InvisibleButton(choices[i].label.c_str(), {width, line - ImGui::GetStyle().ItemSpacing.y}))
        picked = &choices[i];
      ImGui::PopID();
      const bool hovered = ImGui::IsItemHovered();
      if (hovered && (ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0)) state_.cursor = i;
      if (i == state_.cursor) {
        ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                                  to_im(views::mixed(*stage.theme, views::Mixed::chosen_row)),
                                                  stage.px(4));
        if (ImGui::IsKeyPressed(ImGuiKey_DownArrow) || ImGui::IsKeyPressed(ImGuiKey_UpArrow)) ImGui::SetScrollHereY();
      }
      const float y = (ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y) / 2;
      const scene::Color ink = choices[i].refusal.empty() ? stage.theme->text : stage.theme->text_faint;
      const float detail = draw_text(stage, stage.fonts.small, {at.x + width - stage.px(10), y}, stage.theme->text_dim,
                                     choices[i].detail, TextAlign::right, width * 0.5f);
      draw_text(stage, stage.fonts.body, {at.x + stage.px(10), y}, ink, choices[i].label, TextAlign::left,
                width - detail - stage.px(30));
      if (hovered && !choices[i].refusal.empty()) tooltip(stage, choices[i].refusal);
    }
    ImGui::EndChild();
    if (explains) explanation(stage, choices[static_cast<std::size_t>(state_.cursor)].more);
    if (picked != nullptr) pick(app, *picked);
  }

  /// Below the list, as high as the longest ones need, so that the list stays where it is.
  static void explanation(const Stage& stage, const std::string& text) {
    ImGui::Dummy({1, stage.px(4)});
    ImGui::BeginChild("explanation", {0, stage.px(104)});
    ImGui::PushFont(stage.fonts.small);
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec(stage.theme->text));
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text.c_str(), text.c_str() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    ImGui::PopFont();
    ImGui::EndChild();
  }

  void list(App& app, const Stage& stage, const char* hint, std::vector<Choice> choices) {
    const bool entered = input(app, stage, hint);
    ImGui::Dummy({1, stage.px(2)});
    if (entered && !choices.empty()) {
      pick(app, choices[std::clamp(state_.cursor, 0, static_cast<int>(choices.size()) - 1)]);
      return;
    }
    rows(app, stage, choices);
  }

  void path(App& app, const Stage& stage, const char* hint) {
    const bool exporting = app.shell.overlay == Overlay::export_path;
    const bool layout = app.shell.overlay == Overlay::save_layout, code = app.shell.overlay == Overlay::export_code;
    const bool handout = app.shell.overlay == Overlay::export_handout;
    const bool saving = app.shell.overlay == Overlay::save_path || exporting || layout || code || handout;
    if (state_.fresh && app.shell.overlay_text.empty()) {
      const std::filesystem::path file(layout || code ? app.designer.file() : app.document.file());
      app.shell.overlay_text = saving && !code          ? file.string()
                               : file.has_parent_path() ? file.parent_path().string() + "/"
                                                        : "";
      if (code) app.shell.overlay_text = proposed_code_path(app);
    }
    bool entered = input(app, stage, hint);
    ImGui::Dummy({1, stage.px(2)});
    if (saving) entered |= write_button(stage, code || exporting || handout ? "Write the file" : "Save");
    if (!entered) {
      if (!saving) rows(app, stage, path_choices(app, app.shell.overlay_text));
      return;
    }
    const std::string typed = expand_home(app.shell.overlay_text);
    std::error_code error;
    if (typed.empty()) return;
    if (exporting) {
      app.shell.overlay = Overlay::none;
      app.shell.view.export_folder = std::filesystem::path(typed).parent_path().string();
      app.shell.export_request = {.panel = app.shell.active_panel, .path = typed};
    } else if (handout) {
      app.shell.overlay = Overlay::none;
      write_handout(app, typed);
    } else if (layout) {
      app.shell.overlay = Overlay::none;
      app.editor.save_layout_as(design::is_design_file(typed) ? typed : typed + ".layout");
    } else if (code) {
      app.shell.overlay = Overlay::none;
      write_code(app, typed);
    } else if (saving) {
      app.shell.overlay = Overlay::none;
      app.editor.save_as(typed);
    } else if (std::filesystem::is_regular_file(typed, error)) {
      app.shell.overlay = Overlay::none;
      app.editor.open(typed);
    } else if (const auto choices = path_choices(app, app.shell.overlay_text); !choices.empty()) {
      pick(app, choices[std::clamp(state_.cursor, 0, static_cast<int>(choices.size()) - 1)]);
    } else {
      app.shell.show_status("There is no file " + typed + ".");
      state_.fresh = true;
    }
  }

  /// The same as Enter, for the mouse.
  static bool write_button(const Stage& stage, const char* words) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ButtonLook look{.pill = true, .color = stage.theme->accent};
    const bool pressed = button(stage, words, {at.x + stage.px(4), at.y + stage.px(16)}, words,
                                "Writes the file. It is replaced where there is one.", look);
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({1, stage.px(34)});
    return pressed;
  }

  /// "54" or "54:12".
  void go_to_line(App& app, const Stage& stage) {
    const int lines = LineIndex(app.document.text()).count();
    const std::string hint = "Line of 1 to " + std::to_string(lines) + ", or line:column";
    const bool entered = input(app, stage, hint.c_str());
    if (!entered) return;
    int line = 0, column = 0;
    if (std::sscanf(app.shell.overlay_text.c_str(), "%6d:%6d", &line, &column) < 1 || line < 1 || line > lines) {
      app.shell.show_status("There is no line '" + app.shell.overlay_text + "'. The source has " +
                            std::to_string(lines) + " lines.");
      state_.fresh = true;
      return;
    }
    app.shell.overlay = Overlay::none;
    app.writing.follow(app.document.text(), app.navigation.kernel());
    app.writing.go_to(line, column);
    if (const int there = app.run_line(line); there > 0) app.navigation.go_to_line(there);
    app.navigation.reveal_line.reset();
    app.shell.show_panel(PanelId::source);
    app.shell.editor_focus_request = PanelId::source;
  }

  /// "5000000" or "3:5000000".
  void go_to_step(App& app, const Stage& stage) {
    const results::Summary& s = app.results.summary;
    const std::string hint = s.block_steps > 0 ? fmt::format("Step of 1 to {} of block {}, or block:step",
                                                             spaced(s.block_steps), s.recorded_block)
                                               : "Step of this block, or block:step";
    if (!input(app, stage, hint.c_str())) return;
    unsigned long long block = s.recorded_block, step = 0;
    const std::string& text = app.shell.overlay_text;
    const bool other = std::sscanf(text.c_str(), "%9llu:%15llu", &block, &step) == 2;
    if (!other) block = s.recorded_block;
    const bool read = other || std::sscanf(text.c_str(), "%15llu", &step) == 1;
    if (!read || step < 1 || block >= s.grid.count()) {
      app.shell.show_status(fmt::format("There is no step '{}'. The grid has {} blocks; steps begin with 1.", text,
                                        spaced(s.grid.count())));
      state_.fresh = true;
      return;
    }
    app.shell.overlay = Overlay::none;
    app.navigation.playing = false;
    const std::uint64_t index = step - 1;  // people count from 1
    if (block == s.recorded_block && index >= s.first_step && index - s.first_step < s.timeline.size())
      return app.navigation.go_to_step(static_cast<std::int64_t>(index - s.first_step));
    app.requests.record({.block = static_cast<std::uint32_t>(block), .step = static_cast<std::int64_t>(index)});
  }

  void question(App& app, const Stage& stage) {
    const bool layout = app.editor.asks_about_layout();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    draw_text(stage, stage.fonts.body_medium, {at.x + stage.px(6), at.y + stage.px(14)}, stage.theme->text,
              (layout ? app.designer.title() : app.document.title()) + " has unsaved edits.");
    draw_text(stage, stage.fonts.small, {at.x + stage.px(6), at.y + stage.px(38)}, stage.theme->text_dim,
              "Save them, or discard them. Escape returns to the text.", TextAlign::left, width);
    ButtonLook look{.pill = true, .color = stage.theme->accent};
    float x = at.x + stage.px(6);
    const float y = at.y + stage.px(72);
    if (button(stage, "Save and continue", {x, y}, "Save and continue", "Saves the file first", look)) {
      if (layout ? app.designer.file().empty() : app.document.file().empty())
        app.shell.overlay = layout ? Overlay::save_layout : Overlay::save_path;
      else if (layout ? app.editor.save_layout() : app.editor.save();
               layout ? !app.designer.edited() : !app.document.edited())
        app.editor.discard_and_go_on();
    }
    x += button_width(stage, "Save and continue", look) + stage.px(8);
    look.color = stage.theme->bad;
    if (button(stage, "Discard the edits", {x, y}, "Discard the edits", "Continues without saving", look))
      app.editor.discard_and_go_on();
    ImGui::SetCursorScreenPos({at.x, at.y + stage.px(88)});
    ImGui::Dummy({1, stage.px(4)});
  }

  /// The terms that match what is typed; a reference to another term searches for that one.
  void glossary_terms(App& app, const Stage& stage) {
    const std::string before = state_.query;
    input(app, stage, "Search the glossary: a term, a counter, a field of JSON output");
    ImGui::Dummy({1, stage.px(2)});
    // Words alone are one half: the other is on the picture behind this list.
    const ImVec2 below = ImGui::GetCursorScreenPos();
    ButtonLook look{.pill = true, .color = stage.theme->accent};
    if (button(stage, "Notes on the picture", {below.x + stage.px(4), below.y + stage.px(14)},
               "What the picture on screen means", hint_of("app.picture_notes"), look))
      app.shell.overlay = Overlay::picture_notes;
    ImGui::SetCursorScreenPos({below.x, below.y + stage.px(32)});
    ImGui::BeginChild("terms", {0, ImGui::GetIO().DisplaySize.y * 0.66f});
    if (state_.query != before) ImGui::SetScrollY(0);
    const float line = stage.px(60);
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) ImGui::SetScrollY(ImGui::GetScrollY() + line);
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) ImGui::SetScrollY(ImGui::GetScrollY() - line);
    const ImVec2 top = ImGui::GetCursorScreenPos();
    const float x = top.x + stage.px(8), width = ImGui::GetContentRegionAvail().x - stage.px(20);
    float y = top.y + stage.px(4);
    if (!glossary()) {
      for (const Diagnostic& d : glossary().error())
        y += draw_wrapped(stage, stage.fonts.body, {x, y}, width, stage.theme->bad, to_string(d)) + stage.px(6);
    } else {
      const auto terms = glossary()->matching(app.shell.overlay_text);
      if (terms.empty())
        y += draw_wrapped(stage, stage.fonts.body, {x, y}, width, stage.theme->text_dim,
                          "No term matches. Type fewer letters.");
      std::string heading;
      for (const GlossaryTerm* term : terms) {
        if (app.shell.overlay_text.empty() && term->heading != heading) {
          heading = term->heading;
          draw_text(stage, stage.fonts.body_medium, {x, y + stage.px(12)}, stage.theme->accent, heading);
          y += stage.px(30);
        }
        y += glossary_term(app, stage, *term, {x, y}, width);
      }
    }
    ImGui::SetCursorScreenPos({top.x, y});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
  }

  /// Returns the height.
  static float glossary_term(App& app, const Stage& stage, const GlossaryTerm& term, ImVec2 at, float width) {
    float y = at.y + stage.px(10);
    const float name = draw_text(stage, stage.fonts.body_medium, {at.x, y}, stage.theme->text, term.term);
    if (!term.cuda.empty())
      draw_text(stage, stage.fonts.small, {at.x + width, y}, stage.theme->text_dim, "CUDA: " + term.cuda,
                TextAlign::right, width - name - stage.px(20));
    y += stage.px(12);
    y += draw_wrapped(stage, stage.fonts.small, {at.x, y}, width, stage.theme->text_dim, term.text) + stage.px(8);
    float x = at.x;
    for (const std::string& other : term.see) {
      const float w = text_width(stage.fonts.small, other);
      if (x > at.x && x + w > at.x + width) break;
      ImGui::SetCursorScreenPos({x, y - stage.px(8)});
      const std::string id = "See " + other + "##of " + term.term;
      if (ImGui::InvisibleButton(id.c_str(), {w, stage.px(18)})) app.shell.overlay_text = other;
      draw_text(stage, stage.fonts.small, {x, y}, ImGui::IsItemHovered() ? stage.theme->text : stage.theme->accent,
                other);
      x += w + stage.px(14);
    }
    if (!term.see.empty()) y += stage.px(12);
    return y + stage.px(8) - at.y;
  }

  ListState state_;
};

}  // namespace

void draw_overlay(App& app, Stage& stage) {
  // ImGui windows live in a global context; what a list remembers between frames lives beside it.
  static Overlays overlays;
  overlays.draw(app, stage);
}

}  // namespace lanescope::gui
