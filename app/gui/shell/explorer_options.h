#pragma once
// How the explorer is opened: the options of its command line.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/desktop/program_help.h"
#include "kernels/base/diagnostic.h"

namespace lanescope::gui {

struct ExplorerOptions {
  std::string file;         ///< empty: the session's file, else the catalogue's first kernel
  std::string launch_file;  ///< of a .ptx file
  std::string arch = "";    ///< empty: the file's own, else sm_90
  bool on_gpu = false;
  int device = 0;  ///< which GPU
  std::uint64_t seed = 1;
  std::vector<std::string> compiler_options;  ///< after `--`
  std::string nvcc_command;                   ///< pasted
  bool no_nvrtc = false;                      ///< as if NVRTC were not installed
  bool in_process = false;                    ///< engine in this process instead of a worker child (tests)
  std::string via;                            ///< shell command that starts the worker elsewhere

  std::string script;       ///< file of script lines to run, see script.h
  bool offscreen = false;   ///< no display: draws into memory
  double run_seconds = -1;  ///< of a run, before launches are cut; 0: any; below 0: window_run_seconds, offscreen any
  std::uint64_t history_bytes = std::uint64_t{1} << 30;  ///< RunSettings::history_bytes
  std::string screenshot;                                ///< PNG written when results are there, then the explorer ends
  int width = 1600, height = 1000;
  float scale = 0;             ///< of the interface, 0.75..3; 0: the session's, else 1
  std::string theme;           ///< "dark", "light", "high contrast"; empty: the session's
  std::string arrangement;     ///< "Learn", "Debug", "Profile", "Design"; empty: the session's
  std::string session;         ///< session file; empty: the user's own
  bool no_session = false;     ///< neither read nor write one
  std::string lesson;          ///< name or folder of a lesson that is opened; empty: none
  std::string lesson_gpu;      ///< that it is about; empty: the one chosen last, or its own
  int lesson_page = 0;         ///< from 1; 0: where it was left
  std::string answers_from;    ///< Lecture::program
  bool list_commands = false;  ///< print docs/keys.md and end
};

/// Reads what follows `lanescope` on the command line. Errors name the argument and what is accepted.
Expected<ExplorerOptions> parse_explorer_arguments(std::span<const std::string> arguments);
/// `lanescope lesson NAME --play ...` as arguments of the explorer; nothing where `words` is another command line.
std::optional<std::vector<std::string>> played_lesson(std::span<const std::string> words);
/// The options above, for --help.
std::vector<desktop::OptionHelp> explorer_options();

}  // namespace lanescope::gui
