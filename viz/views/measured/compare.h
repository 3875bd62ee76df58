#pragma once
// Variants of a kernel side by side: time, bandwidth under the limit of the GPU, and any counters, as bars.

#include <optional>
#include <span>

#include "results/measured.h"
#include "results/occupancy.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct Variant {
  std::string name;  ///< "transpose.cu, TILE 32"
  Measured measured;
  double limit_gb_per_s = 0;  ///< of the GPU's memory; 0: not known
};

/// Bytes that the run moved to and from global memory: measured sectors x 32, else predicted ones. `measured`: the
/// former; a load and a store counter are needed.
struct MovedBytes {
  double bytes = 0;
  bool measured = false;
};
std::optional<MovedBytes> moved_bytes(const Measured&);
/// moved_bytes over the median time.
std::optional<double> bandwidth_gb_per_s(const Measured&);
/// Position of a measurement under the roofline: calculated operations, measured bytes and time.
std::optional<MeasuredRoof> measured_roof(const Measured&, double operations);
/// Adds a measurement of the same kernel to calculated values: the point under the roofline, and the resident warps
/// where that counter was measured.
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
/// One group of bars for time, one for bandwidth, one for each counter; the others are compared with the first variant.
scene::Scene compare_view(std::span<const Variant>, const CompareOptions&, const Theme&);

/// "variant,device,median_us,spread_us,bandwidth_gb_per_s,limit_gb_per_s", then one column for each counter.
std::string compare_csv(std::span<const Variant>, const CompareOptions&);

}  // namespace lanescope::views
