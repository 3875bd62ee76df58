// Commands on files, and on running the text.

#include "app/gui/commands/groups.h"

namespace lanescope::gui {

void add_file_commands(std::vector<Command>& all) {
  CommandGroup group(all, "File");
  group.add("file.kernels", "Open a kernel of the catalogue…",
            "Lists the example kernels by topic, and searches them by words; recent files by name.", {"Ctrl+K"},
            [](App& a) { show_overlay(a, Overlay::kernels); });
  group.add("file.open", "Open a file…",
            "Opens a .cu, .ptx or .layout file: with the desktop's own dialog, or from a list if the desktop has none.",
            {"Ctrl+O"}, [](App& a) { a.ask_for_file(); });
  group.add("file.browse", "Browse files and folders…",
            "Lists the files and folders beside the open file, and the recent ones. A path can be typed.",
            {"Ctrl+Shift+O"}, [](App& a) { a.browse_files(); });
  group.add(
      "file.open_header", "Open the shown header", "Opens the header that the Source panel shows, to edit it.", {},
      [](const App& a) {
        return a.navigation.shown_file != 0 ? std::string() : "The Source panel shows the file that is open already.";
      },
      [](App& a) { a.editor.open(a.results.lines.files[a.navigation.shown_file].path); });
  group.add("file.new", "New kernel", "Creates a small kernel with a launch header and one claim.", {"Ctrl+N"},
            [](App& a) { a.editor.new_kernel(); });
  group.add("file.new_layout", "New layout", "Begins a layout design: register assignments, plans between them, code.",
            {"Ctrl+Shift+N"}, [](App& a) { a.editor.new_layout(); });
  group.add("file.save", "Save", "Writes the text, or the layout under design, to its file.", {"Ctrl+S"},
            [](App& a) { a.designs() ? a.editor.save_layout() : a.editor.save(); });
  group.add("file.save_as", "Save as…",
            "Writes the text, or the layout under design, to another file and continues with that file.",
            {"Ctrl+Shift+S"}, [](App& a) { show_overlay(a, a.designs() ? Overlay::save_layout : Overlay::save_path); });
  group.add(
      "file.reload", "Reload the file", "Discards unsaved edits.", {},
      [](const App& a) {
        return a.document.file().empty() ? std::string("This text has no file yet. Save it first.") : "";
      },
      [](App& a) { a.editor.reload(); });
  group.add("file.keep", "Keep my edits", "Keeps the text on screen although the file changed on disk.", {},
            [](App& a) { a.shell.dismiss("disk"); });
  group.add("app.quit", "Quit", "Closes lanescope. Asks first if there are unsaved edits.", {"Ctrl+Q"},
            [](App& a) { a.editor.close(); });
}

void add_run_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Run");
  group.add("run.now", "Run", "Compiles and runs the current text.", {"Ctrl+R"}, [](App& a) { a.requests.run(); });
  group.add("run.engine", "Emulator or GPU", "Switches between running on a GPU and in the emulator.", {"Ctrl+Shift+G"},
            [](App& a) {
              a.settings.on_gpu = !a.settings.on_gpu;
              a.requests.run();
            });
  group.add(
      "run.kernel", "Choose kernel", "Lists the launches that ran, and the kernels and instances that can run.", {},
      [](const App& a) { return a.results.have ? std::string() : std::string("There is no result yet."); },
      [](App& a) { a.shell.launch_menu_request = true; });
  group.add(
      "run.next_kernel", "Next kernel", "Runs the next kernel or instance of the file.", {},
      [](const App& a) {
        return a.results.summary.instances.size() > 1 ? std::string() : std::string("This file has only one kernel.");
      },
      [](App& a) {
        const std::vector<source::KernelInstance>& all = a.results.summary.instances;
        std::size_t at = 0;
        for (std::size_t i = 0; i < all.size(); ++i)
          if (all[i].kernel == a.settings.kernel ||
              (a.settings.kernel.empty() && all[i].kernel == a.results.summary.kernel))
            at = i + 1;
        a.settings.kernel = all[at % all.size()].kernel;
        a.settings.record_launch = -1;
        a.requests.run();
      });
  group.add(
      "run.own_kernel", "The file's own launches", "Runs the launches of the file, in place of the chosen kernel.", {},
      [](const App& a) { return a.settings.kernel.empty() ? std::string("No kernel is chosen.") : std::string(); },
      [](App& a) {
        a.settings.kernel.clear();
        a.settings.record_launch = -1;
        a.requests.run();
      });
  group.add(
      "run.all_blocks", "Run all blocks", "Runs every block of every launch, however long that takes.", {},
      [](const App& a) { return a.results.summary.coverage.empty() ? std::string("Every block ran.") : std::string(); },
      [](App& a) {
        a.settings.all_blocks = true;
        a.requests.run();
      });
  group.add(
      "run.next_gpu", "Next GPU", "Selects the next GPU of the engine's machine.", {},
      [](const App& a) {
        return a.settings.gpus.size() > 1 ? std::string() : "No run has reported more than one GPU.";
      },
      [](App& a) {
        a.settings.device = (a.settings.device + 1) % static_cast<int>(a.settings.gpus.size());
        a.settings.on_gpu = true;
        a.requests.run();
      });
  group.add(
      "run.reset_options", "Reset the compiler options",
      "Discards the changes of the panel Options for this file: added, removed and pasted options.", {},
      [](const App& a) {
        const auto chosen = a.settings.choices.find(a.document.file());
        return chosen == a.settings.choices.end() || chosen->second.empty()
                   ? std::string("The panel Options changed nothing for this file.")
                   : "";
      },
      [](App& a) {
        a.settings.choices.erase(a.document.file());
        a.requests.run();
      });
  group.add(
      "run.stop", "Stop the run", "Stops the current run. The last result is kept.", {"Ctrl+."},
      [](const App& a) { return a.results.running ? "" : std::string("Nothing is running."); },
      [](App& a) { a.requests.stop(); });
}

}  // namespace lanescope::gui
