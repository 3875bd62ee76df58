#pragma once
// How much work must be in flight so that waiting does not show: Little's law, parallelism = latency x throughput.
//
//   arithmetic, per multiprocessor   20 cycles x 32 operations a cycle = 640 operations = 20 warps
//   memory, for the whole GPU        800 cycles x 92 bytes a cycle = 73,600 bytes = 18,400 threads of 4 bytes
//
// The numbers are those of "CUDA execution model", section 3.4, for Fermi. That document rounds as it goes (74 kB,
// 18,500 threads, 579 warps); MemoryConcurrency::as_the_source_rounds repeats it, the other fields do not round 73,600.
// The document divides the bandwidth by the memory clock and multiplies by a latency in cycles, which are cycles of
// another clock; gpus.toml says per GPU whose cycles are meant.

#include <cstdint>
#include <string>

#include "kernels/base/diagnostic.h"
#include "profiling/occupancy/gpu_table.h"

namespace lanescope::occupancy {

struct ArithmeticConcurrency {
  int latency_cycles = 0;
  int operations_per_cycle = 0;    ///< of one multiprocessor
  int operations_in_flight = 0;    ///< per multiprocessor
  int independent_per_thread = 1;  ///< operations of one thread that do not wait for each other
  int warps_per_multiprocessor = 0;
  std::string source;
};
/// `independent_per_thread` below 1 counts as 1. `own_latency_cycles` takes the place of the table's where it is above 0.
ArithmeticConcurrency arithmetic_concurrency(const Arch& arch, int independent_per_thread = 1,
                                             int own_latency_cycles = 0);

/// The steps as "CUDA execution model" takes them: kilobytes to the next whole one, threads of that, warps rounded up,
/// warps per multiprocessor to the nearest.
struct SourceRounding {
  std::int64_t kilobytes = 0, threads = 0, warps = 0, warps_per_multiprocessor = 0;
};

struct MemoryConcurrency {
  int latency_cycles = 0;
  double clock_ghz = 0;              ///< whose cycles these are
  double bytes_per_cycle_exact = 0;  ///< bandwidth / clock: 91.95...
  std::int64_t bytes_per_cycle = 0;  ///< to the nearest whole byte, 92; what follows stands on it
  std::int64_t bytes_in_flight = 0;  ///< for the whole GPU
  int bytes_per_thread = 0;          ///< that one thread has in flight
  std::int64_t threads = 0, warps = 0;
  std::int64_t warps_per_multiprocessor = 0;  ///< rounded up
  SourceRounding as_the_source_rounds;
  std::string source;
};
/// Figures of one's own in place of the table's.
struct OwnMemory {
  int latency_cycles = 0;         ///< 0: the table's
  double bandwidth_gb_per_s = 0;  ///< 0: the table's
};
/// `bytes_per_thread`: width of a load times the loads of a thread that do not wait for each other. Error: below 1.
Expected<MemoryConcurrency> memory_concurrency(const Gpu& gpu, int bytes_per_thread = 4, const OwnMemory& own = {});

/// Resident warps against needed ones.
struct Hiding {
  std::int64_t needed_warps = 0, resident_warps = 0;
  bool hidden = false;
  double percent = 0;  ///< of the throughput that the resident warps can sustain, at most 100
  /// Independent operations (or loads) per thread with which the resident warps would do; 0 when none is resident.
  std::int64_t independent_needed = 0;
};
/// `needed_warps`: with one independent operation per thread.
Hiding hiding(std::int64_t needed_warps, std::int64_t resident_warps);

}  // namespace lanescope::occupancy
