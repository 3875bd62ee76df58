#pragma once
// Each kind of question that an engine answers: what is asked, what is answered, and its rules. The client, the worker and
// the engine behind a pipe derive from this table what they do; a new question is an entry here, its request and answer
// in messages.h, and a function of the worker.

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "app/engine/requests/requests.h"
#include "app/engine/requests/run_result.h"
#include "results/contents.h"
#include "results/journey.h"
#include "results/measured.h"
#include "results/moment.h"
#include "results/summary.h"

namespace lanescope::engine::wire {

/// In the order in which those that wait are sent.
enum class Question : std::uint8_t {
  run,
  run_whole,
  annotate,
  moment,
  caps,
  measure,
  contents,
  live,
  machine_code,
  journey
};
inline constexpr std::size_t question_count = 10;

struct RunSummary {
  results::Summary summary;
  std::vector<std::string> gpus{};  ///< of the worker's machine, by number; only after a run on one
};

template <Question q>
struct Types;
template <>
struct Types<Question::run> {
  using Request = RunRequest;
  using Answer = RunSummary;
};
template <>
struct Types<Question::run_whole> {
  using Request = RunRequest;
  using Answer = RunResult;
};
template <>
struct Types<Question::annotate> {
  using Request = RunRequest;
  using Answer = AnnotatedText;
};
template <>
struct Types<Question::moment> {
  using Request = MomentRequest;
  using Answer = results::Moment;
};
template <>
struct Types<Question::caps> {
  using Request = CapsRequest;
  using Answer = std::vector<results::RegisterLimit>;
};
template <>
struct Types<Question::measure> {
  using Request = MeasureRequest;
  using Answer = results::Measured;
};
template <>
struct Types<Question::contents> {
  using Request = ContentsRequest;
  using Answer = results::Contents;
};
/// Of the kernel in the request, whatever was run before; only its kernel and numbers matter.
template <>
struct Types<Question::live> {
  using Request = RunRequest;
  using Answer = results::Measured;
};
template <>
struct Types<Question::journey> {
  using Request = JourneyRequest;
  using Answer = results::Journeys;
};

/// Of the kernel in the request, whatever was run before (hardware/machine_code.h).
template <>
struct Types<Question::machine_code> {
  using Request = RunRequest;
  using Answer = results::Measured;
};

struct Rules {
  bool is_run = false;           ///< takes the place of every other run
  bool dropped_by_run = true;    ///< a new run makes it pointless
  bool needs_run = false;        ///< about the last run of the worker
  bool repeated = false;         ///< a worker that is started again runs the last run once more and answers it
  bool waits_for_caps = false;   ///< the worker answers it on the thread that compiles
  bool beside = false;           ///< answered on a thread of its own, one of these at a time
  bool cancelled_there = false;  ///< the worker is told when it is cancelled
  std::string_view no_run{};     ///< refusal where there is no run
  std::string_view lost{};       ///< refusal where the worker stopped meanwhile
};

/// A question that is not a run waits for the run in flight if a run drops it, and for the one of its own kind.
inline constexpr Rules rules[question_count] = {
    /* run       */ {.is_run = true, .cancelled_there = true},
    /* run_whole */ {.is_run = true, .cancelled_there = true},
    /* annotate  */ {.is_run = true, .cancelled_there = true},
    /* moment    */
    {.needs_run = true, .repeated = true, .waits_for_caps = true, .no_run = "there is no run"},
    /* caps      */ {.lost = "the worker stopped while compiling"},
    /* measure   */
    {.needs_run = true,
     .beside = true,
     .cancelled_there = true,
     .no_run = "there is no run to measure",
     .lost = "the worker stopped while measuring"},
    /* contents  */
    {.needs_run = true, .waits_for_caps = true, .no_run = "there is no run", .lost = "the worker stopped"},
    /* live      */ {.dropped_by_run = false, .beside = true, .lost = "the worker stopped while measuring"},
    /* machine_code */ {.lost = "the worker stopped while compiling"},
    /* journey   */
    {.needs_run = true, .waits_for_caps = true, .no_run = "there is no run", .lost = "the worker stopped"},
};
constexpr const Rules& rules_of(Question q) { return rules[static_cast<std::size_t>(q)]; }

template <Question q>
using Constant = std::integral_constant<Question, q>;

/// Calls act(Constant<q>).
template <class Do>
decltype(auto) dispatch(Question q, Do act) {
  switch (q) {
    case Question::run:
      return act(Constant<Question::run>{});
    case Question::run_whole:
      return act(Constant<Question::run_whole>{});
    case Question::annotate:
      return act(Constant<Question::annotate>{});
    case Question::moment:
      return act(Constant<Question::moment>{});
    case Question::caps:
      return act(Constant<Question::caps>{});
    case Question::measure:
      return act(Constant<Question::measure>{});
    case Question::contents:
      return act(Constant<Question::contents>{});
    case Question::journey:
      return act(Constant<Question::journey>{});
    case Question::live:
      return act(Constant<Question::live>{});
    case Question::machine_code:
      break;
  }
  return act(Constant<Question::machine_code>{});
}

}  // namespace lanescope::engine::wire
