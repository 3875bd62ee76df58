// Legacy metrics that depend on time, by "CUDA execution model", 6.3, with the names that CUPTI 13.0 has for them on GH100
// (all but the bytes written to device memory were counted on an H200: tests/gpu/reference_counters.h).

#include "profiling/counters/metrics.h"

namespace lanescope::counters {
namespace {

constexpr TimedMetric timed_table[] = {
    {"sm__warps_active.avg.pct_of_peak_sustained_active", "%", "achieved_occupancy",
     "100 x average active warps per active cycle / the most warps of a multiprocessor"},
    {"l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second", "byte/s", "gld_throughput",
     "bytes of the sectors that loads of global memory request / time"},
    {"l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second", "byte/s", "gst_throughput",
     "bytes of the sectors that stores to global memory request / time"},
    {"dram__bytes_read.sum.per_second", "byte/s", "dram_read_throughput", "bytes read from device memory / time"},
    {"dram__bytes_write.sum.per_second", "byte/s", "dram_write_throughput", "bytes written to device memory / time"},
    {"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", "warp", "stall_sync",
     "warps that wait at a barrier, on average when an instruction is issued"},
};

}  // namespace

std::span<const TimedMetric> timed_metrics() { return timed_table; }

std::string_view current_name(std::string_view name) {
  if (name.empty()) return name;
  if (const Metric* m = find_metric(name)) return m->name;
  for (const Ratio& r : ratios())
    if (r.legacy == name) return r.name;
  for (const TimedMetric& t : timed_metrics())
    if (t.legacy == name) return t.name;
  return name;
}

}  // namespace lanescope::counters
