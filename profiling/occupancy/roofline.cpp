#include "profiling/occupancy/roofline.h"

#include <algorithm>
#include <limits>

namespace lanescope::occupancy {

Expected<Roofline> roofline(const Gpu& gpu, double operations, double bytes, Precision precision) {
  if (!(operations >= 0) || !(bytes >= 0) || operations + bytes == 0)
    return failure("a roofline needs operations or bytes, neither negative",
                   "count the operations and bytes of the kernel");
  // Where there is no double precision (compute capability 1.0 to 1.2), compilers made single precision of it.
  const int ratio = precision == Precision::fp64 ? std::max(gpu.arch.multiprocessor.fp64_ratio, 1) : 1;
  const double lanes = static_cast<double>(gpu.arch.multiprocessor.fp32_lanes) / ratio;
  Roofline r{.operations = operations, .bytes = bytes};
  r.peak_gop_per_s = gpu.multiprocessors * lanes * 2 * gpu.multiprocessor_clock_ghz;
  r.bandwidth_gb_per_s = gpu.bandwidth_gb_per_s;
  r.ridge_operations_per_byte = r.peak_gop_per_s / r.bandwidth_gb_per_s;
  r.intensity_operations_per_byte = bytes > 0 ? operations / bytes : std::numeric_limits<double>::infinity();
  r.bound = r.intensity_operations_per_byte >= r.ridge_operations_per_byte ? Bound::compute : Bound::memory;
  r.attainable_gop_per_s =
      r.bound == Bound::compute ? r.peak_gop_per_s : r.intensity_operations_per_byte * r.bandwidth_gb_per_s;
  return r;
}

}  // namespace lanescope::occupancy
