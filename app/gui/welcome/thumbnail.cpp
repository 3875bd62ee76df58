#include "app/gui/welcome/welcome_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "kernels/layout/affine_map.h"
#include "kernels/source/source.h"
#include "viz/views/base/draw.h"

namespace lanescope::gui {
namespace {

using views::Rect;

constexpr int most_rows = 8;

/// Elements of registers (rows) and lanes (columns), coloured by their place among all elements of a warp.
void draw_assignment(scene::Scene& out, const layout::Assignment& assignment, Rect room, const views::Theme& theme) {
  const auto map = layout::to_map(assignment);
  if (!map) return;
  const int simd = map->shape.bits[0], reg = map->shape.bits[1];
  const int rows = std::min(1 << std::min(simd + reg, 8), most_rows), lanes = 1 << std::min(map->shape.bits[2], 5);
  // Only bits that vary within these places count: they spread over the whole ramp.
  std::uint64_t seen = 0;
  const auto element = [&](int row, int lane) {
    return map->map(static_cast<std::uint64_t>(row) | static_cast<std::uint64_t>(lane)
                                                          << map->shape.offset(layout::Place::thread));
  };
  for (int row = 0; row < rows; ++row)
    for (int lane = 0; lane < lanes; ++lane) seen |= element(row, lane) ^ element(0, 0);
  const float w = room.w / static_cast<float>(lanes), h = std::min(room.h / static_cast<float>(rows), 9.0f);
  const float top = room.y + (room.h - h * static_cast<float>(rows)) / 2;
  for (int row = 0; row < rows; ++row)
    for (int lane = 0; lane < lanes; ++lane) {
      std::uint64_t index = 0;
      int bits = 0;
      for (int bit = 0; bit < map->map.out_bits; ++bit)
        if (seen >> bit & 1) index |= (element(row, lane) >> bit & 1) << bits++;
      const int at = views::Theme::ramp_index(index, std::uint64_t{1} << bits);
      out.boxes.push_back(
          {.rect = {room.x + w * static_cast<float>(lane), top + h * static_cast<float>(row), w - 0.6f, h - 0.8f},
           .fill = theme.ramp[static_cast<std::size_t>(at)]});
    }
}

/// One row a warp; lanes that have no thread are empty.
void draw_block(scene::Scene& out, const source::LaunchSpec& launch, Rect room, const views::Theme& theme) {
  const std::uint64_t threads = std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  const std::uint64_t warps = std::max<std::uint64_t>((threads + 31) / 32, 1);
  const int rows = static_cast<int>(std::min<std::uint64_t>(warps, most_rows));
  const float w = room.w / 32, h = std::min((room.h - 15) / static_cast<float>(rows), 6.0f);
  for (int row = 0; row < rows; ++row)
    for (int lane = 0; lane < 32; ++lane) {
      const bool used = static_cast<std::uint64_t>(row * 32 + lane) < threads;
      const int at = views::Theme::ramp_index(static_cast<std::uint64_t>(row), warps);
      out.boxes.push_back(
          {.rect = {room.x + w * static_cast<float>(lane), room.y + h * static_cast<float>(row), w - 0.6f, h - 0.8f},
           .fill = used ? theme.ramp[static_cast<std::size_t>(at)] : theme.cell_empty});
    }
  const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  views::add_text(out, {room.x, room.y + room.h - 6},
                  fmt::format("{} × {}", counted(blocks, "block"), counted(threads, "thread")), theme.text_dim,
                  views::type_px::small, views::Face::sans, views::Align::left, {}, room.w);
}

}  // namespace

scene::Scene thumbnail(const std::string& file, const std::string& text, const views::Theme& theme) {
  scene::Scene out;
  out.width = thumbnail_width, out.height = thumbnail_height;
  const auto source = source::read(file, text, {.watch_probes = false, .headers = false});
  if (!source) return out;
  std::vector<const source::Claim*> claims;
  for (const source::Claim& c : source->claims)
    if (c.kind() == source::ClaimKind::registers && layout::to_map(c.stated)) claims.push_back(&c);
  constexpr float margin = 3;
  if (claims.empty()) {
    if (!source->header.launches.empty())
      draw_block(out, source->header.launches.front(),
                 {margin, margin + 2, thumbnail_width - 2 * margin, thumbnail_height - 2 * margin - 2}, theme);
    return out;
  }
  const bool two = claims.size() > 1 && claims.front()->stated != claims.back()->stated;
  const float width = two ? (thumbnail_width - 2 * margin - 14) / 2 : thumbnail_width - 2 * margin;
  draw_assignment(out, claims.front()->stated, {margin, margin, width, thumbnail_height - 2 * margin}, theme);
  if (two) {
    draw_assignment(out, claims.back()->stated, {margin + width + 14, margin, width, thumbnail_height - 2 * margin},
                    theme);
    views::add_text(out, {thumbnail_width / 2, thumbnail_height / 2}, "→", theme.text_dim, views::type_px::note,
                    views::Face::sans, views::Align::center);
  }
  return out;
}

}  // namespace lanescope::gui
