#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "profiling/cupti/session.h"

namespace lanescope::cupti {
namespace {

Expected<void> run_sessions(const Bench& bench, Measurement& out) {
  const std::size_t count = bench.program.launch_count();
  const ReplayMode replay =
      bench.request.replay == Replay::kernel ? ReplayMode::library_replays_kernel : ReplayMode::caller_replays;
  out.values.assign(count, std::vector<double>(bench.names.size(), std::numeric_limits<double>::quiet_NaN()));
  // A sequence that we repeat is repeated whole: its launches use the results of earlier ones.
  const std::size_t each = bench.request.replay == Replay::kernel ? launches_per_session : count;
  for (std::size_t first = 0; first < count; first += each) {
    const std::size_t last = std::min(count, first + each);
    auto session = LS_TRY(
        RangeSession::open(bench.library, bench.program.context(), bench.names, bench.config, last - first, replay));
    if (auto done = run_ranges(bench, session, first, last, out.values); !done) return done;
  }
  return {};
}

}  // namespace

std::optional<double> Measurement::total(std::string_view metric) const {
  const auto found = std::find(metrics.begin(), metrics.end(), metric);
  if (found == metrics.end()) return std::nullopt;
  const auto column = static_cast<std::size_t>(found - metrics.begin());
  double sum = 0;
  for (const auto& row : values) sum += row[column];
  return std::isnan(sum) ? std::nullopt : std::optional<double>(sum);
}

Expected<Measurement> measure(const Request& request) {
  const auto start = std::chrono::steady_clock::now();
  auto opened = LS_TRY(open_device(request.device));
  gpu::Program& program = *opened.program;
  Measurement out{.device = opened.device, .chip = opened.chip};
  const auto available = LS_TRY(availability(*opened.library, program.context()));
  auto sorted = LS_TRY(sort_names(out.chip, available, request.metrics));
  out.metrics = std::move(sorted.known), out.unknown = std::move(sorted.unknown);
  if (out.metrics.empty()) return failure(fmt::format("{} has none of the requested metrics", out.chip));
  if (auto loaded = program.load(request.ptx, request.launches, request.buffers, load_options(request, most_passes));
      !loaded)
    return tl::unexpected(loaded.error());

  auto host = LS_TRY(Host::open(out.chip, available));
  if (!host.add(out.metrics)) return failure("CUPTI accepts each of these metrics alone, but not together");
  const auto config = LS_TRY(host.config());
  out.passes = config.passes;
  out.setup_milliseconds = milliseconds_since(start);
  const auto running = std::chrono::steady_clock::now();
  const Bench bench{*opened.library, program, request, host, config, out.metrics};
  if (auto done = run_sessions(bench, out); !done) return tl::unexpected(done.error());
  out.run_milliseconds = milliseconds_since(running);
  return out;
}

}  // namespace lanescope::cupti
