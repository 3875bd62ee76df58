#include "profiling/occupancy/bandwidth.h"

#include <fmt/format.h>

#include "kernels/base/enum_size.h"

namespace lanescope::occupancy {

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
