#include "app/engine/prepare/execution.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/engine/prepare/prepare.h"
#include "app/engine/prepare/repeated_blocks.h"
#include "kernels/base/memory.h"
#include "kernels/ptx/value_numbers.h"
#include "kernels/trace/block_states.h"
#include "profiling/review/memory/pointer_reach.h"

namespace lanescope::engine {
namespace {

std::unique_ptr<ReviewedLaunch> watch_for_review(const Program& program, std::size_t index,
                                                 const source::Source& source,
                                                 const std::vector<trace::Buffer>& buffers,
                                                 uninitialised::UnwrittenBytes& unwritten) {
  auto out = std::make_unique<ReviewedLaunch>();
  out->launch.launch = program.launches[index];
  out->launch.entry = &entry_of(program, out->launch.launch);
  out->launch.code = sites_of(program, out->launch.launch);
  out->launch.spec = &source.header.launches[index];
  const auto addresses = emulator::place_buffers(buffers);
  for (std::size_t b = 0; b < buffers.size(); ++b)
    out->launch.buffers.push_back({buffers[b].name, addresses[b], buffers[b].bytes.size(), buffers[b].element_bits});
  if (program.heap_bytes > 0)
    out->launch.buffers.push_back({.name = "device heap",
                                   .address = emulator::heap_begin(),
                                   .bytes = emulator::Heap(program.heap_bytes).range_bytes(),
                                   .element_bits = 8,
                                   .heap = true});
  for (const emulator::VariablePlace& v : emulator::variable_places(program.module))
    if (std::ranges::find(buffers, v.name, &trace::Buffer::variable) == buffers.end())
      out->launch.buffers.push_back({v.name, v.address, v.bytes, v.element_bits, v.name.starts_with("__")});
  for (const emulator::SharedPlace& s : emulator::shared_places(program.module, out->launch.launch, buffers))
    out->launch.shared.push_back({s.name, s.address, s.alignment, s.offset, s.bytes});
  out->launch.shared_bases = ptx::shared_bases(program.module, *out->launch.entry);
  out->seen = std::make_unique<review::AccessCollector>(out->launch, review::watched_buffers(source, out->launch),
                                                        review::Budget{}, &unwritten);
  return out;
}

/// Counts the steps and blocks of one launch for a meter, which is queried rarely enough to cost nothing.
class MeteredLaunch final : public trace::Observer {
 public:
  MeteredLaunch(RunMeter& meter, RunMeter::Run run) : meter_(meter), run_(run) {}
  ~MeteredLaunch() override { meter_.add(run_, steps_, blocks_); }
  void on_step(const trace::Where&) override {
    if (++steps_ >= portion) report();
  }
  void on_steps(const trace::Where&, std::span<const std::uint32_t> active) override {
    if ((steps_ += active.size()) >= portion) report();
  }
  void on_block_end(std::uint32_t, std::uint64_t) override { ++blocks_; }
  bool needs_turns() const override { return false; }
  std::unique_ptr<trace::Observer> part() const override { return std::make_unique<Part>(); }
  Atomics needs_atomics() const override { return Atomics::never; }
  void take(trace::Observer& part, std::uint64_t) override {
    steps_ += static_cast<const Part&>(part).steps, blocks_ += static_cast<const Part&>(part).blocks;
    report();
  }

 private:
  struct Part final : trace::Observer {
    void on_step(const trace::Where&) override { ++steps; }
    void on_steps(const trace::Where&, std::span<const std::uint32_t> active) override { steps += active.size(); }
    bool needs_turns() const override { return false; }
    void on_block_end(std::uint32_t, std::uint64_t) override { ++blocks; }
    std::uint64_t steps = 0, blocks = 0;
  };
  void report() { meter_.add(run_, std::exchange(steps_, 0), std::exchange(blocks_, 0)); }

