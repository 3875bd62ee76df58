#include "tests/kernels/layout/basis_list.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include <fmt/format.h>

#include "kernels/base/text.h"

namespace lanescope::layout {

int Packing::total() const { return std::accumulate(bits.begin(), bits.end(), 0); }

std::optional<std::uint64_t> Packing::pack(std::span<const int> coordinates) const {
  if (coordinates.size() != bits.size()) return std::nullopt;
  std::uint64_t word = 0;
  for (std::size_t axis = 0; axis < bits.size(); ++axis) {
    if (coordinates[axis] < 0 || std::int64_t{coordinates[axis]} >> bits[axis] != 0) return std::nullopt;
    word = word << bits[axis] | static_cast<std::uint64_t>(coordinates[axis]);
  }
  return word;
}

std::vector<int> Packing::unpack(std::uint64_t word) const {
  std::vector<int> coordinates(bits.size());
  for (std::size_t axis = bits.size(); axis-- > 0;) {
    coordinates[axis] = static_cast<int>(word & ((std::uint64_t{1} << bits[axis]) - 1));
    word >>= bits[axis];
  }
  return coordinates;
}

Packing packing_for(std::span<const std::vector<int>> bases) {
  Packing p;
  for (const std::vector<int>& basis : bases) {
    p.bits.resize(std::max(p.bits.size(), basis.size()));
    for (std::size_t axis = 0; axis < basis.size(); ++axis) {
      const int width = static_cast<int>(std::bit_width(static_cast<unsigned>(std::max(basis[axis], 0))));
      p.bits[axis] = std::max(p.bits[axis], width);
    }
  }
  return p;
}

Expected<AffineMap> map_of_bases(std::span<const std::vector<int>> bases, const Packing& packing) {
  if (bases.size() > 64 || packing.total() > 64) return failure("a layout has at most 64 bits on either side");
  AffineMap map{.out_bits = packing.total(), .columns = {}, .constant = 0};
  for (const std::vector<int>& basis : bases) {
    const std::optional<std::uint64_t> column = packing.pack(basis);
    if (!column) {
      return failure(
          fmt::format("basis {} does not fit the axes: it has {} coordinates for {} axes, or one is negative",
                      map.columns.size(), basis.size(), packing.bits.size()));
    }
    map.columns.push_back(*column);
  }
  return map;
}

Expected<PhysicalToLogical> from_bases(std::span<const BasisList> lists, std::span<const std::string> axes) {
  PhysicalToLogical m;
  std::vector<std::vector<int>> bases;
  for (int p = 0; p < place_count; ++p) {
    bool seen = false;
    for (const BasisList& list : lists) {
      if (list.place != static_cast<Place>(p)) continue;
      if (seen)
        return failure(fmt::format("two basis lists for {}", row_name(list.place)), "give one list for each place");
      seen = true;
      m.shape.bits[static_cast<std::size_t>(p)] = static_cast<int>(list.bases.size());
      bases.insert(bases.end(), list.bases.begin(), list.bases.end());
    }
  }
  Packing packing = packing_for(bases);
  packing.bits.resize(std::max(packing.bits.size(), axes.size()));
  if (packing.bits.size() != axes.size()) {
    return failure(fmt::format("{} coordinates for {} axes", packing.bits.size(), axes.size()));
  }
  Expected<AffineMap> map = map_of_bases(bases, packing);
  if (!map) return tl::unexpected<Diagnostics>(map.error());
  m.map = std::move(*map);
  for (std::size_t axis = axes.size(); axis-- > 0;) {
    const bool digit = !axes[axis].empty() && is_digit(axes[axis].back());
    for (int bit = 0; bit < packing.bits[axis]; ++bit)
      m.names.push_back(fmt::format("{}{}{}", axes[axis], digit ? "_" : "", bit));
  }
  return m;
}

}  // namespace lanescope::layout
