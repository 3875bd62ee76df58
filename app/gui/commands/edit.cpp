// Commands on the text: undo, the clipboard, finding, lines and brackets.

#include <imgui.h>

#include <algorithm>

#include "app/document/document.h"
#include "app/gui/commands/groups.h"
#include "app/gui/state/editing_aids.h"
#include "kernels/base/numbers.h"

namespace lanescope::gui {
namespace {

/// The caret's text is the document's from here on.
Writing& writing_of(App& app) {
  app.writing.follow(app.document.text(), app.navigation.kernel());
  return app.writing;
}

/// The file itself comes after the last header.
void show_next_file(App& app) {
  const std::size_t files = app.results.header_texts.size() + 1;
  app.navigation.shown_file = (app.navigation.shown_file + 1) % files;
  app.navigation.reveal_line.reset();
  app.shell.show_panel(PanelId::source);
}

void write_in_source(App& app) {
  app.shell.show_panel(PanelId::source);
  app.shell.editor_focus_request = PanelId::source;
}

/// Changes the text at the caret as one step of undo.
void change_text(App& app, const std::string& name, const auto& change) {
  Writing& w = writing_of(app);
  change(w.edit);
  w.reveal_caret = true;
  if (w.edit.text != app.document.text()) app.editor.edit(w.edit.text, name + " at line " + std::to_string(w.line()));
}

void open_search(App& app, bool replacing) {
  Writing& w = writing_of(app);
  const std::string words = w.edit.selected();
  if (!words.empty() && words.find('\n') == std::string::npos) w.search.words = words;
  // From where one looks, unless one writes elsewhere.
  if (const int line = app.shown_line(app.navigation.selection.line); line > 0 && !w.focused && words.empty())
    w.go_to(line, 1);
  w.search.open = w.search.take_keys = true;
  w.search.replacing = replacing;
  w.focused = false;
  app.shell.show_panel(PanelId::source);
}

void find_match(App& app, bool forward) {
  Writing& w = writing_of(app);
  if (!w.find(forward)) return app.shell.show_status("'" + w.search.words + "' is not in the source.");
  app.shell.show_panel(PanelId::source);
}

void replace_match(App& app) {
  Writing& w = writing_of(app);
  const auto all = w.matches();
  const bool here = std::find(all.begin(), all.end(), w.edit.low()) != all.end() &&
                    w.edit.high() - w.edit.low() == w.search.words.size();
  if (here) change_text(app, "replacement", [&](TextEdit& edit) { edit.insert(w.search.replacement); });
  find_match(app, true);
}

void replace_everywhere(App& app) {
  Writing& w = writing_of(app);
  const Search& s = w.search;
  const std::size_t count = w.matches().size();
  if (count == 0) return find_match(app, true);
  app.editor.edit(document::replace_all(w.edit.text, s.words, s.replacement, s.match_case),
                  "replacement of " + counted(count, "place"));
  app.shell.show_status(counted(count, "place") + " replaced.");
}

std::string needs_search(const App& app) {
  return app.writing.search.words.empty() ? "No search is active. Find something first." : std::string();
}
std::string needs_selected_text(const App& app) {
  return app.writing.edit.has_selection() ? std::string() : "No text is selected in the source.";
}

void go_to_bracket(App& app) {
  Writing& w = writing_of(app);
  const auto pair = document::brackets_at(w.edit.text, w.edit.caret);
  if (!pair) return app.shell.show_status("No bracket with a partner is beside the caret.");
  const bool at_open = w.edit.caret == pair->open || (w.edit.caret == pair->open + 1 && w.edit.caret != pair->close);
  w.edit.place(at_open ? pair->close : pair->open, false);
  w.reveal_caret = true;
  write_in_source(app);
}

void add_clipboard_commands(CommandGroup& group) {
  group.add("edit.cut", "Cut", "Moves the selected text to the clipboard.", {}, needs_selected_text, [](App& a) {
    ImGui::SetClipboardText(a.writing.edit.selected().c_str());
    change_text(a, "cut", [](TextEdit& edit) { edit.erase_selection(); });
  });
  group.add("edit.copy", "Copy", "Copies the selected text to the clipboard.", {}, needs_selected_text,
            [](App& a) { ImGui::SetClipboardText(a.writing.edit.selected().c_str()); });
  group.add("edit.paste", "Paste", "Puts the clipboard in place of the selected text.", {}, [](App& a) {
    const char* clip = ImGui::GetClipboardText();
    const std::string words = clip == nullptr ? "" : clip;
    change_text(a, "paste", [&](TextEdit& edit) { edit.insert(words); });
  });
}

void add_search_commands(CommandGroup& group) {
  group.add("edit.find", "Find…", "Finds words in the source. Enter moves to the next match, Shift+Enter back.",
            {"Ctrl+F"}, [](App& a) { open_search(a, false); });
  group.add("edit.replace", "Replace…", "Finds words in the source and replaces them.", {"Ctrl+H"},
            [](App& a) { open_search(a, true); });
  group.add_repeating("edit.find_next", "Next match", "Moves to the next place of the words looked for.", {"F7"},
                      needs_search, [](App& a) { find_match(a, true); });
  group.add_repeating("edit.find_previous", "Previous match", "Moves to the place before of the words looked for.",
                      {"Shift+F7"}, needs_search, [](App& a) { find_match(a, false); });
  group.add("edit.replace_next", "Replace this match", "Replaces the selected match and moves to the next one.", {},
            needs_search, replace_match);
  group.add("edit.replace_all", "Replace all matches", "Replaces every match, as one step of undo.", {}, needs_search,
            replace_everywhere);
  group.add("edit.go_to_line", "Go to line…", "Moves to a line of the source, or to line:column.", {"Ctrl+G"},
            [](App& a) { show_overlay(a, Overlay::go_to_line); });
}

void add_aid_commands(CommandGroup& group) {
  group.add("edit.complete", "Complete the word",
            "Lists what can be written at the caret: intrinsics, names, keys, bits.", {"Ctrl+Space"}, [](App& a) {
              writing_of(a);
              if (!a.writing.focused) write_in_source(a);
              suggest(a, true);
            });
  group.add("edit.snippet", "Insert a snippet…", "Lists pieces of a kernel: load, store, shuffle, transpose, a claim.",
            {"Ctrl+I"}, [](App& a) { show_overlay(a, Overlay::snippets); });
  group.add("edit.true_assignment", "Write the true assignment here",
            "Corrects the assignment comment at this line, or writes one about the registers on show.",
            {"Ctrl+Shift+T"}, write_true_assignment);
  group.add("edit.annotate", "Annotate this variable",
            "Writes the actual assignment of the variable at the caret after its statement.", {"Ctrl+Shift+A"},
            annotate_variable);
  group.add("edit.adopt", "Write the launch header",
            "Puts a launch header in front of a file that has none, from inferred values; assumptions are marked.", {},
            write_launch_header);
  group.add("edit.fix", "Fixes of this line…", "Lists fixes of the claim or the finding of this line.", {"Alt+Enter"},
            [](App& a) {
              a.shell.show_panel(PanelId::source);
              a.writing.fix_request = line_meant(a);
            });
}

}  // namespace

void add_edit_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Edit");
  group.add_repeating(
      "edit.undo", "Undo", "Undoes the last change of the text, or of the layout under design.", {"Ctrl+Z"},
      [](const App& a) {
        const bool can = a.designs() ? a.designer.can_undo() : a.document.can_undo();
        return can ? "" : std::string("There is no change to undo.");
      },
      [](App& a) { a.designs() ? a.designer.undo() : a.editor.undo(); });
  group.add_repeating(
      "edit.redo", "Redo", "Repeats the change that was undone.", {"Ctrl+Y", "Ctrl+Shift+Z"},
      [](const App& a) {
        const bool can = a.designs() ? a.designer.can_redo() : a.document.can_redo();
        return can ? "" : std::string("There is no undone change.");
      },
      [](App& a) { a.designs() ? a.designer.redo() : a.editor.redo(); });
  group.add("edit.source", "Edit the source", "Places the cursor on the current line. Escape ends editing.",
            {"Enter", "Ctrl+E"}, [](App& a) {
              const int line = a.shown_line(a.navigation.selection.line);
              if (line > 0 && !a.writing.focused) writing_of(a).go_to(line);
              write_in_source(a);
            });
  group.add(
      "edit.next_file", "Next file of the source",
      "Shows the next header that the file includes in the Source panel, after the last one the file itself.",
      {"Ctrl+Shift+H"},
      [](const App& a) {
        return a.results.header_texts.empty() ? std::string("The file includes no header of your own.") : "";
      },
      show_next_file);
  add_clipboard_commands(group);
  add_search_commands(group);
  group.add_repeating("edit.comment", "Comment or uncomment", "Puts // before the selected lines, or removes it.",
                      {"Ctrl+/"},
                      [](App& a) { change_text(a, "comment", [](TextEdit& edit) { edit.toggle_comment(); }); });
  group.add("edit.bracket", "Go to the matching bracket", "Goes from the bracket at the caret to its partner.",
            {"Ctrl+B"}, go_to_bracket);
  add_aid_commands(group);
}

}  // namespace lanescope::gui
