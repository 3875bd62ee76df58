#pragma once
// Variants of a kernel side by side: time, bandwidth under the limit of the GPU, and any counters, as bars.

#include <optional>
#include <span>

#include "results/measured.h"
#include "results/occupancy.h"
#include "results/summary.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct Variant {
  std::string name;  ///< "transpose.cu, TILE 32"
  Measured measured;
  double limit_gb_per_s = 0;  ///< of the GPU's memory; 0: not known
};

/// Bytes that the run moved to and from global memory: measured sectors x 32, else predicted ones. `measured` says
/// which; a load and a store counter are needed.
struct MovedBytes {
  double bytes = 0;
  bool measured = false;
};
std::optional<MovedBytes> moved_bytes(const Measured&);
/// moved_bytes over the median time.
std::optional<double> bandwidth_gb_per_s(const Measured&);
/// Where a measurement stands under the roofs: operations as reckoned, bytes and time as measured.
std::optional<MeasuredRoof> measured_roof(const Measured&, double operations);
/// Puts a measurement of the same kernel beside what was reckoned: the point under the roofs, where there are any, and
/// the warps that were resident, where that counter was measured.
void put_measured(OccupancyInfo&, const Measured&, const WorkInfo&);

struct CompareOptions {
  float width = 0;
  /// By today's name, of the whole run; absent: default_counters().
  std::optional<std::vector<std::string>> counters{};
};
struct CounterName {
  std::string name, legacy;  ///< today's and the older one, which may be empty
};
/// Counters of the whole run that some variant measured, in the order of the measurements.
std::vector<CounterName> measured_counters(std::span<const Variant>);
/// Sectors of loads and stores and wavefronts, those that some variant measured.
std::vector<std::string> default_counters(std::span<const Variant>);
/// One group of bars for time, one for bandwidth, one for each counter; the first variant is what others are compared with.
scene::Scene compare_view(std::span<const Variant>, const CompareOptions&, const Theme&);

/// "variant,device,median_us,spread_us,bandwidth_gb_per_s,limit_gb_per_s", then one column for each counter.
std::string compare_csv(std::span<const Variant>, const CompareOptions&);

}  // namespace lanescope::views
