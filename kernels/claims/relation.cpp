#include "kernels/claims/check.h"

#include <algorithm>
#include <bit>

#include "kernels/base/check.h"
#include "kernels/base/text.h"

namespace lanescope::claims {
namespace {

int log2_up(int n) { return n <= 1 ? 0 : std::bit_width(static_cast<unsigned>(n - 1)); }

const source::Variable* variable_of(const source::Source& source, int id) {
  const auto it = std::ranges::find(source.variables, id, &source::Variable::id);
  return it == source.variables.end() ? nullptr : &*it;
}

}  // namespace

int Geometry::simd_bits() const { return log2_up(parts()); }
int Geometry::register_bits() const { return log2_up(static_cast<int>(units.size())); }

int scalar_bits(std::string_view type) {
  static constexpr std::string_view halves[] = {"half",  "__half", "__nv_bfloat16", "nv_bfloat16", "bfloat16",  "bf16",
                                                "short", "ushort", "int16_t",       "uint16_t",    "__half_raw"};
  static constexpr std::string_view bytes[] = {"char", "uchar",         "int8_t",       "uint8_t",
                                               "bool", "__nv_fp8_e4m3", "__nv_fp8_e5m2"};
  int bits = 32;
  for (std::size_t at = 0; at < type.size();) {
    if (!is_word(type[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < type.size() && is_word(type[end])) ++end;
    const std::string_view word = type.substr(at, end - at);
    if (std::ranges::find(halves, word) != std::end(halves)) bits = 16;
    if (std::ranges::find(bytes, word) != std::end(bytes)) bits = 8;
    at = end;
  }
  return bits;
}

Geometry geometry_of(const std::vector<int>& registers, const source::Source& source, std::span<const int> value_bytes,
                     int element_bits, std::optional<int> simd_bits) {
  Geometry g;
  int scalar = 32;
  int smallest = 1 << 20;
  for (const int id : registers) {
    const int bits = 8 * value_bytes_of(value_bytes, id);
    smallest = std::min(smallest, bits);
    const source::Variable* v = variable_of(source, id);
    if (v != nullptr) scalar = std::min(scalar, scalar_bits(v->type));
  }
  g.unit_bits = std::max(element_bits, scalar);
  if (simd_bits && *simd_bits < 7) {
    // A row that says how many elements a register has settles how wide it is, where the variables are that wide.
    const int wanted = element_bits << *simd_bits;
    const bool fills_word = wanted == 32 && smallest % 32 == 0;
    if (fills_word || (wanted > g.unit_bits && smallest % wanted == 0)) g.unit_bits = wanted;
  }
  g.unit_bits = std::min(g.unit_bits, smallest);
  g.grain_bits = simd_bits ? std::max(1, g.unit_bits >> std::min(*simd_bits, 8)) : std::min(element_bits, g.unit_bits);
  int word = 0;
  for (std::size_t n = 0; n < registers.size(); ++n) {
    const int bits = 8 * value_bytes_of(value_bytes, registers[n]);
    for (int at = 0; at + g.unit_bits <= bits; at += g.unit_bits)
      g.units.push_back({word + at / 32, at % 32, static_cast<int>(n)});
    word += (bits + 31) / 32;
  }
  return g;
}

Relation::Relation(const layout::Assignment& stated, const LogicalBits& logical) {
  struct Row {
    std::uint64_t logical, places;
  };
  std::vector<Row> rows;
  for (int p = 0; p < layout::place_count; ++p) {
    present_[static_cast<std::size_t>(p)] = stated.rows[static_cast<std::size_t>(p)].has_value();
    shape_.bits[static_cast<std::size_t>(p)] = stated.bits(static_cast<layout::Place>(p));
  }
  tables_.resize(static_cast<std::size_t>((logical.total() + 7) / 8));
  int packed = 0;
  for (const auto& row : stated.rows) {
    if (!row) continue;
    for (const layout::Term& t : *row) {
      const std::uint64_t place = std::uint64_t{1} << packed++;
      if (t.role == layout::Term::Role::unused) {
        unused_ |= place;
        continue;
      }
      if (t.role == layout::Term::Role::unsaid) {
        unsaid_ |= place;
        continue;
      }
      if (t.role == layout::Term::Role::junk) {
        junk_ |= place;
        continue;
      }
      std::uint64_t mask = 0;
      for (const std::string& name : t.names) {
        const int bit = logical.bit_of(name);
        if (bit < 0 && problem_.empty()) problem_ = layout::split_name(name).axis;
        const bool is_beyond = bit == logical.total() && t.names.size() == 1 && !t.constant && logical.ragged(name);
        if (is_beyond) beyond_ |= place;
        if (bit >= 0 && bit < logical.total()) mask ^= std::uint64_t{1} << bit;
      }
      sums_ |= place;
      if (t.constant) constant_ ^= place;
      named_ |= mask;
      rows.push_back({mask, place});
    }
  }
  for (std::size_t b = 0; b < tables_.size(); ++b)
    for (std::uint64_t value = 0; value < 256; ++value) {
      std::uint64_t& cell = tables_[b][value];
      for (const Row& r : rows)
        if ((std::popcount(r.logical >> (8 * b) & value) & 1) != 0) cell ^= r.places;
    }
  // Gauss-Jordan over the sums: each independent sum settles one logical bit.
  std::uint64_t pivots = 0;
  for (Row r : rows) {
    for (const Solved& s : solved_)
      if ((r.logical & s.pivot) != 0) r = {r.logical ^ s.pivot ^ s.others, r.places ^ s.places};
    if (r.logical == 0) {
      dependent_.push_back(r.places);
      continue;
    }
    const std::uint64_t pivot = r.logical & (~r.logical + 1);
    for (Solved& s : solved_)
      if ((s.others & pivot) != 0) s = {s.pivot, s.others ^ r.logical, s.places ^ r.places};
    solved_.push_back({pivot, r.logical ^ pivot, r.places});
    pivots |= pivot;
  }
  const int total = logical.total();
  residual_ = (total >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << total) - 1) & ~named_;
  open_ = named_ & ~pivots;
  if (logical.ragged()) ragged_ = &logical;
}

bool Relation::outside(std::uint64_t place) const {
  if (ragged_ == nullptr) return false;
  if ((place & beyond_) != 0) return true;
  const auto lowest = element_at(place, 0);  // bits that no row names only make coordinates larger
  return lowest && !ragged_->inside(*lowest);
}

std::optional<std::uint64_t> Relation::element_at(std::uint64_t place, std::uint64_t residual) const {
  if (!settled()) return std::nullopt;
  const std::uint64_t sums = (place ^ constant_) & sums_;
  for (const std::uint64_t d : dependent_)
    if ((std::popcount(sums & d) & 1) != 0) return std::nullopt;
  std::uint64_t element = residual & residual_;
  for (const Solved& s : solved_)
    if ((std::popcount(sums & s.places) & 1) != 0) element |= s.pivot;
  return element;
}

}  // namespace lanescope::claims
