#pragma once
// The one way in which this program reads a file whole.

#include <string>

#include "kernels/base/diagnostic.h"

namespace lanescope {

/// Every byte of it; pipes and devices are read to their end. Error: nothing has that name, it is a folder, or the
/// system's own reason, with `path` as the user named it.
Expected<std::string> read_file(const std::string& path);

}  // namespace lanescope
