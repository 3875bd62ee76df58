#include "profiling/counters/counters.h"

namespace lanescope::counters {
namespace {

// Names as CUPTI 13.0 lists them for GH100. l1tex__data_pipe_lsu_wavefronts_* also counts lost arbitration when many
// warps compete; the smsp__sass_* counter of the same thing does not (measured on H200), so both are listed.
constexpr Metric table[] = {
    {"smsp__sass_inst_executed.sum", "inst", [](const Counts& c) { return c.instructions; }},
    {"smsp__sass_thread_inst_executed_pred_on.sum", "thread inst", [](const Counts& c) { return c.thread_instructions; }},

    {"smsp__sass_inst_executed_op_global_ld.sum", "inst", [](const Counts& c) { return c.global_load.requests; }},
    {"smsp__sass_inst_executed_op_global_st.sum", "inst", [](const Counts& c) { return c.global_store.requests; }},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "request", [](const Counts& c) { return c.global_load.requests; }},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "request", [](const Counts& c) { return c.global_store.requests; }},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", [](const Counts& c) { return c.global_load.sectors; }},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sector", [](const Counts& c) { return c.global_store.sectors; }},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector",
     [](const Counts& c) { return c.global_load.sectors; }},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", "sector",
     [](const Counts& c) { return c.global_store.sectors; }},

    {"smsp__sass_inst_executed_op_shared_ld.sum", "inst", [](const Counts& c) { return c.shared_load.requests; }},
    {"smsp__sass_inst_executed_op_shared_st.sum", "inst", [](const Counts& c) { return c.shared_store.requests; }},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "wavefront",
     [](const Counts& c) { return c.shared_load.wavefronts; }},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "wavefront",
     [](const Counts& c) { return c.shared_store.wavefronts; }},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "wavefront",
     [](const Counts& c) { return c.shared_load.wavefronts; }},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "wavefront",
     [](const Counts& c) { return c.shared_store.wavefronts; }},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "conflict",
     [](const Counts& c) { return c.shared_load.bank_conflicts; }},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "conflict",
     [](const Counts& c) { return c.shared_store.bank_conflicts; }},

    {"smsp__sass_branch_targets.sum", "branch", [](const Counts& c) { return c.branches; }},
    {"smsp__sass_branch_targets_threads_divergent.sum", "branch", [](const Counts& c) { return c.divergent_branches; }},
    {"smsp__sass_branch_targets_threads_uniform.sum", "branch",
     [](const Counts& c) { return c.branches - c.divergent_branches; }},

    {"lanescope__inst_executed_op_shuffle.sum", "inst", [](const Counts& c) { return c.shuffles; }},
    {"lanescope__inst_executed_op_barrier.sum", "inst", [](const Counts& c) { return c.barriers; }},
    {"lanescope__inst_executed_op_local.sum", "inst", [](const Counts& c) { return c.local_accesses; }},
    {"lanescope__requests_mem_global_op_atomic.sum", "request", [](const Counts& c) { return c.global_atomic.requests; }},
    {"lanescope__sectors_mem_global_op_atomic.sum", "sector", [](const Counts& c) { return c.global_atomic.sectors; }},
    {"lanescope__requests_mem_global_op_async.sum", "request", [](const Counts& c) { return c.global_async.requests; }},
    {"lanescope__sectors_mem_global_op_async.sum", "sector", [](const Counts& c) { return c.global_async.sectors; }},
    {"lanescope__requests_mem_shared_op_atomic.sum", "request", [](const Counts& c) { return c.shared_atomic.requests; }},
};

}  // namespace

std::span<const Metric> metrics() { return table; }

}  // namespace lanescope::counters
