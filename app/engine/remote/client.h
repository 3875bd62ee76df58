#pragma once
// The window's end of the pipe. Every call returns at once; poll() is made for a UI thread that calls it each frame. What
// a kernel does to the worker is an event here, never more: a worker that crashes, hangs beyond its time or breaks the
// protocol is ended and started again.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/engine/requests/requests.h"
#include "app/engine/wire/questions.h"

namespace lanescope::engine {

struct ClientOptions {
  /// Words of the command; empty: this program with the argument `worker`.
  std::vector<std::string> command;
  std::chrono::milliseconds run_limit{60'000};     ///< for a run, compile included
  std::chrono::milliseconds answer_limit{20'000};  ///< for a moment or contents
  std::chrono::milliseconds hello_limit{20'000};   ///< for the worker's first word
  /// The command leads to another machine: files that a kernel refers to travel with it, frames are compressed, and a
  /// run whose worker was lost is requested once more.
  bool elsewhere = false;
};
/// For `--via COMMAND`: a command of the user's shell that starts a worker somewhere.
ClientOptions via_options(const std::string& command);

using Ticket = std::uint64_t;

/// What was asked has been answered.
template <class Value>
struct Answered {
  Ticket ticket = 0;
  Value value;
};
using SummaryEvent = Answered<wire::RunSummary>;
using ResultEvent = Answered<RunResult>;
using AnnotationEvent = Answered<AnnotatedText>;
using MomentEvent = Answered<results::Moment>;
using CapsEvent = Answered<std::vector<results::RegisterLimit>>;
using MeasuredEvent = Answered<results::Measured>;
using ContentsEvent = Answered<results::Contents>;
using JourneysEvent = Answered<results::Journeys>;
struct ProgressEvent {
  Ticket ticket = 0;
  std::string stage;  ///< "reading", "compiling", "running", "judging"
  RanSoFar ran{};
};
struct RefusedEvent {
  Ticket ticket = 0;
  Diagnostics diagnostics;
  Ending ending = Ending::bad_input;  ///< of a run
};
/// The worker was lost; what was asked for has been asked again.
struct RepeatedEvent {
  Ticket ticket = 0;
  std::string reason;  ///< a sentence
};
struct DiedEvent {
  Ticket ticket = 0;       ///< what it was doing; 0: nothing
  std::string reason;      ///< a sentence
  bool restarted = false;  ///< false: it died too often in a row, the next submit() tries again
};
using Event = std::variant<SummaryEvent, MomentEvent, AnnotationEvent, CapsEvent, MeasuredEvent, ContentsEvent,
                           ProgressEvent, RefusedEvent, ResultEvent, RepeatedEvent, DiedEvent, JourneysEvent>;

class Client {
 public:
  explicit Client(ClientOptions options = {});
  ~Client();
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;

  /// Runs this and forgets what was asked for before: only the newest run is ever answered.
  Ticket submit(const RunRequest& request);
  /// As submit(), answered by a ResultEvent.
  Ticket submit_whole(const RunRequest& request);
  Ticket annotate(const RunRequest& request);
  // Each of these is answered by its event or refused. Of several of a kind that wait only the newest is answered; what
  // each waits for, and what becomes of it when a run is submitted or the worker is lost, is in wire/questions.h.

  /// About the last run that was answered with ok.
  Ticket request_moment(const MomentRequest& request);
  /// The kernel compiled with register limits (register_caps.h).
  Ticket request_caps(const RunRequest& request, std::vector<int> caps);
  /// What a GPU does with the last run that was answered with ok.
  Ticket request_measure(const MeasureRequest& request);
  /// Elements of a buffer, of the last run that was answered with ok.
  Ticket request_contents(const ContentsRequest& request);
  /// The machine code of this kernel, in a MeasuredEvent (machine_code.h).
  Ticket request_machine_code(const RunRequest& request);
  /// The places that elements pass through, of the last run that was answered with ok.
  Ticket request_journeys(const JourneyRequest& request);
  /// This kernel on a GPU, now, its live counters in a MeasuredEvent (live_run.h).
  Ticket request_live(const RunRequest& request);
  /// Of a run, a measurement, or anything that still waits. A measurement that is cancelled is not answered.
  void cancel(Ticket ticket);

  /// Moves what can be moved, and returns the next event if there is one.
  std::optional<Event> poll();
  /// poll() until there is an event or the time is over: for tests and programs without a frame loop.
  std::optional<Event> wait(std::chrono::milliseconds most);

  bool busy() const;       ///< something has not been answered yet
  int worker_pid() const;  ///< -1: none
  bool greeted() const;    ///< there is a worker at the other end, of our version

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lanescope::engine
