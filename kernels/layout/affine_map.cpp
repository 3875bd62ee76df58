#include "kernels/layout/affine_map.h"

#include "kernels/base/check.h"
#include "kernels/layout/f2_basis.h"

namespace lanescope::layout {

std::uint64_t AffineMap::operator()(std::uint64_t x) const {
  std::uint64_t y = constant;
  for (std::size_t i = 0; i < columns.size() && x != 0; ++i, x >>= 1)
    if (x & 1) y ^= columns[i];
  return y;
}

int rank(const AffineMap& f) {
  F2Basis<std::uint64_t> image;
  for (const std::uint64_t column : f.columns) image.insert({column, 0});
  return image.rank();
}

std::optional<AffineMap> invert(const AffineMap& f) {
  if (f.in_bits() != f.out_bits || rank(f) != f.out_bits) return std::nullopt;
  return right_inverse(f);
}

namespace {

/// The images of f's columns, each tagged with the input that gives it. A column that depends on lower ones is never
/// used, and a kernel vector's highest bit is always such a column: hence the preimages built from tags are the smallest.
F2Basis<std::uint64_t> image_basis(const AffineMap& f) {
  LS_CHECK_LE(f.in_bits(), 64);
  F2Basis<std::uint64_t> image;
  for (int i = 0; i < f.in_bits(); ++i) image.insert({f.columns[static_cast<std::size_t>(i)], std::uint64_t{1} << i});
  return image;
}

}  // namespace

std::optional<AffineMap> right_inverse(const AffineMap& f) {
  const F2Basis<std::uint64_t> image = image_basis(f);
  AffineMap g{.out_bits = f.in_bits(), .columns = {}, .constant = image.reduce({f.constant, 0}).tag};
  for (int bit = 0; bit < f.out_bits; ++bit) {
    const bool pivot = (image.pivots() >> bit & 1) != 0;
    g.columns.push_back(pivot ? image.row(bit).tag : 0);
  }
  return g;
}

int PhysicalShape::offset(Place p) const {
  int sum = 0;
  for (int i = 0; i < static_cast<int>(p); ++i) sum += bits[static_cast<std::size_t>(i)];
  return sum;
}

PhysicalBit PhysicalShape::bit_at(int packed_bit) const {
  int left = packed_bit;
  for (int i = 0; i < place_count; ++i) {
    const int here = bits[static_cast<std::size_t>(i)];
    if (left < here) return {static_cast<Place>(i), left};
    left -= here;
  }
  LS_CHECK_LT(packed_bit, total());
  return {};
}

}  // namespace lanescope::layout
