#include "kernels/convert/place_map.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "kernels/convert/bits.h"
#include "kernels/layout/f2_basis.h"

namespace lanescope::convert {
namespace {

using layout::Assignment;
using layout::PhysicalBit;
using layout::Place;

constexpr int most_register_bits = 8;

/// Bits of one assignment at their positions in a place of the conversion.
struct Side {
  Assignment rows;
  layout::PhysicalToLogical map;
  std::vector<int> position;  ///< of each packed physical bit
};

int at(const PlaceMap& m, PhysicalBit b) {
  switch (b.place) {
    case Place::simd:
      return b.index;
    case Place::reg:
      return m.slots + m.word_bits + b.index;
    case Place::thread:
      return m.lane(b.index);
    case Place::warp:
      return m.local() + 5 + b.index;
    case Place::block:
      return m.local() + 5 + m.warps + b.index;
  }
  return 0;
}

Expected<Side> side(const Assignment& rows, std::string_view name, DiagnosticCode code) {
  const auto map = layout::to_map(rows);
  if (!map)
    return failure(fmt::format("`{}`: {}", name, layout::why_no_map(rows)),
                   "write one logical bit, or a sum, for each place bit", code);
  return Side{.rows = rows, .map = *map, .position = {}};
}

const layout::Term& term(const Assignment& a, PhysicalBit b) {
  return (*a.row(b.place))[static_cast<std::size_t>(b.index)];
}

/// The logical bits of `side` in the order of `names`, as columns at the positions of the places.
struct Columns {
  std::vector<std::uint64_t> of;  ///< by position; 0 where there is no such bit
  std::uint64_t constant = 0;
};

std::uint64_t reordered(std::uint64_t element, const std::vector<int>& order) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if ((element >> i & 1) != 0) out |= bit(order[i]);
  }
  return out;
}

Columns columns_of(const Side& s, const PlaceMap& m, const std::vector<std::string>& names) {
  std::vector<int> order;
  for (const std::string& n : s.map.names)
    order.push_back(static_cast<int>(std::ranges::find(names, n) - names.begin()));
  Columns out{.of = std::vector<std::uint64_t>(static_cast<std::size_t>(m.total())),
              .constant = reordered(s.map.map.constant, order)};
  for (std::size_t i = 0; i < s.map.map.columns.size(); ++i)
    out.of[static_cast<std::size_t>(s.position[i])] = reordered(s.map.map.columns[i], order);
  return out;
}

Expected<void> check_names(const Side& from, const Side& to) {
  using enum DiagnosticCode;
  for (const auto& [one, other, has, lacks, code] : {std::tuple{&from, &to, "from", "to", bits_of_destination},
                                                     std::tuple{&to, &from, "to", "from", bits_of_source}}) {
    for (const std::string& n : one->map.names) {
      if (std::ranges::find(other->map.names, n) == other->map.names.end())
        return failure(fmt::format("`{}` is in `{}` and not in `{}`", n, has, lacks),
                       "both must hold the same elements: add the bit to a row, or rename it", code);
    }
  }
  return {};
}

}  // namespace

std::uint64_t PlaceMap::operator()(std::uint64_t place) const {
  std::uint64_t out = constant;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if ((place >> i & 1) != 0) out ^= columns[i];
  }
  return out;
}

std::uint64_t PlaceMap::element_at(std::uint64_t from_place) const {
  return from_constant ^ combine(from_columns, from_place);
}

bool PlaceMap::within_warps() const {
  const std::uint64_t outside = ~(bit(local() + 5) - 1);
  if ((constant & outside) != 0) return false;
  for (int i = 0; i < total(); ++i) {
    const std::uint64_t above = columns[static_cast<std::size_t>(i)] & outside;
    const bool own = i >= local() + 5;
    if (above != (own ? bit(i) : 0)) return false;
    if (own && columns[static_cast<std::size_t>(i)] != bit(i)) return false;
  }
  return true;
}

bool PlaceMap::is_permutation() const {
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (roles[i] == Role::copy && columns[i] == 0) continue;
    if (std::popcount(columns[i]) != 1 || (seen & columns[i]) != 0) return false;
    seen |= columns[i];
  }
  return true;
}

