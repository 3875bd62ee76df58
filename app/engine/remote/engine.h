#pragma once
// One kernel after another, wherever they run: in this process, or in a worker at the other end of a pipe. Blocking; for
// a program that waits for its answer. The window, which must not wait, uses Client.

#include <functional>
#include <memory>
#include <string>

#include "app/engine/remote/client.h"
#include "app/engine/requests/run_result.h"
#include "app/engine/requests/time_limit.h"

namespace lanescope::engine {

class Engine {
 public:
  virtual ~Engine() = default;
  /// Never throws. What became of the engine itself is in the diagnostics, too; then the ending is cannot_here.
  virtual RunResult run(const RunRequest& request) = 0;
  /// About the last run. Error: the engine was lost.
  virtual Expected<results::Moment> moment(const MomentRequest& request) = 0;
  virtual Annotated annotate(const RunRequest& request) = 0;
  /// Elements of a buffer, of the last run. Error: the engine was lost.
  virtual Expected<results::Contents> contents(const ContentsRequest& request) = 0;
  /// The places that elements pass through in the recorded block of the last run. Error: the engine was lost.
  virtual Expected<results::Journeys> journeys(const JourneyRequest& request) = 0;
  /// register_caps.h, of any request. Error: the engine was lost, too.
  virtual Expected<std::vector<results::RegisterLimit>> caps(const RunRequest& request,
                                                             const std::vector<int>& caps) = 0;
  /// What a GPU does with the last run that was good. Error: the engine was lost, or no run was good.
  virtual Expected<results::Measured> measure(const MeasureRequest& request) = 0;
  /// machine_code.h, of any request. Error: the engine was lost.
  virtual Expected<results::Measured> machine_code(const RunRequest& request) = 0;
  /// False where there is no engine at the other end, so that asking again is no use.
  virtual bool reachable() const { return true; }
};

/// How far a run is; without a stage it has ended.
struct Progress {
  std::string stage;  ///< "reading", "compiling", "running", "judging"
  RanSoFar ran{};
};
/// Told of runs, on any thread.
using Watch = std::function<void(const Progress&)>;

/// `overdue`: of requests over their time limit (time_limit.h).
std::unique_ptr<Engine> engine_here(Overdue overdue = {}, Watch watch = {});

/// `tell`: sentences about a connection that was lost and made again.
std::unique_ptr<Engine> engine_behind(ClientOptions options, std::function<void(const std::string&)> tell = {},
                                      Watch watch = {});

}  // namespace lanescope::engine
