#pragma once
// Progress of a long run on standard error: in one line of a terminal, or line by line on request.

#include <memory>
#include <string>

#include "app/engine/remote/engine.h"

namespace lanescope::cli {

/// "running: 1200 of 4096 blocks, 12 s, about 29 s left"; `seconds`: since the begin of the run, and of its stage.
std::string progress_words(const engine::Progress& progress, double seconds, double stage_seconds);

class ProgressLine {
 public:
  /// `as_lines`: from the start and line by line; else one line, which appears after a second and is erased at the end.
  explicit ProgressLine(bool as_lines);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// On any thread.
  void show(const engine::Progress& progress);
  /// Nothing of it stays on the terminal. On any thread.
  void end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The line of a run, where one is shown: standard error is a terminal, or `--progress` was given. nullptr: none is.
std::shared_ptr<ProgressLine> progress_line(bool requested);

}  // namespace lanescope::cli
