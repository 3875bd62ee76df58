#pragma once
// The costs of 32 offsets, without a kernel: a table over the widths of an access, and the sectors or banks of one of
// them. Offsets come from anywhere: typed, drawn, or profiling/access/patterns.h.

#include <optional>
#include <string>

#include "profiling/access/access.h"
#include "profiling/access/traffic.h"
#include "viz/scene/scene.h"
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

// A load of constant memory: the constant cache gives one address at a time to all lanes at it, so an access is split
// into as many turns as there are different addresses. One row a turn: its offset, the 32 lanes, those it serves
// coloured.

struct ConstantOptions {
  float width = 0;
  int most_rows = 16;  ///< turns; the others are counted
  int selected_lane = -1;
  std::string arch{};  ///< "sm_90"; empty: not said
};
/// Ids: calculator_lane of each lane, title, remark.
scene::Scene constant_view(const access::Access& access, const ConstantOptions&, const Theme&);

}  // namespace lanescope::views
