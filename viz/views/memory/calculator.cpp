#include "viz/views/memory/calculator.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "kernels/base/numbers.h"
#include "kernels/base/set_bits.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/draw.h"
#include "viz/views/memory/banks.h"
#include "viz/views/memory/global.h"

namespace lanescope::views {
namespace {

constexpr float calculator_margin = 12, lane_height = 34, lane_gap = 3, pattern_row = 21, pattern_heading = 22;

int misaligned_lanes(const access::Access& p) {
  int count = 0;
  for (int lane = 0; lane < 32; ++lane)
    if (p.mask >> lane & 1) count += p.addresses[lane] % static_cast<std::uint64_t>(p.width_bytes) != 0;
  return count;
}

struct Column {
  std::string_view heading, narrow_heading;
  float right = 0;  ///< share of the table's width
};
constexpr Column table_columns[] = {{"bytes per lane", "width", 0.14f},         {"sectors", "sectors", 0.27f},
                                    {"128-byte lines", "lines", 0.43f},         {"bytes used", "bytes used", 0.58f},
                                    {"shared wavefronts", "wavefronts", 0.79f}, {"ideal", "ideal", 0.88f},
                                    {"misaligned", "misaligned", 1.00f}};

class CalculatorDrawing {
 public:
  CalculatorDrawing(const access::Access& access, const CalculatorOptions& options, const Theme& theme)
      : access_(access), options_(options), theme_(theme) {
    scene_.width = options.width > 0 ? options.width : 780;
  }

  Scene draw() {
    float y = lanes(8);
    // The picture of one access to global memory is low, so that it stands above the widths; that of banks is not.
    if (access_.space == trace::MemorySpace::shared) y = table(y + 8);
    append(drawing(), y + 10);
    if (access_.space == trace::MemorySpace::global) scene_.height = table(scene_.height + 6) + 4;
    return std::move(scene_);
  }

 private:
  float lanes(float y) {
    const int per_row = scene_.width >= 560 ? 16 : 8;
    const float pitch = (scene_.width - 2 * calculator_margin + lane_gap) / static_cast<float>(per_row);
    for (int lane = 0; lane < 32; ++lane) {
      const Rect rect{calculator_margin + pitch * static_cast<float>(lane % per_row),
                      y + (lane_height + lane_gap) * static_cast<float>(lane / per_row), pitch - lane_gap, lane_height};
      lane_cell(lane, rect);
    }
    return y + (lane_height + lane_gap) * static_cast<float>(32 / per_row);
  }

  void lane_cell(int lane, Rect rect) {
    const Id id{.kind = Id::Kind::calculator_lane, .a = lane};
    const bool active = access_.mask >> lane & 1;
    const int ramp = Theme::ramp_index(static_cast<std::uint64_t>(lane), 32);
    scene_.boxes.push_back({.id = id,
                            .rect = rect,
                            .fill = active ? theme_.ramp[ramp] : theme_.cell_empty,
                            .radius = 3,
                            .hatched = !active});
    if (lane == options_.selected_lane) add_selection(scene_, id, rect, theme_, 3);
    const Color ink = active ? theme_.ramp_text[ramp] : theme_.text_dim;
    add_text(scene_, {rect.x + rect.w / 2, rect.y + 10}, std::to_string(lane),
             active ? theme_.ramp_text_dim[ramp] : theme_.text_dim, type_px::tiny, Face::mono, Align::center, id);
    std::string offset = active ? "+" + spaced(access_.addresses[lane]) : "off";
    add_fitted(scene_, id, {rect.x + rect.w / 2, rect.y + 23}, std::move(offset), ink, type_px::code, rect.w, 4);
  }

  float table(float y) {
    const float room = scene_.width - 2 * calculator_margin;
    const bool tight = scene_.width < 620;
    for (const Column& column : table_columns) {
      std::string_view heading = tight ? column.narrow_heading : column.heading;
      if (halves_of_warps() && heading == "sectors") heading = "transactions";
      add_text(scene_, {calculator_margin + room * column.right, y + pattern_heading / 2}, std::string(heading),
               theme_.text_dim, type_px::tiny, Face::sans, Align::right);
    }
    y += pattern_heading;
    for (const WidthCost& cost : costs_by_width(access_, options_.memory)) {
      table_line(cost, y, room);
      y += pattern_row;
    }
    return y;
  }

