#pragma once
// The GPUs of this machine.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/gpu/gpu.h"
#include "results/measured.h"

namespace lanescope::engine {

/// "NVIDIA H200" and others of this machine, by number; empty without a GPU.
std::vector<std::string> gpu_devices();
/// Error: there is no such GPU. Quick; called before a child is started.
Expected<void> need_device(int device);
/// Its name, architecture, driver and multiprocessors; nothing of one without a name.
void describe_device(const gpu::DeviceInfo& device, results::Measured& measured);
/// The same as need_device(); false, and why in `measured.refused`. Describes the device if that has not been done.
bool have_device(int device, results::Measured& measured);

// Tasks of this program as a child process, `lanescope child TASK`.

/// "run" (kernels/gpu/child.h), "measure" and "live" (profiling/cupti), "judge" (claims.h), "compile"
/// (kernels/compile/calls/workers.h).
inline constexpr std::array<std::string_view, 5> child_tasks{"run", "measure", "live", "judge", "compile"};

/// The words of a command that starts this program as a child that does one of them.
inline std::vector<std::string> child_command(const std::string& task) { return {"/proc/self/exe", "child", task}; }

/// The whole of a child's main(), on standard input and output: its exit status; 2 for a task that is none of child_tasks.
int serve_child(std::string_view task);

}  // namespace lanescope::engine
