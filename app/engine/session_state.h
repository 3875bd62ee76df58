#pragma once
// What a session keeps between a run and the questions about it.

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "app/engine/access_info.h"
#include "app/engine/execution.h"
#include "app/engine/families.h"
#include "app/engine/session.h"

namespace lanescope::engine {

/// A compiled variant ready to run.
struct Prepared {
  std::optional<source::Source> source;
  std::string arch, directory, made_by;
  std::map<std::string, compile::Resources> resources;  ///< by entry name, of the plain program
  Program plain, probed;
  std::vector<trace::Buffer> buffers;  ///< initial contents
  std::vector<int> dropped_probes;
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

/// The architecture to compile for: the request's, the header's, else sm_90.
std::string chosen_arch(const RunRequest& request, const source::Source& source);
/// Which launch views show: the one asked for, else the first whose kernel has claims, else the first.
int choose_launch(const RunRequest& request, const source::Source& source);

/// A run and everything derived from it.
struct RunState {
  std::function<void(std::string_view)> progress;
  Overdue overdue;
  bool late = false;  ///< it was ended by its time limit
  RunRequest request;
  Prepared prepared;
  PlainRun plain;
  ProbedRun probed;
  int recorded_launch = 0;
  std::vector<Family> families;
  views::Summary summary;
  std::vector<Output> outputs;
  bool expectations_read = true;
  std::vector<review::Finding> findings;
  views::Measured hardware;             ///< where the run was on a GPU
  std::vector<trace::Buffer> emulated;  ///< contents after an emulated run where `plain.buffers` are a GPU's
  SeenAccesses seen;                    ///< of the recorded block

  /// Of real_at: (probe, family, block, iteration).
  mutable std::map<std::tuple<int, int, std::uint32_t, std::uint32_t>, claims::Real> reals;
  /// Of Session::moment: global traffic added up, by (buffer, line).
  mutable std::map<std::pair<int, int>, views::AccessTotals> totals;
  /// By index in Trace::probes: how often the probe had read this word in this warp before. Filled on first use.
  mutable std::vector<std::uint32_t> iterations;

  const ProbedLaunch* recorded() const {
    const auto i = static_cast<std::size_t>(recorded_launch);
    return i < probed.launches.size() ? probed.launches[i].get() : nullptr;
  }
};

struct Session::State : RunState {};

/// Fills the claimed and the real assignment of a moment, and what its last statement did.
void fill_assignment(const RunState& state, const MomentRequest& request, views::Moment& moment);

/// Fills summary and outputs from what ran. False: what the header expects of a buffer cannot be read.
bool summarize(const RunRequest& request, const Prepared& prepared, const PlainRun& plain, const ProbedRun& probed,
               int recorded_launch, const std::vector<Family>& families, views::Summary& summary,
               std::vector<Output>& outputs);

/// Counters, divergence, work and resources of what ran, and the plain program beside the probed one.
void fill_costs(const Prepared& prepared, const PlainRun& plain, int recorded_launch, views::Summary& summary);

/// A claim is judged where its kernel ran: the launch that contradicts it speaks first, then one where it holds.
void take_better(std::vector<claims::ClaimResult> results, std::vector<claims::ClaimResult>& best);
/// Every claim unchecked, because nothing ran.
std::vector<claims::ClaimResult> not_run(const source::Source& source);

/// The review of a run that is summarized, and its findings in the summary.
std::vector<review::Finding> review_run(const Prepared& prepared, const PlainRun& plain, views::Summary& summary);

/// A source that stands for a bare PTX file: its header is `launch_text`, its kernels have the entries' parameters.
Expected<source::Source> source_of_ptx(const RunRequest& request, const ptx::Module& module);
bool is_ptx(const RunRequest& request);

}  // namespace lanescope::engine
