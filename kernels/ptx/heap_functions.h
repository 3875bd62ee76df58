#pragma once
// The device heap as PTX reaches it: functions of the system, declared and without a body, as NVRTC and nvcc 13.0 write
// them.

#include <string_view>

#include "kernels/ptx/program.h"

namespace lanescope::ptx {

/// malloc, free, the allocation function of `new` of an aligned type, and cudaMalloc and cudaFree of device code.
bool is_heap_function(std::string_view name);

/// Whether any code of the module may allocate or free memory of the device heap.
bool allocates_memory(const Module& module);

}  // namespace lanescope::ptx
