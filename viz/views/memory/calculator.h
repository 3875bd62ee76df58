#pragma once
// The costs of 32 offsets, without a kernel: a table over the widths of an access, and the sectors or banks of one of
// them. Offsets come from anywhere: typed, drawn, or profiling/access/patterns.h.

#include <optional>
#include <string>

#include "profiling/access/traffic.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"
#include "viz/views/memory/what_if.h"

namespace lanescope::views {

struct WidthCost {
  int width_bytes = 4;
  int misaligned_lanes = 0;  ///< a fault on hardware; costs are those of the bytes
  access::Cost global, shared;
  access::Traffic traffic;  ///< by the way without caches
};
/// 1, 2, 4, 8 and 16 bytes; width and space of the access are ignored.
std::array<WidthCost, 5> costs_by_width(access::Access access,
                                        const access::MemoryModel& memory = access::h200_memory());

struct CalculatorOptions {
  float width = 0;
  int most_rows = 8;
  int selected_lane = -1;
  int wavefront = -1;  ///< shared: see SharedOptions
  WhatIf what_if{};    ///< shared
  std::string arch{};  ///< as in TrafficOptions
  access::MemoryModel memory = access::h200_memory();
  std::optional<access::LoadPath> path{};  ///< global
};
/// Drawn for the access's own width and space. Ids: calculator_lane, calculator_width; those of traffic_view or banks_view below.
scene::Scene calculator_view(const access::Access& access, const CalculatorOptions&, const Theme&);

/// "width_bytes,misaligned_lanes,sectors,lines,bytes_wanted,bytes_moved,wavefronts,ideal_wavefronts,bank_conflicts"
std::string to_csv(const access::Access& access);

}  // namespace lanescope::views
