#pragma once
// A conversion as a kernel file with its own launch.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/convert/cuda_text.h"

namespace lanescope::convert {

/// A kernel file: one warp reads the array `p` into registers by `from`, converts them, and writes the array `q` by
/// `to`. It has claims, and `q` must equal `p` if every element is moved. "" for elements of 2 or 128 bits, which no
/// buffer has.
std::string kernel_file(const Conversion& conversion, const CodeNames& names);
/// Where the elements lie in its arrays, in elements: the sum of the columns that the bits of an element's number (by
/// `PlaceMap::names`) choose.
std::vector<std::uint64_t> kernel_file_offsets(const PlaceMap& map);
/// Elements of either array: of all bits of its axes up to the highest that is named.
std::uint64_t kernel_file_elements(const PlaceMap& map);

}  // namespace lanescope::convert
