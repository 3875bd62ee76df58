#include "profiling/access/traffic.h"

#include <algorithm>
#include <bit>

#include "kernels/base/set_bits.h"

namespace lanescope::access {
namespace {

constexpr std::uint32_t smallest_bytes = 32, largest_bytes = 128;

std::uint64_t down_to(std::uint64_t address, std::uint32_t bytes) { return address & ~std::uint64_t{bytes - 1}; }

/// Lane k of the half at word k of one aligned segment.
bool in_order(const Access& p, std::uint32_t lanes, std::uint64_t& first) {
  if (p.width_bytes < 4) return false;
  const auto width = static_cast<std::uint64_t>(p.width_bytes);
  const auto lowest = static_cast<std::size_t>(std::countr_zero(lanes));
  if (p.addresses[lowest] < lowest % 16 * width) return false;
  first = p.addresses[lowest] - lowest % 16 * width;
  bool each = first % (16 * width) == 0;
  for (const std::size_t lane : set_bits(lanes)) each = each && p.addresses[lane] == first + lane % 16 * width;
  return each;
}

void add_in_order(const Access& p, std::uint32_t lanes, std::vector<Transaction>& out) {
  std::uint64_t first = 0;
  if (!in_order(p, lanes, first)) {
    for (const std::size_t lane : set_bits(lanes))
      out.push_back({down_to(p.addresses[lane], smallest_bytes), smallest_bytes, 1u << lane});
    return;
  }
  const auto all = static_cast<std::uint32_t>(16 * p.width_bytes);
  const std::uint32_t bytes = std::min(all, largest_bytes);
  for (std::uint64_t at = first; at < first + all; at += bytes) {
    std::uint32_t served = 0;
    for (const std::size_t lane : set_bits(lanes))
      if (p.addresses[lane] >= at && p.addresses[lane] < at + bytes) served |= 1u << lane;
    out.push_back({at, bytes, served});
  }
}

/// Bytes that the lanes use, from the first to the last, within one segment.
Transaction halved(const Access& p, Transaction t) {
  std::uint64_t from = ~std::uint64_t{0}, to = 0;
  for (const std::size_t lane : set_bits(t.lanes)) {
    from = std::min(from, p.addresses[lane]);
    to = std::max(to, p.addresses[lane] + static_cast<std::uint64_t>(p.width_bytes));
  }
  while (t.bytes > smallest_bytes) {
    const std::uint64_t middle = t.address + t.bytes / 2;
    if (from < middle && to > middle) break;
    t.bytes /= 2;
    if (from >= middle) t.address = middle;
  }
  return t;
}

void add_segments(const Access& p, std::uint32_t lanes, std::vector<Transaction>& out) {
  const std::uint32_t segment = std::min(smallest_bytes * static_cast<std::uint32_t>(p.width_bytes), largest_bytes);
  while (lanes != 0) {
    const auto lowest = static_cast<std::size_t>(std::countr_zero(lanes));
    Transaction t{down_to(p.addresses[lowest], segment), segment, 0};
    for (const std::size_t lane : set_bits(lanes))
      if (down_to(p.addresses[lane], segment) == t.address) t.lanes |= 1u << lane;
    lanes &= ~t.lanes;
    out.push_back(halved(p, t));
  }
}

}  // namespace

std::vector<Transaction> half_warp_transactions(const Access& access, HalfWarps rule) {
  std::vector<Transaction> out;
  for (const std::uint32_t half : {0x0000ffffu, 0xffff0000u}) {
    const std::uint32_t lanes = access.mask & half;
    if (lanes == 0 || rule == HalfWarps::none) continue;
    rule == HalfWarps::in_order ? add_in_order(access, lanes, out) : add_segments(access, lanes, out);
  }
  return out;
}

}  // namespace lanescope::access