  static constexpr std::uint64_t portion = 1 << 14;
  RunMeter& meter_;
  RunMeter::Run run_;
  std::uint64_t steps_ = 0, blocks_ = 0;
};

double seconds_since(RunTimes::Clock::time_point begun) {
  return std::chrono::duration<double>(RunTimes::Clock::now() - begun).count();
}

std::uint64_t blocks_of(const Program& program) {
  std::uint64_t blocks = 0;
  for (const trace::Launch& launch : program.launches) blocks += launch.grid.count();
  return blocks;
}

emulator::PrintBudget left_of(emulator::PrintBudget budget, const std::vector<emulator::Printed>& printed) {
  budget.calls -= std::min<std::uint64_t>(budget.calls, printed.size());
  for (const emulator::Printed& p : printed) budget.bytes -= std::min<std::uint64_t>(budget.bytes, p.text.size());
  return budget;
}

/// "line 19, where the emulator does not support `mma...`": what stopped lanes of a launch.
std::string stop_words(const emulator::Fault& f) {
  return (f.line > 0 ? fmt::format("line {}: ", f.line) : std::string()) + f.what;
}

/// The data of a launch that claims about memory need.
claims::MemoryPlaces memory_places(const Program& program, const source::Source& source, std::size_t index,
                                   const std::vector<trace::Buffer>& buffers, const trace::Trace& trace) {
  const trace::Launch& launch = program.launches[index];
  claims::MemoryPlaces out{.kernel = index < source.header.launches.size() ? source.header.launches[index].kernel : "",
                           .buffer_addresses = trace.buffer_addresses,
                           .arguments = launch.arguments};
  for (const emulator::SharedPlace& s : emulator::shared_places(program.module, launch, buffers))
    out.shared.push_back({s.name, s.offset, s.bytes});
  for (const trace::Buffer& b : buffers) out.buffer_bytes.push_back(b.bytes.size());
  for (const trace::CodeSite& site : trace.code) out.inner_lines.push_back(site.inner_line);
  if (const ptx::Entry* entry = program.module.find_entry(launch.kernel)) {
    out.most_stored_bytes = ptx::most_stored_bytes(*entry);
    out.stores_from_shared = ptx::stores_from_shared(*entry);
  }
  return out;
}

/// Of bare PTX the lines are those of its text.
std::vector<emulator::Fault> with_lines(std::vector<emulator::Fault> faults,
                                        const std::vector<trace::CodeSite>& sites) {
  for (emulator::Fault& f : faults)
    if (f.line == 0 && f.where.pc < sites.size()) f.line = sites[f.where.pc].line;
  return faults;
}

/// Before a fault in a launch whose data are not what they would be.
void say_partial_data(const trace::Coverage& earlier, std::size_t launch, std::vector<emulator::Fault>& faults) {
  for (emulator::Fault& f : faults)
    for (std::string* words : {&f.message, &f.what})
      *words = fmt::format("launch {} works on partial data, since of launch {} {}: {}", launch + 1, launch,
                           trace::words_of(earlier), *words);
}

/// Of the launches that do not begin: none of their blocks ran.
std::vector<trace::Coverage> none_of(const std::vector<trace::Launch>& launches, std::size_t from) {
  std::vector<trace::Coverage> out;
  for (std::size_t i = from; i < launches.size(); ++i)
    out.push_back({.ended = trace::Coverage::Ended::time, .blocks = launches[i].grid.count()});
  return out;
}

const trace::Coverage& coverage_of(const PlainLaunch& launch) { return launch.coverage; }
const trace::Coverage& coverage_of(const std::unique_ptr<ProbedLaunch>& launch) { return launch->coverage; }

/// The last launch that was cut, of those that ran.
std::optional<trace::Coverage> last_cut(const auto& launches) {
  std::optional<trace::Coverage> found;
  for (const auto& l : launches)
    if (!coverage_of(l).whole()) found = coverage_of(l);
  return found;
}

/// "the time for running is over".
std::string why_cut(trace::Coverage::Ended ended) {
  return ended == trace::Coverage::Ended::steps ? "the limit of warp instructions is reached"
                                                : "the time for running is over";
}

std::unique_ptr<ProbedLaunch> new_launch(const Program& program, const source::Source& source,
                                         const trace::Launch& launch, const std::vector<trace::Buffer>& buffers,
                                         const ExecutionOptions& options) {
  auto probed = std::make_unique<ProbedLaunch>();
  trace::Trace& trace = probed->trace;
  trace.code = probed_sites(program, source, launch);
  trace.launch = launch;
  for (const trace::Buffer& b : buffers)  // contents: only where a history needs them (run_instrumented)
    trace.buffers.push_back({b.name, b.element_type, b.element_bits, {}, b.traced, b.variable});
  trace.buffer_addresses = emulator::place_buffers(buffers);
  trace.tags.space = emulator::tag_space(buffers);
  trace.tags.keep_at_most(options.identity_bytes);
  probed->value_bytes = value_bytes_of(program.module, source.variables.size());
  probed->collector = std::make_unique<claims::Collector>(source, trace.tags, probed->value_bytes,
                                                          caller_lines(program, source, launch));
  probed->collector->stop_when(options.cancel);
  return probed;
}

/// The part of a launch that was not observed, for its claims and as a sentence.
void say_unseen(const emulator::Result& result, ProbedLaunch& probed) {
  const trace::Coverage& c = result.coverage;
  const std::uint64_t blocks = probed.trace.launch.grid.count();
  const bool full = probed.trace.tags.full();
  if (!result.faults.empty() && result.unfinished.probes.empty()) {
    // Probes saw all that they could; what memory would hold is unknown.
  } else if (result.identified_blocks < c.ran() || c.ended == trace::Coverage::Ended::asked) {
    const std::string why = full ? fmt::format("the identities of their elements take more than {} MiB",
                                               probed.trace.tags.budget_bytes() >> 20)
                                 : "their elements were not followed";
    const std::string followed = fmt::format("the first {} of {} blocks", result.identified_blocks, blocks);
    probed.collector->watched_only(followed, "the others were not recorded: " + why);
    if (full) probed.notice = coded<results::NoticeCode::elements_followed_in_part>(followed, why);
  }
  if (!c.whole() && c.ended != trace::Coverage::Ended::asked &&
      (result.faults.empty() || !result.unfinished.probes.empty()))
    probed.collector->ran_only(fmt::format("the {} of {} blocks that ran", c.ran(), blocks), why_cut(c.ended));
  // A block that was left midway has written only a part of what it would have, whether or not a probe lay ahead of it.
  if (result.unfinished.probes.empty() && c.midway == 0 && result.faults.empty()) return;
  probed.collector->stopped_before(result.unfinished.probes,
                                   result.faults.empty() ? why_cut(c.ended) : stop_words(result.faults.front()));
}

/// Runs one launch instrumented; false: it was refused, or `repeated` does not give its verdicts.
bool run_instrumented(const Program& program, const source::Source& source, Memory& memory,
                      const ExecutionOptions& options, bool shown, const emulator::Limits& limits, ProbedLaunch& probed,
                      ProbedRun& run, const claims::RepeatedBlocks* repeated = nullptr) {
  trace::Trace& trace = probed.trace;
  std::vector<trace::Buffer>& buffers = memory.buffers;
  const trace::RecordOptions part = part_of_block(options.record_block, shown ? options.record_step : 0);
  // A history is of one grid: where those that it launches run inside of it, there is none.
  const bool alone = program.grids == emulator::Options::Grids::leave || !launches_kernels(program.module);
  if (shown && alone && options.history_bytes > 0 && repeated == nullptr) {
    for (std::size_t b = 0; b < buffers.size(); ++b) trace.buffers[b].bytes = buffers[b].bytes;
    probed.history =
        std::make_unique<emulator::History>(program.module, trace.launch, trace.buffers, &trace.tags,
                                            emulator::HistoryOptions{.budget_bytes = options.history_bytes});
  }
  trace::BlockStates states(trace.launch.warps_per_block(), &trace.tags);
  trace::Recorder recorder(trace, part, probed.history ? &probed.history->states() : &states);
  emulator::Options how{.seed = options.seed,
                        .max_steps = options.max_steps,
                        .tags = &trace.tags,
                        .identified_blocks = options.identified_blocks,
                        .observers = {&recorder, probed.collector.get()},
                        .cancel = options.cancel,
                        .print = {.calls = 0, .bytes = 0},  // the plain run prints
                        .limits = limits,
                        .grids = program.grids,
                        .heap = memory.heap,
                        .cores = options.probed_cores};
  if (repeated != nullptr) how.only_blocks = repeated->ran;
  std::optional<MeteredLaunch> metered;
  if (options.meter) how.observers.push_back(&metered.emplace(*options.meter, RunMeter::Run::probed));
  std::optional<ProbesOfPart> probes;
  if (part.first_step > 0) {
    probed.part = part_collector(program, source, probed);
    how.observers.push_back(&probes.emplace(trace, options.record_block, *probed.part));
  }
  if (!probed.history && part.first_step > 0) how.observers.insert(how.observers.begin(), &states);
  const auto begun = RunTimes::Clock::now();
  auto result =
      probed.history ? probed.history->run(buffers, how) : emulator::run(program.module, trace.launch, buffers, how);
  if (!result) {
    run.refused = std::move(result.error());
    return false;
  }
  memory.heap = result->heap;
  trace.shared_bytes = result->shared_bytes;
  probed.coverage = result->coverage;
  probed.seconds = seconds_since(begun);
  const bool as_planned = repeated != nullptr && result->faults.empty() && result->coverage.midway == 0 &&
                          result->unfinished.probes.empty() && result->coverage.ran() == repeated->ran.size();
  if (repeated != nullptr && !(as_planned && probed.collector->repeat(*repeated, trace.tags))) return false;
  if (repeated == nullptr) say_unseen(*result, probed);
  trace.prepare();
  if (!trace.launch.generated) run.faults = with_lines(std::move(result->faults), sites_of(program, trace.launch));
  return true;
}

}  // namespace

std::size_t identity_budget_bytes() {
  constexpr std::uint64_t least = std::uint64_t{256} << 20, most = std::uint64_t{1} << 30;
  return static_cast<std::size_t>(std::clamp(memory_budget_bytes() / 8, least, most));
}

std::vector<review::LaunchReview::Allocation> allocations_of(const emulator::HeapState& heap) {
  std::vector<review::LaunchReview::Allocation> out;
  for (const emulator::HeapBlock& b : heap.heap.blocks())
    out.push_back({.at = b.at, .bytes = b.bytes, .line = b.line, .freed = b.freed});
  return out;
}

std::vector<review::LaunchReview::HostPrint> host_prints_of(const std::vector<emulator::Printed>& printed) {
  std::vector<review::LaunchReview::HostPrint> out;
  for (const emulator::Printed& p : printed) {
    const auto of_it = [&](const review::LaunchReview::HostPrint& h) { return h.where.pc == p.where.pc; };
    if (!p.of_host_only.empty() && std::ranges::none_of(out, of_it))
      out.push_back({.where = p.where, .conversion = p.of_host_only, .string_after = p.string_after});
  }
  return out;
}

bool PlainRun::whole() const {
  return not_begun.empty() && std::ranges::all_of(launches, [](const PlainLaunch& l) { return l.coverage.whole(); });
}

RanSoFar RunMeter::sum() const {
  RanSoFar out{.steps = steps_};
  for (std::size_t run = 0; run < all_.size(); ++run) {
    const std::uint64_t ended = ended_[run], all = all_[run];
    // ended/all < out.blocks/out.all_blocks
    const bool past = out.all_blocks == 0 || static_cast<double>(ended) * static_cast<double>(out.all_blocks) <
                                                 static_cast<double>(out.blocks) * static_cast<double>(all);
    if (all > 0 && past) out.blocks = std::min(ended, all), out.all_blocks = all;
  }
  return out;
}

void RunMeter::add(Run run, std::uint64_t steps, std::uint64_t blocks) {
  steps_ += steps;
  ended_[static_cast<std::size_t>(run)] += blocks;
  const std::unique_lock alone(reporting_, std::try_to_lock);
  if (!alone || Clock::now() - reported_ < std::chrono::milliseconds(100)) return;
  reported_ = Clock::now();
  if (report_) report_(sum());
}

PlainRun run_plain(const Program& program, std::vector<trace::Buffer> buffers, const ExecutionOptions& options,
                   Handover* handover) {
  PlainRun run;
  if (options.meter) options.meter->expect(RunMeter::Run::plain, blocks_of(program));
  struct Nothing {  // each waiter is released, on all paths
    Handover* handover;
    ~Nothing() {
      if (handover != nullptr) handover->memory.set_value(std::nullopt);
    }
  } nothing{handover};
  emulator::PrintBudget print;  // of all launches together
  run.buffers = std::move(buffers);
  run.heap = first_heap(program);
  uninitialised::UnwrittenBytes unwritten;
  if (options.review) unwritten = unwritten_bytes(*options.review, run.buffers, program.heap_bytes);
  std::vector<Question> questions;
  std::optional<GridWatch> grids;
  for (std::size_t i = 0; i < program.launches.size(); ++i) {
    const trace::Launch& launch = program.launches[i];
    if (i > 0 && options.times.over(RunTimes::Clock::now())) {
      run.not_begun = none_of(program.launches, i);
      break;
    }
    trace::perform(launch.before, run.buffers, emulator::place_buffers(run.buffers));
    if (handover != nullptr && handover->launch == i) {
      handover->memory.set_value(Memory{run.buffers, run.heap});
      nothing.handover = handover = nullptr;
    }
    PackedUnwritten before;
    if (options.review) {
      take_steps(launch.before, run.buffers, unwritten);
      before = PackedUnwritten(unwritten);
    }
    counters::Counter counter;
    counters::BlockCounter blocks(counter, launch.grid.count());
    counters::DivergenceCounter lanes;
    emulator::Options how{
        .seed = options.seed,
        .max_steps = options.max_steps,
        .observers = {&blocks, &lanes},  // `blocks` reports `counter`
        .cancel = options.cancel,
        .print = print,
        .limits = launch_limits(options.times, RunTimes::Clock::now(), program.launches.size() - i - 1),
        .grids = program.grids,
        .heap = run.heap,
        .cores = options.cores};
    how.limits.wanted = options.record_block;
    if (options.review) {
      run.reviewed.push_back(watch_for_review(program, i, *options.review, run.buffers, unwritten));
      run.reviewed.back()->seen->repeat(
          alike_in_shared_memory(program, launch, run.reviewed.back()->launch.code, run.buffers, options));
      how.observers.push_back(run.reviewed.back()->seen.get());
      if (!grids && program.grids == emulator::Options::Grids::leave)
        grids.emplace(program, review::watched_areas(run.reviewed.back()->launch));
      if (trace::Observer* tree = grids ? grids->before(i) : nullptr; tree != nullptr) how.observers.push_back(tree);
    }
    std::optional<MeteredLaunch> metered;
    if (options.meter) how.observers.push_back(&metered.emplace(*options.meter, RunMeter::Run::plain));
    std::optional<review::UseObserver> uses;
    if (options.streams != nullptr)
      how.observers.push_back(
          &uses.emplace(*options.streams, i, run.buffers, emulator::place_buffers(run.buffers), run.uses));
    const auto begun = RunTimes::Clock::now();
    auto result = emulator::run(program.module, launch, run.buffers, how);
    if (!result) {
      run.refused = std::move(result.error());
      break;
    }
    run.heap = result->heap;
    if (grids) grids->after(i, result->grids);
    if (options.review) {
      run.reviewed.back()->seen->launch_ended();
      if (program.heap_bytes > 0 && run.heap != nullptr)
        run.reviewed.back()->launch.allocations = allocations_of(*run.heap);
      run.reviewed.back()->launch.host_prints = host_prints_of(result->printed);
      Question q = question_of(*run.reviewed.back(), i, std::move(before), *result);
      if (q.reads || !q.barriers.empty()) questions.push_back(std::move(q));
    }
    const std::optional<trace::Coverage> earlier = last_cut(run.launches);
    const auto sites = sites_of(program, launch);
    if (uses) run.uses.push_back(uses->take(sites));
    counters::add(run.counters, counter, sites);
    counters::add(run.divergence, lanes, sites);
    const auto by_pc = counter.by_instruction();
    blocks.launch_ended();
    run.launches.push_back({.by_pc = {by_pc.begin(), by_pc.end()},
                            .shared_bytes = result->shared_bytes,
                            .blocks = blocks.blocks(),
                            .blocks_each = blocks.blocks_each(),
                            .printed = std::move(result->printed),
                            .printed_calls = result->printed_calls,
                            .coverage = result->coverage,
                            .seconds = seconds_since(begun)});
    print = left_of(print, run.launches.back().printed);
    if (!result->faults.empty() && !launch.generated) {
      run.faults = with_lines(std::move(result->faults), sites);
      if (earlier) {
        say_partial_data(*earlier, i, run.faults);
        run.fault_of_partial_data = true;
      }
      break;  // what follows would read what this launch should have written
    }
  }
  if (grids) run.trees = grids->take();
  if (options.review && run.whole() && run.faults.empty() && run.launches.size() == program.launches.size())
    run.left = left_unwritten(*options.review, unwritten);
  if (options.initial != nullptr && !questions.empty()) run_again(program, *options.initial, options, questions, run);
  return run;
}

/// Launches in which only some blocks may run: the data that they leave steer no later one.
std::vector<bool> may_repeat(const Program& program, const source::Source& source,
                             const std::vector<trace::Buffer>& buffers, const ExecutionOptions& options) {
  std::vector<bool> out(program.launches.size(), false);
  const bool of_registers = std::ranges::all_of(
      source.claims, [](const source::Claim& c) { return c.kind() == source::ClaimKind::registers; });
  const bool large = std::ranges::any_of(
      program.launches, [](const trace::Launch& l) { return l.grid.count() >= least_blocks_to_repeat; });
  if (!options.repeats_blocks || !of_registers || !large || program.heap_bytes > 0) return out;
  out = steered_by_blocks_alone(program, buffers);
  for (std::size_t i = out.size(); i-- > 0;) {
    if (i + 1 < out.size() && !out[i + 1]) out[i] = false;
    if (launches_kernels(program.module)) out[i] = false;
  }
  return out;
}

/// The launch by those of its blocks that others repeat; false: they do not decide its claims, and nothing has changed.
bool run_some_blocks(const Program& program, const source::Source& source, std::size_t index, Memory& memory,
                     const ExecutionOptions& options, const emulator::Limits& limits, ProbedRun& run) {
  const trace::Launch& launch = program.launches[index];
  if (launch.grid.count() < least_blocks_to_repeat) return false;
  const auto repeated = repeated_blocks(program, launch, memory.buffers, options);
  if (!repeated) return false;
  auto probed = new_launch(program, source, launch, memory.buffers, options);
  Memory changed = memory;
  ProbedRun own;
  if (!run_instrumented(program, source, changed, options, index == options.shown_launch, limits, *probed, own,
                        &*repeated))
    return false;
  memory = std::move(changed);
  run.launches.push_back(std::move(probed));
  return true;
}

ProbedRun run_probed(const Program& program, const source::Source& source, std::vector<trace::Buffer> initial,
                     const ExecutionOptions& options) {
  ProbedRun run;
  if (options.meter && options.identified_blocks > 0) options.meter->expect(RunMeter::Run::probed, blocks_of(program));
  Memory memory{std::move(initial), first_heap(program)};
  std::vector<trace::Buffer>& buffers = memory.buffers;
  const std::vector<bool> repeats = may_repeat(program, source, buffers, options);
  for (std::size_t i = 0; i < program.launches.size(); ++i) {
    if (i > 0 && options.times.over(RunTimes::Clock::now())) {
      run.not_begun = none_of(program.launches, i);
      break;
    }
    const std::size_t more = program.launches.size() - i - 1;
    trace::perform(program.launches[i].before, buffers, emulator::place_buffers(buffers));
    emulator::Limits limits = launch_limits(options.times, RunTimes::Clock::now(), more);
    if (repeats[i] && run_some_blocks(program, source, i, memory, options, limits, run)) continue;
    auto probed = new_launch(program, source, program.launches[i], buffers, options);
    const auto claims_about = [&](source::ClaimKind kind) {
      return std::ranges::find(source.claims, kind, &source::Claim::kind) != source.claims.end();
    };
    if (claims_about(source::ClaimKind::memory) || claims_about(source::ClaimKind::subarray))
      probed->collector->watch_memory(memory_places(program, source, i, buffers, probed->trace));
    limits.wanted = options.record_block;
    // Claims about addresses are judged in all blocks; with no identities wanted, no other claim is there.
    limits.while_identified = options.last_is_enough && more == 0 && !claims_about(source::ClaimKind::subarray) &&
                              options.identified_blocks > 0;
    if (!run_instrumented(program, source, memory, options, i == options.shown_launch, limits, *probed, run)) break;
    const std::optional<trace::Coverage> earlier = last_cut(run.launches);
    run.launches.push_back(std::move(probed));
    if (run.faults.empty()) continue;
    if (earlier) {
      say_partial_data(*earlier, i, run.faults);
      run.fault_of_partial_data = true;
    }
    break;
  }
  return run;
}

ProbedRun run_probed_block(const Program& program, const source::Source& source, Handover& handover,
                           const ExecutionOptions& options) {
  ProbedRun run;
  std::optional<Memory> memory = handover.memory.get_future().get();
  if (!memory) return run;
  for (std::size_t i = 0; i < handover.launch; ++i)
    run.launches.push_back(new_launch(program, source, program.launches[i], {}, options));
  const trace::Launch& launch = program.launches[handover.launch];
  auto probed = new_launch(program, source, launch, memory->buffers, options);
  emulator::Limits limits = launch_limits(options.times, RunTimes::Clock::now(), 0);
  // In the order of seed 1 the block that is shown is known to be the last that is needed.
  if (options.seed == 1) limits.blocks = std::min<std::uint64_t>(options.record_block, launch.grid.count() - 1) + 1;
  limits.wanted = options.record_block;
  limits.samples = 0;
  if (!run_instrumented(program, source, *memory, options, true, limits, *probed, run)) return run;
  probed->notice = {};  // the others were not requested
  run.launches.push_back(std::move(probed));
  return run;
}

}  // namespace lanescope::engine
