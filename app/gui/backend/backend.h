#pragma once
// Requests of the explorer to an engine, wherever it runs. Nothing here blocks: requests go in, events come out of poll().

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/engine/requests/requests.h"
#include "results/contents.h"
#include "results/journey.h"
#include "results/measured.h"
#include "results/moment.h"
#include "results/summary.h"

namespace lanescope::gui {

/// A run ended, well or badly; `summary.ok` and `summary.diagnostics` say which.
struct RunFinished {
  std::uint64_t ticket = 0;
  results::Summary summary;
  std::vector<std::string> gpus{};  ///< of the engine's machine, by number; only after a run on one
};
struct MomentArrived {
  std::uint64_t ticket = 0;  ///< of the request_moment
  results::Moment moment;
};
/// The engine cannot answer about a moment (it was started anew since the run).
struct MomentRefused {
  std::uint64_t ticket = 0;
};
/// The kernel compiled again under caps of registers, or why it was not.
struct CapsArrived {
  std::uint64_t ticket = 0;  ///< of the request_caps
  std::vector<results::RegisterLimit> rows;
  std::string refused{};  ///< a sentence; empty: there are rows
};
/// What a GPU did with the last good run or with the live kernel, or machine code, or why nothing is known.
struct MeasuredArrived {
  std::uint64_t ticket = 0;  ///< of the request_measure, request_live or request_machine_code
  results::Measured measured;
  std::string refused{};  ///< a sentence; empty: it was answered
};
struct ContentsArrived {
  std::uint64_t ticket = 0;  ///< of the request_contents
  results::Contents contents;
};
/// The engine has no run to look at (any more), or was lost.
struct ContentsRefused {
  std::uint64_t ticket = 0;
};
/// Journeys of elements; nullopt: the engine has no run to look at (any more), or was lost.
struct JourneysArrived {
  std::uint64_t ticket = 0;  ///< of the request_journeys
  std::optional<results::Journeys> journeys;
};
struct RunProgress {
  std::uint64_t ticket = 0;
  std::string stage;        ///< "compiling"
  std::uint64_t steps = 0;  ///< warp instructions executed so far
};
/// The engine itself went away. The next submit starts another one.
struct EngineStopped {
  std::string reason;  ///< one sentence
};
using BackendEvent = std::variant<RunFinished, MomentArrived, MomentRefused, CapsArrived, MeasuredArrived,
                                  ContentsArrived, ContentsRefused, RunProgress, EngineStopped, JourneysArrived>;

class Backend {
 public:
  virtual ~Backend() = default;
  /// Replaces a run that has not finished. Tickets ascend.
  virtual void submit(std::uint64_t ticket, const engine::RunRequest& request) = 0;
  virtual void cancel() = 0;
  virtual void request_moment(std::uint64_t ticket, const engine::MomentRequest& request) = 0;
  /// Compiles this text under each cap (engine/register_caps.h); the last question only is answered.
  virtual void request_caps(std::uint64_t ticket, const engine::RunRequest& request, const std::vector<int>& caps) = 0;
  /// Measures the last good run on a GPU; waits for a run that is under way and is forgotten by the next submit.
  virtual void request_measure(std::uint64_t ticket, const engine::MeasureRequest& request) = 0;
  /// Ends the measurement that is under way; it is not answered.
  virtual void cancel_measure() = 0;
  /// This kernel's live counters, now; waits for no run. Answered by a MeasuredArrived.
  virtual void request_live(std::uint64_t ticket, const engine::RunRequest& request) = 0;
  /// Elements of a buffer after the last good run; the last question only is answered.
  virtual void request_contents(std::uint64_t ticket, const engine::ContentsRequest& request) = 0;
  /// The machine code of this kernel (engine/machine_code.h). Answered by a MeasuredArrived.
  virtual void request_machine_code(std::uint64_t /*ticket*/, const engine::RunRequest& /*request*/) {}
  /// Journeys through the recorded block of the last good run; the last question only is answered.
  virtual void request_journeys(std::uint64_t /*ticket*/, const engine::JourneyRequest& /*request*/) {}
  virtual std::vector<BackendEvent> poll() = 0;
  /// A request has not been answered: poll often.
  virtual bool busy() const = 0;
  /// Called from any thread when poll() has something; not every backend can tell.
  std::function<void()> on_event;
};

/// The engine on a thread of this process.
std::unique_ptr<Backend> make_thread_backend();
/// The engine in a worker child of this program, or behind `via`.
std::unique_ptr<Backend> make_worker_backend(const std::string& via);

}  // namespace lanescope::gui
