#pragma once
// The choice of host launches to run. Without a chosen kernel: the launches in their order, up to limits that keep a
// run short. With a kernel chosen: its launches, and before them those whose results they read.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/outline.h"
#include "kernels/source/host/host_run.h"
#include "kernels/source/model/launch.h"

namespace lanescope::source {

inline constexpr std::size_t most_host_launches = 16;            ///< that run, of one file
inline constexpr std::size_t most_launches_of_instance = 4;      ///< of one kernel with the same template arguments
inline constexpr std::uint64_t most_host_threads = 1ULL << 20;   ///< of all launches after the first
inline constexpr std::uint64_t most_first_threads = 1ULL << 22;  ///< of these, if they are the first of their kernels

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

// The host code of another file: a .cu file with kernels, or with functions that launch them, is often called from a
// main.cu or main.cpp beside it.

inline constexpr std::size_t most_siblings = 16;             ///< files of the folder that are searched
inline constexpr std::size_t longest_sibling = 512 * 1024;   ///< bytes; longer files are not searched
inline constexpr std::size_t most_siblings_interpreted = 3;  ///< of those that name a function of this file

struct SiblingHost {
  HostRun run;       ///< of this file's text and the other's after it; lines above `own_lines` are the other's
  std::string file;  ///< name of the other, without its folder
  int own_lines = 0;
};

/// The first file of the folder of `file` whose host code calls a function of this file so that a kernel of it is
/// launched; files called main first. nullopt if there is none, or `file` does not exist.
std::optional<SiblingHost> host_of_sibling(std::string_view file, const Lexed& lexed, const Outline& outline,
                                           const std::vector<std::string>& command_line = {});

/// "line 212" of `run` as "line 12 of main.cpp", wherever it stands in the sentence.
std::string with_sibling_lines(const std::string& sentence, const SiblingHost& sibling);

}  // namespace lanescope::source
