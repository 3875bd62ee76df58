#include "kernels/emulator/lanes/instruction_sets.h"

#include <cstdlib>
#include <string_view>
#include <unordered_map>

#include "kernels/emulator/lanes/operations.h"

namespace lanescope::emulator {

namespace {

struct Found {
  std::unordered_map<std::string_view, Exec> operations;
  std::unordered_map<std::string_view, Compare> comparisons;
};

enum class Level : u8 { baseline, avx2, avx512 };

/// LANESCOPE_ISA=baseline|avx2|avx512 lets tests run the tables that this machine would not choose.
Level best_level() {
#if defined(__x86_64__)
  const char* asked = std::getenv("LANESCOPE_ISA");
  const std::string_view limit = asked != nullptr ? asked : "avx512";
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  const bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
  if (has_avx512 && limit == "avx512") return Level::avx512;
  if (has_avx2 && limit != "baseline") return Level::avx2;
#endif
  return Level::baseline;
}

LaneTable best_table() {
  switch (best_level()) {
    case Level::avx512:
      return lane_table_avx512();
    case Level::avx2:
      return lane_table_avx2();
    case Level::baseline:
      break;
  }
  return lane_table_baseline();
}

const Found& found() {
  static const Found all = [] {
    Found f;
    const LaneTable table = best_table();
    for (const LaneOperation& o : table.operations) f.operations.emplace(o.key, o.exec);
    for (const LaneComparison& c : table.comparisons) f.comparisons.emplace(c.key, c.compare);
    return f;
  }();
  return all;
}

}  // namespace

bool has_avx512() { return best_level() == Level::avx512; }
bool has_avx2() { return best_level() != Level::baseline; }

Exec find_lane_operation(std::string_view key) {
  const auto it = found().operations.find(key);
  return it == found().operations.end() ? nullptr : it->second;
}
Compare find_lane_comparison(std::string_view key) {
  const auto it = found().comparisons.find(key);
  return it == found().comparisons.end() ? nullptr : it->second;
}

}  // namespace lanescope::emulator
