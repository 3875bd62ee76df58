#include "kernels/source/contract_input.h"

#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "kernels/base/set_bits.h"

namespace lanescope::source {
namespace {

using layout::Place;

constexpr std::string_view rest_axis = "rest";
constexpr int most_element_bits = 26;  ///< of the number of elements

/// Bits of one register of the claim; 0: the bytes are not so many registers.
int bits_of_register(std::uint64_t bytes, std::uint64_t scalar_bytes, int register_bits) {
  for (const std::uint64_t bits :
       {std::uint64_t{32}, 8 * scalar_bytes, std::uint64_t{64}, std::uint64_t{16}, std::uint64_t{8}})
    if (bits >= 8 && bits <= 64 && std::has_single_bit(bits) && 8 * bytes % bits == 0 &&
        std::bit_ceil(8 * bytes / bits) == std::uint64_t{1} << register_bits)
      return static_cast<int>(bits);
  return 0;
}

layout::Assignment completed(const layout::Assignment& stated, int register_bits, int warp_bits) {
  layout::Assignment a = stated;
  int rest = 0;
  const auto fresh = [&] { return layout::sum_of({fmt::format("{}{}", rest_axis, rest++)}); };
  for (const auto& [place, bits] :
       {std::pair{Place::reg, register_bits}, {Place::thread, 5}, {Place::warp, warp_bits}}) {
    auto& row = a.row(place);
    if (!row) row.emplace();
    while (static_cast<int>(row->size()) < bits) row->push_back(fresh());
  }
  for (auto& row : a.rows)
    if (row)
      for (layout::Term& term : *row)
        if (term.role == layout::Term::Role::unsaid) term = fresh();
  return a;
}

/// Axes, slowest first: `rest`, those of the alphabet, `fastest` (empty: none). Sets `bit_of`.
void set_axes(StatedInput& in, const std::string& fastest) {
  std::map<std::string, int> bits;
  for (const std::string& name : in.map.names) {
    const layout::LogicalBit bit = layout::split_name(name);
    bits[bit.axis] = std::max(bits[bit.axis], bit.bit + 1);
  }
  std::vector<std::string> order;
  for (const auto& [axis, count] : bits)
    if (axis != rest_axis && axis != fastest) order.push_back(axis);
  if (bits.contains(std::string(rest_axis))) order.insert(order.begin(), std::string(rest_axis));
  if (bits.contains(fastest) && fastest != rest_axis) order.push_back(fastest);
  int total = 0;
  std::map<std::string, int> first;
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) first[*axis] = total, total += bits[*axis];
  in.buffer.elements = total > most_element_bits ? 0 : std::uint64_t{1} << total;
  if (in.buffer.elements == 0) return;
  for (const std::string& axis : order)
    in.buffer.axes.push_back({.name = axis, .extent = std::uint64_t{1} << bits[axis]});
  for (const std::string& name : in.map.names) {
    const layout::LogicalBit bit = layout::split_name(name);
    in.bit_of.push_back(first[bit.axis] + bit.bit);
  }
}

bool elements_follow_each_other(const StatedInput& in) {
  const auto simd = static_cast<std::size_t>(in.simd_bits());
  std::uint64_t others = in.element(in.map.map.constant);
  for (std::size_t bit = 0; bit < in.map.map.columns.size(); ++bit) {
    const std::uint64_t column = in.element(in.map.map.columns[bit]);
    if (bit < simd && column != std::uint64_t{1} << bit) return false;
    if (bit >= simd) others |= column;
  }
  return simd > 0 && (others & ((std::uint64_t{1} << simd) - 1)) == 0;
}

}  // namespace

std::uint64_t StatedInput::element(std::uint64_t logical) const {
  std::uint64_t out = 0;
  for (const std::size_t bit : set_bits(logical)) out |= std::uint64_t{1} << bit_of[bit];
  return out;
}

std::uint64_t StatedInput::column(Place place, int bit) const {
  return map.map.columns[static_cast<std::size_t>(map.shape.offset(place) + bit)];
}

bool StatedInput::junk(Place place, int bit) const {
  return (*rows.row(place))[static_cast<std::size_t>(bit)].role == layout::Term::Role::junk;
}

tl::expected<StatedInput, std::string> stated_input(const Claim& claim, std::uint64_t bytes, std::uint64_t scalar_bytes,
                                                    int warp_bits) {
  const auto refuse = [](std::string why) { return tl::unexpected(std::move(why)); };
  StatedInput in;
  const bool stated = claim.stated.row(Place::reg).has_value();
  const std::uint64_t words = std::bit_ceil(bytes / std::min<std::uint64_t>(bytes, 4));
  in.unit_bits =
      bits_of_register(bytes, scalar_bytes, stated ? claim.stated.bits(Place::reg) : std::bit_width(words) - 1);
  if (in.unit_bits == 0)
    return refuse(
        fmt::format("{} bytes of {} are not {} registers", bytes, claim.variable, 1 << claim.stated.bits(Place::reg)));
  in.units = static_cast<int>(8 * bytes / static_cast<std::uint64_t>(in.unit_bits));
  const int element_bits = in.unit_bits >> claim.stated.bits(Place::simd);
  in.rows = completed(claim.stated, std::bit_width(std::bit_ceil(static_cast<unsigned>(in.units))) - 1, warp_bits);
  auto map = layout::to_map(in.rows);
  if (!map) return refuse(layout::why_no_map(in.rows));
  in.map = std::move(*map);
  std::string fastest;  // so that a register may be loaded as a whole
  if (in.simd_bits() > 0 && !(*in.rows.row(Place::simd))[0].names.empty())
    fastest = layout::split_name((*in.rows.row(Place::simd))[0].names.front()).axis;
  set_axes(in, fastest);
  if (in.buffer.elements == 0) return refuse("its input has too many elements");
  in.as_words = elements_follow_each_other(in);
  if (!in.as_words && element_bits < 8)
    return refuse("its elements are smaller than a byte, and those of a register do not follow each other");
  if (element_bits == 2 || element_bits < 1) return refuse(fmt::format("its elements have {} bits", element_bits));
  in.buffer.element_type = element_bits == 1 ? "b1" : fmt::format("u{}", element_bits);
  in.buffer.element_bits = element_bits;
  in.buffer.inferred = in.buffer.generated = true;
  lay_out(in.buffer);
  return in;
}

}  // namespace lanescope::source
