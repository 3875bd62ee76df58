#pragma once
// How the text is run: for which architecture, on which engine, with which numbers in place of the header's.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/requests/requests.h"
#include "app/gui/model/document.h"

namespace lanescope::gui {

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
  /// Numbers that replace those of the header, until another file is opened; see engine/overrides.h.
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
