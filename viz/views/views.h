#pragma once
// The views: values in, a Scene out. Each is a pure function, so the window, the command line and the tests draw the same
// thing. `width` is the room there is, in pixels at scale 1; 0 asks for the view's own comfortable width. Heights follow
// from the content; the window scrolls or scales.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "viz/scene/scene.h"
#include "viz/views/model.h"
#include "viz/views/theme.h"

namespace lanescope::views {

struct RegistersOptions {
  float width = 0;
  LabelMode label = LabelMode::element;
  std::string color_by{};    ///< "j", "j3", "j1 j0 k3", "lane", "warp", "register"; "" is the slowest axis that varies
  std::string label_axes{};  ///< "j k": coordinates in the cells, at most three; "" is every axis that varies
  bool arrows = true;
  int most_arrows = 24;  ///< beyond that, bundles
};
scene::Scene registers_view(const Summary&, const Moment&, const Selection&, const RegistersOptions&, const Theme&);

struct GlobalOptions {
  float width = 0;
  int most_rows = 8;       ///< rows of 128 bytes; runs of untouched lines are folded into one
  int buffer = -1;         ///< -1: the one accessed, or else the first
  std::string color_by{};  ///< "lane", or as in RegistersOptions; "" is the slowest axis that varies, or lane
  std::string note{};      ///< said before the words of the access: "evidence of uncoalesced"
};
scene::Scene global_view(const Summary&, const Moment&, const Selection&, const GlobalOptions&, const Theme&);

/// The same access if shared memory were laid out otherwise.
struct WhatIf {
  enum class Kind : std::uint8_t { none, padding, swizzle };
  Kind kind = Kind::none;
  int row_words = 32;     ///< of one row of the array, 4 bytes each
  int padding_words = 1;  ///< unused words after each row
  int unit_words = 1;     ///< swizzle: pieces that stay together; a power of two
  int rows_per_step = 1;  ///< swizzle: rows that share one permutation
  bool operator==(const WhatIf&) const = default;
};

struct SharedOptions {
  float width = 0;
  int most_rows = 16;
  std::string color_by{};
  int wavefront = -1;  ///< from 0: only what this wavefront serves is filled; -1: the whole access
  WhatIf what_if{};    ///< drawn beside the access as it is
  std::string note{};  ///< as in GlobalOptions
};
/// With a wavefront or a what-if: the access alone, played and compared (banks.h).
scene::Scene shared_view(const Summary&, const Moment&, const Selection&, const SharedOptions&, const Theme&);

/// What a column of the timeline is: the n-th instruction of each warp (warps side by side, so that equal work lines up),
/// or the step of the block (the serial order in which the instructions really took effect).
enum class TimelineAxis : std::uint8_t { instruction, step };

struct TimelineOptions {
  float width = 0;
  TimelineAxis axis = TimelineAxis::instruction;
  double first = 0, last = -1;  ///< range shown, in columns, half open; last < 0: to the end
  int first_warp = 0, most_warps = 16;
  float row_height = 19;
  bool legend = true;
};
scene::Scene timeline_view(const Summary&, const Moment&, const Selection&, const TimelineOptions&, const Theme&);
/// Number of columns of the whole timeline.
std::uint64_t timeline_columns(const Summary& summary, TimelineAxis axis);
/// The step under a horizontal position of a timeline scene: of `warp`, or (axis step) of any warp. -1: none.
std::int64_t timeline_step_at(const Summary& summary, const TimelineOptions& options, int warp, float x);

struct AssignmentOptions {
  float width = 0;
};
scene::Scene assignment_view(const Summary&, const Moment&, const Selection&, const AssignmentOptions&, const Theme&);

// --- words for hover and inspector -----------------------------------------------------------------------------------

/// What is known about the thing with this id, in a line or a few; empty when nothing is.
std::string fact(const Summary& summary, const Moment& moment, const scene::Id& id);

/// The selection that hovering or clicking this id means, starting from `before`.
Selection select(const Summary& summary, const Moment& moment, const scene::Id& id, Selection before);

struct InspectorRow {
  std::string name, value;
  std::string hint{};  ///< shown under the mouse: names and formulas of a counter
};
struct InspectorSection {
  std::string title;
  std::vector<InspectorRow> rows;
};
std::vector<InspectorSection> inspector(const Summary&, const Moment&, const Selection&);

// --- shared by views, tests and scripts --------------------------------------------------------------------------------

/// Moves that go together: same registers and parts, same step from lane to lane (XOR) and from warp to warp (XOR).
struct MoveBundle {
  Move first;  ///< the move drawn
  std::uint32_t moves = 1, warps = 1;
  int lane_xor = 0, warp_xor = 0;
  std::vector<std::uint32_t> members;  ///< indices into the moves given
};
/// Every move is in exactly one bundle; largest first, ties in order of appearance.
std::vector<MoveBundle> bundle(const std::vector<Move>& moves);

/// "y1.lo", "x0.b3", "v.x"; for reg and part of a family.
std::string register_name(const Summary& summary, int family, int reg, int part, int parts);
/// "warp 0 · lane 11 · y1.lo".
std::string place_words(const Summary& summary, const Moment& moment, const PlaceRef& place);
/// The cell at a place of a grid of this moment; nullptr when no grid shows it.
const Cell* cell_at(const Moment& moment, const PlaceRef& place);

}  // namespace lanescope::views
