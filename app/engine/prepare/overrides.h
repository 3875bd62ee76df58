#pragma once
// Values that replace those of a launch header for one run, such as a job of a sweep.

#include "app/engine/requests/requests.h"
#include "kernels/source/source.h"

namespace lanescope::engine {

/// Names:
///   block, grid, cluster   "256", "32x8" or "8x4x2"; of every launch of the header
///   dynamic_shared         bytes; of every launch
///   seed, arch             of the run
///   D:NAME                 the macro NAME, as the compiler option -DNAME=value
///   any other name         a scalar argument, of every launch that has one of this name ("arg:block" for an argument that
///                          has one of the names above)
/// Buffers keep the shapes of the header. Expected results of the header do not apply to other scalar arguments. For
/// another launch or macro they are compared, and a difference is undecided (replaced_values). Error: no such argument
/// (the existing ones are listed), or an invalid value.
Diagnostics apply_overrides(const RunRequest& request, source::Source& source);

/// The header's values, in words, that a request replaces: "block = 32", "n = 8". Before apply_overrides().
struct ReplacedValues {
  std::vector<std::string> launch;     ///< of launches and macros
  std::vector<std::string> arguments;  ///< scalar ones
};
ReplacedValues replaced_values(const RunRequest& request, const source::Source& source);

/// The request with the overrides applied that are not the header's business (seed, arch); they are checked here.
Expected<RunRequest> with_run_overrides(RunRequest request);

}  // namespace lanescope::engine
