#include "results/occupancy.h"

#include <fmt/format.h>

namespace lanescope::results {

std::string above_the_limit(const RegisterLimit& row, int launch_bounds_threads) {
  if (row.cap == 0 || row.registers <= row.cap) return {};
  return launch_bounds_threads > 0
             ? fmt::format("above the limit: ptxas ignores it, because the kernel has __launch_bounds__({})",
                           launch_bounds_threads)
             : fmt::format("above the limit: ptxas uses no fewer than {} here, under any limit", row.registers);
}

}  // namespace lanescope::results
