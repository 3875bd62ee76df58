#pragma once
// The choice of host launches to run. Without a chosen kernel: the launches in their order, up to limits that keep a
// run short. With a kernel chosen: its launches, and before them those whose results they read.

#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/outline_data.h"
#include "kernels/source/host/host_run.h"
#include "kernels/source/model/launch.h"

namespace lanescope::source {

inline constexpr std::size_t most_host_launches = 16;           ///< that run, of one file
inline constexpr std::size_t most_launches_of_instance = 4;     ///< of one kernel with the same template arguments
inline constexpr std::uint64_t most_host_threads = 1ULL << 20;  ///< of all launches after the first

/// "ns::copy<float>" -> "copy".
/// The kernel that an instance is of: where several have its name, the first with so many parameters, else the first.
const FunctionRange* kernel_called(const Outline& outline, std::string_view instance, std::size_t parameters);

std::string_view kernel_name(std::string_view instance);
/// Whether `wanted`, a name with or without template arguments, names this instance. Blanks are ignored.
bool names_instance(std::string_view wanted, std::string_view instance);

/// Every instance that the host code launches, in that order, then the kernels that it does not launch.
std::vector<KernelInstance> kernel_instances(const HostRun& run, const Outline& outline);

struct HostChoice {
  std::vector<const HostLaunch*> launches;  ///< of `run`
  std::string left_out;                     ///< a sentence; empty: nothing is left out
};
/// `wanted` empty: no choice; then the first launch of a kernel in `with_claims` is among the launches, where there is
/// one.
HostChoice choose_launches(const HostRun& run, const Outline& outline, std::string_view wanted,
                           const std::vector<std::string>& with_claims);

}  // namespace lanescope::source
