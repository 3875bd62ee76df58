#pragma once
// What the occupancy panel asks: another GPU, other numbers than the kernel's, and the kernel compiled with fewer
// registers.

#include <string>
#include <vector>

#include "app/engine/summary/occupancy_info.h"

namespace lanescope::gui {

/// The kernel compiled again under lower and lower register limits.
struct RegisterLimits {
  std::vector<results::RegisterLimit> rows{};
  std::string refused{};  ///< why there are none
  bool under_way = false;
};

struct OccupancyStudy {
  engine::OccupancyChoice choice;  ///< GPU, and numbers that differ from the kernel's
  RegisterLimits limits;
  bool is_what_if() const {
    return choice.registers || choice.threads || choice.dynamic_shared_bytes || choice.carveout_percent ||
           choice.latency_cycles || choice.arithmetic_cycles || choice.bandwidth_gb_per_s ||
           choice.bytes_per_thread != engine::OccupancyChoice{}.bytes_per_thread;
  }
};

}  // namespace lanescope::gui
