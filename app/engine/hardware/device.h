#pragma once
// The GPUs of this machine.

#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "results/measured.h"

namespace lanescope::engine {

/// "NVIDIA H200" and others of this machine, by number; empty without a GPU.
std::vector<std::string> gpu_devices();
/// Error: there is no such GPU. Quick, and asked before a child is started.
Expected<void> need_device(int device);
/// The same; false, and why in `measured.refused`.
bool have_device(int device, results::Measured& measured);

}  // namespace lanescope::engine
