#pragma once
// Files and changes of the text: opening, saving, editing; asks first when edits would be lost.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/model/model.h"
#include "app/gui/state/requests.h"

namespace lanescope::gui {

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

}  // namespace lanescope::gui
