#pragma once
// PTX of kernels that launch kernels calls functions of the device runtime, which is a library of the CUDA Toolkit: the
// driver links both before it loads them.

#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/gpu/driver.h"

namespace lanescope::gpu {

bool needs_device_runtime(const std::string& ptx);

/// libcudadevrt.a of the toolkit in CUDA_PATH, CUDA_HOME or the usual folder; empty: there is none.
std::string device_runtime_library();

/// Machine code for the current context. Errors: no library, what the driver says.
Expected<std::vector<char>> linked_with_device_runtime(const Driver& driver, const std::string& ptx);

}  // namespace lanescope::gpu
