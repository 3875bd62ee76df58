#pragma once
// The desktop's own dialog for opening a file: a program of the desktop in a child process, so that the window
// continues drawing while it is open.

#include <optional>
#include <string>
#include <vector>

#include "kernels/base/process.h"

namespace lanescope::desktop {

/// The program and its arguments that request a .cu or .ptx file, beginning in `folder`; empty where this desktop has
/// none or there is no display. `LANESCOPE_FILE_DIALOG` names another program of the kind, or "none".
std::vector<std::string> open_dialog_command(const std::string& folder);

class OpenDialog {
 public:
  struct Answer {
    std::string path;     ///< empty: the dialog was cancelled
    bool failed = false;  ///< it could not be shown
  };

  bool is_open() const { return process_.running(); }
  /// Starts the program; false where it cannot be started. One dialog at a time.
  bool start(const std::vector<std::string>& command);
  /// The answer, if there is one already; never waits.
  std::optional<Answer> poll();
  void close() { process_ = {}, output_.clear(); }

 private:
  Process process_;
  Bytes output_;
};

}  // namespace lanescope::desktop
