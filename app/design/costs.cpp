#include "app/design/costs.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "kernels/layout/affine_map.h"
#include "profiling/access/wavefronts.h"

namespace lanescope::design {
namespace {

constexpr int most_bytes = 16, warp_lanes = 32;
/// Places of a thread that are looked at: 2^8 registers of 32 bits with 1-bit elements.
constexpr std::uint64_t most_places = 1u << 13;

/// The addresses of one thread's places, in bits, for every lane of warp 0.
class Thread {
 public:
  Thread(const layout::PhysicalToLogical& map, const MemoryOrder& order, int element_bits)
      : map_(map), element_bits_(element_bits) {
    for (const std::string& name : map.names) {
      const auto at = std::ranges::find(order.names, name);
      offsets_.push_back(at == order.names.end() ? 0
                                                 : order.offsets[static_cast<std::size_t>(at - order.names.begin())]);
    }
    locals_ = std::uint64_t{1} << (map.shape.bits[0] + map.shape.bits[1]);
    lanes_ = 1 << std::min(map.shape.bits[2], 5);
  }
  std::uint64_t locals() const { return locals_; }
  int lanes() const { return lanes_; }
  std::uint64_t bit_at(std::uint64_t local, int lane) const {
    const std::uint64_t place = local | static_cast<std::uint64_t>(lane) << map_.shape.offset(layout::Place::thread);
    const std::uint64_t logical = map_.map(place);
    std::uint64_t element = 0;
    for (std::size_t n = 0; n < offsets_.size(); ++n)
      if (logical >> n & 1) element += offsets_[n];
    return element * static_cast<std::uint64_t>(element_bits_);
  }