Expected<PlaceMap> place_map(const Assignment& from_rows, const Assignment& to_rows, int element_bits) {
  if (element_bits < 1 || element_bits > 128 || !std::has_single_bit(static_cast<unsigned>(element_bits)))
    return failure(fmt::format("elements of {} bits cannot be moved", element_bits),
                   "use 1, 2, 4, 8, 16, 32, 64 or 128 bits", DiagnosticCode::element_type);
  Assignment complete = to_rows;
  for (int p = 0; p < layout::place_count; ++p) {
    auto& row = complete.rows[static_cast<std::size_t>(p)];
    if (!row) row = from_rows.rows[static_cast<std::size_t>(p)];
  }
  Expected<Side> from = side(from_rows, "from", DiagnosticCode::bits_of_source),
                 to = side(complete, "to", DiagnosticCode::bits_of_destination);
  if (!from) return tl::unexpected<Diagnostics>(from.error());
  if (!to) return tl::unexpected<Diagnostics>(to.error());
  if (const Expected<void> same = check_names(*from, *to); !same) return tl::unexpected<Diagnostics>(same.error());

  PlaceMap m;
  m.element_bits = element_bits;
  const auto bits = [&](Place p) { return std::pair{from_rows.bits(p), complete.bits(p)}; };
  const auto larger = [&](Place p) { return std::max(bits(p).first, bits(p).second); };
  m.slots = larger(Place::simd);
  m.word_bits = element_bits > 32 ? std::countr_zero(static_cast<unsigned>(element_bits / 32)) : 0;
  m.from_registers = bits(Place::reg).first + m.word_bits;
  m.to_registers = bits(Place::reg).second + m.word_bits;
  m.registers = std::max(m.from_registers, m.to_registers);
  m.warps = larger(Place::warp);
  m.blocks = larger(Place::block);
  if ((element_bits << m.slots) > 32 && m.slots > 0)
    return failure(
        fmt::format("{} simd bits of {}-bit elements do not fit into 32-bit registers", m.slots, element_bits),
        "a register holds 32 bits", DiagnosticCode::element_type);
  if (larger(Place::thread) > 5) return failure("a warp has 5 thread bits", "put the others into the warp row");
  if (m.registers > most_register_bits)
    return failure(fmt::format("{} register bits are too many", m.registers),
                   fmt::format("at most {}", most_register_bits));

  for (Side* s : {&*from, &*to}) {
    for (int i = 0; i < s->map.shape.total(); ++i) s->position.push_back(at(m, s->map.shape.bit_at(i)));
  }
  const std::vector<std::string>& names = from->map.names;
  const Columns a = columns_of(*from, m, names), b = columns_of(*to, m, names);

  m.names = names;
  m.from_columns = a.of;
  m.from_constant = a.constant;

  layout::F2Basis<std::uint64_t> known;
  for (int i = 0; i < from->map.shape.total(); ++i) {
    const int position = from->position[static_cast<std::size_t>(i)];
    const layout::Term& t = term(from_rows, from->map.shape.bit_at(i));
    if (t.role == layout::Term::Role::junk) continue;
    m.from_bits |= bit(position);
    if (t.role == layout::Term::Role::unused) m.from_copies |= bit(position);
    known.insert({a.of[static_cast<std::size_t>(position)], bit(position)});
  }
  for (int w = 0; w < m.word_bits; ++w) m.from_bits |= bit(m.slots + w);
  const auto place_of = [&](std::uint64_t element) { return known.reduce({element, 0}).tag; };

  m.columns.assign(static_cast<std::size_t>(m.total()), 0);
  m.roles.assign(static_cast<std::size_t>(m.total()), Role::free);
  m.constant = place_of(a.constant ^ b.constant);
  for (int i = 0; i < to->map.shape.total(); ++i) {
    const auto position = static_cast<std::size_t>(to->position[static_cast<std::size_t>(i)]);
    const layout::Term& t = term(complete, to->map.shape.bit_at(i));
    if (t.role == layout::Term::Role::junk) continue;
    m.roles[position] = t.role == layout::Term::Role::unused ? Role::copy : Role::moves;
    m.columns[position] = place_of(b.of[position]);
  }
  for (int w = 0; w < m.word_bits; ++w) {
    const auto position = static_cast<std::size_t>(m.slots + w);
    m.roles[position] = Role::moves;
    m.columns[position] = bit(m.slots + w);
  }
  // Every place has its own lane, warp and block: where the source has a copy there, it is read.
  for (int i = m.local(); i < m.total(); ++i) {
    const auto position = static_cast<std::size_t>(i);
    if (m.roles[position] == Role::free)
      m.columns[position] = bit(i);
    else if ((m.from_copies & bit(i)) != 0)
      m.columns[position] |= bit(i);
  }
  for (int i = 0; i < m.slots; ++i) {
    const auto position = static_cast<std::size_t>(i);
    if (m.roles[position] == Role::copy && (m.from_copies & bit(i)) != 0) m.columns[position] = bit(i);
  }
  return m;
}

}  // namespace lanescope::convert
