#pragma once
// A layout design as chips: the physical bits of both ends in rows, the logical bit that each holds as a chip that can
// be dragged onto another, and below them the costs of loading and storing each end.

#include <optional>
#include <string>
#include <vector>

#include "kernels/layout/assignment.h"
#include "viz/scene/scene.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

/// A chip: end 0 is the source, 1 the destination. Scenes have it as layout_chip/END/PLACE/BIT.
struct ChipRef {
  int end = 0;
  layout::PhysicalBit bit;
  bool operator==(const ChipRef&) const = default;
};
std::optional<ChipRef> chip_of(const scene::Id& id);
scene::Id id_of(const ChipRef& chip);

struct EndFact {
  std::string name, words;
  enum class Tone : std::uint8_t { plain, good, warn } tone = Tone::plain;
};

struct ChipsInput {
  /// nullptr: its notation has a mistake.
  const layout::Assignment* ends[2] = {nullptr, nullptr};
  std::vector<EndFact> facts;       ///< costs of each end
  std::optional<ChipRef> focused;   ///< by the keyboard
  std::optional<ChipRef> picked;    ///< held, to be exchanged with the next one
  std::optional<ChipRef> aimed_at;  ///< the chip under the dragged one
  std::string sentence;             ///< about the held chip or the last edit
};
/// Ends are side by side if the width allows it.
scene::Scene assignment_chips(const ChipsInput&, float width, const Theme&);

}  // namespace lanescope::views
