#include "app/desktop/icon.h"

#include <array>

namespace lanescope::desktop {
namespace {

constexpr scene::Color ground{0x191d24ff}, selected{0xffffffff};
/// By element. Lightness differs as well as hue.
constexpr std::array<scene::Color, 4> elements{{{0x3b6fb0ff}, {0x46b98eff}, {0xe0a340ff}, {0xf0d9a8ff}}};

scene::Rect cell(int column, int row) {
  constexpr float margin = 1, pitch = 3.5f, side = 3;
  return {margin + 0.25f + pitch * static_cast<float>(column), margin + 0.25f + pitch * static_cast<float>(row), side,
          side};
}

}  // namespace

/// Four lanes by four registers under an XOR swizzle: each element once in every row and every column.
scene::Scene icon() {
  scene::Scene s;
  s.width = s.height = icon_side;
  s.boxes.push_back({.rect = {0, 0, icon_side, icon_side}, .fill = ground, .radius = 2.5f});
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column)
      s.boxes.push_back({.rect = cell(column, row), .fill = elements[column ^ row], .radius = 0.5f});
  s.outlines.push_back({.rect = cell(2, 1), .stroke = selected, .stroke_width = 0.7f, .radius = 0.5f});
  return s;
}

scene::Paper icon_paper() { return {.background{ground.rgba & 0xffffff00}}; }

}  // namespace lanescope::desktop
