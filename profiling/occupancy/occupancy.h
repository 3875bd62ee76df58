#pragma once
// The number of resident blocks of a kernel on one multiprocessor, and the resource that prevents the next one.
//
// A block is resident as a whole: all its warps, registers and shared memory, from its first instruction to its last.
// So each resource allows so many blocks on its own, and the smallest answer holds. Registers go to warps in units and
// a warp's registers lie in one partition of the register file, so 64 registers a thread leave 8 warps in each of four
// partitions, and 65 leave 7, not 7.9. On sm_90, 256 threads with 65 registers and 20 kB of shared memory:
//
//   warps          64 / 8                                = 8 blocks
//   registers      65*32 = 2080 -> 2304 a warp; 16384/2304 = 7 a partition, 28 in all; 28 / 8 = 3 blocks
//   shared memory  20480 + 1024 reserved = 21504; 233472 / 21504 = 10 blocks
//   blocks         32                                        -> 3 blocks, 24 warps, 37.5 %, limited by registers
//
// Source of the rules: cuda_occupancy.h of CUDA 13.0 (tests/data/occupancy_oracle.json holds results of it). This is
// not the occupancy that a profiler measures: warps that have exited still hold their block's place, and tails are
// waves of blocks (below).

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "profiling/occupancy/gpu_table.h"

namespace lanescope::occupancy {

struct KernelUse {
  int threads_per_block = 0;
  int registers_per_thread = 0;
  int static_shared_bytes = 0, dynamic_shared_bytes = 0;
  int barriers = 0;               ///< named barriers used; a limit only where the table says so
  int launch_bounds_threads = 0;  ///< __launch_bounds__(threads); 0: none
  bool opt_in = true;             ///< the launch has requested more dynamic shared memory than the default allows
  std::optional<int> carveout_percent{};  ///< shared memory preferred over L1; absent: the driver decides
};

enum class Resource : std::uint8_t { warps, blocks, registers, shared_memory, barriers };
inline constexpr std::size_t resource_count = 5;
/// "registers", "warp slots", ...: for a sentence.
std::string_view words(Resource resource);

struct Occupancy {
  int blocks_per_multiprocessor = 0, warps_per_multiprocessor = 0, threads_per_multiprocessor = 0;
  int warps_per_block = 0;
  double percent = 0;  ///< of the warps that the multiprocessor can hold

  /// Blocks that each resource allows on its own, by Resource; absent where the kernel uses none of it.
  std::array<std::optional<int>, resource_count> blocks_by_resource{};
  std::vector<Resource> limiting;  ///< those that allow the fewest

  int registers_per_warp = 0;      ///< as allocated
  int shared_bytes_per_block = 0;  ///< as allocated, with the driver's reserve
  int shared_capacity_bytes = 0;   ///< of the multiprocessor, from which blocks_by_resource follows
  /// The smallest split that holds the resident blocks (with a carveout, the one it selects). Which one a driver takes
  /// is its own choice. Absent where shared memory is not part of L1.
  std::optional<int> shared_split_bytes;

  std::string cannot_run;  ///< why not a single block fits, in words; empty when one does
  std::string summary;     ///< "3 blocks (24 of 64 warps, 37.5 %) per multiprocessor, limited by registers"
};

/// Errors: no threads, negative amounts, a carveout that is no percentage. A block that is too large is not an error:
/// zero blocks, and `cannot_run` says why.
Expected<Occupancy> occupancy(const Arch& arch, const KernelUse& use);

// A grid laid out on the multiprocessors. Blocks that last equally long leave in waves: each fills every place of the
// GPU, the last one perhaps not, and then most multiprocessors wait for few. 265 blocks of a kernel that has one block
// resident on each of 132 multiprocessors need 3 waves, and the third runs one block: 67 % of the GPU's time is used.
//
// Real blocks differ in length and the hardware promises no order; this is the arithmetic of the even case, with blocks
// dealt to the multiprocessors in turn.

struct Waves {
  std::int64_t blocks = 0;
  int multiprocessors = 0, blocks_per_multiprocessor = 0;
  std::int64_t blocks_per_wave = 0;
  std::int64_t full_waves = 0;
  std::int64_t waves = 0;        ///< a partial last wave counts
  double waves_exact = 0;        ///< blocks / blocks_per_wave
  std::int64_t tail_blocks = 0;  ///< in the partial last wave; 0: there is none
  double used_percent = 0;       ///< blocks against the places of all waves

  /// Blocks of the wave on that multiprocessor.
  int blocks_on(std::int64_t wave, int multiprocessor) const;
};

/// Errors: no block, no multiprocessor, or a block that is nowhere resident.
Expected<Waves> lay_out(std::int64_t blocks, int multiprocessors, int blocks_per_multiprocessor);

}  // namespace lanescope::occupancy
