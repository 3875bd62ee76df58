#pragma once
// The text under study as the window edits it: a history of documents, and a watch on its file.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/document.h"
#include "app/document/file_io.h"
#include "app/engine/requests/requests.h"

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

// How the text is run: for which architecture, on which engine, with which numbers in place of the header's.

/// Changes of the panel Options for one file.
struct CompilerChoices {
  std::vector<std::string> added;    ///< words, as nvcc takes them
  std::vector<std::string> removed;  ///< options of other origins, as options::UsedOption::written
  std::string nvcc_command;          ///< pasted; empty: none
  bool empty() const { return added.empty() && removed.empty() && nvcc_command.empty(); }
};

inline constexpr double window_run_seconds = 4;

struct RunSettings {
  std::string arch = "";          ///< the user's choice; empty: the file's own, else sm_90
  bool on_gpu = false;            ///< runs on a GPU, and in the emulator for results that only it has
  int device = 0;                 ///< which GPU
  std::vector<std::string> gpus;  ///< those of the engine's machine, as far as a run on one has reported
  std::uint64_t seed = 1;
  bool forbid_nvrtc = false;
  /// The launch of the bare PTX file `launch_of`, and where its text is.
  std::string launch_of, launch_file, launch_text;
  std::string kernel = "";  ///< the kernel or instance that runs, until another file is opened; empty: the file's own
  /// Time limit of running, after which launches are cut between blocks, so that edits get an answer soon; 0: none.
  double run_seconds = 0;
  bool all_blocks = false;         ///< of this file every block runs, however long that takes
  std::uint32_t record_block = 0;  ///< the block whose steps are recorded
  /// Checkpoints, from which other blocks and steps are shown without a run, take so many bytes; 0: none.
  std::uint64_t history_bytes = std::uint64_t{1} << 30;
  int record_launch = -1;  ///< and its launch; -1: as the engine chooses
  /// Numbers that replace those of the header, until another file is opened; see engine/prepare/overrides.cpp.
  std::vector<engine::Override> overrides;
  /// Options of the compiler from the command line, for the file named there.
  std::string given_for;
  options::Given given;
  std::map<std::string, CompilerChoices> choices;  ///< by file, as the document names it

  /// Adds an override, or removes it where `value` is absent.
  void put_override(const std::string& name, const std::optional<std::string>& value);
  std::string override_words() const;  ///< "n 256, pad 1"; empty: all as in the header
};

/// Adds options as they are typed: "-I include -DX=1". Error: a quote that is not closed, or no option at all.
Expected<void> add_options(CompilerChoices& choices, const std::string& typed);
/// Removes an option of any origin. False: it is the header's or was found for a header, and stays.
bool remove_option(CompilerChoices& choices, const options::UsedOption& option);

engine::RunRequest run_request(const Document& document, const RunSettings& settings);

}  // namespace lanescope::gui
