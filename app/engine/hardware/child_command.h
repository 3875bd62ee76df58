#pragma once
// What this program does as a child process, `lanescope child TASK` (serve_child.h).

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::engine {

/// "run" (kernels/gpu/child.h), "measure" and "live" (profiling/cupti), "judge" (claims.h), "compile" (kernels/compile/calls/workers.h).
inline constexpr std::array<std::string_view, 5> child_tasks{"run", "measure", "live", "judge", "compile"};

/// The words of a command that starts this program as a child that does one of them.
inline std::vector<std::string> child_command(const std::string& task) { return {"/proc/self/exe", "child", task}; }

}  // namespace lanescope::engine
