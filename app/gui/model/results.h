#pragma once
// Results of the last run, and of later requests about it: values only. A later failure marks them stale and keeps
// them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/requests/questions.h"
#include "kernels/source/cxx/line_names.h"
#include "results/access.h"
#include "results/problems.h"
#include "results/step_index.h"
#include "results/summary.h"

namespace lanescope::gui {

struct Results {
  results::Summary summary;               ///< of the last run that worked
  results::StepIndex index;               ///< of its timeline; a long one is entered in some frames
  bool have = false;                      ///< there was one
  std::string text;                       ///< the text it belongs to
  source::LineNames names;                ///< the local variables that its lines read and write
  Diagnostics diagnostics;                ///< of the last run, good or bad
  options::CompileSettings settings;      ///< of the last run, good or bad
  SourceLines lines;                      ///< files of the source as the last run read them: lines are unit lines
  std::vector<std::string> header_texts;  ///< of lines.files[1], [2], ...
  bool failed = false;                    ///< the last run did not work
  bool running = false;
  std::string stage;                       ///< of the current run: "compiling"
  std::uint64_t run_steps = 0;             ///< warp instructions that it has executed so far
  double run_started = 0;                  ///< when, in seconds of Shell::now
  std::vector<results::Problem> problems;  ///< of the last run, good or bad; the worst first
  std::uint64_t version = 0;               ///< grows whenever any of this changes

  results::Moment moment;            ///< the last one that arrived
  std::uint64_t moment_version = 0;  ///< grows with it, and with the access that is shown of it
  results::Contents contents;        ///< elements of a buffer, as requested last
  std::uint64_t contents_version = 0;
  results::Journeys journeys;  ///< of the elements that were pinned when they were requested last
  std::uint64_t journeys_version = 0;

  results::Measured code;  ///< machine code of the last run's program, if a panel requested it; not counted
  bool have_code = false;  ///< it was answered; `code` then has it, or why it cannot be shown
  std::uint64_t code_version = 0;

  /// Enters up to so many marks into the index. True: some were left.
  bool extend_index(std::size_t most);
  bool index_complete() const { return !have || index.complete(summary); }
  /// Of the current run, at `now`: "running 3.4 s, 12 345 678 steps".
  std::string run_words(double now) const;
  bool stale(const std::string& text_now) const { return have && (failed || text != text_now); }
  void clear() {
    const std::uint64_t next = version + 1, next_moment = moment_version + 1, next_contents = contents_version + 1,
                        next_code = code_version + 1, next_journeys = journeys_version + 1;
    *this = {};
    version = next, moment_version = next_moment, contents_version = next_contents, code_version = next_code;
    journeys_version = next_journeys;
  }
};

// Shown by a click on a finding of the review: the lanes and addresses of its evidence, as an access like any other.

/// The access of a finding with its cost; nothing for a finding without one. Its kind is that of `step`
/// (step_of_finding), or a load.
std::optional<results::AccessInfo> evidence_access(const results::Summary& summary, const results::FindingInfo& finding,
                                                   std::int64_t step);

/// The step of a finding: its own if known; else that of an access on its line by its warp (any warp, if its warp never
/// executes the line), else that of the line. -1: no step of the recorded block is on the line.
std::int64_t step_of_finding(const results::Summary& summary, const results::FindingInfo& finding, int warp);

}  // namespace lanescope::gui
