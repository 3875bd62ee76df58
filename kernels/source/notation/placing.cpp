#include "kernels/source/notation/placing.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "kernels/layout/affine_map.h"

namespace lanescope::source {
namespace {
constexpr int most_places_bits = 11;  ///< places that are all tried
}

std::optional<layout::Assignment> rows_of(const Placing& p, int register_bits) {
  layout::PhysicalToLogical m;
  m.shape.bits[static_cast<std::size_t>(layout::Place::reg)] = register_bits;
  m.shape.bits[static_cast<std::size_t>(layout::Place::thread)] = 5;
  m.shape.bits[static_cast<std::size_t>(layout::Place::warp)] = p.warp_bits;
  const int total = m.shape.total();
  const auto at = [&](int place) {
    return p.at(place >> register_bits & 31, place >> (register_bits + 5), place & ((1 << register_bits) - 1));
  };
  const auto origin = at(0);
  if (!origin) return std::nullopt;
  std::vector<std::int64_t> any = *origin;
  std::vector<std::vector<std::int64_t>> single;
  for (int b = 0; b < total; ++b) {
    auto one = at(1 << b);
    if (!one) return std::nullopt;
    for (std::size_t a = 0; a < any.size(); ++a) any[a] |= (*one)[a];
    single.push_back(std::move(*one));
  }
  std::vector<int> offsets;
  for (std::size_t a = 0; a < p.axes.size(); ++a) {
    const int bits = std::bit_width(static_cast<std::uint64_t>(any[a]));
    offsets.push_back(static_cast<int>(m.names.size()));
    for (int b = 0; b < bits; ++b) m.names.push_back(fmt::format("{}{}", p.axes[a], b));
  }
  if (m.names.size() > 60 || m.names.empty()) return std::nullopt;
  const auto packed = [&](const std::vector<std::int64_t>& coordinates) -> std::optional<std::uint64_t> {
    std::uint64_t out = 0;
    for (std::size_t a = 0; a < coordinates.size(); ++a) {
      if ((coordinates[a] & ~any[a]) != 0) return std::nullopt;
      out |= static_cast<std::uint64_t>(coordinates[a]) << offsets[a];
    }
    return out;
  };
  m.map.out_bits = static_cast<int>(m.names.size());
  m.map.constant = *packed(*origin);
  for (int b = 0; b < total; ++b)
    m.map.columns.push_back(*packed(single[static_cast<std::size_t>(b)]) ^ m.map.constant);
  // All places, or of very many those that differ in up to three bits and an even choice of the others.
  const int step = total <= most_places_bits ? 1 : (1 << (total - most_places_bits)) + 1;
  const auto agrees = [&](int place) {
    const auto there = at(place);
    const auto word = there ? packed(*there) : std::nullopt;
    return word && *word == m.map(static_cast<std::uint64_t>(place));
  };
  for (int place = 0; place < 1 << total; place += step)
    if (!agrees(place)) return std::nullopt;
  for (int a = 0; a < total && step > 1; ++a)
    for (int b = 0; b < a; ++b)
      for (int c = 0; c <= b; ++c)
        if (!agrees(1 << a | 1 << b | 1 << c)) return std::nullopt;
  layout::Assignment out = layout::from_map(m);
  bool something = false;
  for (auto& row : out.rows) {
    if (!row) continue;
    for (layout::Term& t : *row) {
      if (t.role == layout::Term::Role::unused) t.role = layout::Term::Role::unsaid;  // other axes may vary there
      something = something || t.role == layout::Term::Role::sum;
      for (const std::string& name : t.names)
        if (std::ranges::find(m.names, name) == m.names.end()) return std::nullopt;  // an element is in several places
    }
    if (std::ranges::all_of(*row, [](const layout::Term& t) { return t.role == layout::Term::Role::unsaid; }))
      row.reset();
  }
  return something ? std::optional(out) : std::nullopt;
}

}  // namespace lanescope::source
