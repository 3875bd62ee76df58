// The table of metrics and ratios.

#include "profiling/counters/counters.h"
#include "profiling/counters/metrics.h"

namespace lanescope::counters {
namespace {

using C = const Counts&;

constexpr std::string_view ptx = "instructions of the PTX; the machine code differs";
constexpr std::string_view exact = "measured on H200, exact for each access: tests/data/h200_memory_counters.json";
constexpr std::string_view arbitration =
    "as the smsp__sass counter; the hardware adds wavefronts lost to arbitration between warps";
constexpr std::string_view merged =
    "measured on H200, exact up to 4 bytes per lane; for wider loads with equal addresses it counts more than the "
    "pipeline";
constexpr std::string_view exact_atomics =
    "measured on H200, exact for integer adds and exchanges: bench/results/gpu_access_shared_atomic.json, "
    "gpu_shared_atomics.json";
constexpr std::string_view exact_ldmatrix =
    "measured on H200, exact for each access: bench/results/gpu_access_ldmatrix.json";
constexpr std::string_view exact_stmatrix =
    "measured on H200, exact for each access: bench/results/gpu_access_stmatrix.json";
constexpr std::string_view exact_products =
    "measured on H200, exact for each product: bench/results/gpu_matrix_products.json";
constexpr std::string_view exact_copies =
    "measured on H200: cp.async.ca exact, cp.async.cg 48 of 50, the others one sector off: "
    "bench/results/gpu_access_cp_async.json";
constexpr std::string_view exact_instrumented =
    "measured on H200, exact as smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_{atom,red}; the pipeline counts "
    "additional sectors for lanes with equal addresses";
constexpr std::string_view no_model = "model: a store of the same width; measured on H200, not exact";
constexpr std::string_view measured_bytes = "measured on H200: 208 files, 12 of the catalogue; also for wide accesses";
constexpr std::string_view trace_fact = "counted in the run";
constexpr std::string_view guide = "model: CUDA C++ Programming Guide; not measured";

constexpr std::string_view distinct_sectors = "per access, distinct 32-byte sectors that active lanes touch";
constexpr std::string_view deepest_bank =
    "per access, over groups of lanes (32; 16 at 8 bytes; 8 at 16): most distinct words in one bank";
constexpr std::string_view beyond_one = "wavefronts beyond one per group of lanes";
constexpr std::string_view turns_in_a_bank =
    "per atomic (8 bytes: per half warp), largest number of lanes in one bank, with equal addresses or not; of an add "
    "of 1 whose result is unused, of distinct words; 1 at an address that is the same by the code";
constexpr std::string_view matrix_rows = "per 8x8 matrix, most distinct words of its rows in one bank";
constexpr std::string_view operands = "bytes of the operands of wgmma in shared memory / 128";
constexpr std::string_view distinct_bytes =
    "per access, bytes of the distinct addresses: lanes at one address count once";
constexpr std::string_view local_words =
    "measured on H200: LDL of 4, 8 and 16 bytes count 1, 2 and 4; stores by analogy";

// l1tex__data_pipe_lsu_wavefronts_* also counts lost arbitration when many warps compete; the smsp__sass_* counter of
// the same thing does not (measured on H200), so both are listed. Atomics and reductions are one row: in global memory it
// is decided after PTX which of the two an `atom` becomes, in shared memory the hardware counts both as atomics.
constexpr Metric table[] = {
    {"smsp__sass_inst_executed.sum", "inst", [](C c) { return c.instructions; }, "inst_executed", "warp instructions",
     ptx},
    {"smsp__sass_thread_inst_executed_pred_on.sum", "thread inst", [](C c) { return c.thread_instructions; },
     "thread_inst_executed", "sum of the active lanes with a true guard predicate over all warp instructions", ptx},

    {"smsp__sass_inst_executed_op_global_ld.sum", "inst", [](C c) { return c.global_load.requests; },
     "inst_executed_global_loads", "loads with an active lane", ptx},
    {"smsp__sass_inst_executed_op_global_st.sum", "inst", [](C c) { return c.global_store.requests; },
     "inst_executed_global_stores", "stores with an active lane", ptx},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "request", [](C c) { return c.global_load.requests; },
     "gld_request", "one per access of any width", exact},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "request", [](C c) { return c.global_store.requests; },
     "gst_request", "one per access of any width", exact},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", [](C c) { return c.global_load.sectors; },
     "gld_transactions", distinct_sectors, exact},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sector", [](C c) { return c.global_store.sectors; },
     "gst_transactions", distinct_sectors, exact},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", [](C c) { return c.global_load.sectors; },
     "", distinct_sectors, exact},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", "sector", [](C c) { return c.global_store.sectors; },
     "", distinct_sectors, exact},
    {"smsp__sass_data_bytes_mem_global_op_ld.sum", "byte", [](C c) { return c.global_load.bytes_requested; }, "",
     distinct_bytes, measured_bytes},
    {"smsp__sass_data_bytes_mem_global_op_st.sum", "byte", [](C c) { return c.global_store.bytes_requested; }, "",
     distinct_bytes, measured_bytes},

    {"smsp__sass_inst_executed_op_shared_ld.sum", "inst", [](C c) { return c.shared_load.requests; },
     "inst_executed_shared_loads", "loads with an active lane", ptx},
    {"smsp__sass_inst_executed_op_shared_st.sum", "inst", [](C c) { return c.shared_store.requests; },
     "inst_executed_shared_stores", "stores with an active lane", ptx},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "wavefront", [](C c) { return c.shared_load.wavefronts; },
     "shared_load_transactions", deepest_bank, arbitration},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "wavefront", [](C c) { return c.shared_store.wavefronts; },
     "shared_store_transactions", deepest_bank, arbitration},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "wavefront",
     [](C c) { return c.shared_load.wavefronts; }, "", deepest_bank, merged},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "wavefront",
     [](C c) { return c.shared_store.wavefronts; }, "", deepest_bank, exact},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "conflict",
     [](C c) { return c.shared_load.bank_conflicts; }, "shared_ld_bank_conflict", beyond_one, exact},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "conflict",
     [](C c) { return c.shared_store.bank_conflicts; }, "shared_st_bank_conflict", beyond_one, exact},

    {"smsp__sass_inst_executed_op_ldgsts.sum", "inst", [](C c) { return c.shared_async.requests; }, "",
     "cp.async with an active lane", ptx},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum", "wavefront",
     [](C c) { return c.shared_async.wavefronts; }, "", "the access to shared memory, counted as a store", no_model},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum", "sector",
     [](C c) { return c.global_async.sectors; }, "",
     "the access to global memory: cp.async.ca as a load; cp.async.cg, one sector per destination in shared memory",
     exact_copies},

    {"smsp__sass_inst_executed_op_shared_atom.sum", "inst", [](C c) { return c.shared_atomic.requests; }, "",
     "atomics and reductions with an active lane", ptx},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", "wavefront",
     [](C c) { return c.shared_atomic.wavefronts; }, "", turns_in_a_bank, exact_atomics},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", "conflict",
     [](C c) { return c.shared_atomic.bank_conflicts; }, "",
     "wavefronts beyond one per atomic (8 bytes: per half warp)", exact_atomics},
    {"smsp__sass_inst_executed_op_ldsm.sum", "inst", [](C c) { return c.matrix_load.requests; }, "", "ldmatrix", ptx},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum", "wavefront",
     [](C c) { return c.matrix_load.wavefronts; }, "", matrix_rows, exact_ldmatrix},
    {"smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldsm.sum", "conflict",
     [](C c) { return c.matrix_load.bank_conflicts; }, "", "wavefronts beyond one per matrix", exact_ldmatrix},
    {"smsp__sass_inst_executed_op_shared_stsm.sum", "inst", [](C c) { return c.matrix_store.requests; }, "", "stmatrix",
     ptx},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_stsm.sum", "wavefront",
     [](C c) { return c.matrix_store.wavefronts; }, "", matrix_rows, exact_stmatrix},
    {"smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_stsm.sum", "conflict",
     [](C c) { return c.matrix_store.bank_conflicts; }, "", "wavefronts beyond one per matrix", exact_stmatrix},

    {"smsp__sass_inst_executed_op_shared_gmma.sum", "inst", [](C c) { return c.matrix_product.requests; }, "",
     "wgmma, by warps", ptx},
    {"sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum", "wavefront",
     [](C c) { return c.matrix_product.wavefronts; }, "", operands, exact_products},
    {"sm__sass_data_bytes_mem_shared_op_gmma.sum", "byte", [](C c) { return c.matrix_product.bytes_requested; }, "",
     "of A where it is in shared memory, and of B once for the four warps", exact_products},

    {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", "request", [](C c) { return c.local_load.wavefronts; },
     "local_load_requests", "one per access and 4 bytes of a lane", local_words},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", "request", [](C c) { return c.local_store.wavefronts; },
     "local_store_requests", "one per access and 4 bytes of a lane", local_words},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "sector", [](C c) { return c.local_load.sectors; },
     "local_load_transactions", "distinct sectors, word w of lane l at 128 w + 4 l", guide},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "sector", [](C c) { return c.local_store.sectors; },
     "local_store_transactions", "distinct sectors, word w of lane l at 128 w + 4 l", guide},

    {"smsp__sass_branch_targets.sum", "branch", [](C c) { return c.branches; }, "branch", "branch instructions", ptx},
    {"smsp__sass_branch_targets_threads_divergent.sum", "branch", [](C c) { return c.divergent_branches; },
     "divergent_branch", "branches that some active lanes take and others do not", ptx},
    {"smsp__sass_branch_targets_threads_uniform.sum", "branch", [](C c) { return c.branches - c.divergent_branches; },
     "", "branches that all active lanes take, or none", ptx},

    {"lanescope__inst_executed_op_shuffle.sum", "inst", [](C c) { return c.shuffles; }, "", "shfl instructions", ptx},
    {"lanescope__inst_executed_op_barrier.sum", "inst", [](C c) { return c.barriers; }, "",
     "bar and barrier instructions", ptx},
    {"lanescope__inst_executed_op_local.sum", "inst",
     [](C c) { return c.local_load.requests + c.local_store.requests; }, "", "loads and stores of local memory", ptx},
    {"lanescope__requests_mem_global_op_atomic.sum", "request", [](C c) { return c.global_atomic.requests; }, "",
     "atomics and reductions with an active lane", ptx},
    {"lanescope__sectors_mem_global_op_atomic.sum", "sector", [](C c) { return c.global_atomic.sectors; }, "",
     distinct_sectors, exact_instrumented},
    {"lanescope__passes_mem_global_op_atomic.sum", "pass", [](C c) { return c.global_atomic.passes; }, "",
     "per atomic, most lanes at one address", guide},
    {"lanescope__requests_mem_global_op_async.sum", "request", [](C c) { return c.global_async.requests; }, "",
     "cp.async that reads", ptx},
    {"lanescope__requests_mem_constant.sum", "request", [](C c) { return c.constant.requests; }, "",
     "loads of .const memory", ptx},
    {"lanescope__broadcasts_mem_constant.sum", "broadcast", [](C c) { return c.constant.broadcasts; }, "",
     "per load, distinct addresses", guide},
    {"lanescope__replays_mem_constant.sum", "replay", [](C c) { return c.constant.replays(); }, "",
     "broadcasts beyond the first", guide},
    {"lanescope__bytes_wanted_mem_global.sum", "byte", [](C c) { return c.global().bytes_wanted; }, "",
     "per access, distinct bytes", trace_fact},
    {"lanescope__bytes_moved_mem_global.sum", "byte", [](C c) { return c.global().bytes_moved; }, "", "sectors x 32",
     "sectors as above"},
};

