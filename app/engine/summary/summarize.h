#pragma once
// A run's results as the values of a summary.

#include <vector>

#include "app/engine/summary/run_state.h"

namespace lanescope::engine {

/// The launches, what was assumed of them, and what rests on that.
void fill_launches(const Prepared& prepared, results::Summary& summary);

/// Fills summary, whose launches are filled, and outputs from what ran. False: what the header expects of a buffer cannot be read.
bool summarize(const RunRequest& request, const Prepared& prepared, const PlainRun& plain, const ProbedRun& probed,
               int recorded_launch, const std::vector<Family>& families, results::Summary& summary,
               std::vector<Output>& outputs);

/// What is recorded of the shown launch: its timeline, and the checkpoints beside it. Adds notices of the steps that are not.
void fill_trace(const ProbedLaunch& shown, results::Summary& summary);

/// Counters, divergence, work and resources of what ran, and the plain program beside the probed one.
void fill_costs(const Prepared& prepared, const PlainRun& plain, int recorded_launch, results::Summary& summary);

/// What to do about a fault; may be empty.
std::string remedy_of(const emulator::Fault& fault);
/// The run was cut there, by the step limit or by what the emulator does not know: nothing is known to be wrong.
bool is_only_cut(const emulator::Fault& fault);

/// A claim is judged where its kernel ran: a launch that contradicts it decides, else one of which only a part was seen, else
/// one where it holds. `launches`, where given: which launch each of `best` is about; `launch` is that of `results`.
void take_better(std::vector<claims::ClaimResult> results, std::vector<claims::ClaimResult>& best, int launch = -1,
                 std::vector<int>* launches = nullptr);
/// Every claim unchecked, because nothing ran.
std::vector<claims::ClaimResult> not_run(const source::Source& source);

/// The review of a run that is summarized, and its findings in the summary.
std::vector<review::Finding> review_run(const Prepared& prepared, const PlainRun& plain, results::Summary& summary);

/// Sets ClaimResult::others_hold from all verdicts.
void tell_lonely_claims(std::vector<results::ClaimInfo>& claims);

/// Faults as values, and the steps of the recorded block at which faults, findings, their parties, failing claims and what
/// was printed are.
void place_problems(const RunState& state, results::Summary& summary);

}  // namespace lanescope::engine
