#pragma once
// A view as data: shapes with stable ids, in units of pixels at scale 1. The same scene is painted in the window,
// written as SVG or PNG, dumped as JSON for tests, and hit-tested by arithmetic. It depends on no window and no
// toolkit.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::scene {

struct Point {
  float x = 0, y = 0;
};
struct Rect {
  float x = 0, y = 0, w = 0, h = 0;
  bool contains(Point p) const { return p.x >= x && p.x < x + w && p.y >= y && p.y < y + h; }
};

/// 0xRRGGBBAA; alpha 0 draws nothing.
struct Color {
  std::uint32_t rgba = 0;
  bool operator==(const Color&) const = default;
};

/// Stable identity of a shape: its kind and up to four numbers. The same thing keeps its id from scene to
/// scene. to_string gives the form scripts use: "register_cell/2/0/12/1".
struct Id {
  enum class Kind : std::uint8_t {
    none,
    register_cell,   ///< a: register of the family, b: warp, c: lane, d: simd part   (group: family, see Scene::groups)
    register_row,    ///< a: register, b: warp, d: simd part
    lane_heading,    ///< c: lane
    warp_heading,    ///< b: warp
    memory_line,     ///< a: buffer, b: line (128 bytes) from the buffer's start
    memory_sector,   ///< a: buffer, b: line, c: sector 0..3
    memory_word,     ///< a: buffer, b: 4-byte word from the buffer's start
    bank_heading,    ///< a: bank
    shared_word,     ///< a: 4-byte word of the block's shared memory
    timeline_step,   ///< a: step index in the trace
    timeline_row,    ///< a: warp
    timeline_claim,  ///< a: claim
    playhead,
    assignment_chip,  ///< a: Place, b: bit, c: 0 claimed / 1 real
    assignment_row,   ///< a: Place
    move_arrow,       ///< a: number of the move drawn, b: moves it stands for (0: itself only)
    legend,
    title,
    remark,
    traffic_sector,     ///< a: buffer, b: line, c: sector 0..3: how often it was moved
    traffic_line,       ///< a: buffer, b: line: transactions of 128 bytes
    what_if_word,       ///< a: 4-byte word of shared memory as it would lie
    wavefront,          ///< a: number of the wavefront, b: 0 as it is / 1 what-if
    calculator_lane,    ///< a: lane
    calculator_width,   ///< a: bytes per lane
    heat_row,           ///< a: line
    ptx_row,            ///< a: pc
    divergence_bar,     ///< a: warp, b: first step of the bar
    divergence_row,     ///< a: line
    occupancy_limiter,  ///< a: resource
    occupancy_curve,    ///< a: curve (0 registers, 1 shared memory, 2 block size)
    occupancy_point,    ///< a: curve, b: x (registers, bytes, threads)
    occupancy_block,    ///< a: multiprocessor, b: wave
    roofline_point,
    roofline_measured,
    metric_row,         ///< a: index into Measured::metrics, b: line, 0 the whole run
    stall_row,          ///< a: line
    stall_bar,          ///< a: line, b: number of the reason
    stall_reason,       ///< a: number of the reason
    sass_row,           ///< a: index into Measured::sass, b: line, 0 none
    launch_row,         ///< a: number of the kind of launch
    launch_mark,        ///< a: index into Measured::launches
    host_call_row,      ///< a: index into Measured::host_calls
    variant_bar,        ///< a: variant, b: group of bars
    live_plot,          ///< a: number of the counter
    buffer_element,     ///< a: buffer, b: element
    buffer_row,         ///< a: number of the row in the list of buffers
    access_lane,        ///< a: lane, b: 0 on the emulator / 1 on the GPU
    timeline_span,      ///< a: first step, b: last step, c: warp: many steps in one column of pixels
    timeline_overview,  ///< the strip of the whole run
    timeline_problem,   ///< a: number given by the caller
    grid_block,         ///< a: first block of the cell, b: how many blocks it stands for
    layout_chip,        ///< a: end (0 source, 1 destination), b: Place, c: bit
    plan_row,           ///< a: plan
    step_row,           ///< a: step of a design, from 1; 0: all of them
    matrix_cell,        ///< a: row, b: column
    block_thread,       ///< a: warp, b: lane, c: 0 in the block / 1 in its warp
    roofline_roof,      ///< a: memory; b: 1 its point in the plot
    occupancy_split,    ///< a: carveout in percent: the size of shared memory beside L1
    time_bin,           ///< a: bin of the histogram of times
    tree_node,          ///< a: node of the moment's tree, b: 1 folded
    tree_edge,          ///< a: node, b: the operand
    wait,               ///< a: index into Summary::waits
    group_change,       ///< a: index into Summary::group_changes
    lane_row,           ///< a: warp, c: lane
    journey_row,        ///< a: journey
    journey_station,    ///< a: journey, b: station
    journey_hop,        ///< a: journey, b: station that it leads to, c: number of the hop
    journey_branch,     ///< a: journey, b: station that copies lead away from
    movement_cell,      ///< a: row of Moment::movement, b: column, c: 0 before / 1 after
    movement_chip,      ///< a: flow of Moment::movement
    launched_grid,      ///< a: index into Summary::grids, of the first of those that the box stands for
  };
  Kind kind = Kind::none;
  std::int32_t a = 0, b = 0, c = 0, d = 0;
  std::int32_t group = 0;  ///< which of several grids (families) of the scene
  bool operator==(const Id&) const = default;
};
std::string to_string(const Id& id);
std::optional<Id> parse_id(std::string_view text);

enum class Face : std::uint8_t { sans, sans_bold, mono, mono_bold };
enum class Align : std::uint8_t { left, center, right };

struct Box {
  Id id{};
  Rect rect{};
  Color fill{}, stroke{};
  float stroke_width = 1, radius = 0;
  bool dashed = false;
  bool hatched = false;  ///< pattern beside colour (inactive, stale)
};

struct Label {
  Id id{};     ///< of the thing it names
  Point at{};  ///< baseline-left, -centre or -right corner by `align`; y is the vertical centre of the text
  std::string text{};
  Color color{};
  Face face = Face::sans;
  float size = 13;
  Align align = Align::left;
  float max_width = 0;  ///< 0: unlimited; else cut with an ellipsis, whole text in the tooltip
  float min_scale = 0;  ///< drawn only at this zoom or above (level of detail)
};

struct Line {
  Id id{};
  Point from{}, to{};
  Color color{};
  float width = 1;
  bool dashed = false;
};

/// A curved arrow from one place to another.
struct Arrow {
  Id id{};
  Point from{}, to{};
  Color color{};
  float width = 1.5f;
  float bend = 0.25f;   ///< sideways bulge as a share of the length
  std::string count{};  ///< "x 16" on a bundle; empty on a single move
};

/// Words about a shape, shown by the inspector and in tooltips.
struct Fact {
  Id id;
  std::string text;
};

struct Scene {
  float width = 0, height = 0;
  std::vector<Box> boxes;  ///< painted first, in order
  std::vector<Line> lines;
  std::vector<Label> labels;
  std::vector<Box> outlines;  ///< selection and change outlines, above labels
  std::vector<Arrow> arrows;  ///< last
  std::vector<Fact> facts;
  std::vector<std::string> groups;  ///< names of Id::group numbers
};

/// The topmost box with an id under a point; nullptr when there is none.
const Box* hit(const Scene& scene, Point at);
const Box* find(const Scene& scene, const Id& id);
/// An arrow's cubic: start, two controls, end (its tip).
std::array<Point, 4> curve_of(const Arrow& arrow);
std::string to_json(const Scene& scene);

}  // namespace lanescope::scene
