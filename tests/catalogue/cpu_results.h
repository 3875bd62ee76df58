#pragma once
// What the catalogue's kernels that compute write, as plain CPU code over arrays: no threads, blocks or shared memory.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace lanescope::catalogue {

/// A buffer's bytes before the launch, by its name.
using Inputs = std::function<std::vector<std::byte>(std::string_view)>;
using Bytes = std::vector<std::byte>;

/// Five butterfly steps over the 32 floats of `p`, rounded as f32 after each.
Bytes butterfly_sums(const Inputs& inputs);
/// The sum of (a - b)^2 over s32 arrays, modulo 2^64.
Bytes squared_differences(const Inputs& inputs);
/// 2 x + y, rounded once.
Bytes doubled_and_added(const Inputs& inputs);
/// `in` with each element replaced by (left + 2 self + right) / 4, so many times; ends count as their own neighbours.
Bytes blurred(const Inputs& inputs, int times);
/// (p[first(i)] + p[first(i) + step]) + p[first(i) + 2 step] for `points` points, first(i) being i * stride.
Bytes coordinate_sums(const Inputs& inputs, std::size_t points, std::size_t stride, std::size_t step);

}  // namespace lanescope::catalogue
