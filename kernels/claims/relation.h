#pragma once
// A stated assignment made ready for checking millions of places: where the units of a register array lie in its words,
// and which physical bits an element must have.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/claims/elements.h"
#include "kernels/claims/store.h"
#include "kernels/layout/affine_map.h"

namespace lanescope::claims {

/// How a register array is cut into places. A unit is the register of one value of r: 32 bits, except that elements of
/// 64 bits take 64, that a lone `half` or `char` is a unit of its own size, and that a stated simd row may widen it
/// (float2 with simd s0). Grain is the width of a place; where no simd row is stated it is the element's.
struct Geometry {
  struct Unit {
    int word = 0;  ///< first word, numbered over all registers in order
    int first_bit = 0;
    int variable = 0;  ///< index in the claim's registers
  };
  int unit_bits = 32, grain_bits = 32;
  std::vector<Unit> units;  ///< r = 0, 1, ...
  int parts() const { return unit_bits / grain_bits; }
  int simd_bits() const;
  int register_bits() const;  ///< enough for all units
  int words_per_unit() const { return unit_bits > 32 ? unit_bits / 32 : 1; }
};

/// `simd_bits`: of the stated row; nullopt where there is none.
Geometry geometry_of(const std::vector<int>& registers, const source::Source& source, std::span<const int> value_bytes,
                     int element_bits, std::optional<int> simd_bits);

/// Bits of one scalar of a C++ type as written: 16 for half, 8 for uchar, 32 for everything that fills registers.
int scalar_bits(std::string_view type);

/// The relation between places and elements of one buffer by a stated assignment.
class Relation {
 public:
  /// `problem()` is non-empty where a stated name is no axis of the buffer.
  Relation(const layout::Assignment& stated, const LogicalBits& logical);
  const std::string& problem() const { return problem_; }

  bool has(layout::Place p) const { return present_[static_cast<std::size_t>(p)]; }
  const layout::PhysicalShape& shape() const { return shape_; }
  std::uint64_t sums() const { return sums_; }  ///< packed physical bits that are sums
  std::uint64_t junk() const { return junk_; }  ///< places with one of these bits hold nothing
  std::uint64_t unused() const { return unused_; }
  std::uint64_t unsaid() const { return unsaid_; }  ///< nothing is claimed about these bits of rows that are present
  /// Logical bits that no row names (tiles, other axes): for fixed places of the absent rows they must not vary.
  std::uint64_t residual() const { return residual_; }
  /// True where the sums settle every named bit. Otherwise [unused] says more than the sums do.
  bool settled() const { return open_ == 0; }
  std::uint64_t named() const { return named_; }
  /// Whether the rows give no element to a place, because its coordinates are beyond an axis of 24, say. The contents
  /// of such a place do not matter.
  bool outside(std::uint64_t place) const;
  /// The sums that an element has.
  std::uint64_t place_of(std::uint64_t logical) const {
    std::uint64_t place = constant_;
    for (std::size_t b = 0; b < tables_.size(); ++b, logical >>= 8) place ^= tables_[b][logical & 255];
    return place;
  }
  /// The element at a place, its unnamed bits being `residual`; nullopt if the sums do not determine it.
  std::optional<std::uint64_t> element_at(std::uint64_t place, std::uint64_t residual) const;

 private:
  std::array<bool, layout::place_count> present_{};
  layout::PhysicalShape shape_;
  std::uint64_t sums_ = 0, junk_ = 0, unused_ = 0, unsaid_ = 0, constant_ = 0, residual_ = 0, named_ = 0, open_ = 0;
  const LogicalBits* ragged_ = nullptr;  ///< the axes, where places can be outside of them
  std::uint64_t beyond_ = 0;             ///< physical bits of a bit that such an axis is too short for
  std::vector<std::array<std::uint64_t, 256>> tables_;
  struct Solved {
    std::uint64_t pivot = 0;   ///< logical bit
    std::uint64_t others = 0;  ///< bits that no sum settles and that it also depends on
    std::uint64_t places = 0;  ///< physical bits whose XOR (with `constant_`'s) it is
  };
  std::vector<Solved> solved_;
  std::vector<std::uint64_t> dependent_;  ///< physical bits whose sums cancel: their XOR must be that of `constant_`
  std::string problem_;
};

}  // namespace lanescope::claims