std::optional<double> quotient(std::uint64_t above, std::uint64_t below, double factor = 1) {
  if (below == 0) return std::nullopt;
  return factor * static_cast<double>(above) / static_cast<double>(below);
}

constexpr Ratio ratio_table[] = {
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", "%",
     [](C c) { return quotient(c.global_load.bytes_requested, c.global_load.bytes_moved, 100); }, "gld_efficiency",
     "100 x bytes of loads, as above / (sectors x 32)", "execution model, 3.6: requested / required load throughput"},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", "%",
     [](C c) { return quotient(c.global_store.bytes_requested, c.global_store.bytes_moved, 100); }, "gst_efficiency",
     "100 x bytes of stores, as above / (sectors x 32)", "execution model, 6.3: requested / required store throughput"},
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", "sector/request",
     [](C c) { return quotient(c.global_load.sectors, c.global_load.requests); }, "gld_transactions_per_request",
     "sectors / requests", exact},
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", "sector/request",
     [](C c) { return quotient(c.global_store.sectors, c.global_store.requests); }, "gst_transactions_per_request",
     "sectors / requests", exact},
    {"smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct", "%",
     [](C c) {
       const access::Sum s = c.shared();
       return quotient(s.bytes_requested, s.wavefronts * 128, 100);
     },
     "shared_efficiency", "100 x bytes of the distinct addresses of each access (of wgmma none) / (wavefronts x 128)",
     "wavefronts of loads, stores, atomics, matrices and wgmma as above; those of cp.async are a model"},
    {"lanescope__average_wavefronts_per_inst_mem_shared_op_ld.ratio", "wavefront/inst",
     [](C c) { return quotient(c.shared_load.wavefronts, c.shared_load.requests); },
     "shared_load_transactions_per_request", "load wavefronts / shared load instructions", exact},
    {"lanescope__average_wavefronts_per_inst_mem_shared_op_st.ratio", "wavefront/inst",
     [](C c) { return quotient(c.shared_store.wavefronts, c.shared_store.requests); },
     "shared_store_transactions_per_request", "store wavefronts / shared store instructions", exact},
    {"smsp__sass_average_branch_targets_threads_uniform.pct", "%",
     [](C c) { return quotient(c.branches - c.divergent_branches, c.branches, 100); }, "branch_efficiency",
     "100 x branches that do not diverge / branches", "execution model, 3.2: non-divergent / total branches"},
    {"smsp__average_thread_inst_executed_per_inst_executed.pct", "%",
     [](C c) { return quotient(c.thread_instructions, c.instructions * 32, 100); }, "warp_execution_efficiency",
     "100 x active lanes / (warp instructions x 32); guard predicates are applied here, the hardware counts before "
     "them",
     ptx},
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_local_op_ld.ratio", "sector/request",
     [](C c) { return quotient(c.local_load.sectors, c.local_load.wavefronts); }, "local_load_transactions_per_request",
     "sectors / requests", guide},
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_local_op_st.ratio", "sector/request",
     [](C c) { return quotient(c.local_store.sectors, c.local_store.wavefronts); },
     "local_store_transactions_per_request", "sectors / requests", guide},
    {"lanescope__bus_utilisation_mem_global.pct", "%",
     [](C c) {
       const access::Sum g = c.global();
       return quotient(g.bytes_wanted, g.bytes_moved, 100);
     },
     "", "100 x distinct bytes of each access / (sectors x 32); never above 100", "memory slides: bus utilization"},
};

// Legacy metrics that depend on time, by "CUDA execution model", 6.3, with the names that CUPTI 13.0 has for them on GH100
// (all but the bytes written to device memory were counted on an H200: tests/gpu/reference_counters.h).

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

std::span<const Metric> metrics() { return table; }
std::span<const Ratio> ratios() { return ratio_table; }
const Metric* find_metric(std::string_view name) {
  if (name.empty()) return nullptr;
  for (const Metric& row : metrics())
    if (row.name == name || row.legacy == name) return &row;
  return nullptr;
}

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
