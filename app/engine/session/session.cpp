#include "app/engine/session/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/engine/movement/movement.h"
#include "app/engine/prepare/execution.h"
#include "app/engine/prepare/prepare.h"
#include "app/engine/session/both_variants.h"
#include "app/engine/session/gpu_run.h"
#include "app/engine/summary/contents.h"
#include "app/engine/summary/moment.h"
#include "app/engine/summary/run_state.h"
#include "app/engine/summary/summarize.h"
#include "app/engine/wire/messages.h"
#include "kernels/base/memory.h"
#include "results/problems.h"

namespace lanescope::engine {
namespace {

// Another part of the last run, recorded from its checkpoints.

/// Whether a request is another one's but for the part that is recorded, of the launch that is shown.
bool same_run(const RunRequest& a, const RunRequest& b, int shown_launch) {
  const auto without_part = [&](RunRequest r) {
    if (r.record_launch == shown_launch) r.record_launch = -1;
    r.record_block = 0, r.record_step = 0, r.from_history = false;
    return wire::encode(r);
  };
  return without_part(a) == without_part(b);
}

/// A block may have fewer steps than it had when one of them was chosen: then its last ones are shown.
void record_some_part(RunState& s, const std::atomic<bool>* cancel) {
  const auto shown = static_cast<std::size_t>(s.recorded_launch);
  if (s.request.record_step == 0 || shown >= s.probed.launches.size()) return;
  ProbedLaunch& probed = *s.probed.launches[shown];
  if (!probed.trace.steps.empty()) return;
  record_part(s.prepared.probed, *s.prepared.source, probed, s.request.record_block, s.request.record_step,
              {.seed = s.request.seed, .cancel = cancel});
}

/// The run as it is, with the part that `given` requests; where that was cancelled, as it was. False: it needs a run, and
/// nothing has changed.
bool record_elsewhere(RunState& s, const RunRequest& given, TimeLimit& limit) {
  if (s.late || !s.summary.ok || given.on_gpu || s.hardware.device.size() > 0) return false;
  if (!same_run(given, s.given, s.recorded_launch)) return false;
  // The run for views may have ended before the fault: a new one comes to it.
  if (!s.plain.faults.empty()) return false;
  const auto shown = static_cast<std::size_t>(s.recorded_launch);
  if (shown >= s.probed.launches.size()) return false;
  ProbedLaunch& probed = *s.probed.launches[shown];
  limit.enter("running");
  if (s.progress) s.progress("running");
  const RecordedPart part =
      record_part(s.prepared.probed, *s.prepared.source, probed, given.record_block, given.record_step,
                  {.seed = given.seed,
                   .cancel = limit.stop(),
                   .times = run_times(RunTimes::Clock::now(), limit.end(), given.run_seconds)});
  if (!part.recorded) return cancelled(limit.stop());
  s.given = given;
  s.request.record_block = given.record_block;
  s.request.record_step = given.record_step;
  refresh_recorded(s);
  s.summary.history.replayed = true;
  s.summary.history.replayed_from = part.from, s.summary.history.replayed_until = part.until;
  s.summary.history.replay_seconds = part.seconds;
  return true;
}

}  // namespace

namespace {

/// The block to record must be one of some launch; where it may change, of the one that is shown.
Diagnostics wrong_block(const RunRequest& request, const Program& program, int shown) {
  std::uint64_t most = 0;
  for (const trace::Launch& launch : program.launches) most = std::max(most, launch.grid.count());
  if (request.block_as_fits) most = program.launches[static_cast<std::size_t>(shown)].grid.count();
  if (request.record_block < most) return {};
  return {{.file = request.file,
           .message = fmt::format("there is no block {}: the {} has {} block{}", request.record_block,
                                  program.launches.size() == 1 ? "grid" : "largest grid", most, most == 1 ? "" : "s"),
           .remedy = most <= 1 ? "its only block is 0" : fmt::format("choose a block from 0 to {}", most - 1)}};
}

void append(Diagnostics& to, Diagnostics&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// Headers that comments were not written into: only the file that was named is ever changed.
Diagnostics left_alone(const std::string& file, const claims::Annotation& annotation, Severity severity) {
  Diagnostics out;
  for (const std::string& header : annotation.headers_left)
    out.push_back({.file = file,
                   .message = fmt::format("no comments are written into {}, which this file includes", header),
                   .remedy = "move the function into this file to have it annotated",
                   .severity = severity});
  return out;
}

}  // namespace

struct Session::State : RunState {};

Session::Session() : state_(std::make_unique<State>()) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

void Session::on_progress(std::function<void(std::string_view)> listener) { state_->progress = std::move(listener); }
void Session::on_steps(std::function<void(const RanSoFar&)> listener) { state_->steps = std::move(listener); }
void Session::begin_early(bool early) { state_->early = early; }
void Session::on_overdue(Overdue handler) { state_->overdue = std::move(handler); }

const results::Summary& Session::run(const RunRequest& given, const std::atomic<bool>* cancel) {
  set_memory_budget(given.memory_bytes);
  TimeLimit limit(given.file, given.limit_seconds, cancel, state_->overdue);
  return run_within(given, limit);
}

bool Session::record_from_history(const RunRequest& given, TimeLimit& limit) {
  return given.from_history && record_elsewhere(*state_, given, limit);
}

bool Session::record(const RunRequest& given, const std::atomic<bool>* cancel) {
  set_memory_budget(given.memory_bytes);
  TimeLimit limit(given.file, given.limit_seconds, cancel, state_->overdue);
  return record_from_history(given, limit);
}

const results::Summary& Session::run_within(const RunRequest& given, TimeLimit& limit) {
  if (record_from_history(given, limit)) return state_->summary;
  const std::atomic<bool>* const cancel = limit.stop();
  auto asked = with_run_overrides(given);
  const RunRequest& request = asked ? *asked : given;
  auto before = std::move(state_);
  state_ = std::make_unique<State>();
  state_->progress = std::move(before->progress), state_->overdue = std::move(before->overdue);
  state_->steps = std::move(before->steps), state_->early = before->early;
  before.reset();
  State& s = *state_;
  s.request = request;
  s.given = given;
  s.summary.file = request.file;
  s.summary.engine = "emulator";
  const auto report = [&](std::string_view stage) {
    limit.enter(stage);
    if (s.progress) s.progress(stage);
  };
  struct Release {  // the flag goes with the limit, the collectors stay
    RunState& s;
    ~Release() {
      for (const auto& launch : s.probed.launches) launch->collector->stop_when(nullptr);
    }
  } const release{s};
  const auto over = [&] {
    if (!limit.late() || s.late) return s.late;
    s.late = true;
    s.summary.ok = false;
    s.summary.diagnostics.push_back(limit.words());
    return true;
  };
  try {
    if (!asked) {
      s.summary.diagnostics = asked.error();
      return s.summary;
    }
    BothRuns runs(request, s.prepared, cancel, s.steps);
    const auto times = [&] { return run_times(RunTimes::Clock::now(), limit.end(), request.run_seconds); };
    const auto begin = [&] {
      const bool has_block = wrong_block(request, s.prepared.plain, choose_launch(request, *s.prepared.source)).empty();
      if (has_block && !request.on_gpu) runs.begin_plain(times());
    };
    prepare_into(s.prepared, request, report, cancel, {}, s.early ? begin : std::function<void()>());
    if (!s.prepared.ready) {
      runs.leave();
      if (!s.prepared.compiled) s.prepared.plain = {};
      if (cancelled(cancel))
        s.prepared.ending = Ending::cancelled;
      else
        s.prepared.buffers.clear();
    }
    if (needs_no_probes(request, s.prepared)) asked->probed_run = s.request.probed_run = false;
    s.summary.arch = s.prepared.arch;
    s.summary.diagnostics = s.prepared.diagnostics;
    s.summary.settings = s.prepared.settings;
    s.summary.notices = s.prepared.notices;
    fill_files(s.prepared, s.summary);
    if (over() || !s.prepared.ready || cancelled(cancel)) return s.summary;
    if (Diagnostics bad = wrong_block(request, s.prepared.plain, choose_launch(request, *s.prepared.source));
        !bad.empty()) {
      if (!request.block_as_fits) {
        s.wrong_block = true;
        append(s.summary.diagnostics, std::move(bad));
        return s.summary;
      }
      asked->record_block = s.request.record_block = 0;
    }
    if (!request.on_gpu) fill_device(s.prepared);
    if (Diagnostics bad = request.on_gpu ? Diagnostics{} : too_many_blocks(s.prepared); !bad.empty()) {
      s.wrong_block = true;
      append(s.summary.diagnostics, std::move(bad));
      return s.summary;
    }
    report("running");
    runs.run(times(), s.plain, s.probed);
    if (request.on_gpu) {
      report("running on the GPU");
      run_hardware(request, cancel, s);
    }
    if (over()) return s.summary;
    report("judging");
    fill_launches(s.prepared, s.summary);
    name_assumptions(s);
    s.recorded_launch = choose_launch(request, *s.prepared.source);
    record_some_part(s, cancel);
    if (const ProbedLaunch* shown = s.recorded()) s.families = families_of(*s.prepared.source, shown->value_bytes);
    s.expectations_read =
        summarize(request, s.prepared, s.plain, s.probed, s.recorded_launch, s.families, s.summary, s.outputs);
    if (request.on_gpu) {
      judge_hardware(request, cancel, s);
      watch_hardware(request, cancel, s);
    }
    fill_step_facts(s);
    report_unpaired_claims(s.summary.claims);
    const bool host_errors = s.prepared.source && !s.prepared.source->header.host_errors.empty();
    if (request.plain_run && (request.review || !s.plain.uses.empty() || host_errors))
      s.findings = review_run(request, s.prepared, s.plain, s.summary);
    place_problems(s, s.summary);
    if (request.on_gpu) report_differences(request, cancel, s);
    name_lines(s);
    if (limit.late() && !s.late) {  // what was judged in time stands
      s.late = true;
      s.summary.diagnostics.push_back(limit.words());
    }
  } catch (const std::bad_alloc&) {
    s.summary.ok = false;
    s.summary.diagnostics.push_back({.file = request.file,
                                     .message = "this run needs more memory than the machine has left",
                                     .remedy = "make the grid or the buffers smaller"});
  } catch (const std::exception& e) {
    s.summary.ok = false;
    s.summary.diagnostics.push_back(
        {.file = request.file, .message = fmt::format("this run ended unexpectedly: {}", e.what()), .remedy = ""});
  }
  return s.summary;
}

namespace {

/// `unsure`: the data were not all there, or assumed.
Ending ending_of_faults(const std::vector<emulator::Fault>& faults, bool unsure) {
  using Kind = emulator::Fault::Kind;
  if (unsure && faults.front().kind != Kind::cancelled) return Ending::cannot_here;
  if (faults.front().kind == Kind::cancelled) return Ending::cancelled;
  // A run that reached the step limit may be a long one as well as an endless one.
  const bool unknown = faults.front().kind == Kind::unsupported || faults.front().kind == Kind::runaway;
  return unknown ? Ending::cannot_here : Ending::faulted;
}

}  // namespace

Ending Session::ending() const {
  const State& s = *state_;
  if (s.late) return Ending::cannot_here;
  if (!s.prepared.ready) return s.prepared.ending;
  if (s.wrong_block) return Ending::bad_input;
  if (!s.hardware.refused.empty()) return Ending::cannot_here;
  if (!s.hardware.fault.empty())
    return results::silence_rests_on(s.summary).empty() ? Ending::faulted : Ending::cannot_here;
  if (!s.plain.faults.empty())
    return ending_of_faults(s.plain.faults, s.plain.fault_of_partial_data || s.plain_fault_rests);
  if (!s.probed.faults.empty())
    return ending_of_faults(s.probed.faults, s.probed.fault_of_partial_data || s.probed_fault_rests);
  if (!s.summary.coverage.empty()) return Ending::cannot_here;
  if (!s.plain.refused.empty() || !s.probed.refused.empty() || !s.summary.ok) return Ending::cannot_here;
  if (!s.expectations_read) return Ending::bad_input;
  Ending ending = Ending::good;
  for (const Output& o : s.outputs) {
    if (!o.differs()) continue;
    if (!o.undecided) return Ending::unexpected;
    ending = Ending::cannot_here;
  }
  return ending;
}

const results::Summary& Session::summary() const { return state_->summary; }
const std::vector<Output>& Session::outputs() const { return state_->outputs; }
const counters::Report& Session::counters() const { return state_->plain.counters; }
const std::vector<review::Finding>& Session::findings() const { return state_->findings; }
const std::vector<emulator::Fault>& Session::faults() const {
  return state_->request.plain_run ? state_->plain.faults : state_->probed.faults;
}

const results::Measured& Session::hardware() const { return state_->hardware; }

results::Measured Session::measure(const MeasureRequest& request, const std::atomic<bool>* cancel) const {
  return measure_run(*state_, request, cancel);
}

void Session::forget_checkpoints() {
  for (const auto& launch : state_->probed.launches) launch->history.reset();
}

results::Contents Session::contents(const ContentsRequest& request) const {
  static const std::vector<trace::Buffer> none;
  const State& s = *state_;
  const bool on_gpu = s.request.on_gpu && !s.hardware.device.empty() && s.hardware.fault.empty();
  return contents_of({.before = s.prepared.buffers,
                      .emulated = on_gpu ? s.emulated : s.plain.buffers,
                      .gpu = on_gpu ? s.plain.buffers : none,
                      .partial = on_gpu ? std::string() : partial_words(s.summary)},
                     request);
}

results::Journeys Session::journeys(const JourneyRequest& request) const { return journeys_of(*state_, request); }

results::Moment Session::moment(const MomentRequest& request) const {
  results::Moment m = moment_of(*state_, request);
  const bool moves = request.movement != MomentRequest::MovementOf::nothing && state_->recorded() && state_->summary.ok;
  if (moves) m.movement = movement_of(*state_, m, request.movement);
  return m;
}

RunResult Session::run_whole(const RunRequest& request, const std::atomic<bool>* cancel) {
  run(request, cancel);
  RunResult result{.summary = summary(),
                   .ending = ending(),
                   .outputs = outputs(),
                   .counters = counters(),
                   .findings = findings(),
                   .faults = faults(),
                   .hardware = hardware()};
  if (request.on_gpu && request.measure && result.summary.ok) result.measured = measure({.device = request.device});
  return result;
}

const source::Source* Session::source() const { return state_->prepared.source ? &*state_->prepared.source : nullptr; }

Expected<claims::Annotation> Session::annotate(const RunRequest& request) {
  if (is_ptx(request)) {
    auto fresh = std::make_unique<State>();  // no run is there to be queried about
    fresh->progress = std::move(state_->progress), fresh->overdue = std::move(state_->overdue);
    fresh->steps = std::move(state_->steps), fresh->early = state_->early;
    state_ = std::move(fresh);
    return failure({.file = request.file,
                    .message = "PTX has no assignment comments to write",
                    .remedy = "annotate the .cu file that it was made from"});
  }
  RunRequest probed_only = request;
  probed_only.plain_run = false;
  probed_only.watch_parameters = true;
  set_memory_budget(request.memory_bytes);
  TimeLimit limit(request.file, request.limit_seconds, nullptr, state_->overdue);
  run_within(probed_only, limit);
  const ProbedLaunch* shown = state_->recorded();
  if (!shown || !state_->summary.ok) {
    Diagnostics errors;
    for (const Diagnostic& d : state_->summary.diagnostics)
      if (d.severity == Severity::error) errors.push_back(d);
    if (errors.empty()) errors.push_back({.file = request.file, .message = "the kernel did not run", .remedy = ""});
    return tl::unexpected(std::move(errors));
  }
  limit.enter("annotating");
  shown->collector->stop_when(limit.stop());
  claims::Annotation annotation = claims::annotate(*state_->prepared.source, *shown->collector);
  shown->collector->stop_when(nullptr);
  if (!limit.late()) {
    if (annotation.claims_written > 0) return annotation;
    if (Diagnostics left = left_alone(request.file, annotation, Severity::error); !left.empty())
      return tl::unexpected(std::move(left));
    return annotation;
  }
  state_->late = true;
  return failure(limit.words());
}

Expected<AnnotatedText> Session::annotate_whole(const RunRequest& request) {
  return annotate(request).map([&](claims::Annotation annotation) {
    const results::Summary& s = summary();
    Diagnostics warnings = s.diagnostics;
    append(warnings, left_alone(request.file, annotation, Severity::warning));
    const auto cut = std::ranges::find(s.notices, results::NoticeCode::run_cut, &results::Notice::code);
    if (!s.coverage.empty())
      warnings.push_back({.file = request.file,
                          .message = std::string("the comments that were written describe the blocks that ran") +
                                     (cut == s.notices.end() ? "" : ": " + cut->words()),
                          .remedy = "give it more time (--max-seconds)",
                          .severity = Severity::warning});
    return AnnotatedText{.text = std::move(annotation.text),
                         .claims_written = annotation.claims_written,
                         .kernel = s.kernel,
                         .arch = s.arch,
                         .compiler = s.compiler,
                         .inferred = s.inferred,
                         .notices = s.notices,
                         .warnings = std::move(warnings),
                         .ending = ending()};
  });
}

}  // namespace lanescope::engine
