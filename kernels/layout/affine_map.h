#pragma once
// F2-affine maps as columns of bits, and the algebra on them. Physical index -> logical index is the direction in which
// they are kept, because a physical place always holds at most one element, while an element may sit in many places.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/layout/assignment.h"

namespace lanescope::layout {

/// y = M x + c over F2, at most 64 bits on either side. `columns[i]` is the image of input bit i.
struct AffineMap {
  int out_bits = 0;
  std::vector<std::uint64_t> columns;
  std::uint64_t constant = 0;

  bool operator==(const AffineMap&) const = default;
  int in_bits() const { return static_cast<int>(columns.size()); }
  std::uint64_t operator()(std::uint64_t x) const;
};

int rank(const AffineMap& f);
/// The inverse where f is a bijection.
std::optional<AffineMap> invert(const AffineMap& f);
/// g with f(g(y)) = y for every y that f reaches; free input bits are 0 (the smallest preimage of each basis image).
std::optional<AffineMap> right_inverse(const AffineMap& f);

/// Bits of a place packed into one word, simd lowest, then register, thread, warp, block.
struct PhysicalShape {
  std::array<int, place_count> bits{};  ///< indexed by Place
  bool operator==(const PhysicalShape&) const = default;
  int total() const { return bits[0] + bits[1] + bits[2] + bits[3] + bits[4]; }
  int offset(Place p) const;
  PhysicalBit bit_at(int packed_bit) const;
};

/// An assignment as a map from packed physical bits to `names` (bit n of the result is names[n]). Unused and junk bits
/// map to 0. nullopt where the rows do not determine every named logical bit, and where they depend on each other: with
/// r0 = i0 and t0 = i0 half of the places hold nothing, which no map can say. Names come in the order of `logical_bits`.
struct PhysicalToLogical {
  PhysicalShape shape;
  std::vector<std::string> names;
  AffineMap map;
};
std::optional<PhysicalToLogical> to_map(const Assignment& a);
/// Why `to_map` gives nothing, in words; empty when it gives a map.
std::string why_no_map(const Assignment& a);

/// The other way: rows from a map. Where the map is a bijection on some of the bits and constant on the others, the
/// rows are its exact inverse: single names for a permutation, sums otherwise, [unused] for bits that change nothing.
/// Two more cases exist, and in both every row is still true:
///  - several bits change the element in dependent ways (r0 and t1 both flip i0). The array is then there more than
///    once, and bits of an extra axis `copy` number the copies, placed at the highest such bits: t1 = copy0,
///    r0 = i0+copy0. An [unused] bit is the copy bit that nothing else reads.
///  - logical bits change only together (the diagonal, i0 = j0). The first of them by position in `names` is named, the
///    others are left unsaid, as are logical bits that no physical bit changes.
/// `to_map(from_map(m))`, where defined, agrees with `m` at every place on every logical bit that the rows name, and
/// equals `m` (up to the order of names) when m is a bijection but for broadcast. A row of 0 bits is left out.
Assignment from_map(const PhysicalToLogical& m);

}  // namespace lanescope::layout
