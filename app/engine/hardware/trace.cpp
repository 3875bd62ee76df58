#include "app/engine/hardware/run.h"

#include "app/engine/hardware/device.h"
#include "app/engine/prepare/execution.h"
#include "kernels/emulator/emulator.h"
#include "kernels/instrument/rewrite.h"

namespace lanescope::engine {
namespace {

/// Most blocks need far less than what is tried first. The whole buffer travels to the child, the GPU and back: with 64
/// MiB that took 0.9 s on an H200.
constexpr std::uint64_t first_record_bytes = std::uint64_t{2} << 20;
constexpr std::uint64_t most_record_bytes = std::uint64_t{64} << 20;
constexpr std::uint64_t most_steps = 20'000'000;

/// Launches before it run with it: what they allocate in the device heap ends with their context.
bool runs_whole(const TracedRun& what) { return what.run.program.heap_bytes > 0; }

/// The launch, after those that run with it.
std::vector<trace::Launch> launches_with(const TracedRun& what, trace::Launch launch) {
  const auto& all = what.run.program.launches;
  std::vector<trace::Launch> out;
  if (runs_whole(what)) out.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(what.launch));
  out.push_back(std::move(launch));
  return out;
}

/// Contents before a launch and what the host does before it: what the launches before it leave.
Expected<std::vector<trace::Buffer>> contents_before(const TracedRun& what, const HardwareOptions& how) {
  const HardwareRun& run = what.run;
  if (what.launch == 0 || runs_whole(what)) return run.buffers;
  Program earlier{.ptx = run.program.ptx, .cooperative = run.program.cooperative};
  const auto& launches = run.program.launches;
  earlier.launches.assign(launches.begin(), launches.begin() + static_cast<std::ptrdiff_t>(what.launch));
  auto answer = LS_TRY(run_on_gpu({earlier, run.buffers, how}));
  if (!answer.result.fault.empty()) return failure("a launch before the traced launch failed: " + answer.result.fault);
  std::vector<trace::Buffer> after;
  take_contents(std::move(answer.buffers), run.buffers, after);
  return after;
}

trace::Trace emulated(const Program& program, const trace::Launch& launch, const Memory& memory, std::uint32_t block) {
  const std::vector<trace::Buffer>& before = memory.buffers;
  trace::Trace out{.code = sites_of(program, launch),
                   .launch = launch,
                   .buffers = before,
                   .buffer_addresses = emulator::place_buffers(before)};
  trace::perform(launch.before, out.buffers, out.buffer_addresses);
  trace::Recorder recorder(out, {.first_block = block, .block_count = 1, .max_steps = most_steps});
  emulator::Options options{.observers = {&recorder}, .grids = emulator::Options::Grids::leave, .heap = memory.heap};
  std::vector<trace::Buffer> contents = out.buffers;
  emulator::run(program.module, launch, contents, options);
  return out;
}

/// A launch that records one block: what came back, and the PTX's description of it.
struct TracedLaunch {
  instrument::Decoded found;
  gpu::ChildAnswer answer;
  std::vector<trace::Buffer> before;
};
Expected<TracedLaunch> traced_launch(const TracedRun& what) {
  const Program& program = what.run.program;
  const trace::Launch& launch = program.launches[what.launch];
  if (launch.depth > 0)
    return failure("a grid that a kernel launches cannot be traced on a GPU", "show a launch of the host");
  HardwareOptions once = what.run.options;
  once.warm_up = once.repetitions = 0;
  auto before = LS_TRY(contents_before(what, once));
  const auto rewritten = LS_TRY(instrument::rewrite_traced(program.module, launch.kernel));
  Program traced;
  traced.ptx = rewritten.ptx, traced.cooperative = program.cooperative, traced.heap_bytes = program.heap_bytes;
  traced.launches = launches_with(what, instrument::with_records(launch, static_cast<int>(before.size())));
  const instrument::Choice choice{.first_block = what.block, .block_count = 1};
  TracedLaunch out{.before = std::move(before)};
  for (std::uint64_t bytes = first_record_bytes;; bytes = most_record_bytes) {
    std::vector<trace::Buffer> all = out.before;
    all.push_back(instrument::record_buffer(rewritten.description, choice, bytes));
    auto answer = LS_TRY(run_on_gpu({traced, all, what.run.options}));
    if (!answer.result.fault.empty()) return failure("the traced launch failed: " + answer.result.fault);
    all.back().bytes = std::move(answer.buffers.back().bytes);
    auto found = LS_TRY(instrument::decode(all.back(), rewritten.description, launch, out.before));
    out.found = std::move(found), out.answer = std::move(answer);
    if (out.found.dropped == 0 || bytes == most_record_bytes) return out;
  }
}

trace::Trace emulated(const TracedRun& what, const std::vector<trace::Buffer>& before) {
  const Program& program = what.run.program;
  Memory memory{before, first_heap(program)};
  for (std::size_t i = 0; runs_whole(what) && i < what.launch; ++i) {
    trace::perform(program.launches[i].before, memory.buffers, emulator::place_buffers(memory.buffers));
    const auto result = emulator::run(program.module, program.launches[i], memory.buffers,
                                      {.print = {.calls = 0, .bytes = 0}, .grids = program.grids, .heap = memory.heap});
    if (!result) break;
    memory.heap = result->heap;
  }
  return emulated(program, program.launches[what.launch], memory, what.block);
}

}  // namespace

void measure_trace(const TracedRun& what, results::Measured& measured) {
  if (!have_device(what.run.options.device, measured)) return;
  const auto traced = traced_launch(what);
  if (!traced) return add_refusal(traced.error(), measured);
  const instrument::Decoded& found = traced->found;

  const Program& program = what.run.program;
  Program plain;
  plain.ptx = program.ptx, plain.cooperative = program.cooperative, plain.heap_bytes = program.heap_bytes;
  plain.launches = launches_with(what, program.launches[what.launch]);
  const auto untraced = run_on_gpu({plain, traced->before, what.run.options});
  results::TraceInfo info{.records = found.records, .dropped = found.dropped, .bytes = found.needed_bytes};
  info.traced_us = 1e3 * traced->answer.result.timing.median();
  if (untraced) info.plain_us = 1e3 * untraced->result.timing.median();
  const trace::Trace expected = emulated(what, traced->before);
  if (const auto difference = instrument::compare(expected, found)) {
    info.difference = difference->words;
    info.line = difference->line;
    info.pair = access_pair(expected, found.trace, *difference);
  }
  measured.trace = info;
}

Expected<WatchedOnGpu> watch_on_gpu(const TracedRun& what, const trace::Trace& emulated) {
  const auto traced = LS_TRY(traced_launch(what));
  WatchedOnGpu watched{.seen = seen_on_gpu(emulated, traced.found)};
  if (const auto difference = instrument::compare(emulated, traced.found)) watched.difference = difference->words;
  return watched;
}

Expected<TracedBlock> trace_block(const TracedRun& what) {
  const auto traced = LS_TRY(traced_launch(what));
  return TracedBlock{.difference = instrument::compare(emulated(what, traced.before), traced.found),
                     .dropped = traced.found.dropped};
}

}  // namespace lanescope::engine
