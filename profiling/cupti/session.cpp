#include "profiling/cupti/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace lanescope::cupti {

Expected<RangeSession> RangeSession::open(const Library& library, gpu::Context context,
                                          const std::vector<std::string>& names, const Config& config,
                                          std::size_t ranges, ReplayMode replay) {
  RangeEnableArguments a{.context = context};
  if (const Result r = library.cuptiRangeProfilerEnable(&a)) return refusal(library, r, "opening the range profiler");
  RangeSession session(library, a.profiler);
  if (auto ready = session.configure(names, config, ranges, replay); !ready) return tl::unexpected(ready.error());
  return session;
}

Expected<void> RangeSession::try_enable(const Library& library, gpu::Context context) {
  RangeEnableArguments a{.context = context};
  if (const Result r = library.cuptiRangeProfilerEnable(&a)) return refusal(library, r, "opening the range profiler");
  const RangeSession closed_at_once(library, a.profiler);
  return {};
}

RangeSession::~RangeSession() {
  if (!profiler_) return;
  RangeArguments a{.profiler = profiler_};
  library_->cuptiRangeProfilerDisable(&a);
}

Expected<void> RangeSession::configure(const std::vector<std::string>& names, const Config& config, std::size_t ranges,
                                       ReplayMode replay) {
  auto list = pointers(names);
  DataSizeArguments how_long;
  how_long.profiler = profiler_, how_long.names = list.data(), how_long.count = list.size();
  how_long.ranges = ranges, how_long.tree_nodes = static_cast<std::uint32_t>(ranges + 1);
  if (const Result r = library_->cuptiRangeProfilerGetCounterDataSize(&how_long))
    return refusal(*library_, r, "sizing the counter data");
  data_.assign(how_long.data_bytes, 0);
  DataInitializeArguments data{.profiler = profiler_, .data_bytes = data_.size(), .data = data_.data()};
  if (const Result r = library_->cuptiRangeProfilerCounterDataImageInitialize(&data))
    return refusal(*library_, r, "preparing the counter data");

  const bool by_caller = replay == ReplayMode::caller_replays;
  SetConfigArguments a;
  a.profiler = profiler_;
  a.config_bytes = config.image.size(), a.config = config.image.data();
  a.data_bytes = data_.size(), a.data = data_.data();
  a.range = by_caller ? RangeMode::named_by_caller : RangeMode::one_per_kernel;
  a.replay = replay;
  a.ranges_per_pass = ranges;
  a.target_nesting_level = by_caller ? 1 : 0;
  if (const Result r = library_->cuptiRangeProfilerSetConfig(&a)) return refusal(*library_, r, "setting the metrics");
  return {};
}

Expected<void> RangeSession::start() {
  RangeArguments a{.profiler = profiler_};
  if (const Result r = library_->cuptiRangeProfilerStart(&a)) return refusal(*library_, r, "starting a pass");
  return {};
}

Expected<void> RangeSession::push(const std::string& name) {
  PushRangeArguments a{.profiler = profiler_, .name = name.c_str()};
  if (const Result r = library_->cuptiRangeProfilerPushRange(&a)) return refusal(*library_, r, "opening a range");
  return {};
}

Expected<void> RangeSession::pop() {
  RangeArguments a{.profiler = profiler_};
  if (const Result r = library_->cuptiRangeProfilerPopRange(&a)) return refusal(*library_, r, "closing a range");
  return {};
}

Expected<bool> RangeSession::stop() {
  RangeStopArguments a{.profiler = profiler_};
  if (const Result r = library_->cuptiRangeProfilerStop(&a)) return refusal(*library_, r, "ending a pass");
  return a.all_passes_submitted != 0;
}

Expected<std::vector<std::size_t>> RangeSession::decode() {
  DecodeArguments a{.profiler = profiler_};
  if (const Result r = library_->cuptiRangeProfilerDecodeData(&a)) return refusal(*library_, r, "reading the counters");
  DataInfoArguments info{.data = data_.data(), .data_bytes = data_.size()};
  if (const Result r = library_->cuptiRangeProfilerGetCounterDataInfo(&info))
    return refusal(*library_, r, "reading the counters");
  std::vector<std::size_t> launches;
  for (std::size_t i = 0; i < info.ranges; ++i) {
    RangeInfoArguments range{.data = data_.data(), .data_bytes = data_.size(), .range = i};
    const bool named = library_->cuptiRangeProfilerCounterDataGetRangeInfo(&range) == 0 && range.name;
    launches.push_back(named ? std::strtoull(range.name, nullptr, 10) : i);
  }
  return launches;
}

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
    const auto done = LS_TRY(one_pass(bench, session, first, last));
    if (done || by_kernel) break;
  }
  const auto ranges = LS_TRY(session.decode());
  if (ranges.empty()) return {};
  // The library numbers the kernels of a session, however often it is set up; named ranges carry the launch's own
  // index.
  const std::size_t lowest = *std::min_element(ranges.begin(), ranges.end());
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    const std::size_t index = by_kernel ? first + ranges[r] - lowest : ranges[r];
    if (index < values.size()) values[index] = bench.host.values(session.data(), r, bench.names);
  }
  return {};
}

}  // namespace lanescope::cupti
