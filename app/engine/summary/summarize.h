#pragma once
// A run's results as the values of a summary.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/engine/prepare/execution.h"
#include "app/engine/prepare/prepare.h"
#include "app/engine/requests/requests.h"
#include "app/engine/summary/run_state.h"
#include "kernels/base/diagnostic.h"
#include "kernels/ptx/program.h"
#include "kernels/source/source.h"
#include "kernels/trace/trace.h"
#include "results/notice.h"
#include "results/summary.h"

namespace lanescope::engine {

/// The launches, what was assumed of them, and what rests on that.
void fill_launches(const Prepared& prepared, results::Summary& summary);

/// Fills summary, whose launches are filled, and outputs from what ran. False: what the header expects of a buffer
/// cannot be read.
bool summarize(const RunRequest& request, const Prepared& prepared, const PlainRun& plain, const ProbedRun& probed,
               int recorded_launch, const std::vector<Family>& families, results::Summary& summary,
               std::vector<Output>& outputs);

/// The record of the shown launch: its timeline, and the checkpoints beside it. Adds notices of the steps that
/// are not.
void fill_trace(const ProbedLaunch& shown, results::Summary& summary);

/// Counters, divergence, work and resources of what ran, and the plain program beside the probed one.
void fill_costs(const Prepared& prepared, const PlainRun& plain, int recorded_launch, results::Summary& summary);

/// The remedy of a fault; may be empty.
std::string remedy_of(const emulator::Fault& fault);
/// The run was cut there, by the step limit or by what the emulator does not know: nothing is known to be wrong.
bool is_only_cut(const emulator::Fault& fault);

/// A claim is judged where its kernel ran: a launch that contradicts it decides, else one of which only a part was
/// seen, else one where it holds. `launches`, where given: which launch each of `best` is about; `launch` is that of
/// `results`.
void take_better(std::vector<claims::ClaimResult> results, std::vector<claims::ClaimResult>& best, int launch = -1,
                 std::vector<int>* launches = nullptr);
/// Every claim unchecked, because nothing ran.
std::vector<claims::ClaimResult> not_run(const source::Source& source);

/// The review of a run that is summarized, and its findings in the summary. If no review was requested: what it finds
/// of streams, as warnings in the summary.
std::vector<review::Finding> review_run(const RunRequest& request, const Prepared& prepared, const PlainRun& plain,
                                        results::Summary& summary);

/// Sets ClaimResult::others_hold from all verdicts.
void report_unpaired_claims(std::vector<results::ClaimInfo>& claims);

/// Faults as values, and the steps of the recorded block at which faults, findings, their parties, failing claims and
/// what was printed are.
void place_problems(const RunState& state, results::Summary& summary);

// Where probes changed what the compiler made of the memory instructions.

/// One notice per line of the user's file whose loads, stores or atomics differ between the two programs; none where
/// the two have the same ones at other lines: "line 12: one 16-byte global load in the plain program, four 4-byte ones
/// in the probed one; ...".
std::vector<results::Notice> memory_differences(const ptx::Entry& plain, const ptx::Entry& probed);

// Launches that did not run whole, as values and in words.

/// Fills Summary::coverage and says it in a notice for each of these launches.
void fill_coverage(const RunRequest& request, const Program& program, const PlainRun& plain, const ProbedRun& probed,
                   results::Summary& summary);

/// The coverage of values after the launches: "81 of 4096 blocks ran"; empty: every block of every launch ran.
std::string partial_words(const results::Summary& summary);

// Contents of a buffer after a run, compared with those that the launch header expects.

/// Output::difference: "element (3,1) is 5, where 7 was expected; 12 of 4096 elements differ". Error: the expected
/// contents cannot be read.
Expected<std::optional<std::string>> judge_expectation(const source::Source& source, const source::BufferSpec& buffer,
                                                       std::span<const std::byte> bytes, const std::string& directory);

// The part of a summary about the recorded block, updated after another part was recorded.

/// Everything else stays: counters, outputs, verdicts, findings.
void refresh_recorded(RunState& run);

// Messages of a run, with the lines of headers as file and line. Numbers of lines stay unit lines (Summary::lines).

/// Files of the source, before anything ran.
void fill_files(const Prepared& prepared, results::Summary& summary);
/// Diagnostics get the file and line that they mean, sentences name them.
void name_lines(RunState& state);

// Facts of the recorded block that a timeline and a search over steps need beyond its marks: the cost of each access,
// the registers that each step wrote, the loops of the program.

/// Of the kernel of a launch, by pc of its sites: every backward branch, those to the same instruction as one loop.
std::vector<results::LoopInfo> loops_of(const ptx::Module& module, const ptx::Entry& entry,
                                        const std::vector<trace::CodeSite>& code);

/// Fills Summary::accesses, writes and loops of a run that is summarized. Some tenths of a microsecond for each access.
void fill_step_facts(RunState& run);

// Where an instruction of the probed program stands in the plain one.

/// By pc of `probed`: the pc in `plain`, or -1. Of the instructions of one source position and opcode, the first is the
/// first, the second the second, ..., provided that both programs have equally many; where probes made the compiler
/// write more or fewer, none of them is matched.
std::vector<std::int32_t> plain_pcs(std::span<const trace::CodeSite> probed, std::span<const trace::CodeSite> plain);

// Launches whose blocks wait for each other (grid.sync()): all of them must be resident at once, so a GPU refuses more.

/// Launches whose grid the host code takes from CUDA's occupancy functions: as many blocks as the same table says,
/// which has the registers that the compiler gave the kernel.
void fill_device(Prepared& prepared);

/// A launch with more blocks than the architecture's default GPU holds at once (cudaErrorCooperativeLaunchTooLarge).
/// Empty where no kernel synchronises its grid, or the table of GPUs has none of the architecture.
Diagnostics too_many_blocks(const Prepared& prepared);

// On which assumptions the results of each launch rest.
//
// An assumption may be without consequence: the contents of an array that no branch and no address depends on, or a
// grid of one block for a kernel that never requests its size. kernels/instrument/steering.cpp finds dependences in the
// PTX, and they are carried from launch to launch through buffers: results of assumed numbers may steer a later launch.

/// One for each launch of the program. Where the analysis does not follow a kernel, all of its launch rests on each assumption
/// that is of this launch or of all, or that may have come to it through buffers.
std::vector<results::Rests> rests_of(const Prepared& prepared);

/// The array whose end a fault is beyond: the buffer that begins last at or before the address, "" where none does; nullopt
/// for faults of other kinds. `addresses`: of the buffers, ascending.
std::optional<std::string_view> array_of(const emulator::Fault& fault, const std::vector<trace::Buffer>& buffers,
                                         const std::vector<std::uint64_t>& addresses);

/// Faults that rest on assumptions say so first: once, and shortly. The summary has its launches.
void name_assumptions(RunState& run);

}  // namespace lanescope::engine
