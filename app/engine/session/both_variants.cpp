#include "app/engine/session/both_variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/engine/prepare/launch_plan.h"
#include "app/engine/requests/time_limit.h"
#include "kernels/emulator/machine/placement.h"

namespace lanescope::engine {
namespace {

/// Faults of a run are no mistakes of the kernel where it reaches what does not fit in memory: then true.
bool say_missing_parts(const Prepared& prepared, std::vector<emulator::Fault>& faults) {
  if (!prepared.source) return false;
  bool found = false;
  for (emulator::Fault& f : faults) {
    if (f.kind != emulator::Fault::Kind::out_of_bounds) continue;
    const auto* part = in_missing_part(*prepared.source, emulator::place_buffers(prepared.buffers), f.address);
    if (part == nullptr) continue;
    found = true;
    for (std::string* words : {&f.message, &f.what})
      *words =
          fmt::format("of buffer `{}` only a part fits in memory, so this may be no mistake: {}", part->name, *words);
    f.remedy = "make the array smaller in the host code, or run it on a machine with more memory";
  }
  return found;
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

/// Cores for the plain run: all there are, but one for a run beside it that takes as long.
std::uint32_t cores_of_plain_run(const RunRequest& request, bool beside_other) {
  if (request.cores > 0 || !beside_other) return request.cores;
  const std::uint32_t all = std::thread::hardware_concurrency();
  return all > 1 ? all - 1 : 1;
}

/// Where there are no claims, the probed run shows one block and needs the plain run for what stands in its buffers.
bool shows_one_block(const RunRequest& request, const source::Source& read) {
  const bool claims = !read.claims.empty();
  return request.plain_run && request.probed_run && !claims;
}

}  // namespace

BothRuns::BothRuns(const RunRequest& request, Prepared& prepared, const std::atomic<bool>* cancel,
                   std::function<void(const RanSoFar&)> report)
    : request_(request),
      prepared_(prepared),
      cancel_(cancel),
      meter_([this, report](const RanSoFar& ran) {
        if (reporting_) report(ran);
      }),
      metered_(report != nullptr) {}

BothRuns::~BothRuns() { leave(); }

void BothRuns::leave() {
  if (!plain_.valid()) return;
  stop_ = true;
  plain_ = {};
}

ExecutionOptions BothRuns::options(const RunTimes& times) {
  const source::Source& source = *prepared_.source;
  return {.seed = request_.seed,
          .max_steps = request_.max_steps,
          .record_block = request_.record_block,
          .identified_blocks = identified_blocks(request_, source),
          .cancel = cancel_,
          .meter = metered_ ? &meter_ : nullptr,
          .review = request_.review && !is_ptx(request_) ? &source : nullptr,
          .streams = source.header.streams.empty() ? nullptr : &source.header,
          .initial = &prepared_.buffers,
          .times = times,
          .record_step = request_.record_step,
          .shown_launch = static_cast<std::size_t>(choose_launch(request_, source)),
          .history_bytes = request_.on_gpu ? 0 : request_.history_bytes,
          .cores = cores_of_plain_run(request_, request_.probed_run && !shows_one_block(request_, source)),
          .probed_cores = request_.cores,
          .last_is_enough = request_.plain_run,
          .repeats_blocks = request_.only_for_claims && request_.plain_run && request_.seed == 1 && !request_.on_gpu};
}

void BothRuns::start(const ExecutionOptions& options) {
  handover_.launch = options.shown_launch;
  const bool one_block = shows_one_block(request_, *prepared_.source);
  ExecutionOptions stoppable = options;
  stoppable.cancel = &stop_;  // also set where the probed run throws
  plain_ = std::async(std::launch::async, [this, one_block, buffers = prepared_.buffers, stoppable]() mutable {
    return run_plain(prepared_.plain, std::move(buffers), stoppable, one_block ? &handover_ : nullptr);
  });
}

void BothRuns::begin_plain(const RunTimes& times) {
  ExecutionOptions early = options(times);
  early.cores = cores_of_plain_run(request_, true);  // the compiler is beside it
  start(early);
}

PlainRun BothRuns::taken() {
  constexpr auto between_looks = std::chrono::milliseconds(5);
  while (plain_.wait_for(between_looks) != std::future_status::ready)
    if (cancelled(cancel_)) stop_ = true;
  return plain_.get();
}

void BothRuns::run(const RunTimes& times, PlainRun& plain, ProbedRun& probed) {
  reporting_ = true;
  const ExecutionOptions own = options(times);
  if (request_.plain_run && !plain_.valid()) start(own);
  if (shows_one_block(request_, *prepared_.source))
    probed = run_probed_block(prepared_.probed, *prepared_.source, handover_, own);
  else if (request_.probed_run)
    probed = run_probed(prepared_.probed, *prepared_.source, prepared_.buffers, own);
  if (request_.plain_run) plain = taken();
  plain.fault_of_partial_data |= say_missing_parts(prepared_, plain.faults);
  probed.fault_of_partial_data |= say_missing_parts(prepared_, probed.faults);
}

}  // namespace lanescope::engine
