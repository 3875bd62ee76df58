#pragma once
// Panels and arrangements of the window as names, for files that name them where there is no window: moments, lessons, sessions.

#include <array>
#include <cstdint>
#include <string_view>

#include "kernels/base/enum_size.h"

namespace lanescope::views {

enum class PanelId : std::uint8_t {
  source,
  assignment,
  registers,
  global,
  shared,
  inspector,
  timeline,
  ptx,
  divergence,
  occupancy,
  calculator,
  metrics,
  stalls,
  compare,
  host_calls,
  sass,
  live,
  buffers,
  problems,
  grid,
  output,
  options,
  designer,
  plans,
  elements,
  code,
  lanes,
  tree,
  journey,
  movement,
  lesson,
  moments,
  barriers,
  claims
};
/// Panels that a moment can put on the stage.
constexpr bool is_picture(PanelId id) {
  using enum PanelId;
  for (const PanelId other : {compare, host_calls, live, options, designer, plans, elements, code, lesson, moments})
    if (id == other) return false;
  return true;
}

enum class Arrangement : std::uint8_t { learn, debug, profile, design };
inline constexpr std::array<std::string_view, enum_size<Arrangement>> arrangement_names{"Learn", "Debug", "Profile",
                                                                                        "Design"};

/// The text in the cells of registers.
enum class LabelMode : std::uint8_t { element, value, tag };

}  // namespace lanescope::views
