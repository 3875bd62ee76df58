#pragma once
// The same kernel compiled again with fewer registers: registers and spills of each cap (maxrregcount).

#include <atomic>
#include <vector>

#include "app/engine/requests/requests.h"
#include "kernels/base/diagnostic.h"
#include "results/summary.h"

namespace lanescope::engine {

/// One row per cap, in the order of `caps`, for the kernel of the launch that views show; plain program, nothing runs.
/// A cap of 0: the file's own options; any other replaces a maxrregcount among them. A kernel with launch bounds keeps
/// those: the assembler then ignores the cap, and the row shows its result. A row that could not be compiled has the
/// reason. Ends early when `cancel` is set. Error: the source cannot be read, or is bare PTX.
Expected<std::vector<results::RegisterLimit>> register_caps(const RunRequest& request, const std::vector<int>& caps,
                                                            const std::atomic<bool>* cancel = nullptr);

}  // namespace lanescope::engine