  void table_line(const WidthCost& cost, float y, float room) {
    const Id id{.kind = Id::Kind::calculator_width, .a = cost.width_bytes};
    const bool chosen = cost.width_bytes == access_.width_bytes;
    add_box(scene_, {calculator_margin - 6, y, room + 12, pattern_row - 1}, chosen ? theme_.row_highlight : Color{}, id,
            3);
    // Compute capability 1.x counts transactions; how its shared memory serves lanes is not modelled.
    const bool halves = halves_of_warps();
    const std::string texts[] = {std::to_string(cost.width_bytes),
                                 spaced(halves ? cost.traffic.transactions : cost.global.sectors),
                                 spaced(cost.global.lines),
                                 (halves ? percent_text(cost.traffic.bytes_wanted, cost.traffic.bytes_moved)
                                         : percent_text(cost.global.bytes_wanted, cost.global.bytes_moved)) +
                                     " %",
                                 halves ? std::string("–") : spaced(cost.shared.wavefronts),
                                 halves ? std::string("–") : spaced(cost.shared.ideal_wavefronts),
                                 cost.misaligned_lanes == 0
                                     ? std::string("no")
                                     : counted(static_cast<std::uint64_t>(cost.misaligned_lanes), "lane")};
    for (int n = 0; n < 7; ++n) {
      const bool bad = (n == 6 && cost.misaligned_lanes > 0) ||
                       (n == 4 && !halves && cost.shared.wavefronts > cost.shared.ideal_wavefronts);
      add_text(scene_, {calculator_margin + room * table_columns[n].right, y + pattern_row / 2 - 0.5f}, texts[n],
               bad ? theme_.bad : theme_.text, type_px::code, chosen ? Face::mono_bold : Face::mono, Align::right, id);
    }
  }

  bool halves_of_warps() const { return options_.memory.half_warps != access::HalfWarps::none; }

  Scene drawing() const {
    if (access_.space == trace::MemorySpace::constant)
      return constant_view(
          access_,
          {.width = scene_.width, .most_rows = 32, .selected_lane = options_.selected_lane, .arch = options_.arch},
          theme_);
    if (access_.space == trace::MemorySpace::shared && halves_of_warps())
      return empty_view(
          scene_.width, 90,
          "How " + options_.arch +
              " serves shared memory is not known: the programming guide leaves open which word is broadcast.",
          theme_);
    AccessInfo info = results::priced(access_);
    if (access_.space == trace::MemorySpace::shared)
      return banks_view(info, {},
                        {.width = scene_.width,
                         .most_rows = options_.most_rows,
                         .wavefront = options_.wavefront,
                         .what_if = options_.what_if},
                        theme_);
    Moment moment;
    info.buffer = 0;
    moment.access = info;
    return traffic_view({}, moment, {},
                        {.width = scene_.width,
                         .most_rows = options_.most_rows,
                         .arch = options_.arch,
                         .memory = options_.memory,
                         .path = options_.path},
                        theme_);
  }

  void append(Scene part, float y) {
    const auto down = [&](auto& shapes) {
      for (auto& shape : shapes) shape.rect.y += y;
    };
    down(part.boxes), down(part.outlines);
    for (auto& line : part.lines) line.from.y += y, line.to.y += y;
    for (auto& label : part.labels) label.at.y += y;
    const auto move_over = [](auto& from, auto& to) {
      to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    };
    move_over(part.boxes, scene_.boxes), move_over(part.outlines, scene_.outlines);
    move_over(part.lines, scene_.lines), move_over(part.labels, scene_.labels);
    scene_.height = y + part.height;
  }

