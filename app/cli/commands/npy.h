#pragma once
// Buffers as .npy files (NumPy's own format, version 1.0).

#include <cstddef>
#include <string>
#include <vector>

#include "app/engine/requests/run_result.h"
#include "results/summary.h"

namespace lanescope::cli {

/// The elements of the buffer in the order of its axes, holes left out. Types that NumPy does not have are written as the
/// unsigned integers of the same bits: bf16 as 16-bit, u4, s4 and b1 as one byte per element.
std::vector<std::byte> npy_bytes(const engine::Output& output, const results::BufferInfo& spec);

}  // namespace lanescope::cli
