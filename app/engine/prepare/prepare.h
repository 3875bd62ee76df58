#pragma once
// From the text of a request to programs with launches and buffers.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/engine/prepare/program.h"
#include "app/engine/requests/requests.h"
#include "kernels/base/diagnostic.h"
#include "kernels/compile/compile.h"
#include "kernels/ptx/program.h"
#include "kernels/source/source.h"
#include "results/summary.h"

namespace lanescope::engine {

struct Prepared {
  std::optional<source::Source> source;
  std::string arch;  ///< target of the programs; before compiling, the requested one
  std::string directory, made_by;
  std::map<std::string, compile::Resources> resources;  ///< by entry name, of the plain program
  std::map<std::string, std::string> assembled{};       ///< by entry name, as ptxas -v reports it; of the plain program
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
  bool compiled = false;              ///< plain and probed are programs, even where the launches then failed
  std::string compiled_from{};        ///< text, architecture and options; empty: files beside it decide, too
};
/// Reads, refuses, compiles, parses, packs. `progress` gets each stage. If `earlier` was compiled from the same text
/// with the same options, its programs are reused, and only the launches are rebuilt.
Prepared prepare(const RunRequest& request, const std::function<void(std::string_view)>& progress,
                 const std::atomic<bool>* cancel, Prepared earlier = {});
/// The same into `out`, which is empty. `plain_ready` is called on this thread while the probed program is still being
/// compiled, if the plain program, its launches and the buffers in `out` are final; later steps may still fail.
void prepare_into(Prepared& out, const RunRequest& request, const std::function<void(std::string_view)>& progress,
                  const std::atomic<bool>* cancel, Prepared earlier, const std::function<void()>& plain_ready);

/// The architecture to compile for: the request's, the header's, else sm_90.
std::string chosen_arch(const RunRequest& request, const source::Source& source);
/// Options of the compiler: those of the request, else gathered from the user's files and merged with those of the
/// launch header, whose list contains all of them afterwards.
options::CompileSettings gathered_settings(const RunRequest& request);
void take_settings(options::CompileSettings& settings, source::Source& source);
/// The text of a request for the compiler alone: with those options, the values in place of the header's, and the
/// architecture, without probes. The request is not one of PTX.
Expected<source::Source> source_to_compile(const RunRequest& request);
/// The launch for views: the requested one, else the first whose kernel has claims, else the first.
int choose_launch(const RunRequest& request, const source::Source& source);

bool is_ptx(const RunRequest& request);

/// Whether the request leaves out the probed run for this file (RunRequest::only_for_claims).
bool needs_no_probes(const RunRequest& request, const Prepared& prepared);

// A file that is a part of another one: it does not compile alone, and exactly one file beside it includes it.

/// Whether a compile failed because of that (kernels/compile/compile_log.h).
bool failed_as_part(const Diagnostics& diagnostics);

/// The same request for the file that includes this one, with the part's first kernel where none is chosen. Nothing
/// where no file or several do, or if `request.text` differs from the file on disk, which the compiler would read.
std::optional<RunRequest> request_of_includer(const RunRequest& request);

// Mistakes that hide a kernel from our own reader are reported in the compiler's words, at its line and column.

/// For a text without a kernel, or without launches: the compiler's errors about all of it. Empty: no mistake hides a
/// kernel.
Diagnostics hidden_kernel(const source::Source& source, const compile::Options& options);

/// Errors of a compiler that were caused by `mistake` (kernels/source/text_mistakes.cpp), and the mistake itself as a
/// note. Errors before it are of host code, which the compiler was given because it could not be distinguished; those
/// on later lines than the first follow from it.
Diagnostics from_mistake_on(Diagnostics errors, Diagnostic mistake);

/// A source for a bare PTX file: its header is `launch_text`, its kernels have the entries' parameters.
Expected<source::Source> source_of_ptx(const RunRequest& request, const ptx::Module& module);

// Variables of the module (__device__, __constant__) as buffers: they keep their contents between launches, the host
// code sets them, and they are shown and compared like any buffer.

/// Sets the initial contents that the host code copies into variables of the module.
void set_symbols(const source::Header& header, ptx::Module& module);

/// Of a bare PTX file: buffers of the header that no argument names and that are called like a .global or .const
/// variable stand for it. Without contents in the header they begin with the variable's own. Errors: more bytes than it
/// has.
Diagnostics buffers_for_variables(source::Source& source, const ptx::Module& module);

/// Adds a buffer for each of the user's variables to the header and to `out.buffers`; reports values of the host code
/// if the variable is ambiguous. Programs must have been loaded.
void add_variables(Prepared& out);

/// Host steps before each launch, in terms of `out.buffers`. After add_variables().
void add_steps(Prepared& out);

// Assumed sizes, fitted to the kernel: it is run once in arrays that are larger than it is likely to need, and the
// largest address that it accesses gives the size of the array. Only for buffers and dynamic shared memory whose sizes
// were assumed (BufferSpec::size_assumed, LaunchSpec::shared_assumed); sizes of a header, the host code or a comment
// are never changed. A sentence among the assumptions states the fitted size, in place of the corrected one.

inline constexpr double fit_seconds = 0.5;                       ///< that the trial may take
inline constexpr std::uint64_t most_fitted_bytes = 64ULL << 20;  ///< of all such buffers together, in the trial

/// The same where a number among the arguments may be a count of elements that needs more.
inline constexpr std::uint64_t most_counted_bytes = 512ULL << 20;

/// True: sizes of `source` were changed, so that buffers and launches have to be rebuilt. `directory` as for
/// make_buffers.
bool fit_assumed_sizes(source::Source& source, const Program& plain, const std::string& directory,
                       const std::atomic<bool>* cancel);

/// Whole numbers that are not stated may be indices, and 0, 1, 2, ... need not be good ones: where these lead a kernel
/// out of its arrays in a short trial and zeros do not, zeros are taken, which is a sentence among the assumptions.
/// True: the contents of `source` were changed.
bool zero_assumed_contents(source::Source& source, const Program& plain, const std::string& directory,
                           const std::atomic<bool>* cancel);

// Kernels that launch kernels. Child grids depend on data, so the launches run once before all others, without
// observers; then every grid of the tree is a launch like the host's, with its own costs, steps, claims and findings,
// after its parent.

/// Child grids that become launches of their own. If there are more, or their buffers are too large, they run as part
/// of the host's launch, and a notice names the missing results.
inline constexpr std::size_t most_own_launches = 512;
inline constexpr std::uint64_t most_own_bytes = std::uint64_t{512} << 20;
/// Of the run that finds them. Later grids are not found, and a notice says so.
inline constexpr double finding_seconds = 10;

bool launches_kernels(const ptx::Module& module);

/// Fills Prepared::grids, and adds launches to both programs and to the header, where the module launches kernels. On a
/// GPU the tree is only shown: the GPU launches itself.
void add_device_launches(Prepared& prepared, const RunRequest& request, const std::atomic<bool>* cancel);

// Which blocks of a launch access an element. Nothing of a run keeps that for every element of every buffer, so that
// the launch runs once more, without identities, until it is known.

struct BlocksQuestion {
  std::size_t launch = 0;
  std::vector<std::pair<int, std::uint64_t>> elements;  ///< buffer and element
  std::uint64_t seed = 1, max_steps = 200'000'000;
  std::chrono::milliseconds most_time{3'000};
};
struct AccessingBlocks {
  std::vector<std::vector<std::uint32_t>>
      blocks;          ///< by element: the first that accesses it in the order of the run; none
  bool whole = false;  ///< where there is none, no block that ran to its end accesses it
};
AccessingBlocks accessing_blocks(const Program& program, std::vector<trace::Buffer> buffers,
                                 const BlocksQuestion& question);

// The same kernel compiled again with fewer registers: registers and spills of each cap (maxrregcount).

/// One row per cap, in the order of `caps`, for the kernel of the launch that views show; plain program, nothing runs.
/// A cap of 0: the file's own options; any other replaces a maxrregcount among them. A kernel with launch bounds keeps
/// those: the assembler then ignores the cap, and the row shows its result. A row that could not be compiled has the
/// reason. Ends early when `cancel` is set. Error: the source cannot be read, or is bare PTX.
Expected<std::vector<results::RegisterLimit>> register_caps(const RunRequest& request, const std::vector<int>& caps,
                                                            const std::atomic<bool>* cancel = nullptr);

// Values that replace those of a launch header for one run, such as a job of a sweep.

/// Names:
///   block, grid, cluster   "256", "32x8" or "8x4x2"; of every launch of the header
///   dynamic_shared         bytes; of every launch
///   seed, arch             of the run
///   D:NAME                 the macro NAME, as the compiler option -DNAME=value
///   any other name         a scalar argument, of every launch that has one of this name ("arg:block" for an argument that
///                          has one of the names above)
/// Buffers keep the shapes of the header. Expected results of the header do not apply to other scalar arguments. For
/// another launch or macro they are compared, and a difference is undecided (replaced_values). Error: no such argument
/// (the existing ones are listed), or an invalid value.
Diagnostics apply_overrides(const RunRequest& request, source::Source& source);

/// The header's values, in words, that a request replaces: "block = 32", "n = 8". Before apply_overrides().
struct ReplacedValues {
  std::vector<std::string> launch;     ///< of launches and macros
  std::vector<std::string> arguments;  ///< scalar ones
};
ReplacedValues replaced_values(const RunRequest& request, const source::Source& source);

/// The request with the overrides applied that are not the header's business (seed, arch); they are checked here.
Expected<RunRequest> with_run_overrides(RunRequest request);

}  // namespace lanescope::engine
