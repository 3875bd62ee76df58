#pragma once
// Layouts as other tools publish them: for each kind of index a list of bases, the coordinates that each of its bits
// adds. `{{0,1},{0,2},{4,0}}` says bit 0 moves one along the second axis, bit 2 four along the first. Coordinates here
// are integers per axis; inside lanescope they are packed into one word, the first axis highest.

#include <span>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/layout/affine_map.h"

namespace lanescope::layout {

/// How a tuple of coordinates lies in one word: the last axis in the lowest bits, as in C arrays.
struct Packing {
  std::vector<int> bits;  ///< of each axis
  int total() const;
  /// nullopt where a coordinate is negative or does not fit, or the number of axes differs.
  std::optional<std::uint64_t> pack(std::span<const int> coordinates) const;
  std::vector<int> unpack(std::uint64_t word) const;
};

/// The narrowest packing that holds every coordinate of `bases`, all tuples of the same length.
Packing packing_for(std::span<const std::vector<int>> bases);

/// The bases as columns; input bit 0 first.
Expected<AffineMap> map_of_bases(std::span<const std::vector<int>> bases, const Packing& packing);

struct BasisList {
  Place place = Place::simd;
  std::vector<std::vector<int>> bases;  ///< bit 0 first; coordinates in the order of `axes`
};

/// Basis lists as a layout. The logical bits are named by axis and number; an axis that ends in a digit gets a `_`
/// before the number ("dim0_3"). Lists may come in any order, at most one for a place.
Expected<PhysicalToLogical> from_bases(std::span<const BasisList> lists, std::span<const std::string> axes);

}  // namespace lanescope::layout
