#pragma once
// A basis of a subspace of F2^64 in reduced echelon form, each vector with a tag that follows it through every
// addition. The pivot is the lowest set bit, so bits that earlier (lower) vectors do not explain stay free as high as
// possible.

#include <array>
#include <bit>
#include <cstdint>

#include "kernels/base/set_bits.h"

namespace lanescope::layout {

template <class Tag>
class F2Basis {
 public:
  struct Entry {
    std::uint64_t vector = 0;
    Tag tag{};
  };

  /// Subtracts the part in the span of the basis. The residual is 0 exactly when `e.vector` is in the span. Linear in
  /// `e`.
  Entry reduce(Entry e) const {
    for (const std::size_t bit : set_bits(e.vector & pivots_)) {
      const Entry& row = rows_[bit];
      e.vector ^= row.vector;
      e.tag ^= row.tag;
    }
    return e;
  }

  /// False, and nothing changes, when `e.vector` is already in the span.
  bool insert(Entry e) {
    e = reduce(e);
    if (e.vector == 0) return false;
    const int pivot = std::countr_zero(e.vector);
    for (const std::size_t bit : set_bits(pivots_)) {
      Entry& row = rows_[bit];
      if ((row.vector >> pivot & 1) == 0) continue;
      row.vector ^= e.vector;
      row.tag ^= e.tag;
    }
    pivots_ |= std::uint64_t{1} << pivot;
    rows_[static_cast<std::size_t>(pivot)] = e;
    return true;
  }

  int rank() const { return std::popcount(pivots_); }
  std::uint64_t pivots() const { return pivots_; }
  /// The entry whose pivot is `bit`; only where `pivots()` has it.
  const Entry& row(int bit) const { return rows_[static_cast<std::size_t>(bit)]; }

 private:
  std::array<Entry, 64> rows_{};
  std::uint64_t pivots_ = 0;
};

}  // namespace lanescope::layout
