#pragma once
// Which elements are to be followed, from what was typed.

#include <string>
#include <vector>

#include "app/engine/requests/requests.h"
#include "kernels/base/diagnostic.h"
#include "results/summary.h"

namespace lanescope::cli {

/// Of "p[17]", "p[64..67]", several. Errors: no such buffer or element, too many.
Expected<engine::JourneyRequest> wanted_journeys(const results::Summary& summary,
                                                 const std::vector<std::string>& elements);

}  // namespace lanescope::cli