 private:
  const layout::PhysicalToLogical& map_;
  int element_bits_;
  std::vector<std::uint64_t> offsets_;
  std::uint64_t locals_ = 1;
  int lanes_ = 1;
};

/// The accesses of `width` bytes; empty where some lane would need parts of one.
std::vector<access::Access> patterns_of(const Thread& thread, int element_bits, int width, trace::AccessKind kind) {
  const std::uint64_t bits = static_cast<std::uint64_t>(width) * 8;
  const std::uint64_t each = std::max<std::uint64_t>(bits / static_cast<std::uint64_t>(element_bits), 1);
  // Places of lane 0 by the piece that they are in; copies of an element are one.
  std::map<std::uint64_t, std::vector<std::uint64_t>> pieces;
  std::map<std::uint64_t, bool> seen;
  for (std::uint64_t l = 0; l < thread.locals(); ++l) {
    const std::uint64_t at = thread.bit_at(l, 0);
    if (!seen.emplace(at, true).second) continue;
    pieces[at / bits].push_back(l);
  }
  std::vector<access::Access> out;
  for (const auto& [piece, places] : pieces) {
    if (places.size() != each) return {};
    access::Access p{.kind = kind,
                     .width_bytes = width,
                     .mask = thread.lanes() >= warp_lanes ? 0xffffffffu : (1u << thread.lanes()) - 1};
    for (int lane = 0; lane < thread.lanes(); ++lane) {
      const std::uint64_t there = thread.bit_at(places.front(), lane) / bits;
      for (const std::uint64_t l : places)
        if (thread.bit_at(l, lane) / bits != there) return {};
      p.addresses[static_cast<std::size_t>(lane)] = there * static_cast<std::uint64_t>(width);
    }
    out.push_back(p);
  }
  return out;
}

}  // namespace

MemoryOrder memory_order(const layout::Assignment& assignment, const std::vector<std::string>& axes) {
  MemoryOrder out{.names = layout::logical_bits(assignment)};
  std::map<std::string, int> bits;
  for (const std::string& n : out.names) {
    const layout::LogicalBit l = layout::split_name(n);
    bits[l.axis] = std::max(bits[l.axis], l.bit + 1);
  }
  for (const auto& [axis, count] : bits)
    if (std::ranges::find(axes, axis) == axes.end()) out.axes.push_back(axis);
  for (const std::string& axis : axes)
    if (bits.contains(axis) && std::ranges::find(out.axes, axis) == out.axes.end()) out.axes.push_back(axis);
  std::map<std::string, int> below;
  int total = 0;
  for (auto axis = out.axes.rbegin(); axis != out.axes.rend(); ++axis) {
    below[*axis] = total;
    total += bits[*axis];
  }
  for (const std::string& n : out.names) {
    const layout::LogicalBit l = layout::split_name(n);
    out.offsets.push_back(std::uint64_t{1} << std::min(below[l.axis] + l.bit, 62));
  }
  return out;
}

Accesses accesses_of(const layout::Assignment& assignment, int element_bits, const MemoryOrder& order,
                     trace::AccessKind kind) {
  Accesses out;
  const auto map = layout::to_map(assignment);
  if (!map) {
    out.problem = "its addresses are not known: " + layout::why_no_map(assignment);
    return out;
  }
  if (map->shape.bits[0] + map->shape.bits[1] > 13 || map->shape.total() > 40) {
    out.problem = fmt::format("a thread has more than {} elements", most_places);
    return out;
  }
  const Thread thread(*map, order, element_bits);
  for (int width = most_bytes; width >= 1 && width * 8 >= element_bits; width /= 2) {
    out.accesses = patterns_of(thread, element_bits, width, kind);
    if (out.accesses.empty()) continue;
    out.width_bytes = width;
    return out;
  }
  out.problem = "a byte holds elements of several threads";
  return out;
}

MemoryCost global_cost(const layout::Assignment& assignment, int element_bits, const MemoryOrder& order,
                       trace::AccessKind kind) {
  const Accesses a = accesses_of(assignment, element_bits, order, kind);
  MemoryCost out{.kind = kind, .width_bytes = a.width_bytes, .problem = a.problem};
  for (const access::Access& each : a.accesses) out.sum += access::cost(each);
  return out;
}

MemoryCost shared_cost(const layout::Assignment& assignment, int element_bits, const MemoryOrder& order,
                       const SharedForm& form, trace::AccessKind kind) {
  Accesses a = accesses_of(assignment, element_bits, order, kind);
  MemoryCost out{.kind = kind, .width_bytes = a.width_bytes, .problem = a.problem};
  const std::uint64_t row_bytes = static_cast<std::uint64_t>(form.row_words) * 4;
  // Words that stay together are at least as wide as an access: a padding or a swizzle of narrower pieces tears it.
  if (form.kind != SharedForm::Kind::plain && row_bytes % static_cast<std::uint64_t>(std::max(a.width_bytes, 1)) != 0) {
    out.problem = fmt::format("accesses of {} bytes cross rows of {} bytes", a.width_bytes, row_bytes);
    return out;
  }
  if (form.kind == SharedForm::Kind::padding && form.padding_words * 4 % std::max(a.width_bytes, 1) != 0) {
    out.problem =
        fmt::format("a padding of {} bytes misaligns accesses of {} bytes", form.padding_words * 4, a.width_bytes);
    return out;
  }
  for (access::Access& p : a.accesses) {
    p.space = trace::MemorySpace::shared;
    const std::uint64_t ideal = access::cost(p).ideal_wavefronts;
    if (form.kind == SharedForm::Kind::padding)
      p = access::padded(p, row_bytes, form.padding_words);
    else if (form.kind == SharedForm::Kind::swizzle)
      p = access::swizzled(
          p,
          {.row_bytes = row_bytes, .unit_bytes = static_cast<std::uint64_t>(form.unit_words) * 4, .rows_per_step = 1});
    access::Cost cost = access::cost(p);
    cost.ideal_wavefronts = ideal;
    out.sum += cost;
  }
  return out;
}

std::string words(const MemoryCost& cost) {
  if (!cost.problem.empty()) return cost.problem;
  const access::Sum& sum = cost.sum;
  return fmt::format("{} of {}: ", counted(sum.requests, cost.kind == trace::AccessKind::load ? "load" : "store"),
                     counted(static_cast<std::uint64_t>(cost.width_bytes), "byte")) +
         (sum.wavefronts > 0 ? fmt::format("{}, ideal {}", counted(sum.wavefronts, "wavefront"), sum.ideal_wavefronts)
                             : fmt::format("{}, {:.0f} % used", counted(sum.sectors, "sector"),
                                           access::bus_utilisation_percent(sum.bytes_wanted, sum.bytes_moved)));
}

}  // namespace lanescope::design
