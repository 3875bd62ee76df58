#pragma once
// The short form of a buffer: "f16 i:16 j:16/20 = zeros".

#include <string_view>

#include "kernels/base/diagnostic.h"
#include "kernels/source/model/buffer.h"

namespace lanescope::source {

/// Type and axes, strides and elements filled in. `line`, `column` go into diagnostics.
Expected<BufferSpec> read_buffer_text(std::string_view name, std::string_view text, std::string_view file, int line,
                                      int column);

}  // namespace lanescope::source
