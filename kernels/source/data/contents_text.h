#pragma once
// "zeros", "random 7", "copy of p": what a buffer holds, in words.

#include <string_view>

#include "kernels/base/diagnostic.h"
#include "kernels/source/model/buffer.h"

namespace lanescope::source {

/// The error carries a message and a remedy, no place.
Expected<Contents> contents_from_text(std::string_view text);

}  // namespace lanescope::source
