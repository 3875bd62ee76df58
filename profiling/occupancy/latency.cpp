#include "profiling/occupancy/latency.h"

#include <algorithm>
#include <cmath>

namespace lanescope::occupancy {
namespace {
std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
}  // namespace

ArithmeticConcurrency arithmetic_concurrency(const Arch& arch, int independent_per_thread, int own_latency_cycles) {
  ArithmeticConcurrency c{
      .latency_cycles = own_latency_cycles > 0 ? own_latency_cycles : arch.latency.arithmetic_cycles,
      .operations_per_cycle = arch.multiprocessor.fp32_lanes};
  c.operations_in_flight = c.latency_cycles * c.operations_per_cycle;
  c.independent_per_thread = std::max(independent_per_thread, 1);
  c.warps_per_multiprocessor = static_cast<int>(
      divide_up(c.operations_in_flight, std::int64_t{arch.limits.warp_lanes} * c.independent_per_thread));
  c.source = own_latency_cycles > 0 ? "stated" : arch.latency.source;
  return c;
}

Expected<MemoryConcurrency> memory_concurrency(const Gpu& gpu, int bytes_per_thread, const OwnMemory& own) {
  if (bytes_per_thread < 1) return failure("a thread has at least one byte in flight", "give the width of its loads");
  MemoryConcurrency c{.latency_cycles = own.latency_cycles > 0 ? own.latency_cycles : gpu.arch.latency.memory_cycles,
                      .clock_ghz = gpu.latency_clock_ghz()};
  const double bandwidth = own.bandwidth_gb_per_s > 0 ? own.bandwidth_gb_per_s : gpu.bandwidth_gb_per_s;
  c.bytes_per_cycle_exact = bandwidth / c.clock_ghz;
  c.bytes_per_cycle = std::llround(c.bytes_per_cycle_exact);
  c.bytes_in_flight = c.latency_cycles * c.bytes_per_cycle;
  c.bytes_per_thread = bytes_per_thread;
  const int lanes = gpu.arch.limits.warp_lanes;
  c.threads = divide_up(c.bytes_in_flight, bytes_per_thread);
  c.warps = divide_up(c.threads, lanes);
  c.warps_per_multiprocessor = divide_up(c.warps, gpu.multiprocessors);
  SourceRounding& r = c.as_the_source_rounds;
  r.kilobytes = divide_up(c.bytes_in_flight, 1000);
  r.threads = divide_up(r.kilobytes * 1000, bytes_per_thread);
  r.warps = divide_up(r.threads, lanes);
  r.warps_per_multiprocessor = std::llround(static_cast<double>(r.warps) / gpu.multiprocessors);
  c.source = (own.bandwidth_gb_per_s > 0 ? "bandwidth stated" : gpu.source) +
             (own.latency_cycles > 0 ? "; latency stated" : "; latency: " + gpu.arch.latency.source);
  return c;
}

Hiding hiding(std::int64_t needed_warps, std::int64_t resident_warps) {
  Hiding h{.needed_warps = needed_warps, .resident_warps = resident_warps};
  h.hidden = resident_warps >= needed_warps;
  h.percent = h.hidden ? 100.0 : 100.0 * static_cast<double>(resident_warps) / static_cast<double>(needed_warps);
  h.independent_needed = resident_warps > 0 ? std::max<std::int64_t>(divide_up(needed_warps, resident_warps), 1) : 0;
  return h;
}

}  // namespace lanescope::occupancy
