#pragma once
// A kernel's file may refer to others: .npy contents of buffers, local headers, stored PTX beside it. Where the engine
// is on another machine they travel with the request, by their names relative to the file, and are laid out there in a
// private folder of the same shape; results name the user's own paths again.

#include <mutex>
#include <string>
#include <vector>

#include "app/engine/requests/questions.h"

namespace lanescope::engine {

/// Fills RunRequest::files from this machine's file system: files that `text` and `launch_text` name as "x.npy",
/// includes (also those of included files) that are found beside the file, in the relative folders of its -I options or
/// by a search near it, and PTX stored beside it; and RunRequest::settings, from the options given and the
/// files around. Missing files are left to the errors of the compiler or the reader. Error: a file is named
/// by an absolute path, or all of them are too large to send.
Expected<RunRequest> attach(RunRequest request);

/// The files of a request, laid out in a folder of their own as long as this lives.
class StagedFiles {
 public:
  StagedFiles() = default;
  ~StagedFiles();
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;

  /// `request` with its files in place; as it is where it has none. Error: names that lead out of the folder, no room.
  Expected<RunRequest> stage(const RunRequest& request);
  /// Folders of this machine in words back to the user's.
  void restore(RunResult& result) const;
  void restore(results::Summary& summary) const;
  void restore(Diagnostics& diagnostics) const;
  void restore(RunSummary& run) const { restore(run.summary); }
  void restore(AnnotatedText& annotated) const { restore(annotated.warnings); }
  void restore(results::Measured& measured) const { restore(measured.refused); }
  template <class Answer>
  void restore(Answer&) const {}  // no words about files
  /// Removes the folder; also while a run is using it, when the process is about to end.
  void remove();

 private:
  void restore(std::string& words) const;
  Expected<void> lay_out(const std::vector<AttachedFile>& files);
  struct Renamed {
    std::string staged, original;  ///< prefixes, with their last slash
  };
  std::mutex mutex_;  ///< a worker that ends removes the folder from its reading thread
  std::string folder_;
  std::string base_;  ///< where the kernel's own file would be; empty: nothing is laid out
  std::vector<AttachedFile> laid_out_;
  std::vector<Renamed> renamed_;
};

}  // namespace lanescope::engine
