#include "app/engine/prepare/execution.h"

#include <chrono>

namespace lanescope::engine {

trace::RecordOptions part_of_block(std::uint32_t block, std::uint64_t step) {
  trace::RecordOptions part{.first_block = block, .block_count = 1};
  if (step < steps_of_part) return part;
  part.max_steps = steps_of_part;
  part.first_step = step / steps_of_lead * steps_of_lead - steps_of_lead;
  return part;
}

std::unique_ptr<claims::Collector> part_collector(const Program& program, const source::Source& source,
                                                  const ProbedLaunch& probed) {
  return std::make_unique<claims::Collector>(source, probed.trace.tags, probed.value_bytes,
                                             caller_lines(program, source, probed.trace.launch));
}

RecordedPart record_part(const Program& program, const source::Source& source, ProbedLaunch& probed,
                         std::uint32_t block, std::uint64_t step, const ExecutionOptions& options) {
  RecordedPart out;
  if (!probed.history || !probed.history->reaches(block)) return out;
  // Where the pool of identities is full, a block that did not run yet would run without them; a new run follows them.
  const bool beyond = !probed.history->has_run(block);
  const auto without_identities = [&] { return beyond && probed.trace.tags.full(); };
  if (without_identities()) return out;
  const auto began = std::chrono::steady_clock::now();
  trace::Trace part{.launch = probed.trace.launch};
  if (const auto steps = probed.history->steps_of(block); steps && step >= *steps) step = *steps - 1;
  const trace::RecordOptions which = part_of_block(block, step);
  trace::Recorder recorder(part, which, &probed.history->states());
  auto collector = part_collector(program, source, probed);
  ProbesOfPart probes(part, block, *collector);
  emulator::Limits limits = launch_limits(options.times, RunTimes::Clock::now(), 0);
  if (options.seed == 1) limits.blocks = std::uint64_t{block} + 1;
  limits.wanted = block;
  limits.samples = 0;
  const auto replayed = probed.history->replay({.block = block,
                                                .first_step = which.first_step,
                                                .observers = {&recorder, &probes},
                                                .done = [&] { return recorder.done(); },
                                                .cancel = options.cancel,
                                                .limits = limits});
  if (!replayed || part.steps.empty() || without_identities()) return out;
  trace::Trace& t = probed.trace;
  t.steps = std::move(part.steps);
  t.accesses = std::move(part.accesses);
  t.probes = std::move(part.probes);
  t.shuffles = std::move(part.shuffles);
  t.branches = std::move(part.branches);
  t.barriers = std::move(part.barriers);
  t.releases = std::move(part.releases);
  t.objects = std::move(part.objects);
  t.truncated = part.truncated;
  t.first_step = part.first_step;
  t.beginning = std::move(part.beginning);
  t.block_steps = probed.history->steps_of(block).value_or(part.block_steps);
  probed.part = std::move(collector);
  t.index.reset();
  t.prepare();
  out.recorded = true;
  out.from = replayed->from, out.until = replayed->until;
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return out;
}

}  // namespace lanescope::engine
