#pragma once
// The subcommands that calculate: about accesses, instructions, blocks and plans. None runs the user's kernel, except
// `occupancy`, which may compile one for its registers and its accesses. Each returns its exit status.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/answers/options.h"
#include "kernels/base/diagnostic.h"
#include "kernels/convert/planner.h"
#include "profiling/access/traffic.h"

namespace lanescope::cli {

int access(const AccessOptions& options);
/// Values of --pattern of `access`: "aligned", "stride", ...
std::vector<std::string> typed_patterns();
int occupancy(const OccupancyOptions& options);
/// Warps, lanes and ranks of the threads of a block.
int threads(const ThreadsOptions& options);
/// The references' figures: exit status 1 when one does not hold.
int figures(const FiguresOptions& options);
/// Ways from one register assignment to another, and their code.
int plan(const PlanOptions& options);
/// An instruction in words. Of a file: exit status 1 if an instruction is not explained fully.
int explain(const ExplainOptions& options);
int counters(const CountersOptions& options);

// The part of `lanescope access` that depends on the generation: the memory and the path of an access, and its cost
// there.

/// Absent: no space has this name.
std::optional<trace::MemorySpace> access_space(std::string_view name);

struct AccessRoute {
  trace::MemorySpace space = trace::MemorySpace::global;
  std::optional<access::LoadPath> path;  ///< global memory only
  std::string arch;                      ///< "sm_35"; empty: not chosen, an H200's
  access::MemoryModel memory = access::h200_memory();
};
/// From --space, --op, --path and --arch, which takes names of GPUs, too. Errors: unknown names, a path that the
/// generation or a store does not have.
Expected<AccessRoute> access_route(const AccessOptions& options);

/// The default path of an access: on Fermi and Kepler, whose paths move different units, L1's for loads that it caches
/// by default, and L2's for all others. Other generations and memories are unchanged.
AccessRoute with_default_path(AccessRoute route, const access::Access& access);

/// The computed fields as JSON without braces.
void append_cost(std::string& out, const AccessRoute& route, const access::Access& access);

// `occupancy --limits`: the limits of a GPU and its architecture, each with its source.

/// Of a GPU; of an architecture where only that is named; of the H200 where neither is. Gives the exit status.
int list_limits(const std::string& gpu, const std::string& arch, bool as_json);

// The input of `lanescope plan`, from options or from a file of designs.

/// One design, as text.
struct Design {
  std::string name = "convert", type;
  std::vector<std::string> states;  ///< assignments, two or more
  std::string rename;               ///< "i0=j0 i1=j1": logical bits of the source that the others call otherwise
  convert::Freedom free;
  std::vector<std::string> from_axes, to_axes;  ///< in memory, the fastest last
  std::string element;                          ///< type in CUDA C++
  int plan = 0;                                 ///< which is written, from 1; 0: the recommended one
};

/// The designs of a file: keys at its top, or `[[plan]]` tables. Errors at line and column.
Expected<std::vector<Design>> read_designs(const std::string& path);
Expected<std::vector<Design>> design_of(const PlanOptions& options);

/// The design, planned. `file`: where it was read; empty: from options.
Expected<convert::Chain> planned(const Design& design, const std::string& file);

}  // namespace lanescope::cli
