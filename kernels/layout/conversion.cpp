// Between rows of the notation (logical -> physical) and maps (physical -> logical).

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "kernels/base/check.h"
#include "kernels/base/set_bits.h"
#include "kernels/layout/affine_map.h"
#include "kernels/layout/f2_basis.h"

namespace lanescope::layout {
namespace {

/// The rows as they stand: logical index -> those physical bits that are sums, and where each sits in the packed place.
struct RowSystem {
  PhysicalShape shape;
  std::vector<std::string> names;
  AffineMap map;                ///< logical -> sums, in packed order
  std::vector<int> packed_bit;  ///< packed place bit of output bit n of `map`
};

int name_index(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

PhysicalShape shape_of(const Assignment& a) {
  PhysicalShape shape;
  for (int p = 0; p < place_count; ++p) shape.bits[static_cast<std::size_t>(p)] = a.bits(static_cast<Place>(p));
  return shape;
}

std::optional<RowSystem> row_system(const Assignment& a) {
  RowSystem s{.shape = shape_of(a), .names = logical_bits(a), .map = {}, .packed_bit = {}};
  if (s.shape.total() > 64 || s.names.size() > 64) return std::nullopt;
  s.map.columns.resize(s.names.size());
  int packed = 0;
  for (const auto& row : a.rows) {
    if (!row) continue;
    for (const Term& t : *row) {
      const int place_bit = packed++;
      if (t.role != Term::Role::sum || (t.names.empty() && !t.constant)) continue;
      const std::uint64_t out = std::uint64_t{1} << s.map.out_bits++;
      if (t.constant) s.map.constant ^= out;
      for (const std::string& name : t.names) s.map.columns[static_cast<std::size_t>(name_index(s.names, name))] ^= out;
      s.packed_bit.push_back(place_bit);
    }
  }
  return s;
}

std::string joined(const std::vector<std::string>& words) {
  if (words.size() == 1) return words[0];
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return out;
}

/// The physical bits whose sums cancel out, as "r0 and t0"; empty when the rows are independent.
std::string dependent_bits(const RowSystem& s) {
  F2Basis<std::uint64_t> seen;
  for (int out = 0; out < s.map.out_bits; ++out) {
    std::uint64_t row = 0;
    for (std::size_t n = 0; n < s.names.size(); ++n) row |= (s.map.columns[n] >> out & 1) << n;
    const F2Basis<std::uint64_t>::Entry entry{row, std::uint64_t{1} << out};
    if (seen.insert(entry)) continue;
    std::vector<std::string> bits;
    for (const std::size_t bit : set_bits(seen.reduce(entry).tag))
      bits.push_back(to_string(s.shape.bit_at(s.packed_bit[bit])));
    return joined(bits);
  }
  return {};
}

}  // namespace

namespace {

/// The first bit that the rows say nothing about, though they say something about others of its row.
std::optional<PhysicalBit> unsaid_bit(const Assignment& a) {
  for (int p = 0; p < place_count; ++p) {
    const Place place = static_cast<Place>(p);
    for (int i = 0; i < a.bits(place); ++i)
      if ((*a.row(place))[static_cast<std::size_t>(i)].role == Term::Role::unsaid) return PhysicalBit{place, i};
  }
  return std::nullopt;
}

}  // namespace

std::optional<PhysicalToLogical> to_map(const Assignment& a) {
  if (unsaid_bit(a)) return std::nullopt;
  std::optional<RowSystem> s = row_system(a);
  if (!s) return std::nullopt;
  const std::optional<AffineMap> inverse = invert(s->map);
  if (!inverse) return std::nullopt;
  PhysicalToLogical m{.shape = s->shape, .names = std::move(s->names), .map = {}};
  m.map.out_bits = static_cast<int>(m.names.size());
  m.map.constant = inverse->constant;
  m.map.columns.resize(static_cast<std::size_t>(m.shape.total()));
  for (std::size_t n = 0; n < s->packed_bit.size(); ++n)
    m.map.columns[static_cast<std::size_t>(s->packed_bit[n])] = inverse->columns[n];
  return m;
}

std::string why_no_map(const Assignment& a) {
  if (const std::optional<PhysicalBit> bit = unsaid_bit(a))
    return fmt::format("nothing is stated about {}", to_string(*bit));
  const std::optional<RowSystem> s = row_system(a);
  if (!s) return "the assignment has more than 64 bits";
  if (const std::string bits = dependent_bits(*s); !bits.empty())
    return fmt::format("{} hold sums of logical bits that depend on each other, so some places hold nothing", bits);
  if (s->map.out_bits < static_cast<int>(s->names.size()))
    return fmt::format("{} physical bits cannot address {} logical bits", s->map.out_bits, s->names.size());
  return {};
}

namespace {

/// Physical bits as sums over unknowns: unknowns below `names.size()` are logical bits, those above are copy bits.
struct Solution {
  std::vector<std::uint64_t> over_names;   ///< per packed bit: mask of logical bits
  std::vector<std::uint64_t> over_copies;  ///< per packed bit: mask of physical bits that number the copies
  std::uint64_t copies = 0;                ///< physical bits that number the copies
};

struct SourceMasks {
  std::uint64_t names = 0;
  std::uint64_t copies = 0;
  SourceMasks& operator^=(const SourceMasks& o) {
    names ^= o.names;
    copies ^= o.copies;
    return *this;
  }
};

/// Row n of the map is a functional on places: which physical bits flip logical bit n. Enough functionals, completed by
/// single physical bits taken from the highest down, are a basis; in reduced form each pivot row reads "x_p = ...".
Solution solve_for_places(const PhysicalToLogical& m) {
  F2Basis<SourceMasks> rows;
  for (int n = 0; n < m.map.out_bits; ++n) {
    std::uint64_t functional = 0;
    for (int p = 0; p < m.map.in_bits(); ++p) functional |= (m.map.columns[static_cast<std::size_t>(p)] >> n & 1) << p;
    rows.insert({functional, {std::uint64_t{1} << n, 0}});
  }
  Solution s;
  for (int p = m.map.in_bits() - 1; p >= 0; --p) {
    const std::uint64_t unit = std::uint64_t{1} << p;
    if (rows.insert({unit, {0, unit}})) s.copies |= unit;
  }
  for (int p = 0; p < m.map.in_bits(); ++p) {
    s.over_names.push_back(rows.row(p).tag.names);
    s.over_copies.push_back(rows.row(p).tag.copies);
  }
  return s;
}

/// An axis name that no logical bit uses: "copy", else "copy_", ...
std::string copy_axis(const std::vector<std::string>& names) {
  std::string axis = "copy";
  const auto taken = [&](const std::string& name) { return split_name(name).axis == axis; };
  while (std::any_of(names.begin(), names.end(), taken)) axis += '_';
  return axis;
}

}  // namespace

Assignment from_map(const PhysicalToLogical& m) {
  LS_CHECK_EQ(m.map.in_bits(), m.shape.total());
  LS_CHECK_EQ(m.map.out_bits, static_cast<int>(m.names.size()));
  const Solution s = solve_for_places(m);
  // A copy bit that only its own physical bit reads changes nothing else: that is what [unused] says.
  std::uint64_t shared = 0;
  for (int p = 0; p < m.map.in_bits(); ++p)
    shared |= s.over_copies[static_cast<std::size_t>(p)] & ~(std::uint64_t{1} << p);
  const std::string axis = copy_axis(m.names);
  Assignment a;
  for (int p = 0; p < m.map.in_bits(); ++p) {
    const std::uint64_t unit = std::uint64_t{1} << p;
    std::optional<std::vector<Term>>& row = a.row(m.shape.bit_at(p).place);
    if (!row) row.emplace();
    if ((s.copies & unit & ~shared) != 0) {
      row->push_back({.role = Term::Role::unused, .names = {}, .constant = false});
      continue;
    }
    const std::uint64_t over_names = s.over_names[static_cast<std::size_t>(p)];
    std::vector<std::string> names;
    for (const std::size_t bit : set_bits(over_names)) names.push_back(m.names[bit]);
    for (const std::size_t bit : set_bits(s.over_copies[static_cast<std::size_t>(p)])) {
      const std::uint64_t below = (std::uint64_t{1} << bit) - 1;
      names.push_back(axis + std::to_string(std::popcount(shared & below)));
    }
    row->push_back(sum_of(std::move(names), (std::popcount(over_names & m.map.constant) & 1) != 0));
  }
  return a;
}

}  // namespace lanescope::layout
