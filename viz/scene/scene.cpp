#include "viz/scene/scene.h"

#include <charconv>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"

namespace lanescope::scene {
namespace {

struct KindName {
  Id::Kind kind;
  std::string_view name;
  int numbers;  ///< written even when 0
};

constexpr KindName kind_names[] = {
    {Id::Kind::none, "none", 0},
    {Id::Kind::register_cell, "register_cell", 4},
    {Id::Kind::register_row, "register_row", 4},
    {Id::Kind::lane_heading, "lane_heading", 3},
    {Id::Kind::warp_heading, "warp_heading", 2},
    {Id::Kind::memory_line, "memory_line", 2},
    {Id::Kind::memory_sector, "memory_sector", 3},
    {Id::Kind::memory_word, "memory_word", 2},
    {Id::Kind::bank_heading, "bank_heading", 1},
    {Id::Kind::shared_word, "shared_word", 1},
    {Id::Kind::timeline_step, "timeline_step", 1},
    {Id::Kind::timeline_row, "timeline_row", 1},
    {Id::Kind::timeline_claim, "timeline_claim", 1},
    {Id::Kind::playhead, "playhead", 0},
    {Id::Kind::assignment_chip, "assignment_chip", 3},
    {Id::Kind::assignment_row, "assignment_row", 1},
    {Id::Kind::move_arrow, "move_arrow", 1},
    {Id::Kind::legend, "legend", 1},
    {Id::Kind::title, "title", 0},
    {Id::Kind::remark, "remark", 0},
    {Id::Kind::traffic_sector, "traffic_sector", 3},
    {Id::Kind::traffic_line, "traffic_line", 2},
    {Id::Kind::what_if_word, "what_if_word", 1},
    {Id::Kind::wavefront, "wavefront", 1},
    {Id::Kind::calculator_lane, "calculator_lane", 1},
    {Id::Kind::calculator_width, "calculator_width", 1},
    {Id::Kind::heat_row, "heat_row", 1},
    {Id::Kind::ptx_row, "ptx_row", 1},
    {Id::Kind::divergence_bar, "divergence_bar", 2},
    {Id::Kind::divergence_row, "divergence_row", 1},
    {Id::Kind::occupancy_limiter, "occupancy_limiter", 1},
    {Id::Kind::occupancy_curve, "occupancy_curve", 1},
    {Id::Kind::occupancy_point, "occupancy_point", 2},
    {Id::Kind::occupancy_block, "occupancy_block", 2},
    {Id::Kind::roofline_point, "roofline_point", 0},
    {Id::Kind::roofline_measured, "roofline_measured", 0},
    {Id::Kind::metric_row, "metric_row", 2},
    {Id::Kind::stall_row, "stall_row", 1},
    {Id::Kind::stall_bar, "stall_bar", 2},
    {Id::Kind::stall_reason, "stall_reason", 1},
    {Id::Kind::sass_row, "sass_row", 2},
    {Id::Kind::launch_row, "launch_row", 1},
    {Id::Kind::launch_mark, "launch_mark", 1},
    {Id::Kind::host_call_row, "host_call_row", 1},
    {Id::Kind::variant_bar, "variant_bar", 2},
    {Id::Kind::live_plot, "live_plot", 1},
    {Id::Kind::buffer_element, "buffer_element", 2},
    {Id::Kind::buffer_row, "buffer_row", 1},
    {Id::Kind::access_lane, "access_lane", 2},
    {Id::Kind::timeline_span, "timeline_span", 3},
    {Id::Kind::timeline_overview, "timeline_overview", 0},
    {Id::Kind::timeline_problem, "timeline_problem", 1},
    {Id::Kind::grid_block, "grid_block", 2},
    {Id::Kind::layout_chip, "layout_chip", 3},
    {Id::Kind::plan_row, "plan_row", 1},
    {Id::Kind::step_row, "step_row", 1},
    {Id::Kind::matrix_cell, "matrix_cell", 2},
    {Id::Kind::block_thread, "block_thread", 3},
    {Id::Kind::roofline_roof, "roofline_roof", 1},
    {Id::Kind::occupancy_split, "occupancy_split", 1},
    {Id::Kind::time_bin, "time_bin", 1},
    {Id::Kind::tree_node, "tree_node", 2},
    {Id::Kind::tree_edge, "tree_edge", 2},
    {Id::Kind::wait, "wait", 1},
    {Id::Kind::group_change, "group_change", 1},
    {Id::Kind::lane_row, "lane_row", 3},
    {Id::Kind::journey_row, "journey_row", 1},
    {Id::Kind::journey_station, "journey_station", 2},
    {Id::Kind::journey_hop, "journey_hop", 3},
    {Id::Kind::journey_branch, "journey_branch", 2},
    {Id::Kind::movement_cell, "movement_cell", 3},
    {Id::Kind::movement_chip, "movement_chip", 1},
    {Id::Kind::launched_grid, "launched_grid", 1},
};

std::optional<std::int32_t> take_number(std::string_view& text) {
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace

// "kind/a/b/c/d@group"; trailing zeros that the kind does not use, and group 0, are left out.
std::string to_string(const Id& id) {
  const KindName& entry = entry_for(kind_names, id.kind);
  const std::array<std::int32_t, 4> numbers{id.a, id.b, id.c, id.d};
  int written = entry.numbers;
  for (int n = written; n < 4; ++n) {
    if (numbers[n] != 0) written = n + 1;
  }
  std::string text(entry.name);
  for (int n = 0; n < written; ++n) text += fmt::format("/{}", numbers[n]);
  if (id.group != 0) text += fmt::format("@{}", id.group);
  return text;
}

std::optional<Id> parse_id(std::string_view text) {
  Id id;
  const std::string_view name = text.substr(0, text.find_first_of("/@"));
  const KindName* entry = nullptr;
  for (const KindName& candidate : kind_names) {
    if (candidate.name == name) entry = &candidate;
  }
  if (entry == nullptr) return std::nullopt;
  id.kind = entry->kind;
  text.remove_prefix(name.size());
  for (std::int32_t* field : {&id.a, &id.b, &id.c, &id.d}) {
    if (!text.starts_with('/')) break;
    text.remove_prefix(1);
    const auto number = take_number(text);
    if (!number) return std::nullopt;
    *field = *number;
  }
  if (text.starts_with('@')) {
    text.remove_prefix(1);
    const auto number = take_number(text);
    if (!number) return std::nullopt;
    id.group = *number;
  }
  if (!text.empty()) return std::nullopt;
  return id;
}

const Box* hit(const Scene& scene, Point at) {
  for (auto box = scene.boxes.rbegin(); box != scene.boxes.rend(); ++box) {
    if (box->id.kind != Id::Kind::none && box->rect.contains(at)) return &*box;
  }
  return nullptr;
}

const Box* find(const Scene& scene, const Id& id) {
  for (const Box& box : scene.boxes) {
    if (box.id == id) return &box;
  }
  return nullptr;
}

std::array<Point, 4> curve_of(const Arrow& a) {
  const Point along{a.to.x - a.from.x, a.to.y - a.from.y};
  const float out = a.bend * 4 / 3;  // of a cubic: its middle lies 3/4 as far out
  const Point sideways{-along.y * out, along.x * out};
  return {a.from,
          {a.from.x + along.x * 0.25f + sideways.x, a.from.y + along.y * 0.25f + sideways.y},
          {a.from.x + along.x * 0.75f + sideways.x, a.from.y + along.y * 0.75f + sideways.y},
          a.to};
}

}  // namespace lanescope::scene
