#include "kernels/convert/cuda_text.h"

#include <map>
#include <vector>

#include <fmt/format.h>

#include "kernels/convert/bits.h"

namespace lanescope::convert {
namespace {

std::string unsigned_text(std::uint32_t v) { return v < 10 ? fmt::format("{}u", v) : fmt::format("{:#x}u", v); }

/// Of the lanes that agree with `lane` above bit `top`.
std::string part_of_table(const LaneTable& table, std::uint32_t lane, int top) {
  const auto same = [&](int bit_number) {  // whether the bit changes nothing below here
    for (std::uint32_t l = 0; l < bit(top + 1); ++l)
      if (table[lane | l] != table[lane | (l ^ (1U << bit_number))]) return false;
    return true;
  };
  while (top >= 0 && same(top)) --top;
  if (top < 0) return unsigned_text(table[lane]);
  const std::string zero = part_of_table(table, lane, top - 1), one = part_of_table(table, lane | 1U << top, top - 1);
  return fmt::format("(lane & {} ? {} : {})", 1U << top, one, zero);
}

}  // namespace

std::string table_text(const LaneTable& table) { return part_of_table(table, 0, lane_bits - 1); }

std::string linear_text(std::string_view name, std::span<const std::uint64_t> columns) {
  std::map<int, std::uint64_t> by_distance;  // bits that move up by a distance
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (int j = 0; j < 32; ++j)
      if (has(columns[i], j)) by_distance[j - static_cast<int>(i)] |= std::uint64_t{1} << i;
  std::vector<std::string> parts;
  for (const auto& [distance, mask] : by_distance) {
    const std::string masked = fmt::format("({} & {})", name, mask);
    if (distance == 0)
      parts.push_back(masked);
    else
      parts.push_back(fmt::format("({} {} {})", masked, distance > 0 ? "<<" : ">>", std::abs(distance)));
  }
  return parts.empty() ? "0" : fmt::format("{}", fmt::join(parts, " ^ "));
}

}  // namespace lanescope::convert
