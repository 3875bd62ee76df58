#include "app/engine/session/both_variants.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <future>
#include <thread>

namespace lanescope::engine {
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

/// Cores for the plain run: all there are, but one for a run beside it that takes as long.
std::uint32_t cores_of_plain_run(const RunRequest& request, bool beside_other) {
  if (request.cores > 0 || !beside_other) return request.cores;
  const std::uint32_t all = std::thread::hardware_concurrency();
  return all > 1 ? all - 1 : 1;
}

}  // namespace

void run_both(const RunRequest& request, const RunTimes& times, Prepared& prepared, const std::atomic<bool>* cancel,
              StepMeter* meter, PlainRun& plain, ProbedRun& probed) {
  const source::Source& read = *prepared.source;
  const bool claims = !read.claims.empty() || !read.memory_claims.empty() || !read.subarray_claims.empty();
  const bool one_block = request.plain_run && request.probed_run && !claims;
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
                                 .cores = cores_of_plain_run(request, request.probed_run && !one_block),
                                 .last_is_enough = request.plain_run};
  Handover handover{.launch = static_cast<std::size_t>(choose_launch(request, *prepared.source)), .buffers = {}};
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

}  // namespace lanescope::engine
