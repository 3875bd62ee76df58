#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "kernels/gpu/program.h"
#include "profiling/cupti/cupti.h"
#include "profiling/cupti/host.h"
#include "profiling/cupti/session.h"

namespace lanescope::cupti {
namespace {

/// Launches that one session of the range profiler records. Measured on H200 with two passes: 28 ms a launch in a session
/// of 200, 70 ms in one of 500.
constexpr std::size_t launches_per_session = 64;
constexpr std::size_t most_passes = 256;  ///< far beyond any schedule; a session that asks for more is broken

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// What every session of one measurement shares.
struct Bench {
  const Library& library;
  const gpu::Program& program;
  const Request& request;
  const Host& host;
  const Config& config;
  const std::vector<std::string>& names;
};

Expected<void> launch_range(const Bench& bench, RangeSession& session, std::size_t index) {
  const bool named = bench.request.replay == Replay::sequence;
  if (named)
    if (auto pushed = session.push(std::to_string(index)); !pushed) return pushed;
  if (const gpu::Status s = bench.program.launch(index))
    return failure(fmt::format("launch {} failed: {}", index + 1, gpu::status_words(s)));
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

Expected<void> measure_some(const Bench& bench, std::size_t first, std::size_t last, Measurement& out) {
  const bool by_kernel = bench.request.replay == Replay::kernel;
  auto session = RangeSession::open(bench.library, bench.program.context(), bench.names, bench.config, last - first,
                                    by_kernel ? ReplayMode::library_replays_kernel : ReplayMode::caller_replays);
  if (!session) return tl::unexpected(session.error());
  for (std::size_t pass = 0;; ++pass) {
    if (pass == most_passes) return failure("CUPTI keeps asking for another pass");
    if (pass > 0)
      if (const gpu::Status s = bench.program.upload(bench.request.buffers))
        return failure("the buffers cannot be set back between passes: " + gpu::status_words(s));
    const auto done = one_pass(bench, *session, first, last);
    if (!done) return tl::unexpected(done.error());
    if (*done || by_kernel) break;
  }
  const auto ranges = session->decode();
  if (!ranges) return tl::unexpected(ranges.error());
  for (std::size_t r = 0; r < ranges->size(); ++r) {
    // The library numbers kernels of a session from 0; named ranges carry the launch's own index.
    const std::size_t index = by_kernel ? first + (*ranges)[r] : (*ranges)[r];
    if (index < out.values.size()) out.values[index] = bench.host.values(session->data(), r, bench.names);
  }
  return {};
}

Expected<std::string> chip_name(const Library& l, int device) {
  ChipNameArguments a;
  a.device_index = static_cast<std::size_t>(device);
  if (const Result r = l.cuptiDeviceGetChipName(&a)) return refusal(l, r, "asking the GPU for its chip");
  return std::string(a.chip ? a.chip : "");
}

Expected<std::vector<std::uint8_t>> availability(const Library& l, gpu::Context context) {
  std::vector<std::uint8_t> image;
  AvailabilityArguments a;
  a.context = context;
  if (const Result r = l.cuptiProfilerGetCounterAvailability(&a))
    return refusal(l, r, "asking which counters are available");
  image.resize(a.image_bytes);
  a.image = image.data();
  if (const Result r = l.cuptiProfilerGetCounterAvailability(&a))
    return refusal(l, r, "asking which counters are available");
  return image;
}

/// Asking for the chip before this call ends in a segmentation fault (measured with CUDA 13.0).
Expected<void> initialize(const Library& l) {
  PlainArguments a;
  if (const Result r = l.cuptiProfilerInitialize(&a)) return refusal(l, r, "starting CUPTI");
  return {};
}

Expected<void> run_sessions(const Bench& bench, Measurement& out) {
  const std::size_t count = bench.program.launch_count();
  out.values.assign(count, std::vector<double>(bench.names.size(), std::numeric_limits<double>::quiet_NaN()));
  for (std::size_t first = 0; first < count; first += launches_per_session)
    if (auto done = measure_some(bench, first, std::min(count, first + launches_per_session), out); !done) return done;
  return {};
}

std::string device_name(int device) {
  const auto all = gpu::devices();
  const auto index = static_cast<std::size_t>(device);
  return all && index < all->size() ? (*all)[index].name : "";
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
  const auto l = library();
  if (!l) return tl::unexpected(l.error());
  auto program = gpu::Program::open(request.device);
  if (!program) return tl::unexpected(program.error());
  if (auto begun = initialize(**l); !begun) return tl::unexpected(begun.error());
  Measurement out;
  out.device = device_name(request.device);
  const auto chip = chip_name(**l, request.device);
  if (!chip) return tl::unexpected(chip.error());
  out.chip = *chip;
  const auto available = availability(**l, (*program)->context());
  if (!available) return tl::unexpected(available.error());
  auto sorted = sort_names(out.chip, *available, request.metrics);
  if (!sorted) return tl::unexpected(sorted.error());
  out.metrics = std::move(sorted->known), out.unknown = std::move(sorted->unknown);
  if (out.metrics.empty()) return failure(fmt::format("{} has none of the metrics asked for", out.chip));
  if (auto loaded = (*program)->load(request.ptx, request.launches, request.buffers, request.cooperative); !loaded)
    return tl::unexpected(loaded.error());

  auto host = Host::open(out.chip, *available);
  if (!host) return tl::unexpected(host.error());
  if (!host->add(out.metrics)) return failure("CUPTI takes each of these metrics alone and refuses them together");
  const auto config = host->config();
  if (!config) return tl::unexpected(config.error());
  out.passes = config->passes;
  out.setup_milliseconds = milliseconds_since(start);
  const auto running = std::chrono::steady_clock::now();
  const Bench bench{**l, **program, request, *host, *config, out.metrics};
  if (auto done = run_sessions(bench, out); !done) return tl::unexpected(done.error());
  out.run_milliseconds = milliseconds_since(running);
  return out;
}

// --- readiness -------------------------------------------------------------------------------------------------------

namespace {

std::string words_of(const Diagnostics& d) { return d.empty() ? std::string() : d.front().message; }
std::string remedy_of(const Diagnostics& d) { return d.empty() ? std::string() : d.front().remedy; }

bool is_permission(const Diagnostics& d) { return remedy_of(d) == permission_remedy; }

/// Why the device itself says no; empty when it does not.
std::string unsupported_words(const Library& l, int device) {
  DeviceSupportedArguments a;
  a.device = device;
  if (l.cuptiProfilerDeviceSupported(&a) != 0 || a.overall == Support::supported || a.overall == Support::unknown)
    return "";
  struct Reason {
    Support support;
    const char* words;
  };
  const Reason reasons[] = {{a.architecture, "its architecture is older than compute capability 7.0"},
                            {a.sli, "it is part of an SLI group"},
                            {a.virtual_gpu, "it is a virtual GPU without profiling"},
                            {a.confidential_computing, "confidential computing is on"},
                            {a.mining_card, "it is a mining card"},
                            {a.wsl, "this kind of WSL gives no counters"}};
  for (const Reason& reason : reasons)
    if (reason.support == Support::unsupported || reason.support == Support::disabled)
      return fmt::format("this GPU gives no counters: {}", reason.words);
  return "this GPU gives no counters";
}

}  // namespace

std::string_view state_name(State state) {
  constexpr std::string_view names[] = {"ready",         "no library",         "no GPU",
                                        "no permission", "unsupported device", "failed"};
  return names[static_cast<std::size_t>(state)];
}

Readiness readiness(int device) {
  Readiness r;
  const auto fail = [&](State state, const Diagnostics& why) {
    r.state = is_permission(why) ? State::no_permission : state;
    r.words = words_of(why), r.remedy = remedy_of(why);
    return r;
  };
  const auto l = library();
  if (!l) return fail(State::no_library, l.error());
  r.library = (*l)->path;
  const auto program = gpu::Program::open(device);
  if (!program) return fail(State::no_gpu, program.error());
  if (auto begun = initialize(**l); !begun) return fail(State::failed, begun.error());
  if (std::string words = unsupported_words(**l, device); !words.empty()) {
    r.state = State::unsupported_device, r.words = std::move(words);
    return r;
  }
  const auto chip = chip_name(**l, device);
  if (!chip) return fail(State::failed, chip.error());
  r.chip = *chip;
  if (const auto available = availability(**l, (*program)->context()); !available)
    return fail(State::failed, available.error());
  if (auto enabled = RangeSession::try_enable(**l, (*program)->context()); !enabled)
    return fail(State::failed, enabled.error());
  r.state = State::ready;
  r.words = fmt::format("CUPTI reads the counters of this {}", r.chip);
  return r;
}

}  // namespace lanescope::cupti
