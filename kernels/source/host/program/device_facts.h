#pragma once
// Properties of the GPU that the host code can query: compute capability 9.0 with 132 multiprocessors, like an H200.
// Sources: CUDA C++ Programming Guide, technical specifications per compute capability; cudaGetDeviceProperties on an
// H200 for the numbers of multiprocessors and registers.

#include <array>
#include <cstdint>
#include <string_view>

namespace lanescope::source::host {

inline constexpr std::int64_t multiprocessors = 132, threads_of_multiprocessor = 2048, blocks_of_multiprocessor = 32,
                              shared_of_multiprocessor = 233472, shared_of_block_for_system = 1024;

struct DeviceFact {
  std::string_view property;   ///< member of cudaDeviceProp
  std::string_view attribute;  ///< the name after cudaDevAttr; empty: none
  std::int64_t value;
  int bytes = 4;
};

inline constexpr DeviceFact device_facts[] = {
    {"multiProcessorCount", "MultiProcessorCount", multiprocessors},
    {"major", "ComputeCapabilityMajor", 9},
    {"minor", "ComputeCapabilityMinor", 0},
    {"warpSize", "WarpSize", 32},
    {"maxThreadsPerBlock", "MaxThreadsPerBlock", 1024},
    {"maxThreadsPerMultiProcessor", "MaxThreadsPerMultiProcessor", threads_of_multiprocessor},
    {"maxBlocksPerMultiProcessor", "MaxBlocksPerMultiprocessor", blocks_of_multiprocessor},
    {"regsPerBlock", "MaxRegistersPerBlock", 65536},
    {"regsPerMultiprocessor", "MaxRegistersPerMultiprocessor", 65536},
    {"sharedMemPerBlock", "MaxSharedMemoryPerBlock", 49152, 8},
    {"sharedMemPerMultiprocessor", "MaxSharedMemoryPerMultiprocessor", shared_of_multiprocessor, 8},
    {"sharedMemPerBlockOptin", "MaxSharedMemoryPerBlockOptin", 232448, 8},
    {"reservedSharedMemPerBlock", "ReservedSharedMemoryPerBlock", shared_of_block_for_system, 8},
    {"totalConstMem", "TotalConstantMemory", 65536, 8},
    {"concurrentKernels", "ConcurrentKernels", 1},
    {"cooperativeLaunch", "CooperativeLaunch", 1},
    {"managedMemory", "ManagedMemory", 1},
    {"concurrentManagedAccess", "ConcurrentManagedAccess", 1},
    {"unifiedAddressing", "UnifiedAddressing", 1},
    {"canMapHostMemory", "CanMapHostMemory", 1},
    {"integrated", "Integrated", 0}};

inline constexpr std::array<std::int64_t, 3> most_grid = {2147483647, 65535, 65535}, most_block = {1024, 1024, 64};

}  // namespace lanescope::source::host
