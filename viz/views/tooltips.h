#pragma once
// Text over all views: tooltips, the selection, tables of values.
//
// Tooltips: text about what is under the mouse, and what a click on it selects.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"

namespace lanescope::views {

/// Facts about this id, in one line or a few; empty: none.
std::string tooltip_text(const Summary& summary, const Moment& moment, const scene::Id& id);

/// Of a line, sector or word of memory: the lanes of the moment's access that access it.
std::uint32_t accessing_lanes(const Moment& moment, const scene::Id& id);

/// "holds", "holds for this input", "differs: r1 and r0 are swapped", "unchecked: ...".
std::string verdict_text(const claims::ClaimResult& result);

/// The selection that hovering or clicking this id means, starting from `before`.
Selection select(const Summary& summary, const Moment& moment, const scene::Id& id, Selection before);

// The selection as text, by section: rows of name and value.

struct InspectorRow {
  std::string name, value;
  std::string hint{};  ///< shown under the mouse: names and formulas of a counter
};
struct InspectorSection {
  enum class About : std::uint8_t { other, selected_register, claims };
  std::string title;
  std::vector<InspectorRow> rows;
  About about = About::other;
};
std::vector<InspectorSection> inspector(const Summary&, const Moment&, const Selection&);

// The views of a run as comma-separated values.

std::string registers_csv(const Summary&, const Moment&);   ///< one row per cell
std::string global_csv(const Summary&, const Moment&);      ///< one row per active lane of the access
std::string shared_csv(const Summary&, const Moment&);      ///< one row per word of shared memory
std::string timeline_csv(const Summary&);                   ///< one row per mark
std::string assignment_csv(const Summary&, const Moment&);  ///< one row per physical bit
std::string counters_csv(const Summary&);                   ///< one row per line
std::string ptx_csv(const Summary&);                        ///< one row per instruction
std::string divergence_csv(const Summary&);                 ///< one row per line

/// By the name of the view, as `lanescope render --view` has it; empty for a name that is unknown.
std::string to_csv(std::string_view view, const Summary&, const Moment&);

}  // namespace lanescope::views
