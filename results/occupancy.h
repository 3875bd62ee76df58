#pragma once
// Occupancy of a multiprocessor, its limiters, and the occupancy for other numbers of registers, bytes or threads; the
// blocks of the grid on the multiprocessors; operations in flight; the roofline. Figures of profiling/occupancy.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/summary.h"

namespace lanescope::results {

struct OccupancyLimiter {
  std::string resource{};       ///< "registers", as of occupancy::words()
  std::optional<int> blocks{};  ///< that it alone allows; absent: the kernel uses none of it
  bool limiting = false;
  std::string detail{};  ///< "65 a thread, 2 304 a warp"
};
struct OccupancyDot {
  int x = 0;
  int blocks = 0, warps = 0;
  double percent = 0;
  std::string limiting{};  ///< names of resources
};
struct OccupancyCurveInfo {
  std::string title{}, unit{};  ///< "registers per thread", "registers"
  std::vector<OccupancyDot> dots{};
  int current = -1;    ///< x of the kernel as it is; -1 not marked
  int suggested = -1;  ///< x to try; -1 none
};
struct WavesInfo {
  std::int64_t blocks = 0, waves = 0, tail_blocks = 0;
  int multiprocessors = 0, blocks_per_multiprocessor = 0;
  double used_percent = 0;
};
/// Little's law, one row: warps that have to be in flight on a multiprocessor.
struct InFlightInfo {
  std::string what{};  ///< "arithmetic", "memory, 4 bytes a thread"
  bool of_memory = false;
  std::string law{};  ///< "20 cycles × 32 operations a cycle = 640 operations"
  std::int64_t needed_warps = 0, resident_warps = 0;
  std::int64_t independent_needed = 0;  ///< per thread, with which the resident warps are enough; 0: not known
};
struct FlightInfo {
  int arithmetic_cycles = 0, memory_cycles = 0;
  double bandwidth_gb_per_s = 0;
  int bytes_per_thread = 0;
};
/// The same kernel as measured on a GPU.
struct MeasuredRoof {
  double operations_per_byte = 0, gop_per_s = 0;
  /// Of the lowest roof, where the bytes of a memory were counted; else "" and 0: bytes are sectors that the kernel
  /// moved.
  std::string memory{};
  double attainable_gop_per_s = 0;
};
/// One memory under the roofline: its bandwidth, and the bytes that this kernel moves there.
struct RoofInfo {
  std::string memory{};             ///< "device memory", "L2", "shared memory"
  double gb_per_s = 0;              ///< peak; 1 GB is 10^9 bytes
  std::string source{};             ///< of the peak: its formula, or the document
  double bytes = 0;                 ///< that the kernel moves there; 0: none
  bool counted = false;             ///< bytes are as measured, else as predicted, every sector from device memory
  double operations_per_byte = 0;   ///< 0: no byte moves there
  double attainable_gop_per_s = 0;  ///< under this roof and that of the arithmetic; 0: no byte moves there
  bool lowest = false;              ///< of all roofs it leaves the fewest operations a second
  std::optional<double> achieved_gb_per_s{};  ///< as measured
  std::string achieved_from{};                ///< the counter and the time that it follows from
};
struct RooflineInfo {
  double operations_per_byte = 0, ridge_operations_per_byte = 0;
  double peak_gop_per_s = 0, bandwidth_gb_per_s = 0, attainable_gop_per_s = 0;
  bool compute_bound = false;
  std::optional<MeasuredRoof> measured{};
};
/// Shared memory and L1 of a multiprocessor, where they are one memory.
struct SplitInfo {
  std::optional<int> carveout_percent{};  ///< that was requested; absent: the driver decides
  int shared_bytes = 0, l1_bytes = 0;
  std::vector<int> choices_bytes{};  ///< of shared memory, ascending
};
struct SuggestedBlockInfo {
  int threads = 0, blocks = 0, warps = 0;  ///< of a block; on a multiprocessor
  double percent = 0;
  int shared_bytes = 0;             ///< dynamic, of a block of this size
  std::int64_t blocks_to_fill = 0;  ///< the GPU
};
struct OccupancyInfo {
  std::string gpu{}, summary{}, cannot_run{};
  int warps = 0, most_warps = 0, warps_per_block = 0, blocks = 0;
  double percent = 0;
  std::optional<double> measured_percent{};  ///< as measured on a GPU
  std::vector<OccupancyLimiter> limiters{};
  std::vector<OccupancyCurveInfo> curves{};  ///< registers, shared memory, block size
  int suggested_threads = 0;                 ///< per block; 0: none
  double suggested_percent = 0;
  std::optional<WavesInfo> waves{};
  std::vector<InFlightInfo> in_flight{};
  FlightInfo flight{};
  std::optional<RooflineInfo> roofline{};
  std::vector<RoofInfo> roofs{};  ///< device memory, L2 (where its peak is known), shared memory
  std::optional<SplitInfo> split{};
  std::vector<SuggestedBlockInfo> suggested{};  ///< with the highest occupancy, the largest block first
  int most_threads = 0;                         ///< of a block that can run with these registers; 0: none can
  double peak_gop_per_s = 0;                    ///< of the GPU, single precision
};

// A kernel compiled with a register limit: why it has more registers than the limit, in words.

/// The assembler keeps at least the registers of its calling convention (24 on sm_90), and ignores the limit of a
/// kernel with launch bounds. `launch_bounds_threads`: 0, there are none. Empty: the limit was kept, or nothing is
/// known.
std::string above_the_limit(const RegisterLimit& row, int launch_bounds_threads);

}  // namespace lanescope::results
