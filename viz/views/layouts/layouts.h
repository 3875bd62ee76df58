#pragma once
// Views of a layout under design.
//
// A layout design as chips: the physical bits of both ends in rows, the logical bit that each holds as a chip that can
// be dragged onto another, and below them the costs of loading and storing each end.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/convert/planner.h"
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

// The element in each register of each lane: one warp as a grid, in one assignment or between two. And the bit matrix
// of the conversion.

struct ElementsInput {
  const layout::Assignment* before = nullptr;
  const layout::Assignment* after = nullptr;  ///< nullptr: nothing moves
  float share = 1;                            ///< position between the two, 0 to 1
  int warp = 0;
  std::vector<std::string> names;      ///< logical bits,
  std::vector<std::uint64_t> offsets;  ///< and how far each moves an element in memory, in elements
  std::string lit;                     ///< a logical bit: elements where it is 0 are drawn faintly; empty: all alike
};

/// Registers that are drawn at most; of more the first ones.
inline constexpr int most_grid_rows = 256;

/// Cells are register_cell/REGISTER/WARP/LANE/PART, where they arrive. Elements that come from another warp appear.
scene::Scene element_grid(const ElementsInput&, float width, float height, const Theme&);

struct MatrixInput {
  std::vector<std::string> rows, columns;
  std::vector<std::vector<bool>> ones;
  std::vector<std::string> remarks;
};
/// Cells are matrix_cell/ROW/COLUMN.
scene::Scene bit_matrix(const MatrixInput&, float width, const Theme&);

// The plans of a conversion, compared, with the lower bound; and below them the steps that lead from one end to the
// other.

struct StepRow {
  std::string exchange;  ///< "r0 <-> t2"
  std::string held;      ///< "j2 <-> k3"
  std::string kind;      ///< "between lanes"
  std::string cost;      ///< "2 shuffles, 4 selects"
  bool possible = true;
};

struct PlansInput {
  const convert::Planned* planned = nullptr;  ///< nullptr: see `problem`
  std::string problem;                        ///< or the pending computation
  bool waiting = false;                       ///< it is being planned: no mistake
  double milliseconds = 0;                    ///< that planning took
  int chosen_plan = -1;
  std::vector<StepRow> steps;
  int chosen_step = 0;  ///< 0: the whole conversion, else a step, from 1
};
/// Rows are plan_row/N and step_row/N, both from 0; step 0 is the whole.
scene::Scene plan_table(const PlansInput&, float width, const Theme&);

/// The kind of a plan, in a word or two: "shuffles", "shared", "in each lane"; "renaming" where no instruction is
/// needed.
std::string plan_kind(const convert::Plan& plan);

/// "Plan 1 needs 2 shuffles, and no way needs fewer: ...": the lower bound and its argument.
std::string bound_in_words(const convert::Planned& planned);

}  // namespace lanescope::views
