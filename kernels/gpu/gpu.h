#pragma once
// Launches on a real GPU: the same Launch and Buffers as the emulator takes. A kernel that faults poisons the CUDA
// context of its process, so callers that must survive run this in a child process (app/engine does).

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/trace/launch.h"

namespace lanescope::gpu {

struct DeviceInfo {
  int index = 0;
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  int multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
  int clock_khz = 0, memory_clock_khz = 0, memory_bus_bits = 0;
  std::uint64_t l2_bytes = 0, shared_bytes_per_block = 0, shared_bytes_per_multiprocessor = 0;
  int driver_version = 0;  ///< 13000 for CUDA 13.0
  /// "sm_90"
  std::string arch() const;
};

/// Every GPU of this machine. Error: why there is none, and the remedy.
Expected<std::vector<DeviceInfo>> devices();

struct RunOptions {
  int device = 0;
  int warm_up = 0;      ///< launches before timing, after the one whose results are kept
  int repetitions = 0;  ///< timed launches
  bool cooperative = false;
  std::uint64_t heap_bytes = 0;  ///< of the device heap; 0: the kernels do not allocate
};

struct Timing {
  std::vector<float> milliseconds;  ///< one per repetition, by events
  float median() const;             ///< of an even number the mean of the two in the middle
  float spread() const;             ///< between the quartiles; 0 below four repetitions
};

struct Resources {
  int registers = 0, shared_bytes = 0, local_bytes = 0, constant_bytes = 0, max_threads = 0;
};

struct RunResult {
  Timing timing;
  Resources resources;
  std::vector<std::uint64_t> addresses{};  ///< of the buffers, in order
  std::uint64_t free_bytes = 0;            ///< of the device's memory, before anything was allocated
  std::string fault;  ///< non-empty: the launch failed on the device, in words; this process can use the GPU no more
};

/// Loads `ptx`, copies `buffers` in, launches once, copies them back, then times repetitions (whose results are
/// discarded). Errors: no GPU, PTX the driver refuses, sizes beyond the device.
Expected<RunResult> run(const std::string& ptx, const std::vector<trace::Launch>& launches,
                        std::vector<trace::Buffer>& buffers, const RunOptions& options);

}  // namespace lanescope::gpu
