#pragma once
// `occupancy --limits`: what a GPU and its architecture have and allow, each fact with its source.

#include <string>

namespace lanescope::cli {

/// Of a GPU; of an architecture where only that is named; of the H200 where neither is. Gives the exit status.
int list_limits(const std::string& gpu, const std::string& arch, bool as_json);

}  // namespace lanescope::cli
