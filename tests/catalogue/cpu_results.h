#pragma once
// Outputs of the catalogue's kernels that compute, as plain CPU code over arrays: no threads, blocks or shared memory.

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

/// The first and every further `step`-th element of `in`.
Bytes every(const Inputs& inputs, std::size_t step);
/// Left + 2 self + right of `in`, s32; ends count as their own neighbours.
Bytes weighted_neighbours(const Inputs& inputs);
/// One blur of `in` without the ends, which stay 0.
Bytes blurred_inside(const Inputs& inputs);
/// a' (s - s^3 / 6) with s = w' x; a' and w' come from the other end of each 128 elements.
Bytes mirrored_waves(const Inputs& inputs);
Bytes reversed(const Inputs& inputs);
/// Sum of x y, s32, modulo 2^32.
Bytes dot_product(const Inputs& inputs);
/// Sums of so many words each, of 32 bits.
Bytes sums_of_parts(const Bytes& what, std::size_t each);
/// 8 threads at depth 0, half as many at each deeper one; 8 words a depth, the others 0.
Bytes threads_of_each_depth(const Inputs& inputs);
/// `what`, s32, with `more` added to each.
Bytes added(const Bytes& what, std::int32_t more);
/// How many of x are multiples of 100.
Bytes count_of_zeros(const Inputs& inputs);
/// `values` modulo 64.
Bytes histogram(const Inputs& inputs);
/// 1 for each of the positive x, then 0.
Bytes slots_of_positives(const Inputs& inputs);
/// `elements` words: those of `p` at origin(n).
Bytes gathered(const Inputs& inputs, std::size_t elements, const std::function<std::uint64_t(std::uint64_t)>& origin);
/// `elements` words: that of `p` at n is at place(n) for the first `lanes` of each 32, all others are 0.
Bytes scattered(const Inputs& inputs, std::size_t elements, std::size_t lanes,
                const std::function<std::uint64_t(std::uint64_t)>& place);
/// p, p + 1, p + 2, p + 3, one array after the other.
Bytes four_sums(const Inputs& inputs);
/// ((x / 2 - 2) x + 1/4) x + 1, a rounding for each product and sum together.
Bytes polynomial(const Inputs& inputs);
/// Each element times its number modulo 32.
Bytes times_lane(const Inputs& inputs);
/// The sums over the first of five axes, in order.
Bytes sums_of_five(const Inputs& inputs);
Bytes matrix_sum(const Inputs& inputs);
/// 1000 is added from element 40 on.
Bytes row_added(const Inputs& inputs);

}  // namespace lanescope::catalogue
