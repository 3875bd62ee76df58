#pragma once
// Atomics whose result is not read: `atom` as nvcc writes it for atomicAdd(&x, 1) alone, and `red`, which has none.

#include <vector>

#include "kernels/ptx/program.h"

namespace lanescope::ptx {

/// By instruction of the entry: it is an `atom` or `red`, and no instruction nor probe names the register that an `atom` writes.
/// Of a function with a body only those without a register: its caller may read that one.
std::vector<bool> unread_results(const Entry& entry);

}  // namespace lanescope::ptx
