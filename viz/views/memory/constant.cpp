#include "viz/views/memory/constant.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "kernels/base/set_bits.h"
#include "viz/views/base/draw.h"

namespace lanescope::views {
namespace {

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
    scene.boxes.push_back({.id = id, .rect = rect, .fill = served ? theme.ramp[ramp] : theme.cell_empty, .radius = 2});
    if (!served) continue;
    if (lane == o.selected_lane) add_selection(scene, id, rect, theme, 2);
    add_fitted(scene, id, {rect.x + rect.w / 2, rect.y + rect.h / 2}, std::to_string(lane), theme.ramp_text[ramp],
               type_px::small, rect.w, 2);
  }
}

}  // namespace

Scene constant_view(const access::Access& access, const ConstantOptions& o, const Theme& theme) {
  Scene scene;
  scene.width = o.width > 0 ? o.width : 780;
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
