#include "profiling/cupti/ranges.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::cupti {
namespace {

Expected<void> launch_range(const Bench& bench, RangeSession& session, std::size_t index) {
  const bool named = bench.request.replay == Replay::sequence;
  // A host step before a launch may run as a kernel, too; it is outside of the range.
  if (const gpu::Status s = named ? bench.program.perform_before(index) : gpu::Status{0})
    return failure(fmt::format("what the host does before launch {} failed: {}", index + 1, gpu::status_words(s)));
  if (named)
    if (auto pushed = session.push(std::to_string(index)); !pushed) return pushed;
  if (const gpu::Status s = named ? bench.program.launch_stretch(index, index + 1) : bench.program.launch(index))
    return failure(fmt::format("launch {} failed: {}", index + 1, gpu::status_words(s)));
  // A range that is left while another stream still runs would not hold all of its launch.
  if (named && bench.request.launches[index].stream > 0)
    if (const gpu::Status s = bench.program.synchronize())
      return failure("a launch failed on the device: " + gpu::status_words(s));
  return named ? session.pop() : Expected<void>{};
}

/// One pass over the launches [first, last). True: that was the last pass.
Expected<bool> one_pass(const Bench& bench, RangeSession& session, std::size_t first, std::size_t last) {
  if (auto started = session.start(); !started) return tl::unexpected(started.error());
  for (std::size_t i = first; i < last; ++i)
    if (auto launched = launch_range(bench, session, i); !launched) return tl::unexpected(launched.error());
  if (const gpu::Status s = bench.program.synchronize())
    return failure("a launch failed on the device: " + gpu::status_words(s));
  return session.stop();
}

}  // namespace

Expected<void> run_ranges(const Bench& bench, RangeSession& session, std::size_t first, std::size_t last,
                          std::vector<std::vector<double>>& values) {
  const bool by_kernel = bench.request.replay == Replay::kernel;
  for (std::size_t pass = 0;; ++pass) {
    if (pass == most_passes) return failure("CUPTI does not finish its passes");
    if (pass > 0)
      if (const gpu::Status s = bench.program.upload(bench.request.buffers))
        return failure("the buffers cannot be reset between passes: " + gpu::status_words(s));
    const auto done = one_pass(bench, session, first, last);
    if (!done) return tl::unexpected(done.error());
    if (*done || by_kernel) break;
  }
  const auto ranges = session.decode();
  if (!ranges) return tl::unexpected(ranges.error());
  if (ranges->empty()) return {};
  // The library numbers the kernels of a session, however often it is set up; named ranges carry the launch's own
  // index.
  const std::size_t lowest = *std::min_element(ranges->begin(), ranges->end());
  for (std::size_t r = 0; r < ranges->size(); ++r) {
    const std::size_t index = by_kernel ? first + (*ranges)[r] - lowest : (*ranges)[r];
    if (index < values.size()) values[index] = bench.host.values(session.data(), r, bench.names);
  }
  return {};
}

}  // namespace lanescope::cupti
