#include "app/engine/summary/conclusion_of.h"

#include <algorithm>

#include "app/engine/summary/occupancy_info.h"

namespace lanescope::engine {

conclusion::Conclusion conclusion_of(const results::Summary& summary, const results::Measured& measured) {
  const std::string gpu = table_name(measured.device);
  const auto occupancy = gpu.empty() ? Expected<results::OccupancyInfo>(failure("the table does not have this GPU"))
                                     : occupancy_info(summary, {.gpu = gpu});
  const auto operations = std::max(summary.work.fp32_operations, summary.work.fp64_operations);
  return conclusion::conclude({.measured = measured,
                               .occupancy = occupancy ? &*occupancy : nullptr,
                               .operations = static_cast<double>(operations),
                               .findings = summary.findings});
}

}  // namespace lanescope::engine
