#pragma once
// The views of a run as comma-separated values.

#include <string>
#include <string_view>

#include "viz/views/base/selection.h"

namespace lanescope::views {

std::string registers_csv(const Summary&, const Moment&);   ///< one row per cell
std::string global_csv(const Summary&, const Moment&);      ///< one row per active lane of the access
std::string shared_csv(const Summary&, const Moment&);      ///< one row per word of shared memory
std::string timeline_csv(const Summary&);                   ///< one row per mark
std::string assignment_csv(const Summary&, const Moment&);  ///< one row per physical bit
std::string counters_csv(const Summary&);                   ///< one row per line
std::string ptx_csv(const Summary&);                        ///< one row per instruction
std::string divergence_csv(const Summary&);                 ///< one row per line

/// By the name of the view, as `lanescope render --view` has it; empty for a name that is unknown.
std::string to_csv(std::string_view view, const Summary&, const Moment&);

}  // namespace lanescope::views
