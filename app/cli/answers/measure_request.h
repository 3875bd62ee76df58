#pragma once
// Parts of a measurement by the names that are typed.

#include <string>
#include <vector>

#include "app/engine/requests/requests.h"
#include "kernels/base/diagnostic.h"

namespace lanescope::cli {

/// "timing", "counters", ...
std::vector<std::string> measured_parts();

/// The request for these parts; for all where none is named. Error: a part that there is not.
Expected<engine::MeasureRequest> measure_request(const std::vector<std::string>& parts);

}  // namespace lanescope::cli
