#pragma once
// The handler of each question. A handler blocks until it has the answer, on the thread that it is given.

#include <atomic>
#include <functional>
#include <memory>

#include "app/engine/requests/questions.h"
#include "app/engine/requests/time_limit.h"
#include "app/engine/session/live_run.h"
#include "app/engine/session/session.h"

namespace lanescope::engine {

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

}  // namespace lanescope::engine
