#pragma once
// The text under study: its file, its changes, and the way back. Nothing here draws or runs.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::gui {

class Editing {
 public:
  Editing();
  const std::string& text() const { return states_[cursor_].text; }
  const std::string& file() const { return file_; }   ///< empty: never saved
  std::string title() const;                          ///< file name, or "untitled.cu"
  bool edited() const { return text() != saved_text_; }

  /// Starts over with this text; `file` may be empty.
  void reset(std::string file, std::string text);
  void restore(std::string file, std::string text, std::string saved_text);
  void edit(std::string text, const std::string& step_name, const std::string& merge);
  bool can_undo() const { return cursor_ > 0; }
  bool can_redo() const { return cursor_ + 1 < states_.size(); }
  /// Names of the steps that undo and redo would go over.
  std::string undo_name() const { return can_undo() ? states_[cursor_].name : std::string(); }
  std::string redo_name() const { return can_redo() ? states_[cursor_ + 1].name : std::string(); }
  void undo();
  void redo();
  /// Ends the run of changes that are merged into one step.
  void end_merge() { merge_.clear(); }

  Expected<void> open(const std::string& path);
  Expected<void> save(const std::string& path);
  /// True when the file on disk is no longer what was read or written last; tells it once per change.
  bool changed_on_disk();
  const std::string& saved_text() const { return saved_text_; }

 private:
  struct State {
    std::string text, name;
  };
  void remember_disk();

  std::vector<State> states_;
  std::size_t cursor_ = 0;
  std::string file_, saved_text_, merge_;
  long long disk_time_ = 0, disk_bytes_ = -1;
};

/// Whole files as text. Errors carry the path and the system's reason.
Expected<std::string> read_text(const std::string& path);
Expected<void> write_text(const std::string& path, std::string_view text);

}  // namespace lanescope::gui
