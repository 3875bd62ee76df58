#pragma once
// Each question that an engine answers: request, answer and rules. A new question has its types and its row here, its
// handler in remote/answers.cpp, and the code that sends it; channel, queue and pipe take it from this table.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/engine/requests/requests.h"
#include "app/engine/requests/run_result.h"
#include "results/contents.h"
#include "results/journey.h"
#include "results/measured.h"
#include "results/moment.h"
#include "results/summary.h"

namespace lanescope::engine {

struct RunSummary {
  results::Summary summary;
  std::vector<std::string> gpus{};  ///< of the engine's machine, by number; only after a run on one
};

/// Of several questions of one kind only the newest is answered, and of several runs of any kind.
struct Rules {
  bool is_run = false;        ///< ends a current run, and everything about the previous one
  bool needs_run = false;     ///< about the last good run; waits for a current one
  bool outlives_run = false;  ///< a new run does not end it
  bool repeated = false;      ///< a worker that is started again answers it, after the last good run
  bool beside = false;        ///< answered beside the others, one of these at a time
  bool compiles = false;      ///< takes as long as a run
  std::string_view no_run{};  ///< refusal if there is no run
  std::string_view lost{};    ///< refusal if the worker stopped meanwhile
};

template <class RequestOf, class AnswerOf>
struct Asks {
  using Request = RequestOf;
  using Answer = AnswerOf;
};

namespace ask {

/// For views. A run that fails leaves the last good one to the questions about it.
struct Run : Asks<RunRequest, RunSummary> {
  static constexpr Rules rules{.is_run = true, .compiles = true};
};
/// For a program that needs everything. A run that fails leaves none.
struct RunWhole : Asks<RunRequest, RunResult> {
  static constexpr Rules rules{.is_run = true, .compiles = true};
};
struct Annotate : Asks<RunRequest, AnnotatedText> {
  static constexpr Rules rules{.is_run = true, .compiles = true};
};
struct Moment : Asks<MomentRequest, results::Moment> {
  static constexpr Rules rules{.needs_run = true, .repeated = true, .no_run = "there is no run"};
};
/// The kernel of the request compiled with register limits (prepare/register_caps.cpp).
struct Caps : Asks<CapsRequest, std::vector<results::RegisterLimit>> {
  static constexpr Rules rules{.compiles = true, .lost = "the worker stopped while compiling"};
};
/// Measurements of the last good run on a GPU.
struct Measure : Asks<MeasureRequest, results::Measured> {
  static constexpr Rules rules{.needs_run = true,
                               .beside = true,
                               .no_run = "there is no run to measure",
                               .lost = "the worker stopped while measuring"};
};
/// Elements of a buffer after the last good run.
struct Contents : Asks<ContentsRequest, results::Contents> {
  static constexpr Rules rules{.needs_run = true, .no_run = "there is no run", .lost = "the worker stopped"};
};
/// Live counters of the kernel of the request (session/live_run.cpp).
struct Live : Asks<RunRequest, results::Measured> {
  static constexpr Rules rules{
      .outlives_run = true, .beside = true, .compiles = true, .lost = "the worker stopped while measuring"};
};
/// Of the kernel of the request (hardware/machine_code.h).
struct MachineCode : Asks<RunRequest, results::Measured> {
  static constexpr Rules rules{.compiles = true, .lost = "the worker stopped while compiling"};
};
/// The places that elements pass through in the recorded block of the last good run.
struct Journeys : Asks<JourneyRequest, results::Journeys> {
  static constexpr Rules rules{.needs_run = true, .no_run = "there is no run", .lost = "the worker stopped"};
};

}  // namespace ask

template <class Question>
struct Asked {
  typename Question::Request request;
};
template <class Question>
struct Answered {
  typename Question::Answer value;
};
/// Instead of an answer.
struct Refusal {
  Diagnostics diagnostics;
  Ending ending = Ending::bad_input;  ///< of a run
};
/// Of the current run. Without a stage it has ended.
struct Progress {
  std::string stage;  ///< "reading", "compiling", "running", "judging"
  RanSoFar ran{};
};
/// The worker was lost, and a new one has the question.
struct Repeated {
  std::string reason;  ///< a sentence
};
struct Stopped {
  std::string reason{}, remedy{};  ///< a sentence; without a full stop
  bool restarted = false;          ///< false: it died too often in a row, the next question starts another one
};

template <class... Question>
struct Questions {
  using Any = std::variant<Asked<Question>...>;
  using What = std::variant<Answered<Question>..., Refusal, Progress, Repeated, Stopped>;
};
/// In the order in which those that wait are answered.
using AllQuestions = Questions<ask::Run, ask::RunWhole, ask::Annotate, ask::Moment, ask::Caps, ask::Measure,
                               ask::Contents, ask::Live, ask::MachineCode, ask::Journeys>;
using AnyQuestion = AllQuestions::Any;

using Ticket = std::uint64_t;
struct Event {
  Ticket ticket = 0;  ///< of the question; of Stopped: the one that it was answering, 0: none
  AllQuestions::What what;
};

/// The summary of a run for views, also if it was refused; nullopt: the event is another one.
inline std::optional<results::Summary> summary_in(const Event& event) {
  if (const auto* run = std::get_if<Answered<ask::Run>>(&event.what)) return run->value.summary;
  const auto* refused = std::get_if<Refusal>(&event.what);
  if (refused == nullptr) return std::nullopt;
  return results::Summary{.diagnostics = refused->diagnostics};
}

inline const Rules& rules_of(const AnyQuestion& question) {
  return std::visit([]<class Question>(const Asked<Question>&) -> const Rules& { return Question::rules; }, question);
}

/// The kernel in a request, whose files are sent with it; nullptr: it has none.
inline RunRequest* kernel_in(RunRequest& request) { return &request; }
inline RunRequest* kernel_in(CapsRequest& request) { return &request.run; }
template <class Request>
RunRequest* kernel_in(Request&) {
  return nullptr;
}

}  // namespace lanescope::engine
