#pragma once
// From the text of a request to programs with launches and buffers.

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/engine/prepare/program.h"
#include "app/engine/requests/ending.h"
#include "app/engine/requests/requests.h"
#include "kernels/compile/compile.h"
#include "kernels/source/source.h"
#include "results/summary.h"

namespace lanescope::engine {

/// A compiled variant ready to run.
struct Prepared {
  std::optional<source::Source> source;
  std::string arch;  ///< that the programs are compiled for; before that, the one asked for
  std::string directory, made_by;
  std::map<std::string, compile::Resources> resources;  ///< by entry name, of the plain program
  std::map<std::string, std::string> assembled{};       ///< by entry name, as ptxas -v tells it; of the plain program
  Program plain, probed;
  std::vector<trace::Buffer> buffers;  ///< initial contents
  std::vector<int> dropped_probes;
  std::vector<results::GridInfo> grids{};  ///< where kernels launch kernels: the tree (device_launches.h)
  options::CompileSettings settings{};     ///< of the compiler, with the header's and those that were assumed
  std::vector<results::Notice> notices{};
  std::string
      expected_for{};       ///< "block = 32": where the header's expectations hold, and this run is another; or empty
  Diagnostics diagnostics;  ///< warnings, or the errors that ended it
  bool ready = false;
  Ending ending = Ending::bad_input;  ///< where not ready
  bool compiled = false;              ///< plain and probed are programs, even where the launches then went wrong
  std::string compiled_from{};        ///< text, architecture and options; empty: files beside it decide, too
};
/// Reads, refuses, compiles, parses, packs. `progress` is told each stage. Where `earlier` was compiled from the same
/// text with the same options its programs are taken, and only the launches are made anew.
Prepared prepare(const RunRequest& request, const std::function<void(std::string_view)>& progress,
                 const std::atomic<bool>* cancel, Prepared earlier = {});
/// The same into `out`, which is empty. `plain_ready` is called on this thread where it is sure, while the probed program is
/// still being compiled, that the plain program, its launches and the buffers in `out` stay as they are; what follows may fail
/// all the same.
void prepare_into(Prepared& out, const RunRequest& request, const std::function<void(std::string_view)>& progress,
                  const std::atomic<bool>* cancel, Prepared earlier, const std::function<void()>& plain_ready);

/// The architecture to compile for: the request's, the header's, else sm_90.
std::string chosen_arch(const RunRequest& request, const source::Source& source);
/// Options of the compiler: those that came with the request, else gathered from the user's files and merged with those of
/// the launch header, which has them all in its list from here on.
options::CompileSettings gathered_settings(const RunRequest& request);
void take_settings(options::CompileSettings& settings, source::Source& source);
/// The text of a request for the compiler alone: with those options, the values in place of the header's, and the
/// architecture, without probes. The request is not one of PTX.
Expected<source::Source> source_to_compile(const RunRequest& request);
/// Which launch views show: the one asked for, else the first whose kernel has claims, else the first.
int choose_launch(const RunRequest& request, const source::Source& source);

bool is_ptx(const RunRequest& request);

/// Whether the request leaves out the probed run for this file (RunRequest::only_for_claims).
bool needs_no_probes(const RunRequest& request, const Prepared& prepared);

}  // namespace lanescope::engine
