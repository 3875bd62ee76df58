#include "profiling/occupancy/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "kernels/base/enum_size.h"

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

std::string_view words(Memory memory) {
  static constexpr std::string_view names[] = {"device memory", "L2", "shared memory"};
  return entry_for(names, memory);
}

std::vector<Bandwidth> bandwidths(const Gpu& gpu) {
  std::vector<Bandwidth> out = {{.memory = Memory::device, .gb_per_s = gpu.bandwidth_gb_per_s, .source = gpu.source}};
  const double clock = gpu.multiprocessor_clock_ghz;
  if (gpu.memory.l2_gb_per_s > 0)
    out.push_back({.memory = Memory::l2, .gb_per_s = gpu.memory.l2_gb_per_s, .source = gpu.memory.l2_source});
  else if (const int each = gpu.memory.l2_bytes_per_cycle; each > 0)
    out.push_back({.memory = Memory::l2,
                   .gb_per_s = each * clock,
                   .source = fmt::format("{} bytes per cycle x {} GHz; {}", each, clock,
                                         gpu.memory.l2_source.empty() ? gpu.memory.source : gpu.memory.l2_source)});
  const access::MemoryModel& m = gpu.arch.memory;
  const std::string slower = m.bank_cycles > 1 ? fmt::format(" / {} cycles of a bank", m.bank_cycles) : std::string();
  out.push_back({.memory = Memory::shared,
                 .gb_per_s = static_cast<double>(gpu.multiprocessors) * m.banks * m.bank_bytes * clock / m.bank_cycles,
                 .source = fmt::format("{} multiprocessors x {} banks x {} bytes x {} GHz{}; {}", gpu.multiprocessors,
                                       m.banks, m.bank_bytes, clock, slower, m.source)});
  return out;
}

}  // namespace lanescope::occupancy
