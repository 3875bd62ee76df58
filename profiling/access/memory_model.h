#pragma once
// How one generation of GPUs turns addresses into traffic, as a plain value. The figures of each generation are in
// assets/gpus.toml; profiling/occupancy reads them into this struct. The defaults here were measured on an H200
// (tests/data/h200_memory_counters.json).

#include <cstdint>
#include <string>

namespace lanescope::access {

/// Compute capability 1.x serves global memory half warp by half warp, in transactions of 32, 64 or 128 bytes; see
/// traffic.h. `none`: whole warps, all later generations.
enum class HalfWarps : std::uint8_t { none, in_order, segments };

/// All byte and bank counts are powers of two.
struct MemoryModel {
  int banks = 32, bank_bytes = 4;  ///< shared memory
  int bank_cycles = 1;             ///< cycles of the multiprocessor that a bank takes for its word
  /// 16 bytes a lane: each quarter warp costs one wavefront more than its fullest bank has words (compute capability
  /// 2.x).
  bool quarter_warps_cost_one_more = false;
  /// Loads of 8 and 16 bytes serve twice as many lanes at a time when neighbours agree; see access.h.
  bool shared_loads_merge = true;
  int sector_bytes = 32, line_bytes = 128;
  bool global_loads_in_l1 = true;             ///< by default
  bool global_loads_in_l1_on_request = true;  ///< -Xptxas -dlcm=ca, or the default
  /// Bytes of one transaction: for loads that L1 may hold, and for loads (and all stores) that L2 serves.
  int cached_load_transaction_bytes = 32, uncached_load_transaction_bytes = 32;
  /// An access of N transactions is issued again N-1 times, and one of 8 (16) bytes is 2 (4) requests from the start.
  bool replays = false;
  bool read_only_path = true;
  /// The read-only path requests so many bytes at a time, so many lanes after another; 0: not documented.
  int read_only_query_bytes = 0, read_only_query_lanes = 0;
  HalfWarps half_warps = HalfWarps::none;
  std::string source = "measured on H200; lines: CUDA C++ Programming Guide";
};

/// The defaults above, made once.
const MemoryModel& h200_memory();

}  // namespace lanescope::access
