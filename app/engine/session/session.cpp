#include "app/engine/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>

#include "app/engine/hardware/claims.h"
#include "app/engine/hardware/difference.h"
#include "app/engine/hardware/measure.h"
#include "app/engine/hardware/run.h"
#include "app/engine/hardware/trace.h"
#include "app/engine/prepare/overrides.h"
#include "app/engine/prepare/prepare.h"
#include "app/engine/prepare/recorded_part.h"
#include "app/engine/summary/contents.h"
#include "app/engine/summary/cooperative.h"
#include "app/engine/summary/coverage.h"
#include "app/engine/summary/journeys_of.h"
#include "app/engine/summary/moment.h"
#include "app/engine/summary/recorded_block.h"
#include "app/engine/summary/run_state.h"
#include "app/engine/summary/step_facts.h"
#include "app/engine/summary/summarize.h"
#include "app/engine/summary/unit_words.h"
#include "app/engine/wire/messages.h"

namespace lanescope::engine {
namespace {

bool cancelled(const std::atomic<bool>* cancel) { return cancel && cancel->load(std::memory_order_relaxed); }

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

Session::Session() : state_(std::make_shared<State>()) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

void Session::on_progress(std::function<void(std::string_view)> listener) { state_->progress = std::move(listener); }
void Session::on_steps(std::function<void(std::uint64_t)> listener) { state_->steps = std::move(listener); }
void Session::on_overdue(Overdue handler) { state_->overdue = std::move(handler); }

namespace {

/// Where sizes were assumed, a fault says that first: it may be theirs.
void say_assumptions(const Prepared& prepared, std::vector<emulator::Fault>& faults) {
  if (!prepared.source || prepared.source->header.assumed.empty()) return;
  std::vector<std::string_view> words;
  for (std::string_view sentence : prepared.source->header.assumed) {
    if (sentence.ends_with('.')) sentence.remove_suffix(1);
    words.push_back(sentence);
  }
  for (emulator::Fault& f : faults)
    f.message = fmt::format("the sizes were assumed ({}): {}", fmt::join(words, "; "), f.message);
}

/// Blocks of a probed launch that need identities: all of them where a claim is about elements, else what views show.
std::uint64_t identified_blocks(const RunRequest& request, const source::Source& source) {
  const bool by_address = !source.claims.empty() && std::ranges::none_of(source.claims, [](const source::Claim& c) {
    return c.unchecked_reason.empty() && claims::needs_elements(c);
  });
  if (!by_address) return ~std::uint64_t{0};
  if (request.only_for_claims) return 0;
  // In the order of seed 1 the block that is shown is known to be the last that is needed.
  return request.seed == 1 ? std::uint64_t{request.record_block} + 1 : ~std::uint64_t{0};
}

/// Runs both variants side by side; each has its own copy of the buffers.
void execute(const RunRequest& request, const RunTimes& times, Prepared& prepared, const std::atomic<bool>* cancel,
             StepMeter* meter, PlainRun& plain, ProbedRun& probed) {
  const ExecutionOptions options{.seed = request.seed,
                                 .max_steps = request.max_steps,
                                 .record_block = request.record_block,
                                 .identified_blocks = identified_blocks(request, *prepared.source),
                                 .cancel = cancel,
                                 .meter = meter,
                                 .review = request.review && !is_ptx(request) ? &*prepared.source : nullptr,
                                 .initial = &prepared.buffers,
                                 .times = times,
                                 .record_step = request.record_step,
                                 .shown_launch = static_cast<std::size_t>(choose_launch(request, *prepared.source)),
                                 .history_bytes = request.on_gpu ? 0 : request.history_bytes,
                                 .cores = request.cores,
                                 .last_is_enough = request.plain_run};
  Handover handover{.launch = static_cast<std::size_t>(choose_launch(request, *prepared.source)), .buffers = {}};
  const source::Source& read = *prepared.source;
  const bool claims = !read.claims.empty() || !read.memory_claims.empty() || !read.subarray_claims.empty();
  const bool one_block = request.plain_run && request.probed_run && !claims;
  std::future<PlainRun> plain_future;
  if (request.plain_run)
    plain_future = std::async(
        std::launch::async, [&prepared, &handover, one_block, buffers = prepared.buffers, options]() mutable {
          return run_plain(prepared.plain, std::move(buffers), options, one_block ? &handover : nullptr);
        });
  if (one_block)
    probed = run_probed_block(prepared.probed, *prepared.source, handover, options);
  else if (request.probed_run)
    probed = run_probed(prepared.probed, *prepared.source, prepared.buffers, options);
  if (request.plain_run) plain = plain_future.get();
  say_assumptions(prepared, plain.faults);
  say_assumptions(prepared, probed.faults);
}

}  // namespace

namespace {

/// The verdicts of a run on a GPU are those of the GPU; where it cannot tell, unchecked, with the reason.
void judge_hardware(const RunRequest& request, const std::atomic<bool>* cancel, RunState& s) {
  if (!s.hardware.refused.empty()) s.summary.ok = false;  // nothing here is the GPU's
  if (s.summary.claims.empty() || !s.summary.ok) return;
  const bool faulted = !s.hardware.fault.empty();
  JudgedOnGpu judged = faulted ? JudgedOnGpu{} : judge_on_gpu(request, cancel);
  const std::string why = faulted                  ? "the launch failed on the GPU"
                          : judged.refused.empty() ? "not reached on the GPU"
                                                   : "on the GPU: " + judged.refused.front().message;
  for (std::size_t i = 0; i < s.summary.claims.size(); ++i) {
    claims::ClaimResult& result = s.summary.claims[i].result;
    if (i < judged.results.size()) {
      result = std::move(judged.results[i]);
      continue;
    }
    result.verdict = claims::Verdict::unchecked;
    result.reason = why;
  }
  s.summary.notices.insert(s.summary.notices.end(), judged.notices.begin(), judged.notices.end());
}

HardwareOptions options_of(const RunRequest& request, const std::atomic<bool>* cancel) {
  return {.device = request.device, .limit_seconds = request.gpu_limit_seconds, .cancel = cancel};
}

/// Views show what the GPU accessed. Where it cannot be watched they show the emulator's, and a notice says so.
void watch_hardware(const RunRequest& request, const std::atomic<bool>* cancel, RunState& s) {
  const ProbedLaunch* shown = s.recorded();
  if (!shown || !s.summary.ok || !s.hardware.fault.empty() || s.prepared.probed.ptx.empty()) return;
  const HardwareRun run{s.prepared.probed, s.prepared.buffers, options_of(request, cancel)};
  auto watched = watch_on_gpu({run, static_cast<std::size_t>(s.recorded_launch), request.record_block}, shown->trace);
  if (!watched) {
    s.summary.notices.push_back("the accesses shown are those of the emulator: " + watched.error().front().message);
    return;
  }
  s.seen = std::move(watched->seen);
  if (!watched->difference.empty())
    s.summary.notices.push_back("the accesses on the GPU differ from those in the emulator: " + watched->difference);
}

/// What the driver says of the first launch's kernel, where the compiler said nothing. A driver does not tell spills from
/// other local memory.
void take_resources(const gpu::Resources& from, Prepared& prepared) {
  if (from.registers == 0 || prepared.plain.launches.empty()) return;
  prepared.resources.try_emplace(prepared.plain.launches.front().kernel,
                                 compile::Resources{.registers = from.registers,
                                                    .shared_bytes = from.shared_bytes,
                                                    .spill_bytes = from.local_bytes == 0 ? 0 : -1,
                                                    .local_bytes = from.local_bytes});
}

/// Where threads were seen to meet without an order between them: in one launch, or in launches of several streams.
std::vector<int> race_lines(const RunState& s) {
  std::vector<int> lines;
  for (const review::Finding& f : s.findings)
    if (review::is_race(f)) lines.push_back(f.line);
  for (const Diagnostic& d : stream_hazards(*s.prepared.source, s.plain.uses)) lines.push_back(d.line);
  std::ranges::sort(lines);
  lines.erase(std::ranges::unique(lines).begin(), lines.end());
  return lines;
}

/// A warning for each buffer that the GPU left otherwise than the emulator, with what is known of the cause.
void tell_differences(const RunRequest& request, const std::atomic<bool>* cancel, RunState& s) {
  const auto& buffers = s.hardware.buffers;
  if (std::ranges::none_of(buffers, [](const results::BufferComparison& c) { return c.different > 0; })) return;
  const auto stores = last_stores(s.prepared.plain, s.prepared.buffers, buffers,
                                  {.seed = request.seed, .max_steps = request.max_steps, .cancel = cancel});
  std::uint64_t threads = 1;
  for (const trace::Launch& l : s.prepared.plain.launches)
    threads = std::max(threads, l.grid.count() * l.block.count());
  for (std::size_t i = 0; i < buffers.size() && i < stores.size(); ++i) {
    if (buffers[i].different == 0) continue;
    DifferenceEvidence evidence =
        difference_evidence({s.prepared.plain, s.prepared.buffers, options_of(request, cancel)}, stores[i]);
    evidence.race_lines = race_lines(s);
    evidence.threads = threads;
    s.summary.diagnostics.push_back(difference_words(request.file, buffers[i], evidence));
  }
}

/// The GPU ran to the end what the emulator could not: that is a notice, and what the emulator counted until then is no
/// prediction.
void set_aside_unsupported(RunState& s) {
  const auto unsupported = [](const std::vector<emulator::Fault>& faults) {
    return !faults.empty() && faults.front().kind == emulator::Fault::Kind::unsupported;
  };
  for (std::vector<emulator::Fault>* faults : {&s.plain.faults, &s.probed.faults}) {
    if (!unsupported(*faults)) continue;
    const std::string words = "the emulator cannot run the kernel to its end: " + faults->front().message;
    if (!std::ranges::count(s.summary.notices, words)) s.summary.notices.push_back(words);
    if (faults == &s.plain.faults) s.plain.launches.clear(), s.plain.counters = {}, s.plain.divergence = {};
    faults->clear();
  }
}

/// The outputs of a run on a GPU are the GPU's; the emulator's are what they are compared with.
void run_hardware(const RunRequest& request, const std::atomic<bool>* cancel, RunState& s) {
  s.summary.engine = "gpu";
  auto answer = run_on_gpu({s.prepared.plain, s.prepared.buffers, options_of(request, cancel)});
  if (!answer) {
    s.hardware.refused = answer.error();
    append(s.summary.diagnostics, std::move(answer.error()));
    return;
  }
  describe_answer(*answer, 0, s.hardware);
  take_resources(answer->result.resources, s.prepared);
  const bool emulated = s.plain.refused.empty() && s.plain.faults.empty() && s.plain.whole();
  for (Diagnostics* refused : {&s.plain.refused, &s.probed.refused}) {  // the GPU ran it all the same
    const std::string words = refused->empty() ? "" : "the emulator cannot run the kernel: " + refused->front().message;
    if (!words.empty() && !std::ranges::count(s.summary.notices, words)) s.summary.notices.push_back(words);
    refused->clear();
  }
  if (!answer->result.fault.empty()) {
    locate_fault(s.plain.faults, s.hardware);
    s.summary.diagnostics.push_back({.file = request.file,
                                     .line = s.hardware.fault_line,
                                     .message = "on the GPU: " + s.hardware.fault,
                                     .remedy = s.hardware.fault_source});
    return;
  }
  set_aside_unsupported(s);
  if (emulated) s.hardware.buffers = compare_buffers(answer->buffers, s.plain.buffers);
  if (emulated) s.emulated = std::move(s.plain.buffers);
  take_contents(std::move(answer->buffers), s.prepared.buffers, s.plain.buffers);
}

}  // namespace

const results::Summary& Session::run(const RunRequest& given, const std::atomic<bool>* cancel) {
  TimeLimit limit(given.file, given.limit_seconds, cancel, state_->overdue);
  return run_within(given, limit);
}

namespace {

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

}  // namespace

bool Session::record_elsewhere(const RunRequest& given, TimeLimit& limit) {
  State& s = *state_;
  // A measurement under way reads what would be changed here.
  if (state_.use_count() > 1 || s.late || !s.summary.ok || given.on_gpu || s.hardware.device.size() > 0) return false;
  if (!same_run(given, s.given, s.recorded_launch)) return false;
  // The run for views may have ended before the fault: a new one comes to it.
  if (!s.plain.faults.empty()) return false;
  const auto shown = static_cast<std::size_t>(s.recorded_launch);
  if (shown >= s.probed.launches.size()) return false;
  ProbedLaunch& probed = *s.probed.launches[shown];
  limit.enter("running");
  if (s.progress) s.progress("running");
  const std::string old_words = unrecorded_words(probed.trace, s.request.record_block);
  const RecordedPart part =
      record_part(s.prepared.probed, *s.prepared.source, probed, given.record_block, given.record_step,
                  {.seed = given.seed,
                   .cancel = limit.stop(),
                   .times = run_times(RunTimes::Clock::now(), limit.end(), given.run_seconds)});
  if (!part.recorded) return cancelled(limit.stop());
  s.given = given;
  s.request.record_block = given.record_block;
  s.request.record_step = given.record_step;
  refresh_recorded(s, old_words);
  s.summary.history.replayed = true;
  s.summary.history.replayed_from = part.from, s.summary.history.replayed_until = part.until;
  s.summary.history.replay_seconds = part.seconds;
  return true;
}

bool Session::record(const RunRequest& given, const std::atomic<bool>* cancel) {
  TimeLimit limit(given.file, given.limit_seconds, cancel, state_->overdue);
  return given.from_history && record_elsewhere(given, limit);
}

const results::Summary& Session::run_within(const RunRequest& given, TimeLimit& limit) {
  if (given.from_history && record_elsewhere(given, limit)) return state_->summary;
  const std::atomic<bool>* const cancel = limit.stop();
  auto asked = with_run_overrides(given);
  const RunRequest& request = asked ? *asked : given;
  auto before = std::move(state_);
  state_ = std::make_shared<State>();
  state_->progress = std::move(before->progress), state_->overdue = std::move(before->overdue);
  state_->steps = std::move(before->steps);
  before.reset();
  State& s = *state_;
  s.request = request;
  s.given = given;
  s.summary.file = request.file;
  s.summary.engine = "emulator";
  const auto tell = [&](std::string_view stage) {
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
    s.prepared = prepare(request, tell, cancel);
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
    if (Diagnostics bad = request.on_gpu ? Diagnostics{} : too_many_blocks(s.prepared); !bad.empty()) {
      s.wrong_block = true;
      append(s.summary.diagnostics, std::move(bad));
      return s.summary;
    }
    tell("running");
    StepMeter meter(s.steps);
    const RunTimes times = run_times(RunTimes::Clock::now(), limit.end(), request.run_seconds);
    execute(request, times, s.prepared, cancel, s.steps ? &meter : nullptr, s.plain, s.probed);
    if (request.on_gpu) {
      tell("running on the GPU");
      run_hardware(request, cancel, s);
    }
    if (over()) return s.summary;
    tell("judging");
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
    tell_lonely_claims(s.summary.claims);
    if (request.review && request.plain_run) s.findings = review_run(s.prepared, s.plain, s.summary);
    place_problems(s, s.summary);
    if (request.on_gpu) tell_differences(request, cancel, s);
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

Ending ending_of_faults(const std::vector<emulator::Fault>& faults, bool of_partial_data) {
  using Kind = emulator::Fault::Kind;
  if (of_partial_data && faults.front().kind != Kind::cancelled) return Ending::cannot_here;
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
  if (!s.hardware.fault.empty()) return Ending::faulted;
  if (!s.plain.faults.empty()) return ending_of_faults(s.plain.faults, s.plain.fault_of_partial_data);
  if (!s.probed.faults.empty()) return ending_of_faults(s.probed.faults, s.probed.fault_of_partial_data);
  if (!s.summary.coverage.empty()) return Ending::cannot_here;
  if (!s.plain.refused.empty() || !s.probed.refused.empty() || !s.summary.ok) return Ending::cannot_here;
  if (!s.expectations_read) return Ending::bad_input;
  for (const Output& o : s.outputs)
    if (!o.expectation.empty() && o.expectation != "equal") return Ending::unexpected;
  return Ending::good;
}

const results::Summary& Session::summary() const { return state_->summary; }
const std::vector<Output>& Session::outputs() const { return state_->outputs; }
const counters::Report& Session::counters() const { return state_->plain.counters; }
const std::vector<review::Finding>& Session::findings() const { return state_->findings; }
const std::vector<emulator::Fault>& Session::faults() const {
  return state_->request.plain_run ? state_->plain.faults : state_->probed.faults;
}

const results::Measured& Session::hardware() const { return state_->hardware; }

namespace {

/// The emulator's, where it ran to its end; a run on a GPU keeps them apart.
const std::vector<trace::Buffer>* emulated_buffers(const RunState& s) {
  if (s.request.on_gpu) return s.emulated.empty() ? nullptr : &s.emulated;
  return s.plain.refused.empty() && s.plain.faults.empty() && s.plain.whole() ? &s.plain.buffers : nullptr;
}

results::Measured measure_parts(const RunState& s, const MeasureRequest& request, const std::atomic<bool>* cancel) {
  results::Measured measured;
  if (!s.prepared.ready || s.prepared.plain.ptx.empty()) {
    measured.refused.push_back({.file = s.request.file,
                                .message = "there is no compiled program to measure",
                                .remedy = "correct the kernel first"});
    return measured;
  }
  const HardwareRun run{s.prepared.plain,
                        s.prepared.buffers,
                        {.device = request.device,
                         .warm_up = request.warm_up,
                         .repetitions = request.repetitions,
                         .limit_seconds = request.limit_seconds,
                         .cancel = cancel}};
  if (request.timing) {
    const auto answer = run_on_gpu(run);
    if (!answer) return measured.refused = answer.error(), measured;
    describe_answer(*answer, request.warm_up, measured);
    if (!measured.fault.empty()) return locate_fault(s.plain.faults, measured), measured;
    if (const auto* emulated = emulated_buffers(s)) measured.buffers = compare_buffers(answer->buffers, *emulated);
  }
  const Measuring what{run, s.plain.counters};
  const auto wanted = [&](bool part) { return part && !cancelled(cancel); };
  if (wanted(request.counters)) measure_counters(what, request.metrics, measured);
  if (wanted(request.instructions)) measure_instructions(what, measured);
  if (wanted(request.stalls)) measure_stalls(run, measured);
  if (wanted(request.activity)) measure_activity(run, measured);
  if (wanted(request.trace))
    measure_trace({run, static_cast<std::size_t>(s.recorded_launch), s.request.record_block}, measured);
  if (!s.plain.faults.empty())
    forget_predictions("the emulator stops before the end, " + s.plain.faults.front().message, measured);
  else if (!s.plain.whole())
    forget_predictions("the emulator did not run all blocks: " + partial_words(s.summary), measured);
  else if (s.plain.launches.empty())
    forget_predictions("the emulator does not run this kernel", measured);
  return measured;
}

/// On whatever thread: what goes wrong is an answer.
results::Measured measure_run(const RunState& s, const MeasureRequest& request, const std::atomic<bool>* cancel) {
  try {
    return measure_parts(s, request, cancel);
  } catch (const std::exception& e) {
    results::Measured measured;
    measured.refused.push_back({.file = s.request.file,
                                .message = fmt::format("the measurement ended unexpectedly: {}", e.what()),
                                .remedy = ""});
    return measured;
  }
}

}  // namespace

results::Measured Session::measure(const MeasureRequest& request, const std::atomic<bool>* cancel) const {
  return measure_run(*state_, request, cancel);
}

std::function<results::Measured()> Session::measurement(const MeasureRequest& request,
                                                        const std::atomic<bool>* cancel) const {
  return [run = std::shared_ptr<const State>(state_), request, cancel] { return measure_run(*run, request, cancel); };
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

results::Moment Session::moment(const MomentRequest& request) const { return moment_of(*state_, request); }

RunResult Session::run_whole(const RunRequest& request, const std::atomic<bool>* cancel) {
  run(request, cancel);
  RunResult result{.summary = summary(),
                   .ending = ending(),
                   .outputs = outputs(),
                   .counters = counters(),
                   .findings = findings(),
                   .faults = faults(),
                   .hardware = hardware(),
                   .measured = {}};
  if (request.on_gpu && request.measure && result.summary.ok) result.measured = measure({.device = request.device});
  return result;
}

const source::Source* Session::source() const { return state_->prepared.source ? &*state_->prepared.source : nullptr; }

Expected<claims::Annotation> Session::annotate(const RunRequest& request) {
  if (is_ptx(request)) {
    auto fresh = std::make_shared<State>();  // no run is there to be asked about
    fresh->progress = std::move(state_->progress), fresh->overdue = std::move(state_->overdue);
    fresh->steps = std::move(state_->steps);
    state_ = std::move(fresh);
    return failure({.file = request.file,
                    .message = "PTX has no assignment comments to write",
                    .remedy = "annotate the .cu file that it was made from"});
  }
  RunRequest probed_only = request;
  probed_only.plain_run = false;
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
    if (!s.coverage.empty())
      warnings.push_back({.file = request.file,
                          .message = std::string("what is written is what the blocks show that ran") +
                                     (s.notices.empty() ? "" : ": " + s.notices.back()),
                          .remedy = "give it more time (--max-seconds)",
                          .severity = Severity::warning});
    return AnnotatedText{.text = std::move(annotation.text),
                         .claims_written = annotation.claims_written,
                         .kernel = s.kernel,
                         .arch = s.arch,
                         .compiler = s.compiler,
                         .inferred = s.inferred,
                         .notices = s.notices,
                         .warnings = std::move(warnings)};
  });
}

}  // namespace lanescope::engine
