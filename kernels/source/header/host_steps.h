#pragma once
// Changes of the host code to buffers between the launches that run: HostRun::changes as steps before launches.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "kernels/source/host/host_run.h"
#include "kernels/source/model/launch.h"

namespace lanescope::source {

/// By launch of the sequence: the number of earlier launches of the host code. All are launches of `run`.
std::vector<std::size_t> positions_of(const HostRun& run, const std::vector<const HostLaunch*>& sequence);

/// Index of the first launch of the sequence that comes after `launches_before` others; -1: none does.
int next_launch(const std::vector<std::size_t>& positions, std::size_t launches_before);

struct SeenChanges {
  std::vector<int> launch;      ///< by change: the first launch after it; -1: none
  std::vector<int> doubtful{};  ///< changes that may not happen, and are left out
};
/// `taken`: buffers passed to the launches. Buffers that these point to, or that are copied from them, are included.
SeenChanges seen_changes(const HostRun& run, const std::vector<const HostLaunch*>& sequence, std::set<int> taken);

/// `name` gives a buffer's name. Not of an unknown change.
HostStep step_of(const HostChange& change, const std::function<std::string(int buffer)>& name);
/// A copy of the host code into a variable.
HostStep step_of(const HostSymbol& symbol);

}  // namespace lanescope::source
