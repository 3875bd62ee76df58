#include "results/measured.h"

namespace lanescope::results {

const MetricRow* whole_run(const Measured& measured, std::string_view name) {
  for (const MetricRow& row : measured.metrics)
    if (row.line == 0 && row.name == name) return &row;
  return nullptr;
}

}  // namespace lanescope::results
