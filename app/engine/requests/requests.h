#pragma once
// Requests to an engine, as plain values that can cross a pipe.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/source/options/gather.h"

namespace lanescope::engine {

/// A file that the kernel's file refers to, by its name relative to that file's folder ("data/x.npy", "../common.h").
struct AttachedFile {
  std::string name;
  std::vector<std::byte> bytes;
  bool operator==(const AttachedFile&) const = default;
};

/// One value that replaces the header's; see prepare/overrides.cpp.
struct Override {
  std::string name, value;
};

struct RunRequest {
  std::string file;       ///< name shown in diagnostics, and where relative paths start
  std::string text;       ///< .cu (or .ptx) text as it is in the editor now
  std::string arch = "";  ///< empty: the header's, else sm_90
  bool forbid_nvrtc = false;
  std::uint64_t seed = 1;
  std::uint32_t record_block = 0;
  std::uint64_t record_step = 0;  ///< of that block: the part around it is recorded, where not all of the block is
  /// Checkpoints are kept in so many bytes, from which other blocks and steps are recorded; 0: none are.
  std::uint64_t history_bytes = 0;
  /// Only block and step differ from the request before: these are recorded from its checkpoints where they reach, and
  /// everything else is unchanged.
  bool from_history = false;
  bool block_as_fits = false;  ///< block 0 is recorded where no launch has that block; else this is an error
  std::uint64_t max_steps = 200'000'000;
  /// Cores that blocks of one launch may use in the emulator; 0: all there are. No result depends on it.
  std::uint32_t cores = 0;
  bool plain_run = true;          ///< outputs and counters (plain PTX)
  bool probed_run = true;         ///< claims and variable views (probed PTX)
  bool only_for_claims = false;   ///< the probed run is left out where the file makes no claim
  bool watch_parameters = false;  ///< arrays of registers that functions get are probed where these begin and end
  std::string launch_file;        ///< .ptx: the file of `launch_text`; empty if there is none
  std::string launch_text;        ///< .ptx: how to launch it, TOML in the syntax of a kernel's header
  bool review = false;            ///< also review (needs the plain run)
  std::string kernel =
      "";  ///< the kernel or instance that runs: "reduce" or "reduce<int, 256>"; empty: the file's own choice
  int record_launch = -1;  ///< the launch for views; -1: the first whose kernel has claims, else the first
  std::vector<Override> overrides{};
  options::Given given{};  ///< options of the compiler that were given by hand
  /// All of them but the header's, where the engine cannot reach the user's folders; nullopt: they are gathered there.
  std::optional<options::CompileSettings> settings{};
  /// Files that the kernel refers to, if the engine cannot read the user's folders (attachments.h); nullopt: it can.
  std::optional<std::vector<AttachedFile>> files{};
  bool on_gpu = false;  ///< outputs come from a GPU; the emulator runs beside it, for views and comparison
  int device = 0;       ///< which GPU
  double gpu_limit_seconds = 30;
  double limit_seconds = 0;        ///< of reading, compiling, running and judging together; 0: none (time_limit.h)
  std::uint64_t memory_bytes = 0;  ///< limit of the process that runs it; 0: the default of kernels/base/memory.h
  /// Of running alone: then each launch is cut between blocks; 0: as late as the limit above allows
  /// (prepare/run_times.h).
  double run_seconds = 0;
  bool measure = false;  ///< on a GPU, and where the whole result is requested: time and counters, too
};

/// Parts to measure of the last run, each in its own process.
struct MeasureRequest {
  bool timing = true;
  bool counters = true;                ///< every predicted counter that the hardware has
  bool instructions = false;           ///< counts per machine instruction, and so per line
  bool stalls = false;                 ///< samples of where warps wait
  bool activity = false;               ///< launches and host calls with their times
  bool trace = false;                  ///< the launch writes down its own accesses
  std::vector<std::string> metrics{};  ///< more, by the hardware's names
  int device = 0, warm_up = 3, repetitions = 20;
  double limit_seconds = 120;  ///< of each part
};

/// Which elements of a buffer are needed.
struct ContentsRequest {
  /// Its index in Summary::buffers; -1: the first in which GPU and emulator differ, else the first that the launches
  /// changed, else the first.
  int buffer = -1;
  std::uint64_t first = 0;  ///< element; taken back where the buffer is shorter
  std::uint64_t count = 1024;
};
/// Elements that one answer holds at most.
inline constexpr std::uint64_t most_contents = 65'536;

/// Elements whose journeys are needed (results/journey.h): buffer (index in Summary::buffers) and element.
struct JourneyRequest {
  struct Element {
    int buffer = -1;
    std::uint64_t element = 0;
    bool operator==(const Element&) const = default;
  };
  std::vector<Element> elements;
  bool operator==(const JourneyRequest&) const = default;
};

/// The value whose tree is needed (results/value_tree.h).
struct TreeRequest {
  enum class Of : std::uint8_t {
    best,       ///< the last stored element of the recorded block that depends on most elements
    element,    ///< the last store to an element of a buffer, at `step` of the moment or before; else after it
    register_,  ///< a register of an array, at `step` of the moment
    word,       ///< a word of shared memory, at `step` of the moment
  };
  Of of = Of::best;
  int buffer = -1;            ///< of an element
  std::uint64_t element = 0;  ///< of an element; of a word: 4-byte word of the block's shared memory
  int family = -1, warp = 0, reg = 0, part = 0, lane = 0;  ///< of a register
  std::int64_t step = -2;                                  ///< at which; -2: that of the moment
  bool all_lanes = false;                                  ///< of a register: of every lane of the warp
  bool operator==(const TreeRequest&) const = default;
};

struct MomentRequest {
  std::int64_t step = -1;
  std::vector<int> families;  ///< requested grids
  int first_warp = 0, warp_count = 16;
  std::int64_t moves_from = -2;  ///< -2: the step before; else an earlier step
  int assignment_family = -1;    ///< -1: the one written last
  int totals_line = -1;          ///< global traffic added up over this line; 0: over the whole block; -1: not needed
  int totals_buffer = -1;        ///< -1: the one accessed, else the first
  std::optional<TreeRequest> tree{};
  /// The movement of the statement that ends with the step: of each statement alone, or of all that together make one
  /// exchange (Moment::statement_words), where they do.
  enum class MovementOf : std::uint8_t { nothing, statement, exchange };
  MovementOf movement = MovementOf::nothing;
  bool operator==(const MomentRequest&) const = default;
};

/// The kernel of a request compiled with these register limits, independent of earlier runs.
struct CapsRequest {
  RunRequest run;
  std::vector<int> caps;
};

/// The end of a run in one word.
enum class Ending : std::uint8_t {
  good,         ///< ran to the end, and every expected result is there
  unexpected,   ///< ran to the end; a buffer differs from the expected contents
  faulted,      ///< the kernel did something that is a fault on a GPU
  bad_input,    ///< a mistake in the file, its header or its code
  cannot_here,  ///< nothing is known to be wrong, but this engine or machine cannot run it
  cancelled,
};

/// How far the kernels of a request have run.
struct RanSoFar {
  std::uint64_t steps = 0;  ///< warp instructions, in both variants together
  /// Blocks that have ended and those of all launches, in the variant that is after; 0: nothing runs that has to end.
  std::uint64_t blocks = 0, all_blocks = 0;
};

}  // namespace lanescope::engine
