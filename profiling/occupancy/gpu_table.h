#pragma once
// The table of GPUs: the limits of each architecture and the figures of some named GPUs, as read from
// assets/gpus.toml. Facts live in that file, one group beside its source; the code that reckons with them has no
// architecture number in it. A quirk of one generation is a named field (`must_also_fit_partitions`).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "profiling/access/memory_model.h"

namespace lanescope::occupancy {

struct Limits {
  int warp_lanes = 0;
  int threads_per_block = 0;
  int threads_per_multiprocessor = 0;
  int warps_per_multiprocessor = 0;
  int blocks_per_multiprocessor = 0;
  int barriers_per_multiprocessor = 0;  ///< 0: barriers do not limit residency
  std::string source;
};

/// The largest extents of a launch, and the related numbers of deviceQuery.
struct LaunchLimits {
  int block_x = 0, block_y = 0, block_z = 0;
  int grid_x = 0, grid_y = 0, grid_z = 0;
  int constant_bytes = 0;  ///< of all constants of a module
  std::string source;
};

/// The register file, in 32-bit registers. A warp gets a multiple of `allocation_unit`, all of it in one partition.
struct RegisterFile {
  int per_multiprocessor = 0, per_block = 0, per_thread = 0;
  int allocation_unit = 0;
  int warp_allocation_granularity = 0;  ///< partitions of the file; a launch is checked with warps rounded up to it
  int must_also_fit_partitions = 0;     ///< 0, or: a block that does not fit so many partitions is not run either
  bool per_block_allocation = false;    ///< the unit is of a block, not of a warp (compute capability 1.x)
  std::string source;
};

struct SharedMemory {
  int per_multiprocessor_bytes = 0, per_block_bytes = 0, opt_in_per_block_bytes = 0;
  int allocation_unit_bytes = 0;
  int reserved_per_block_bytes = 0;  ///< taken by the driver in every block, on top of the request of the kernel
  std::vector<int> split_bytes;      ///< sizes that shared memory can take where it shares its RAM with L1; ascending
  int l1_and_shared_bytes = 0;       ///< that RAM; 0 where shared memory has its own
  /// A block that is larger than the requested split gets the largest split, not the next one.
  bool split_falls_back_to_largest = false;
  std::string source;
};

struct Multiprocessor {
  int partitions = 0;  ///< each with its warp scheduler
  int fp32_lanes = 0;  ///< single-precision operations (a fused multiply-add is one) per cycle
  int fp64_ratio = 0;  ///< one double-precision operation for so many single-precision ones; 0: there are none
  std::string source;
};

struct Latency {
  int arithmetic_cycles = 0, memory_cycles = 0;
  std::string source;
};

/// The largest textures, and the related numbers of deviceQuery. All 0 if no source was found.
struct TextureLimits {
  int width_1d = 0;
  int width_2d = 0, height_2d = 0;
  int width_3d = 0, height_3d = 0, depth_3d = 0;
  int layered_1d_width = 0, layered_1d_layers = 0;
  int layered_2d_width = 0, layered_2d_height = 0, layered_2d_layers = 0;
  int memory_pitch_bytes = 0;  ///< of copies with a pitch
  int alignment_bytes = 0;     ///< of a texture's first byte
  std::string source;
};

/// Caches of the read-only path where they are of their own, beside L1. 0: there are none, or no source was found.
struct ReadOnlyCaches {
  int per_multiprocessor = 0, bytes_each = 0;
  std::string source;
};

using MemoryModel = access::MemoryModel;

struct Arch {
  std::string name;        ///< "sm_90"
  std::string generation;  ///< "Hopper"
  Limits limits;
  LaunchLimits launch;
  RegisterFile registers;
  SharedMemory shared;
  Multiprocessor multiprocessor;
  Latency latency;
  MemoryModel memory;
  TextureLimits texture{};
  ReadOnlyCaches read_only{};
};

enum class Clock : std::uint8_t { multiprocessor, memory };

/// 0: not known.
struct DeviceMemory {
  std::int64_t bytes = 0;
  int l2_bytes = 0;
  int bus_bits = 0;            ///< width of the bus to device memory
  int l2_bytes_per_cycle = 0;  ///< reads, in cycles of the multiprocessors
  double l2_gb_per_s = 0;      ///< reads, as measured; takes the place of the rate that the cycles give
  std::string l2_source;       ///< of the rate; empty: `source`
  std::string source;          ///< empty: nothing is known
};

struct Gpu {
  std::string name;
  std::vector<std::string> aliases;
  Arch arch;
  int multiprocessors = 0;
  double multiprocessor_clock_ghz = 0, memory_clock_ghz = 0;
  double bandwidth_gb_per_s = 0;                ///< 1 GB is 10^9 bytes
  Clock latency_clock = Clock::multiprocessor;  ///< whose cycles the memory latency counts
  std::string source;
  DeviceMemory memory{};

  double latency_clock_ghz() const {
    return latency_clock == Clock::memory ? memory_clock_ghz : multiprocessor_clock_ghz;
  }
};

struct GpuTable {
  std::vector<Arch> archs;
  std::vector<Gpu> gpus;

  /// "sm_90", "sm_90a", "compute_90", "90" or "9.0".
  Expected<Arch> arch(std::string_view name) const;
  /// A name as people and drivers write it: "h200", "NVIDIA H100 80GB HBM3", "Tesla V100-SXM2-16GB". Words before and
  /// after the name are fine unless they make it another GPU ("RTX 4090 Laptop GPU").
  Expected<Gpu> gpu(std::string_view name) const;
  /// Of an architecture's name, else of a GPU's.
  Expected<Arch> arch_of(std::string_view name) const;
};

/// `file` is the name for diagnostics; each carries the line it is about.
Expected<GpuTable> parse_gpu_table(std::string_view text, std::string_view file);

/// assets/gpus.toml, read once.
const Expected<GpuTable>& gpu_table();

}  // namespace lanescope::occupancy
