#include "profiling/review/memory/structure_advice.h"

#include <bit>
#include <set>

#include <fmt/format.h>

#include "kernels/base/set_bits.h"
#include "profiling/review/findings/finding.h"

namespace lanescope::review {
namespace {

/// Bytes between neighbouring lanes; 0: they differ, or fewer than two lanes are active.
std::int64_t stride_of(const AccessTotals& t) {
  std::int64_t stride = 0, lane_before = -1;
  std::uint64_t before = 0;
  for (const std::size_t lane : set_bits(t.worst.active)) {
    if (lane_before >= 0) {
      const auto lanes = static_cast<std::int64_t>(lane) - lane_before;
      const auto bytes = static_cast<std::int64_t>(t.access.addresses[lane] - before);
      if (bytes % lanes != 0 || (stride != 0 && bytes / lanes != stride)) return 0;
      stride = bytes / lanes;
    }
    lane_before = static_cast<std::int64_t>(lane), before = t.access.addresses[lane];
  }
  return stride;
}

}  // namespace

std::optional<StructureAccess> structure_access(const AccessCollector& seen, const AccessTotals& of) {
  const std::int64_t stride = stride_of(of);
  if (of.access.space != trace::MemorySpace::global || stride < 6 || stride > 64 || stride <= of.access.width_bytes)
    return std::nullopt;
  const auto first_lane = static_cast<std::size_t>(std::countr_zero(of.worst.active));
  StructureAccess out{.structure_bytes = static_cast<int>(stride)};
  std::set<std::uint64_t> distinct;
  std::set<std::int64_t> offsets;
  for (const auto& [key, t] : seen.totals()) {
    if (t.access.space != of.access.space || t.access.kind != of.access.kind || t.buffer != of.buffer ||
        t.access.width_bytes != of.access.width_bytes || stride_of(t) != stride || t.worst.active != of.worst.active)
      continue;
    // The worst accesses of two fields may be of different warps: the field is the rest of the distance.
    const auto apart = static_cast<std::int64_t>(t.access.addresses[first_lane] - of.access.addresses[first_lane]);
    if (!offsets.insert((apart % stride + stride) % stride).second) continue;
    out.sectors += t.cost.sectors;
    out.of_arrays += t.cost.ideal_sectors;
    const std::int64_t whole = apart - (apart % stride + stride) % stride;
    for (const std::size_t lane : set_bits(t.worst.active)) {
      const std::uint64_t begin = t.access.addresses[lane] - static_cast<std::uint64_t>(whole);
      for (std::uint64_t byte = begin; byte < begin + static_cast<std::uint64_t>(t.access.width_bytes); ++byte)
        distinct.insert(byte / 32);
    }
  }
  // More fields than fit are accesses that overlap, of different branches.
  if (static_cast<std::int64_t>(offsets.size()) * of.access.width_bytes > stride) return std::nullopt;
  if (offsets.size() < 2 && std::has_single_bit(static_cast<std::uint64_t>(stride))) return std::nullopt;
  // Few words of a structure wider than a sector may be columns of a narrow matrix.
  if (stride > 32 && 3 * static_cast<std::int64_t>(offsets.size()) * of.access.width_bytes < stride)
    return std::nullopt;
  out.fields.assign(offsets.begin(), offsets.end());
  out.distinct = distinct.size();
  return out;
}

std::string structure_remedy(const StructureAccess& a, trace::AccessKind kind, bool scalar) {
  std::string ways;
  const auto add = [&](std::string way) { ways += (ways.empty() ? "" : ", or ") + way; };
  if (a.of_arrays < a.sectors)
    add(fmt::format("{}{})",
                    scalar ? "let neighbouring lanes access neighbouring elements ("
                           : "keep each field in an array of its own (structure of arrays: ",
                    counted(a.of_arrays, "sector", "sectors")));
  if (a.distinct < a.sectors) {
    const bool loads = kind == trace::AccessKind::load;
    add(fmt::format("{} the {} {} shared memory, in whole rows of a warp ({})", loads ? "stage" : "collect",
                    scalar ? "elements" : "structures", loads ? "through" : "in", a.distinct));
    if (loads)
      add(fmt::format("load through the read-only path with `__ldg` or `const __restrict__` ({} of the {} miss)",
                      a.distinct, a.sectors));
  }
  if (ways.empty()) return {};
  if (scalar)
    return fmt::format("lanes {} bytes apart, each with {} in turn, take {} per warp: {}", a.structure_bytes,
                       counted(a.fields.size(), "element", "elements"), counted(a.sectors, "sector", "sectors"), ways);
  return fmt::format("structures of {} bytes, {} in turn, take {} per warp: {}", a.structure_bytes,
                     counted(a.fields.size(), "field", "fields"), counted(a.sectors, "sector", "sectors"), ways);
}

}  // namespace lanescope::review
