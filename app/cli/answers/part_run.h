#pragma once
// Runs a file; one that is a part of another and does not compile alone runs through the file that includes it.

#include "app/engine/remote/engine.h"

namespace lanescope::cli {

/// `request` becomes that of the including file where that one ran; then claims and findings are those of the part, and
/// the first notice says so. Outputs, counters and faults are of the whole.
engine::RunResult run_file(engine::Engine& engine, engine::RunRequest& request);

}  // namespace lanescope::cli
