#include "kernels/claims/fitted_axes.h"

#include <algorithm>
#include <bit>
#include <map>
#include <span>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/set_bits.h"
#include "kernels/base/text.h"

namespace lanescope::claims {

namespace {

struct PlaceKey {
  std::array<std::uint32_t, layout::place_count> at{};
  std::uint64_t packed() const {
    return std::uint64_t{at[0]} | std::uint64_t{at[1]} << 8 | std::uint64_t{at[2]} << 24 | std::uint64_t{at[3]} << 32;
  }
};

/// Elements by place, those that are single elements of the buffer.
std::unordered_map<std::uint64_t, std::pair<PlaceKey, std::int64_t>> elements_of(const Snapshot& s, const Geometry& g,
                                                                                 int buffer, Reader& reader) {
  std::unordered_map<std::uint64_t, std::pair<PlaceKey, std::int64_t>> out;
  const int words = g.words_per_unit();
  for (const Snapshot::Warp& w : s.warps)
    for (std::size_t r = 0; r < g.units.size(); ++r) {
      const Geometry::Unit unit = g.units[r];
      std::uint32_t mask = ~0u;
      for (int n = 0; n < words; ++n) mask &= w.masks[static_cast<std::size_t>(unit.word + n)];
      std::array<trace::WordTag, 8> value{};
      for (const std::size_t lane : set_bits(mask)) {
        for (int n = 0; n < words; ++n)
          value[static_cast<std::size_t>(n)] = w.tags[static_cast<std::size_t>(unit.word + n)][lane];
        for (int part = 0; part < g.parts(); ++part) {
          const int bit = unit.first_bit + part * g.grain_bits;
          const int first = bit / 32, last = (bit + g.grain_bits - 1) / 32;
          const Held held = reader.read(
              std::span(value).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first + 1)),
              bit % 32, g.grain_bits);
          if (!held.one_element() || held.buffer != buffer) continue;
          const PlaceKey key{{static_cast<std::uint32_t>(part), static_cast<std::uint32_t>(r),
                              static_cast<std::uint32_t>(lane), w.warp, 0}};
          out.emplace(key.packed(), std::pair(key, static_cast<std::int64_t>(held.element)));
        }
      }
    }
  return out;
}

}  // namespace

bool is_row_name(std::string_view axis) { return one_of(lower(axis), {"row", "rows", "r", "y", "i"}); }
bool is_column_name(std::string_view axis) {
  return one_of(lower(axis), {"col", "cols", "column", "columns", "c", "x", "j"});
}

std::optional<bool> first_is_row(std::string_view first, std::string_view second) {
  constexpr std::string_view order = "mkn";
  const std::string a = lower(first), b = lower(second);
  if (a.size() != 1 || b.size() != 1 || a == b) return std::nullopt;
  const std::size_t x = order.find(a), y = order.find(b);
  if (x == std::string_view::npos || y == std::string_view::npos) return std::nullopt;
  return x < y;
}

FittedAxes fit_axes(const layout::Assignment& stated, const Snapshot& snapshot, const Geometry& geometry,
                    const source::BufferSpec& spec, int buffer, Reader& reader) {
  FittedAxes out;
  const auto elements = elements_of(snapshot, geometry, buffer, reader);
  std::map<std::string, int> bits;  // by axis
  for (const std::string& name : layout::logical_bits(stated)) {
    const layout::LogicalBit b = layout::split_name(name);
    bits[b.axis] = std::max(bits[b.axis], b.bit + 1);
  }
  std::map<std::string, std::int64_t> steps;
  for (int p = 0; p + 1 < layout::place_count; ++p) {
    const auto& row = stated.rows[static_cast<std::size_t>(p)];
    for (std::size_t n = 0; row && n < row->size(); ++n) {
      const layout::Term& t = (*row)[n];
      if (t.role != layout::Term::Role::sum || t.names.size() != 1) continue;
      const layout::LogicalBit b = layout::split_name(t.names.front());
      if (steps.contains(b.axis)) continue;
      for (const auto& [packed, place] : elements) {
        PlaceKey other = place.first;
        other.at[static_cast<std::size_t>(p)] ^= 1u << n;
        const auto there = elements.find(other.packed());
        if (there == elements.end() || b.bit > 30) continue;
        std::int64_t apart = there->second.second - place.second;
        const bool up = (place.first.at[static_cast<std::size_t>(p)] >> n & 1) == (t.constant ? 1u : 0u);
        if (!up) apart = -apart;
        const std::int64_t one = std::int64_t{1} << b.bit;
        if (apart <= 0 || apart % one != 0) return out;
        steps.emplace(b.axis, apart / one);
        break;
      }
    }
  }
  if (steps.size() != bits.size() || steps.empty()) return out;
  std::vector<std::pair<std::int64_t, std::string>> order;
  for (const auto& [axis, step] : steps) order.emplace_back(step, axis);
  std::ranges::sort(order, std::greater<>());
  source::BufferSpec fitted = spec;
  fitted.axes.clear();
  std::int64_t above = 0;
  for (const auto& [step, axis] : order) {
    if (above != 0 && (above % step != 0 || above == step)) return out;
    const auto total = static_cast<std::int64_t>(spec.elements);
    const std::int64_t extent = above == 0 ? (total + step - 1) / step : above / step;
    fitted.axes.push_back({.name = axis,
                           .extent = static_cast<std::uint64_t>(std::max<std::int64_t>(extent, 1)),
                           .stride_elements = static_cast<std::uint64_t>(step)});
    above = step;
  }
  if (above > 1)
    fitted.axes.push_back({.name = "rest", .extent = static_cast<std::uint64_t>(above), .stride_elements = 1});
  std::vector<std::string> words;
  for (const auto& [step, axis] : order)
    words.push_back(fmt::format("{} steps {} element{}", axis, step, step == 1 ? "" : "s"));
  out.words = fmt::format("{} of {}", fmt::join(words, " and "), spec.name);
  out.spec = std::move(fitted);
  if (order.size() == 1) {
    if (order.front().first != 1) out.problem = "nothing states these steps";
  } else if (order.size() != 2 || !((is_row_name(order[0].second) && is_column_name(order[1].second)) ||
                                    first_is_row(order[0].second, order[1].second).value_or(false))) {
    out.problem = "name the axes in the launch header to settle their order";
  }
  return out;
}

