#pragma once
// Runs of host code that were made before. A file is read again after every edit, and its host code is seldom what was
// edited: a run is taken again where nothing that it depends on has changed - every token outside of the bodies of kernels,
// with its line, and every directive.

#include "kernels/source/host/host_run.h"

namespace lanescope::source {

inline constexpr std::size_t most_cached_runs = 8;
inline constexpr std::size_t most_cached_bytes = std::size_t{128} << 20;  ///< of the contents of their buffers

/// run_host(lexed, outline, {}, command_line), from the cache where it is there. For any thread.
HostRun cached_host_run(const Lexed& lexed, const Outline& outline, const std::vector<std::string>& command_line = {});

/// How often a run was taken from the cache since the program began.
std::size_t host_cache_hits();

}  // namespace lanescope::source
