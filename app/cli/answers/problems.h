#pragma once
// Diagnostics and faults in machine output: the same fields wherever they stand.

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/emulator/emulator.h"

namespace lanescope::cli {

std::string_view severity_name(Severity severity);

/// {"severity": "error", "file": .., "line": .., "column": .., "message": .., "remedy": ..}; places that are not known and
/// an empty remedy are left out.
nlohmann::json diagnostics_json(const Diagnostics& diagnostics);
/// {"kind": "out_of_bounds", "message": .., "block": .., "warp": .., "step": .., "lane": .., "line": .., "address": ..}
nlohmann::json faults_json(const std::vector<emulator::Fault>& faults);

}  // namespace lanescope::cli
