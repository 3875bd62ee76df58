#pragma once
// The text under study as the window edits it: a history of documents, and a watch on its file.

#include <string>
#include <string_view>

#include "app/document/document.h"
#include "app/document/file_io.h"

namespace lanescope::gui {

using document::read_text;
inline Expected<void> write_text(const std::string& path, std::string_view text) {
  return document::write_file(path, text);
}

class Document {
 public:
  const std::string& text() const { return history_.now().text(); }
  const std::string& file() const { return history_.now().file(); }  ///< empty: never saved
  std::string title() const { return history_.now().title(); }
  bool edited() const { return history_.now().dirty(); }
  const std::string& saved_text() const { return history_.now().saved_text(); }

  /// Starts over with this text; `file` may be empty.
  void reset(std::string file, std::string text);
  void restore(std::string file, std::string text, std::string saved_text);
  void edit(std::string text, const std::string& step_name, const std::string& merge);
  bool can_undo() const { return history_.can_undo(); }
  bool can_redo() const { return history_.can_redo(); }
  /// Names of the next steps of undo and redo.
  std::string undo_name() const { return history_.undo_name(); }
  std::string redo_name() const { return history_.redo_name(); }
  void undo() { history_.undo(); }
  void redo() { history_.redo(); }
  /// Ends the run of changes that are merged into one step.
  void end_merge() { history_.end_merge(); }

  Expected<void> open(const std::string& path);
  Expected<void> save(const std::string& path);
  /// True if the file on disk differs from the last text read or written; once per change.
  bool changed_on_disk();

 private:
  document::History history_;
  document::FileWatch watch_;
};

}  // namespace lanescope::gui