DefinedOrder defined_order(const layout::Assignment& stated, const Snapshot& snapshot, const Geometry& geometry,
                           int buffer, Reader& reader) {
  DefinedOrder out{.kind = DefinedOrder::Kind::refuted};
  const auto elements = elements_of(snapshot, geometry, buffer, reader);
  std::map<std::string, std::uint64_t> flips;  // bits of the element's number that a name changes
  bool single = true;
  for (int p = 0; p + 1 < layout::place_count; ++p) {
    const auto& row = stated.rows[static_cast<std::size_t>(p)];
    for (std::size_t n = 0; row && n < row->size(); ++n) {
      const layout::Term& t = (*row)[n];
      if (t.role != layout::Term::Role::sum) continue;
      if (t.names.size() != 1) {
        single = false;
        continue;
      }
      std::optional<std::uint64_t> bits;
      std::optional<std::int64_t> apart;
      bool same_bits = true, same_step = true;
      for (const auto& [packed, place] : elements) {
        if ((place.first.at[static_cast<std::size_t>(p)] >> n & 1) != 0) continue;
        PlaceKey other = place.first;
        other.at[static_cast<std::size_t>(p)] ^= 1u << n;
        const auto there = elements.find(other.packed());
        if (there == elements.end()) continue;
        const auto flipped = static_cast<std::uint64_t>(there->second.second ^ place.second);
        const std::int64_t step = there->second.second - place.second;
        same_bits = same_bits && bits.value_or(flipped) == flipped;
        same_step = same_step && apart.value_or(step) == step;
        bits = flipped, apart = step;
      }
      if (!bits) {
        single = false;
        continue;
      }
      if (*bits == 0 || (!same_bits && !same_step)) return out;
      single = single && same_bits && std::has_single_bit(*bits);
      const auto [known, fresh] = flips.try_emplace(t.names.front(), *bits);
      if (!fresh && known->second != *bits) return out;
    }
  }
  for (auto a = flips.begin(); a != flips.end(); ++a)
    for (auto b = std::next(a); b != flips.end(); ++b)
      if (a->second == b->second) return out;
  out.kind = DefinedOrder::Kind::open;
  if (!single || flips.size() != layout::logical_bits(stated).size()) return out;
  out.kind = DefinedOrder::Kind::defined;
  for (const auto& [name, mask] : flips) out.bits.emplace_back(name, std::countr_zero(mask));
  std::ranges::sort(out.bits, {}, &LogicalBits::NamedBits::value_type::second);
  return out;
}

std::string order_as_axes(const LogicalBits::NamedBits& bits) {
  std::map<int, layout::LogicalBit> by_place;
  for (const auto& [name, bit] : bits) by_place[bit] = layout::split_name(name);
  std::vector<std::pair<std::string, int>> axes;  // fastest first, with their bits
  int place = 0;
  for (const auto& [bit, logical] : by_place) {
    if (bit != place++) return {};
    if (logical.bit == 0) axes.emplace_back(logical.axis, 0);
    if (axes.empty() || axes.back().first != logical.axis || axes.back().second != logical.bit) return {};
    ++axes.back().second;
  }
  std::string out;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis)
    out += fmt::format("{}{}:{}", out.empty() ? "" : " ", axis->first, 1 << axis->second);
  return out;
}

std::string order_words(const LogicalBits::NamedBits& bits) {
  std::string out;
  for (const auto& [name, bit] : bits)
    out += out.empty() ? fmt::format("{} is bit {} of the element's number", name, bit)
                       : fmt::format(", {} bit {}", name, bit);
  return out;
}

}  // namespace lanescope::claims
