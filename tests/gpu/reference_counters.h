#pragma once
// Counters of the hardware that explain why one kernel is faster than another, by what they mean.

#include <string_view>

namespace lanescope::gpu_test::counter {

inline constexpr std::string_view instructions = "smsp__inst_executed.sum";
inline constexpr std::string_view reductions = "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum";
inline constexpr std::string_view l2_reductions = "lts__t_sectors_op_red.sum";
inline constexpr std::string_view load_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
inline constexpr std::string_view store_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
inline constexpr std::string_view load_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
inline constexpr std::string_view store_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";
inline constexpr std::string_view load_share = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio";
inline constexpr std::string_view store_share = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio";
inline constexpr std::string_view dram_read = "dram__bytes_read.sum";
inline constexpr std::string_view dram_written = "dram__bytes_write.sum";
inline constexpr std::string_view dram_busy = "dram__throughput.avg.pct_of_peak_sustained_elapsed";
inline constexpr std::string_view l1_hits = "l1tex__t_sector_hit_rate.pct";
inline constexpr std::string_view l2_hits = "lts__t_sector_hit_rate.pct";
inline constexpr std::string_view l2_sectors = "lts__t_sectors.sum";
inline constexpr std::string_view shared_wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum";
inline constexpr std::string_view shared_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";
inline constexpr std::string_view load_store_pipe = "smsp__inst_executed_pipe_lsu.sum";
inline constexpr std::string_view data_pipe = "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed";
inline constexpr std::string_view barrier_stalls = "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio";
inline constexpr std::string_view warps_active = "sm__warps_active.avg.pct_of_peak_sustained_active";
inline constexpr std::string_view hardware_time = "gpu__time_duration.sum";
inline constexpr std::string_view lanes_at_work = "smsp__thread_inst_executed_per_inst_executed.ratio";
inline constexpr std::string_view memory_stalls =
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio";

}  // namespace lanescope::gpu_test::counter
