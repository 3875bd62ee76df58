#pragma once
// Names that options had: still read, and shown nowhere.

#include <string>
#include <vector>

namespace lanescope::cli {

/// The words of a command line up to `--` with today's names.
void put_current_names(std::vector<std::string>& words);

}  // namespace lanescope::cli
