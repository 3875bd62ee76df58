// Commands on the text: files, editing, running.

#include "app/gui/commands/groups.h"
#include "app/gui/state/app.h"

namespace lanescope::gui {

void add_file_commands(std::vector<Command>& all) {
  const std::string g = "File";
  all.push_back({"file.kernels",
                 g,
                 "Open a kernel of the catalogue…",
                 "Lists the kernels that come with lanescope and the recent files.",
                 chords({"Ctrl+K"}),
                 false,
                 [](App& a) { show_overlay(a, Overlay::kernels); },
                 {}});
  all.push_back({"file.open",
                 g,
                 "Open a file…",
                 "Opens a .cu or .ptx file by its path.",
                 chords({"Ctrl+O"}),
                 false,
                 [](App& a) { show_overlay(a, Overlay::open_path); },
                 {}});
  all.push_back({"file.new",
                 g,
                 "New kernel",
                 "Starts from a small kernel with a launch header and one claim.",
                 chords({"Ctrl+N"}),
                 false,
                 [](App& a) { a.editor.new_kernel(); },
                 {}});
  all.push_back({"file.save",
                 g,
                 "Save",
                 "Writes the text to its file.",
                 chords({"Ctrl+S"}),
                 false,
                 [](App& a) { a.editor.save(); },
                 {}});
  all.push_back({"file.save_as",
                 g,
                 "Save as…",
                 "Writes the text to another file and goes on with that one.",
                 chords({"Ctrl+Shift+S"}),
                 false,
                 [](App& a) { show_overlay(a, Overlay::save_path); },
                 {}});
  all.push_back({"file.reload",
                 g,
                 "Read the file again",
                 "Drops the edits that are not saved.",
                 {},
                 false,
                 [](App& a) { a.editor.reload(); },
                 [](const App& a) {
                   return a.document.file().empty() ? std::string("This text has no file yet; save it first.") : "";
                 }});
  all.push_back({"file.keep",
                 g,
                 "Keep my edits",
                 "Goes on with the text on screen although the file changed on disk.",
                 {},
                 false,
                 [](App& a) { a.shell.dismiss("disk"); },
                 {}});
  all.push_back({"app.quit",
                 g,
                 "Quit",
                 "Closes lanescope; asks when there are edits that are not saved.",
                 chords({"Ctrl+Q"}),
                 false,
                 [](App& a) { a.editor.close(); },
                 {}});
}

void add_edit_commands(std::vector<Command>& all) {
  const std::string g = "Edit";
  all.push_back(
      {"edit.undo", g, "Undo", "Takes back the last change of the text.", chords({"Ctrl+Z"}), true,
       [](App& a) { a.editor.undo(); },
       [](const App& a) { return a.document.can_undo() ? "" : std::string("Nothing has been changed yet."); }});
  all.push_back({"edit.redo", g, "Redo", "Makes the change again that was taken back.",
                 chords({"Ctrl+Y", "Ctrl+Shift+Z"}), true, [](App& a) { a.editor.redo(); },
                 [](const App& a) { return a.document.can_redo() ? "" : std::string("Nothing has been undone."); }});
  all.push_back({"edit.source",
                 g,
                 "Type in the source",
                 "Puts the caret on the current line; Escape leaves it.",
                 chords({"Enter", "Ctrl+E"}),
                 false,
                 [](App& a) {
                   a.shell.show_panel(PanelId::source);
                   a.shell.editor_focus_request = PanelId::source;
                 },
                 {}});
}

void add_run_commands(std::vector<Command>& all) {
  const std::string g = "Run";
  all.push_back({"run.now",
                 g,
                 "Run",
                 "Compiles and runs the text as it is now.",
                 chords({"Ctrl+R"}),
                 false,
                 [](App& a) { a.requests.run(); },
                 {}});
  all.push_back({"run.engine",
                 g,
                 "Emulator or GPU",
                 "Runs on a GPU from now on, or in the emulator again.",
                 chords({"Ctrl+Shift+G"}),
                 false,
                 [](App& a) {
                   a.settings.on_gpu = !a.settings.on_gpu;
                   a.requests.run();
                 },
                 {}});
  all.push_back({"run.next_gpu",
                 g,
                 "Next GPU",
                 "Runs on the next GPU of the engine's machine.",
                 {},
                 false,
                 [](App& a) {
                   a.settings.device = (a.settings.device + 1) % static_cast<int>(a.settings.gpus.size());
                   a.settings.on_gpu = true;
                   a.requests.run();
                 },
                 [](const App& a) {
                   return a.settings.gpus.size() > 1 ? std::string() : "No run has found more than one GPU yet.";
                 }});
  all.push_back({"run.stop", g, "Stop the run", "Ends a run that takes too long; the last result stays.",
                 chords({"Ctrl+."}), false, [](App& a) { a.requests.stop(); },
                 [](const App& a) { return a.results.running ? "" : std::string("Nothing is running."); }});
}

}  // namespace lanescope::gui
