#pragma once
// The answer of a subcommand about one run as a value, to be printed to a terminal or as a line of a sweep.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/cli/answers/options.h"
#include "app/cli/answers/report.h"
#include "app/engine/remote/engine.h"
#include "app/engine/requests/requests.h"
#include "kernels/base/diagnostic.h"
#include "results/measured.h"
#include "results/problems.h"

namespace lanescope::cli {

/// Why a status is not 0.
struct Cause {
  std::string code{}, words{};  ///< code: of the rule, the diagnostic or the notice that it is
  bool empty() const { return words.empty(); }
};

struct Answer {
  Status status = all_good;
  Diagnostics diagnostics{};                       ///< for standard error, and in every machine output
  nlohmann::json json = nlohmann::json::object();  ///< without the diagnostics
  std::string text{};                              ///< the same for people
  std::string content{};                           ///< of a requested file, printed unchanged
  std::string details{};                           ///< for --verbose: options of the compiler
  Cause reason{};                                  ///< where no diagnostic is the reason

  void add(const Diagnostics& more) { diagnostics.insert(diagnostics.end(), more.begin(), more.end()); }
  const Answer& refuse(const Diagnostics& why, Status with = bad_input) { return add(why), status = with, *this; }
};

Answer check_answer(engine::Engine& engine, const engine::RunRequest& asked);
/// `fail_on`: the least severity that makes the status 1.
Answer review_answer(engine::Engine& engine, const engine::RunRequest& request, Severity fail_on);
Answer run_answer(engine::Engine& engine, const engine::RunRequest& request);

/// Of a file or of options that were refused before anything ran.
Answer refused_answer(const Opened& opened, const std::string& file);

/// Fields of every answer about a run: file, engine, kernel, arch and compiler as far as known, and inferences,
/// assumptions and notices if there are any.
void add_run(nlohmann::json& out, const results::Summary& summary);
void add_notices(nlohmann::json& out, const std::vector<results::Notice>& notices);
/// "launch 1 was cut: 81 of 4096 blocks ran"; empty: every block ran.
Cause reason_of_cut(const results::Summary& summary);
/// Inferences, assumptions and notices, a line each.
std::string remarks_of(const results::Summary& summary, const results::Assumptions& assumed);
/// For --verbose: options of the compiler, each assumption as a sentence.
std::string details_of(const results::Summary& summary);

/// Empty where the status is 0.
Cause reason_of(const Answer& answer);

/// The whole of an answer for machines: "diagnostics" where there are any.
nlohmann::json json_of(const Answer& answer);

/// Prints it and returns its status.
int print(const Answer& answer, bool as_json, bool verbose = false);

/// In this process, or of --via. `watched`: long runs report their progress (progress_line.h).
std::unique_ptr<engine::Engine> engine_for(const KernelOptions& options, bool watched = true);

// Parts of a measurement by the names that are typed.

/// "timing", "counters", ...
std::vector<std::string> measured_parts();

/// The request for these parts; for all where none is named. Error: a part that there is not.
Expected<engine::MeasureRequest> measure_request(const std::vector<std::string>& parts);

// Results of a GPU on standard output: tables for people, JSON for programs.

void print_measured(const results::Measured& hardware, const results::Measured& measured);

/// Adds "measured" and "cause" to the counters of `out` (as `run` writes them) and the data of the device under "gpu".
void add_measured(nlohmann::json& out, const results::Measured& hardware, const results::Measured& measured);

// Runs a file; one that is a part of another and does not compile alone runs through the file that includes it.

/// `request` becomes that of the including file if that one ran; then claims and findings are those of the part, which
/// the first notice reports. Outputs, counters and faults are of the whole.
engine::RunResult run_file(engine::Engine& engine, engine::RunRequest& request);

}  // namespace lanescope::cli
