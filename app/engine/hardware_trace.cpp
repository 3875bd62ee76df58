// A launch that writes down what its warps really access, against what the emulator says of the same program.

#include <algorithm>

#include "app/engine/access_pair.h"
#include "app/engine/hardware.h"
#include "kernels/emulator/emulator.h"
#include "kernels/instrument/decode.h"
#include "kernels/instrument/rewrite.h"

namespace lanescope::engine {
namespace {

constexpr std::uint64_t most_record_bytes = std::uint64_t{64} << 20;
constexpr std::uint64_t most_steps = 20'000'000;

void refuse(const Diagnostics& why, views::Measured& measured) {
  measured.refused.insert(measured.refused.end(), why.begin(), why.end());
}

/// Contents before launch `index`: what the launches before it leave.
Expected<std::vector<trace::Buffer>> contents_before(const Program& program, std::size_t index,
                                                     std::vector<trace::Buffer> buffers, const HardwareOptions& how) {
  if (index == 0) return buffers;
  Program earlier;
  earlier.ptx = program.ptx;
  earlier.launches.assign(program.launches.begin(), program.launches.begin() + static_cast<std::ptrdiff_t>(index));
  auto answer = run_on_gpu(earlier, buffers, how);
  if (!answer) return tl::unexpected(answer.error());
  if (!answer->result.fault.empty()) return failure("the launches before the traced one fail: " + answer->result.fault);
  std::vector<trace::Buffer> after;
  take_contents(std::move(answer->buffers), buffers, after);
  return after;
}

trace::Trace emulated(const Program& program, const trace::Launch& launch, const std::vector<trace::Buffer>& before,
                      std::uint32_t block) {
  trace::Trace out;
  out.code = sites_of(program, launch);
  out.launch = launch;
  out.buffers = before;
  out.buffer_addresses = emulator::place_buffers(before);
  trace::Recorder recorder(out, {.first_block = block, .block_count = 1, .max_steps = most_steps});
  emulator::Options options;
  options.observers = {&recorder};
  std::vector<trace::Buffer> contents = before;
  emulator::run(program.module, launch, contents, options);
  return out;
}

/// A launch that records one block: what came back, and the PTX's description of it.
struct TracedLaunch {
  instrument::Decoded found;
  gpu::ChildAnswer answer;
  std::vector<trace::Buffer> before;
};
Expected<TracedLaunch> traced_launch(const Program& program, std::size_t index, std::uint32_t block,
                                     const std::vector<trace::Buffer>& buffers, const HardwareOptions& how) {
  const trace::Launch& launch = program.launches[index];
  HardwareOptions once = how;
  once.warm_up = once.repetitions = 0;
  auto before = contents_before(program, index, buffers, once);
  if (!before) return tl::unexpected(before.error());
  const auto rewritten = instrument::rewrite_traced(program.module, launch.kernel);
  if (!rewritten) return tl::unexpected(rewritten.error());
  Program traced;
  traced.ptx = rewritten->ptx;
  traced.launches = {instrument::with_records(launch, static_cast<int>(before->size()))};
  std::vector<trace::Buffer> all = *before;
  all.push_back(
      instrument::record_buffer(rewritten->description, {.first_block = block, .block_count = 1}, most_record_bytes));
  auto answer = run_on_gpu(traced, all, how);
  if (!answer) return tl::unexpected(answer.error());
  if (!answer->result.fault.empty()) return failure("the traced launch fails: " + answer->result.fault);
  all.back().bytes = std::move(answer->buffers.back().bytes);
  auto found = instrument::decode(all.back(), rewritten->description, launch, *before);
  if (!found) return tl::unexpected(found.error());
  return TracedLaunch{.found = std::move(*found), .answer = std::move(*answer), .before = std::move(*before)};
}

}  // namespace

void measure_trace(const Program& program, std::size_t index, std::uint32_t block,
                   const std::vector<trace::Buffer>& buffers, const MeasureRequest& request,
                   const std::atomic<bool>* cancel, views::Measured& measured) {
  if (!have_device(request.device, measured)) return;
  const HardwareOptions timed{.device = request.device,
                              .warm_up = request.warm_up,
                              .repetitions = request.repetitions,
                              .limit_seconds = request.limit_seconds,
                              .cancel = cancel};
  const auto traced = traced_launch(program, index, block, buffers, timed);
  if (!traced) return refuse(traced.error(), measured);
  const instrument::Decoded& found = traced->found;

  Program plain;
  plain.ptx = program.ptx;
  plain.launches = {program.launches[index]};
  const auto untraced = run_on_gpu(plain, traced->before, timed);
  views::TraceInfo info{.records = found.records, .dropped = found.dropped, .bytes = found.needed_bytes};
  info.traced_us = 1e3 * traced->answer.result.timing.median();
  if (untraced) info.plain_us = 1e3 * untraced->result.timing.median();
  const trace::Trace expected = emulated(program, program.launches[index], traced->before, block);
  if (const auto difference = instrument::compare(expected, found)) {
    info.difference = difference->words;
    info.line = difference->line;
    info.pair = access_pair(expected, found.trace, *difference);
  }
  measured.trace = info;
  if (measured.device.empty()) describe_answer(traced->answer, 0, measured), measured.timing.reset();
}

Expected<WatchedOnGpu> watch_on_gpu(const Program& program, std::size_t index, std::uint32_t block,
                                    const std::vector<trace::Buffer>& buffers, const trace::Trace& emulated,
                                    const HardwareOptions& how) {
  const auto traced = traced_launch(program, index, block, buffers, how);
  if (!traced) return tl::unexpected(traced.error());
  WatchedOnGpu watched{.seen = seen_on_gpu(emulated, traced->found)};
  if (const auto difference = instrument::compare(emulated, traced->found)) watched.difference = difference->words;
  return watched;
}

Expected<TracedBlock> trace_block(const Program& program, std::size_t index, std::uint32_t block,
                                  const std::vector<trace::Buffer>& buffers, const HardwareOptions& how) {
  const auto traced = traced_launch(program, index, block, buffers, how);
  if (!traced) return tl::unexpected(traced.error());
  const trace::Trace expected = emulated(program, program.launches[index], traced->before, block);
  return TracedBlock{.difference = instrument::compare(expected, traced->found), .dropped = traced->found.dropped};
}

}  // namespace lanescope::engine
