#pragma once
// The part of `lanescope access` that depends on the generation: which memory an access goes to, by which path, and what
// it costs there.

#include <optional>
#include <string>
#include <string_view>

#include "app/cli/answers/options.h"
#include "kernels/base/diagnostic.h"
#include "profiling/access/traffic.h"

namespace lanescope::cli {

/// Absent: no space has this name.
std::optional<trace::MemorySpace> access_space(std::string_view name);

struct AccessRoute {
  trace::MemorySpace space = trace::MemorySpace::global;
  std::optional<access::LoadPath> path;  ///< global memory only
  std::string arch;                      ///< "sm_35"; empty: not chosen, an H200's
  access::MemoryModel memory = access::h200_memory();
};
/// From --space, --op, --path and --arch, which takes names of GPUs, too. Errors: what there is not, a path that the
/// generation or a store does not have.
Expected<AccessRoute> access_route(const AccessOptions& options);

/// The path that an access takes where none was named: on Fermi and Kepler, whose paths move different pieces, L1's for loads
/// that it holds by default, and L2's for all others. Later generations and other memories stay as they are.
AccessRoute with_default_path(AccessRoute route, const access::Access& access);

/// The computed fields as JSON without braces.
void append_cost(std::string& out, const AccessRoute& route, const access::Access& access);

}  // namespace lanescope::cli
