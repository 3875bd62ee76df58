#pragma once
// Results of a run, as plain values without pointers into traces: here of the run as a whole, in moment.h of one step.
// They come from the engine, in this process or over a pipe.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/base/source_lines.h"
#include "kernels/claims/claims.h"
#include "kernels/claims/questions.h"
#include "kernels/source/model/launch.h"
#include "kernels/source/options/compile_settings.h"
#include "kernels/trace/coverage.h"
#include "kernels/trace/trace.h"
#include "profiling/access/access.h"
#include "results/notice.h"
#include "results/warp_groups.h"

namespace lanescope::results {

struct BufferInfo {
  std::string name, element_type;
  int element_bits = 32;
  std::uint64_t bytes = 0, elements = 0, address = 0;
  std::vector<source::Axis> axes;  ///< slowest first
};

/// A named group of registers: x0..x3, an array, a vector, a scalar.
struct RegisterArray {
  std::string name, function;
  std::vector<std::string> registers;  ///< display name of each 32-bit register: "x0", "v.x", "a[2]"
  int first_line = 0;
};

struct ClaimInfo {
  source::Claim claim;
  claims::ClaimResult result;
  std::int64_t step = -1;  ///< at which its first failing instance was checked; -1: not in the recorded block, or none
  int launch = -1;         ///< the launch with the instances of `result`, from 0; -1: it was not checked
  std::optional<claims::Question> question{};  ///< unchecked: what its author would have to say
};

/// Predicted counters of the plain run, per line (line 0: total).
struct LineCounters {
  int line = 0;
  std::uint64_t instructions = 0, thread_instructions = 0;
  std::uint64_t global_requests = 0, global_sectors = 0, shared_requests = 0, shared_wavefronts = 0, bank_conflicts = 0;
  std::uint64_t shuffles = 0, barriers = 0;
};

/// One cell of the timeline: one step of a warp.
struct TimelineMark {
  std::uint32_t step = 0;
  std::uint16_t warp = 0;
  trace::StepKind kind = trace::StepKind::other;
  std::int32_t line = 0;
  std::int32_t pc = -1;  ///< into Summary::code
};

/// Access of a step of the recorded block to global or shared memory, and its cost.
struct StepAccess {
  std::uint32_t step = 0;
  std::uint16_t cost = 0;   ///< shared: wavefronts; global: sectors
  std::uint16_t least = 0;  ///< the same for data of this size in the best order
  trace::MemorySpace space = trace::MemorySpace::global;
  trace::AccessKind kind = trace::AccessKind::load;
  bool costly() const { return cost > least; }
};

/// A step of the recorded block that completes a write of a statement to a register.
struct RegisterWrite {
  std::uint32_t step = 0;
  std::uint32_t lanes = 0;   ///< that it was written in; of an array's registers those in which it changed
  std::uint16_t family = 0;  ///< into Summary::families
  std::uint16_t reg = 0;     ///< into RegisterArray::registers
};

/// Instructions that a backward branch repeats.
struct LoopInfo {
  std::int32_t first_pc = 0, last_pc = 0;  ///< into Summary::code; the last one is the branch
  std::int32_t line = 0;                   ///< of the branch, else of the first instruction that has one; 0: not known
};

/// Branches of one line, and how many lanes its instructions ran with (line 0: total).
struct LineDivergence {
  int line = 0;
  std::uint64_t branches = 0, divergent_branches = 0;
  std::array<std::uint64_t, 33> instructions_by_lanes{};  ///< warp instructions that ran with so many lanes
};

/// One side of a problem that has two: a thread, a lane, or memory.
struct Party {
  std::string does;         ///< "writes byte 128 of shared memory"; "`p` ends after 400 bytes"
  int line = 0;             ///< 0: none
  std::int64_t block = -1;  ///< -1: it is no thread
  int warp = -1, lane = -1;
  std::int64_t step = -1;  ///< of the recorded block; -1: it is in another block, or not known
  int launch = -1;         ///< from 0; -1: the problem's own
};

/// The fault that ended the run. Its message names block, warp and lane.
struct FaultInfo {
  std::string kind;    ///< "out of bounds"
  std::string what{};  ///< the message without the place
  std::string message, remedy;
  int line = 0;
  std::int64_t block = -1;
  int warp = -1, lane = -1;  ///< lane -1: the whole warp
  std::int64_t step = -1;    ///< of the recorded block; -1: it is in another block
  std::vector<Party> parties{};
  int launch = -1;        ///< from 0
  bool only_cut = false;  ///< nothing is known to be wrong: the run was cut there (step limit), or cannot continue here
  std::vector<source::Assumption> assumed{};  ///< what it rests on
};

/// Counters of one block of the shown launch in the plain run, or of several consecutive ones (Summary::blocks_each).
struct BlockCounters {
  std::uint64_t instructions = 0;  ///< 0: it did not run
  std::uint64_t thread_instructions = 0, divergent_branches = 0;
  std::uint64_t global_sectors = 0, shared_wavefronts = 0, bank_conflicts = 0;
};

/// Output of one call of printf by one thread. `block` and `lane` are those of the launch, which may be another one
/// than the shown one.
struct PrintedText {
  std::string text;  ///< may have several lines, or end without the end of one
  int launch = 0;    ///< from 0
  std::uint32_t block = 0;
  int warp = 0, lane = 0;
  trace::Dim3 block_index{0, 0, 0}, thread_index{0, 0, 0};
  int line = 0;            ///< of the call; 0: not known
  std::int64_t step = -1;  ///< of the recorded block; -1: it is in another block, or not known
  bool cut = false;        ///< the budget ended the text
};

/// A finding of the review, with the access that a click on it shows.
struct FindingInfo {
  std::string rule, message, remedy;
  int line = 0, column = 0;
  Severity severity = Severity::warning;
  std::int64_t block = -1;  ///< of the evidence; -1: no access is shown
  int warp = -1;
  std::uint32_t lanes = 0;  ///< active ones
  bool shared = false;
  int width_bytes = 0;  ///< per lane; 0: no access is shown
  int matrices = 0;     ///< as in access::Access
  std::string buffer;
  std::array<std::uint64_t, 32> offsets{};           ///< bytes from the buffer's (shared memory's) start
  bool expected = false;                             ///< by a `lanescope: expect` comment of the file
  std::string saving{};                              ///< of the remedy, with units; empty: not computed
  std::uint64_t saved = 0;                           ///< its number: about cycles of a multiprocessor's memory pipe
  std::int64_t step = -1;                            ///< of the evidence; -1: it is in another block, or not known
  std::vector<Party> parties{};                      ///< the earlier one first; empty: it has no two sides
  int launch = -1;                                   ///< of the evidence, from 0; -1: it is of no launch
  std::vector<access::ThreadAccess> interleaving{};  ///< of two threads at one location
};

/// Conflicting accesses of threads are not ordered, and the contents of memory depend on the schedule.
inline bool is_race(const FindingInfo& f) {
  return f.severity == Severity::error && (f.rule == "barrier-missing" || f.rule == "warp-sync-missing" ||
                                           f.rule == "global-unordered" || f.rule == "copy-not-awaited");
}

/// A value is used that was never set, and the result depends on old contents.
inline bool is_undefined(const FindingInfo& f) {
  return f.severity == Severity::error && (f.rule == "uninitialised-read" || f.rule == "shuffle-inactive-lane");
}

/// Resources that a block of the shown launch needs, and those that the compiler gave each thread.
struct ResourceInfo {
  int registers = -1;    ///< per thread; -1: not known (the PTX was not assembled)
  int spill_bytes = -1;  ///< per thread, stored and loaded again; -1: not known
  int local_bytes = -1;  ///< per thread, spills included; -1: not known
  int static_shared_bytes = 0, dynamic_shared_bytes = 0;
  int threads_per_block = 0;
  int launch_bounds_threads = 0, launch_bounds_blocks = 0;  ///< 0: not stated
  std::uint64_t blocks = 0;
  std::string assembled{};  ///< of the kernel, as ptxas -v reports it; empty: it was not assembled here
};

/// Operations and transferred bytes of the shown launch, for the roofline (counted as in counters/counters.h).
struct WorkInfo {
  std::uint64_t fp32_operations = 0, fp64_operations = 0;
  std::uint64_t global_bytes = 0;  ///< of transferred sectors, loads and stores
};

/// The kernel compiled with a register limit per thread.
struct RegisterLimit {
  int cap = 0;                                             ///< 0: no limit
  int registers = -1, spill_bytes = -1, local_bytes = -1;  ///< per thread, as in ResourceInfo
  std::string refused{};                                   ///< why there are no numbers
};

/// The entries of Summary::assumed that the results of a launch rest on.
struct Rests {
  std::vector<int> steps;     ///< threads, instructions and addresses: findings in the launch rest on these
  std::vector<int> elements;  ///< which element a place holds
  std::vector<int> bounds;    ///< where arrays end
  std::vector<int> others;    ///< whether there are other blocks: absence of findings rests on these, too
};

/// One of the launches that run, in their order.
struct LaunchInfo {
  std::string kernel;
  trace::Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::string> before{};  ///< host steps before it, in sentences without their full stop
  Rests rests{};
};

/// One grid of the tree: a launch of the host, or of a kernel (kernels/trace/device_launch.h).
struct GridInfo {
  enum class Order : std::uint8_t { host, stream, fire_and_forget, tail };
  std::string kernel;
  trace::Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::int32_t parent = -1;  ///< in Summary::grids; -1: the host launched it
  std::int32_t launch = -1;  ///< in Summary::launches; -1: it ran with the launch above it and has no row of its own
  Order order = Order::host;
  std::uint32_t depth = 0;                                  ///< 0: the host launched it
  std::uint32_t from_block = 0, from_thread = 0, lane = 0;  ///< of the launching thread: linear
  std::uint32_t warp = 0;
  int line = 0;  ///< of the launch in device code; 0: not known
};

/// A launch of which not every block ran. Values and counters are of the plain run, steps and verdicts of the
/// instrumented one.
struct LaunchCoverage {
  int launch = 0;  ///< from 0
  trace::Coverage plain, probed;
};

/// The checkpoints from which other blocks and steps are recorded (kernels/emulator/history).
struct HistoryInfo {
  std::uint64_t budget_bytes = 0;  ///< 0: none are kept
  std::uint64_t used_bytes = 0, most_bytes = 0;
  std::uint64_t checkpoints = 0;
  std::uint64_t thinned = 0;                            ///< checkpoints that were given up for room
  std::uint64_t refused = 0;                            ///< checkpoints for which there was no room
  std::uint64_t farthest = 0;                           ///< the most warp instructions from a checkpoint to the next
  std::uint64_t instructions = 0;                       ///< of the launch, as far as it ran
  bool replayed = false;                                ///< the recorded part was run again for this request; then:
  std::uint64_t replayed_from = 0, replayed_until = 0;  ///< warp instructions of the launch
  double replay_seconds = 0;
};

struct Summary {
  std::string file, kernel, engine, arch, compiler;  ///< engine: "emulator"
  trace::Dim3 grid, block;
  std::vector<BufferInfo> buffers;
  std::vector<RegisterArray> families;
  std::vector<ClaimInfo> claims;
  std::vector<LineCounters> counters;
  std::vector<trace::CodeSite> code;   ///< by pc of the instrumented program, which `timeline` and Moment::pc number
  std::vector<TimelineMark> timeline;  ///< of the recorded block, ascending step
  std::uint64_t steps = 0;             ///< of the recorded block, as many as are recorded
  std::uint64_t first_step = 0;        ///< of the block: that of step 0
  std::uint64_t block_steps = 0;       ///< that the block has, recorded or not; 0: not known
  HistoryInfo history{};
  std::uint32_t recorded_block = 0, warps = 0, shared_bytes = 0;
  int recorded_launch = 0;                    ///< that is shown, from 0
  std::vector<std::string> inferred;          ///< values that the launch header omits and other parts of the file give
  std::vector<source::Assumption> assumed{};  ///< values that nothing states
  options::CompileSettings settings{};        ///< of the compiler, each with its origin
  std::vector<Notice> notices;                ///< limits of the answer
  Diagnostics diagnostics;                    ///< compile errors and warnings, faults
  bool ok = false;                            ///< there is a run to show
  ResourceInfo resources{};
  WorkInfo work{};
  /// The plain program of the same kernel, which a GPU runs and counters count; empty where only the instrumented one
  /// ran.
  std::vector<trace::CodeSite> plain_code{};
  std::vector<LineCounters> pc_counters{};          ///< by pc, as `plain_code`, of all launches of this kernel
  std::vector<std::int32_t> plain_pcs{};            ///< by pc, as `code`: its pc in `plain_code`; -1: none
  std::vector<std::uint32_t> active_masks{};        ///< one per mark of `timeline`: lanes that ran it; empty: not known
  std::vector<GroupChange> group_changes{};         ///< of the recorded block, ascending step
  std::vector<Wait> waits{};                        ///< of the recorded block, ascending `from`
  std::vector<FindingInfo> findings{};              ///< of the review, ascending line; also empty without a review
  std::vector<LineDivergence> divergence{};         ///< ascending line; empty: not known
  std::vector<StepAccess> accesses{};               ///< of the recorded block, ascending step
  std::vector<RegisterWrite> writes{};              ///< of the recorded block, ascending step
  std::vector<LoopInfo> loops{};                    ///< of the program that `code` shows, ascending first instruction
  std::vector<FaultInfo> faults{};                  ///< each of them is also an error among `diagnostics`
  std::vector<BlockCounters> blocks{};              ///< of the shown launch, by block / `blocks_each`; empty: not known
  std::vector<LaunchInfo> launches{};               ///< of which the views show `recorded_launch`
  std::vector<source::KernelInstance> instances{};  ///< the choices of what to run
  std::uint32_t blocks_each = 1;                    ///< blocks that one entry of `blocks` adds up
  std::vector<PrintedText> printed{};               ///< of all launches of the plain run, in the order of the schedule
  std::uint64_t printed_calls = 0;          ///< all calls of printf: more than `printed` has where the budget ended it
  SourceLines lines{};                      ///< files of the source: every line above is one of its unit lines
  std::vector<std::string> header_texts{};  ///< of lines.files[1], [2], ...
  /// The tree of grids, parents before children, in the order in which they ran; empty where no kernel launches
  /// kernels.
  std::vector<GridInfo> grids{};
  std::vector<LaunchCoverage> coverage{};  ///< launches that were cut; each of them is also said in a notice
};

}  // namespace lanescope::results
