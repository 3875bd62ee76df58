#include "viz/scene/scene.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"

namespace lanescope::scene {
namespace {

/// By how many of its numbers are written even when they are 0.
constexpr std::string_view kinds_by_numbers[] = {
    "none playhead title remark roofline_point roofline_measured timeline_overview",
    "bank_heading shared_word timeline_step timeline_row timeline_claim assignment_row move_arrow legend "
    "what_if_word wavefront calculator_lane calculator_width heat_row ptx_row divergence_row occupancy_limiter "
    "occupancy_curve stall_row stall_reason launch_row launch_mark host_call_row live_plot buffer_row "
    "timeline_problem plan_row step_row roofline_roof occupancy_split time_bin wait group_change journey_row "
    "movement_chip launched_grid",
    "warp_heading memory_line memory_word traffic_line divergence_bar occupancy_point occupancy_block metric_row "
    "stall_bar sass_row variant_bar buffer_element access_lane grid_block matrix_cell tree_node tree_edge "
    "journey_station journey_branch",
    "lane_heading memory_sector assignment_chip traffic_sector timeline_span layout_chip block_thread lane_row "
    "journey_hop movement_cell",
    "register_cell register_row"};
constexpr auto written_numbers = [] {
  std::array<int, enum_size<Id::Kind>> out{};
  out.fill(-1);
  std::size_t listed = 0;
  for (std::size_t n = 0; n < std::size(kinds_by_numbers); ++n)
    for (std::string_view rest = kinds_by_numbers[n]; !rest.empty(); ++listed) {
      const std::string_view name = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
      out[static_cast<std::size_t>(enum_named<Id::Kind>(name).value())] = static_cast<int>(n);
    }
  return listed == out.size() && std::ranges::find(out, -1) == out.end() ? out : throw "a kind is not listed once";
}();

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
  const std::array<std::int32_t, 4> numbers{id.a, id.b, id.c, id.d};
  int written = entry_for(written_numbers, id.kind);
  for (int n = written; n < 4; ++n)
    if (numbers[n] != 0) written = n + 1;
  std::string text(enum_name(id.kind));
  for (int n = 0; n < written; ++n) text += fmt::format("/{}", numbers[n]);
  if (id.group != 0) text += fmt::format("@{}", id.group);
  return text;
}

std::optional<Id> parse_id(std::string_view text) {
  Id id;
  const std::string_view name = text.substr(0, text.find_first_of("/@"));
  const auto kind = enum_named<Id::Kind>(name);
  if (!kind) return std::nullopt;
  id.kind = *kind;
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
  for (auto box = scene.boxes.rbegin(); box != scene.boxes.rend(); ++box)
    if (box->id.kind != Id::Kind::none && box->rect.contains(at)) return &*box;
  return nullptr;
}

const Box* find(const Scene& scene, const Id& id) {
  for (const Box& box : scene.boxes)
    if (box.id == id) return &box;
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
