#pragma once
// How full a GPU gets with the kernel of a run, or with one number of it changed: profiling/occupancy's answers as the
// values that views::occupancy_view draws.

#include <optional>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "profiling/access/memory_model.h"
#include "results/occupancy.h"
#include "results/summary.h"

namespace lanescope::engine {

/// Differences from the run.
struct OccupancyChoice {
  std::string gpu = "";            ///< a name of gpu_names(), or as drivers write it; empty: default_gpu()
  std::optional<int> registers{};  ///< per thread
  std::optional<int> threads{};    ///< per block; the grid then has as many blocks as hold the same threads
  std::optional<int> dynamic_shared_bytes{};
  std::string shared_formula = "";         ///< dynamic shared bytes by `threads` of a block: "threads*8 + 16"
  std::optional<int> carveout_percent{};   ///< shared memory preferred over L1
  std::optional<int> latency_cycles{};     ///< of memory, for Little's law
  std::optional<int> arithmetic_cycles{};  ///< the same of arithmetic
  std::optional<double> bandwidth_gb_per_s{};
  int bytes_per_thread = 4;  ///< that one thread has in flight
};

/// Reads Summary::arch, resources and work. Registers are those of the architecture that the kernel was compiled for,
/// also where the GPU is of another one. The roofline is absent where nothing floating was computed. Errors: a GPU that
/// is not in the table; registers that are not known (bare PTX) and that the choice leaves out; a launch without threads.
Expected<results::OccupancyInfo> occupancy_info(const results::Summary& summary, const OccupancyChoice& choice);

/// The GPUs of the table, in its order.
std::vector<std::string> gpu_names();
/// The architectures of the table, oldest first.
std::vector<std::string> arch_names();

/// The table's name of a GPU that a driver calls so ("NVIDIA H200"); empty: the table does not have it.
std::string table_name(const std::string& device);

/// The named GPU of an architecture: of several, the one with the largest memory bandwidth (H200 of sm_90). Error: none.
Expected<std::string> default_gpu(const std::string& arch);

/// The memory that a picture of accesses speaks of.
struct ShownMemory {
  std::string arch;  ///< "sm_90"; empty: the table has neither, and the memory is an H200's
  access::MemoryModel memory;
};
/// Of `gpu`, a name of gpu_names() or of arch_names(), or as drivers write it; empty: of the architecture.
ShownMemory shown_memory(const std::string& arch, const std::string& gpu);

}  // namespace lanescope::engine
