#include "profiling/cupti/session.h"

#include <cstdlib>

namespace lanescope::cupti {

Expected<RangeSession> RangeSession::open(const Library& library, gpu::Context context,
                                          const std::vector<std::string>& names, const Config& config,
                                          std::size_t ranges, ReplayMode replay) {
  RangeEnableArguments a;
  a.context = context;
  if (const Result r = library.cuptiRangeProfilerEnable(&a)) return refusal(library, r, "opening the range profiler");
  RangeSession session(library, a.profiler);
  if (auto ready = session.configure(names, config, ranges, replay); !ready) return tl::unexpected(ready.error());
  return session;
}

Expected<void> RangeSession::try_enable(const Library& library, gpu::Context context) {
  RangeEnableArguments a;
  a.context = context;
  if (const Result r = library.cuptiRangeProfilerEnable(&a)) return refusal(library, r, "opening the range profiler");
  const RangeSession closed_at_once(library, a.profiler);
  return {};
}

RangeSession::~RangeSession() {
  if (!profiler_) return;
  RangeArguments a;
  a.profiler = profiler_;
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
  DataInitializeArguments data;
  data.profiler = profiler_, data.data_bytes = data_.size(), data.data = data_.data();
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
  RangeArguments a;
  a.profiler = profiler_;
  if (const Result r = library_->cuptiRangeProfilerStart(&a)) return refusal(*library_, r, "starting a pass");
  return {};
}

Expected<void> RangeSession::push(const std::string& name) {
  PushRangeArguments a;
  a.profiler = profiler_, a.name = name.c_str();
  if (const Result r = library_->cuptiRangeProfilerPushRange(&a)) return refusal(*library_, r, "opening a range");
  return {};
}

Expected<void> RangeSession::pop() {
  RangeArguments a;
  a.profiler = profiler_;
  if (const Result r = library_->cuptiRangeProfilerPopRange(&a)) return refusal(*library_, r, "closing a range");
  return {};
}

Expected<bool> RangeSession::stop() {
  RangeStopArguments a;
  a.profiler = profiler_;
  if (const Result r = library_->cuptiRangeProfilerStop(&a)) return refusal(*library_, r, "ending a pass");
  return a.all_passes_submitted != 0;
}

Expected<std::vector<std::size_t>> RangeSession::decode() {
  DecodeArguments a;
  a.profiler = profiler_;
  if (const Result r = library_->cuptiRangeProfilerDecodeData(&a)) return refusal(*library_, r, "reading the counters");
  DataInfoArguments info;
  info.data = data_.data(), info.data_bytes = data_.size();
  if (const Result r = library_->cuptiRangeProfilerGetCounterDataInfo(&info))
    return refusal(*library_, r, "reading the counters");
  std::vector<std::size_t> launches;
  for (std::size_t i = 0; i < info.ranges; ++i) {
    RangeInfoArguments range;
    range.data = data_.data(), range.data_bytes = data_.size(), range.range = i;
    const bool named = library_->cuptiRangeProfilerCounterDataGetRangeInfo(&range) == 0 && range.name;
    launches.push_back(named ? std::strtoull(range.name, nullptr, 10) : i);
  }
  return launches;
}

}  // namespace lanescope::cupti
