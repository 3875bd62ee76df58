#pragma once
// The explorer without its window: the values of the model, their updates, and the order of these in each frame. No
// drawing. Panels read it, commands change it.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/desktop/open_dialog.h"
#include "app/gui/model/model.h"
#include "app/gui/state/requests.h"

namespace lanescope::gui {

// Files and changes of the text: opening, saving, editing; asks first when edits would be lost.

class Editor {
 public:
  Editor(Model& model, Requests& requests) : model_(model), requests_(requests) {}

  /// Opens a file, asking first when there are edits that are not saved. Errors become a notice.
  void open(const std::string& path);
  void open_now(const std::string& path);
  void new_kernel();
  /// The same with another text, of no file yet.
  void new_kernel(const std::string& text);
  /// A new layout under design, or one from a file; asks first when the one that is open has unsaved edits.
  void new_layout();
  void save_layout();
  void save_layout_as(std::string path);
  /// The question about unsaved edits is about the layout, not about the kernel.
  bool asks_about_layout() const { return pending_.about_layout; }
  /// Continues with the text and the selection of the last session.
  void restore(const std::string& file, const std::string& text, const std::string& saved_text,
               const views::Selection& where);
  void save();
  void save_as(std::string path);
  void reload();
  void discard_and_go_on();
  void close();
  /// One change of the text. Changes with the same non-empty `merge` that follow each other are one undo step.
  void edit(std::string text, const std::string& step_name, const std::string& merge = {});
  void undo();
  void redo();
  /// Looks at the file on disk; cheap enough for once a second.
  void watch_file();

 private:
  void report_saved(const Expected<void>& saved, const std::string& path, const std::string& changed);
  /// The action after the question about unsaved edits.
  struct Pending {
    std::string path{};  ///< empty with `quit` or `fresh`
    bool quit = false, fresh = false;
    std::string text{};  ///< with `fresh`: of the new kernel
    bool about_layout = false;
  };
  void open_layout(std::string path);
  bool is_open(const Expected<void>& opened, const std::string& path, const std::string& changed);
  /// First among the recent files.
  void remember(const std::string& path);
  void show_layout();
  void watch_layout();
  void ask(Pending pending);
  /// True when a header of the source is another one on disk than the last run read.
  bool header_changed();
  void start_kernel();

  Model& model_;
  Requests& requests_;
  Pending pending_;
  std::map<std::string, document::FileWatch> headers_;  ///< of the source, by path
};

/// The text of a new kernel: a copy with its launch and a claim.
std::string_view new_kernel_text();

/// Paths of assets/kernels/*.cu, sorted.
std::vector<std::string> catalogue_kernels();

class App : public Model {
 public:
  App(std::unique_ptr<engine::Channel> channel, const views::Theme* theme);

  Requests requests;
  Editor editor;
  desktop::OpenDialog open_dialog;

  /// Takes the answers of the engine, sends due requests. True: something changed.
  bool update(double now_seconds);
  /// Seconds until update() has work without an event.
  double due_in(double now_seconds) const;
  bool settled() const {
    return requests.settled() && designer.settled() && improvement.settled() && lecture.settled() && handout.settled();
  }
  /// Commands on "the document" apply to the layout: one of its panels is the active one.
  bool designs() const { return designer.is_open() && is_design_panel(shell.active_panel); }
  /// Requests a file to open: with the desktop's own dialog where there is one, else with the list of files and
  /// folders.
  void ask_for_file();
  void browse_files();
  /// Paths dropped on the window: a file is opened, a folder is listed.
  void open_dropped(const std::vector<std::string>& paths);
  /// The line of the text on screen for a line of the last good run, and the inverse; from 1. 0: it was changed.
  int shown_line(int line) const;
  int run_line(int line) const;
  /// The text that the Source panel shows: the one that is edited, or a header that it includes.
  std::string_view panel_text() const;
  /// Where a line of the last good run is in that text, from 1; 0: it was changed, or is in another file.
  int panel_line(int line) const;
  /// The same of a line of the text on screen, after a run that did not work.
  int panel_line_of_text(int line) const;
  /// The line of the last good run that is at this line of that text.
  int run_line_of_panel(int line) const;
  /// Moves to a problem (index in Results::problems) or to one of its sides; another block is recorded first.
  void show_problem(int index);
  void show_party(int index, int party);
  /// Moves to the step of a call of printf (index in Summary::printed), else to its line; another block is recorded
  /// first.
  void show_printed(int call);
  // --- lessons and moments (app_lecture.cpp)
  /// Bookmarks the shown moment, after the chosen one. False: refused, with a notice.
  bool bookmark();
  /// The stage shows the picture of the moment that one is at.
  void stage_moment();
  void open_lesson(const std::filesystem::path& folder);
  /// The open lesson is about this GPU, and so is what other panels explain.
  void choose_lesson_gpu(std::string_view gpu);
  /// Opens the learner's copy of the kernel of an exercise.
  void edit_code(const lessons::Question& question);
  void check_code();

 private:
  void take_dialog_answer();
  void follow_output();
  bool follow_lecture();
  bool show_wanted_moment();

  double watch_due_ = 0, run_clock_due_ = 0;
};

}  // namespace lanescope::gui