  const access::Access& access_;
  const CalculatorOptions& options_;
  const Theme& theme_;
  Scene scene_;
};

constexpr float constant_margin = 12, constant_gap = 3, constant_heading = 34;

/// Lanes with one address, in the order of their lowest lanes.
struct Turn {
  std::uint64_t address = 0;
  std::uint32_t lanes = 0;
};
// Every row has a cell for each lane: rows differ in the group of their ids, from 1 on.

std::vector<Turn> turns_of(const access::Access& p) {
  std::vector<Turn> turns;
  for (const std::size_t lane : set_bits(p.mask)) {
    const auto at = std::ranges::find(turns, p.addresses[lane], &Turn::address);
    if (at == turns.end())
      turns.push_back({p.addresses[lane], 1u << lane});
    else
      at->lanes |= 1u << lane;
  }
  return turns;
}

void draw_turn(Scene& scene, const Turn& turn, int row, Point at, float pitch, float height, const ConstantOptions& o,
               const Theme& theme) {
  add_text(scene, {at.x - 9, at.y + height / 2}, "+" + spaced(turn.address), theme.text, type_px::small, Face::mono,
           Align::right);
  for (int lane = 0; lane < 32; ++lane) {
    const Id id{.kind = Id::Kind::calculator_lane, .a = lane, .group = row};
    const bool served = turn.lanes >> lane & 1;
    const int ramp = Theme::ramp_index(static_cast<std::uint64_t>(lane), 32);
    const Rect rect{at.x + pitch * static_cast<float>(lane), at.y, pitch - 2, height};
    add_box(scene, rect, served ? theme.ramp[ramp] : theme.cell_empty, id, 2);
    if (!served) continue;
    if (lane == o.selected_lane) add_selection(scene, id, rect, theme, 2);
    add_fitted(scene, id, {rect.x + rect.w / 2, rect.y + rect.h / 2}, std::to_string(lane), theme.ramp_text[ramp],
               type_px::small, rect.w, 2);
  }
}

}  // namespace

std::array<WidthCost, 5> costs_by_width(access::Access access, const access::MemoryModel& memory) {
  std::array<WidthCost, 5> costs;
  for (int n = 0; n < 5; ++n) {
    access.width_bytes = 1 << n;
    access.space = trace::MemorySpace::global;
    costs[n] = {.width_bytes = access.width_bytes,
                .misaligned_lanes = misaligned_lanes(access),
                .global = access::cost(access, memory),
                .traffic = access::traffic(access, access::LoadPath::non_caching, memory)};
    access.space = trace::MemorySpace::shared;
    costs[n].shared = access::cost(access, memory);
  }
  return costs;
}

Scene calculator_view(const access::Access& access, const CalculatorOptions& options, const Theme& theme) {
  return CalculatorDrawing(access, options, theme).draw();
}

std::string to_csv(const access::Access& access) {
  csv::Table table({"width_bytes", "misaligned_lanes", "sectors", "lines", "bytes_wanted", "bytes_moved", "wavefronts",
                    "ideal_wavefronts", "bank_conflicts"});
  for (const WidthCost& c : costs_by_width(access))
    table.row(c.width_bytes, c.misaligned_lanes, c.global.sectors, c.global.lines, c.global.bytes_wanted,
              c.global.bytes_moved, c.shared.wavefronts, c.shared.ideal_wavefronts, c.shared.bank_conflicts);
  return table.text();
}

Scene constant_view(const access::Access& access, const ConstantOptions& o, const Theme& theme) {
  Scene scene{.width = o.width > 0 ? o.width : 780};
  const float room = scene.width - 2 * constant_margin;
  add_text(scene, {constant_margin, 13}, "Constant memory" + (o.arch.empty() ? "" : ", " + o.arch), theme.text,
           type_px::title, Face::sans_bold, Align::left, {.kind = Id::Kind::title});
  add_text(scene, {scene.width - constant_margin, 13}, "one address a turn, given to all lanes at it", theme.text_dim,
           type_px::note, Face::sans, Align::right, {}, room * 0.6f);
  const std::vector<Turn> turns = turns_of(access);
  const auto shown = std::min(turns.size(), static_cast<std::size_t>(std::max(o.most_rows, 1)));
  float label = 46;
  for (std::size_t n = 0; n < shown; ++n)
    label = std::max(label, sans_width("+" + spaced(turns[n].address), type_px::small) * 1.25f + 20);
  const float left = label, pitch = std::max((scene.width - label - constant_margin) / 32, 5.0f);
  const float height = shown > 8 ? 15 : 24;
  float y = constant_heading;
  for (std::size_t n = 0; n < shown; ++n, y += height + constant_gap)
    draw_turn(scene, turns[n], static_cast<int>(n) + 1, {left, y}, pitch, height, o, theme);
  if (shown < turns.size()) {
    add_text(scene, {left, y + 8}, fmt::format("{} more", counted(turns.size() - shown, "turn")), theme.text_faint,
             type_px::tiny);
    y += 18;
  }
  const access::Cost cost = access::cost(access);
  y += 14;
  y += add_broken(scene, {constant_margin, y},
                  turns.empty() ? std::string("no lane is active")
                                : fmt::format("{}, {}", counted(cost.broadcasts, "broadcast"),
                                              cost.replays() == 0 ? "no replay" : counted(cost.replays(), "replay")),
                  theme.text, type_px::title, room, 17, {.kind = Id::Kind::remark}, Face::sans_bold);
  y += 21;
  add_broken(scene, {constant_margin, y},
             cost.broadcasts <= 1
                 ? "every lane gets the word in one turn; constant memory is made for this"
                 : "data that lanes read at different addresses are better off in global or shared memory",
             theme.text_dim, type_px::body, room, 16);
  scene.height = y + 22;
  return scene;
}

}  // namespace lanescope::views
