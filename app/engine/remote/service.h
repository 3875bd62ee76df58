#pragma once
// The engine in this process, on threads of its own: one answers everything about runs in the order of the table, one
// measures beside it. A worker (worker.cpp) is such a service with its events written into a pipe.

#include <atomic>
#include <functional>
#include <memory>

#include "app/engine/remote/channel.h"
#include "app/engine/requests/questions.h"
#include "app/engine/requests/time_limit.h"
#include "app/engine/session/session.h"

namespace lanescope::engine {

class Service final : public Channel {
 public:
  /// Must not return: the thread that answers the question is stuck.
  using Stuck = std::function<void(Ticket, Diagnostics)>;
  /// `stuck`: of requests over their time limit (time_limit.h); empty: they are waited for.
  explicit Service(Stuck stuck = {});
  ~Service() override;

  void deliver(Ticket ticket, AnyQuestion question) override;
  void cancel(Ticket ticket) override;
  std::optional<Event> poll() override;
  std::optional<Event> wait(std::chrono::milliseconds most) override;
  bool busy() const override { return false; }  // on_event reports answers

  /// Aborts the current question, with `stuck`.
  void give_up(const Diagnostic& why);
  /// Removes the files of requests, even if a run is using them: the process is about to end.
  void remove_files();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The handler of each question. A handler blocks until it has the answer, on the thread that it is given.

struct Call {
  const std::atomic<bool>* stop = nullptr;  ///< set if the answer is not needed any more
  /// Of the last good run; nullptr: there is none. A handler of a run replaces it.
  std::shared_ptr<Session> session;
  LiveRun* live = nullptr;
  std::function<void(Progress)> progress;
  Overdue overdue;  ///< may be empty
};

template <class Question>
using Outcome = tl::expected<typename Question::Answer, Refusal>;

Outcome<ask::Run> answer(ask::Run, const RunRequest& request, Call& call);
Outcome<ask::RunWhole> answer(ask::RunWhole, const RunRequest& request, Call& call);
Outcome<ask::Annotate> answer(ask::Annotate, const RunRequest& request, Call& call);
Outcome<ask::Moment> answer(ask::Moment, const MomentRequest& request, Call& call);
Outcome<ask::Caps> answer(ask::Caps, const CapsRequest& request, Call& call);
Outcome<ask::Measure> answer(ask::Measure, const MeasureRequest& request, Call& call);
Outcome<ask::Contents> answer(ask::Contents, const ContentsRequest& request, Call& call);
Outcome<ask::Live> answer(ask::Live, const RunRequest& request, Call& call);
Outcome<ask::MachineCode> answer(ask::MachineCode, const RunRequest& request, Call& call);
Outcome<ask::Journeys> answer(ask::Journeys, const JourneyRequest& request, Call& call);

// The engine at the other end of a pipe: `lanescope worker`.

/// Answers the frames (wire/messages.h) of standard input on standard output, until the input ends; then the process exits at
/// once, even if a kernel runs, so that no worker outlives its window: with status 0, or 2 if the stream is broken.
/// Everything else that is printed moves to standard error. Returns only if that cannot be arranged, with the exit status.
int run_worker();

}  // namespace lanescope::engine
