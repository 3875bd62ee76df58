#pragma once
// The background of a scene, by the theme, for painters.

#include "viz/scene/scene.h"

namespace lanescope::scene {

struct Paper {
  Color background{0x191d24ff};
  Color hatch{0x8a94a380};       ///< strokes of hatched boxes
  Color count_fill{0x12151aff};  ///< the pill behind a bundle's count
  Color count_text{0xffffffff};
};

}  // namespace lanescope::scene
