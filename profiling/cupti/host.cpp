#include "profiling/cupti/host.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "profiling/cupti/cupti.h"

namespace lanescope::cupti {

std::vector<const char*> pointers(const std::vector<std::string>& names) {
  std::vector<const char*> out;
  out.reserve(names.size());
  for (const std::string& name : names) out.push_back(name.c_str());
  return out;
}

Expected<Host> Host::open(const std::string& chip, const std::vector<std::uint8_t>& availability) {
  const auto l = LS_TRY(cupti::library());
  HostInitializeArguments a{.chip = chip.c_str(), .availability = availability.empty() ? nullptr : availability.data()};
  if (const Result r = l->cuptiProfilerHostInitialize(&a))
    return failure(fmt::format("CUPTI describes no chip named '{}': {}", chip, result_words(*l, r)),
                   "a newer CUDA Toolkit may support it");
  return Host(*l, a.host);
}

Host::~Host() {
  if (!handle_) return;
  HostArguments a{.host = handle_};
  library_->cuptiProfilerHostDeinitialize(&a);
}

bool Host::add(const std::vector<std::string>& names) {
  auto list = pointers(names);
  AddMetricsArguments a{.host = handle_, .names = list.data(), .count = list.size()};
  return library_->cuptiProfilerHostConfigAddMetrics(&a) == 0;
}

Expected<Config> Host::config() const {
  Config config;
  ConfigSizeArguments how_long{.host = handle_};
  if (const Result r = library_->cuptiProfilerHostGetConfigImageSize(&how_long))
    return refusal(*library_, r, "scheduling the metrics");
  config.image.resize(how_long.config_bytes);
  ConfigArguments a{.host = handle_, .config_bytes = config.image.size(), .config = config.image.data()};
  if (const Result r = library_->cuptiProfilerHostGetConfigImage(&a))
    return refusal(*library_, r, "scheduling the metrics");
  PassesArguments p{.config_bytes = config.image.size(), .config = config.image.data()};
  if (const Result r = library_->cuptiProfilerHostGetNumOfPasses(&p))
    return refusal(*library_, r, "counting the passes");
  config.passes = p.passes;
  return config;
}

std::vector<double> Host::values(const std::vector<std::uint8_t>& data, std::size_t range,
                                 const std::vector<std::string>& names) const {
  std::vector<double> out(names.size(), std::numeric_limits<double>::quiet_NaN());
  auto list = pointers(names);
  EvaluateArguments a;
  a.host = handle_, a.data = data.data(), a.data_bytes = data.size(), a.range = range;
  a.names = list.data(), a.count = list.size(), a.values = out.data();
  library_->cuptiProfilerHostEvaluateToGpuValues(&a);
  return out;
}

Expected<Sorted> sort_names(const std::string& chip, const std::vector<std::uint8_t>& availability,
                            const std::vector<std::string>& names) {
  Sorted sorted;
  if (names.empty()) return sorted;
  auto all = LS_TRY(Host::open(chip, availability));
  if (all.add(names)) {
    sorted.known = names;
    return sorted;
  }
  for (const std::string& name : names) {
    auto one = LS_TRY(Host::open(chip, availability));
    (one.add({name}) ? sorted.known : sorted.unknown).push_back(name);
  }
  return sorted;
}

// --- names and passes ------------------------------------------------------------------------------------------------

std::string_view chip_of_capability(int major, int minor) {
  // CUDA C++ Programming Guide, compute capabilities, with the chips' names of NVIDIA's architecture papers. Where
  // several chips share a capability, one stands for all.
  struct Row {
    int major, minor;
    std::string_view chip;
  };
  constexpr Row rows[] = {{7, 5, "TU102"}, {8, 0, "GA100"},  {8, 6, "GA102"},  {8, 9, "AD102"},
                          {9, 0, "GH100"}, {10, 0, "GB100"}, {10, 3, "GB110"}, {12, 0, "GB202"}};
  const auto* row = std::find_if(std::begin(rows), std::end(rows),
                                 [&](const Row& r) { return r.major == major && r.minor == minor; });
  return row == std::end(rows) ? std::string_view{} : row->chip;
}

namespace {

Expected<std::size_t> passes_of_known(const std::string& chip, const std::vector<std::string>& names) {
  auto host = LS_TRY(Host::open(chip));
  if (!host.add(names)) return failure("CUPTI accepts each of these metrics alone, but not together");
  auto config = LS_TRY(host.config());
  return config.passes;
}

}  // namespace

Expected<PassPlan> plan_passes(const std::string& chip, const std::vector<std::string>& names) {
  const auto sorted = LS_TRY(sort_names(chip, {}, names));
  PassPlan plan{.unknown = sorted.unknown};
  if (sorted.known.empty()) return plan;
  // Each question to the library costs some 6 ms, and often they all fit.
  if (const auto all = passes_of_known(chip, sorted.known); all && *all == 1) {
    plan.groups.push_back({.names = sorted.known, .passes = 1});
    return plan;
  }
  std::vector<PassGroup> expensive;
  for (const std::string& name : sorted.known) {
    const auto alone = LS_TRY(passes_of_known(chip, {name}));
    if (alone > 1) {
      expensive.push_back({.names = {name}, .passes = alone});
      continue;
    }
    bool placed = false;
    for (PassGroup& group : plan.groups) {
      std::vector<std::string> together = group.names;
      together.push_back(name);
      const auto needed = passes_of_known(chip, together);
      if (!needed || *needed > 1) continue;
      group.names = std::move(together);
      placed = true;
      break;
    }
    if (!placed) plan.groups.push_back({.names = {name}, .passes = alone});
  }
  plan.groups.insert(plan.groups.end(), expensive.begin(), expensive.end());
  return plan;
}

}  // namespace lanescope::cupti
