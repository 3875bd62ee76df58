#pragma once
// Queries of tests to a scene.

#include <algorithm>
#include <string>
#include <string_view>

#include "viz/scene/scene.h"

namespace lanescope::views {

/// A scene with the name of its picture.
struct Picture {
  std::string name;
  scene::Scene scene;
};

/// Some label has these words.
inline bool says(const scene::Scene& scene, std::string_view words) {
  return std::any_of(scene.labels.begin(), scene.labels.end(),
                     [&](const auto& l) { return l.text.find(words) != l.text.npos; });
}

/// Boxes of that kind.
inline int count(const scene::Scene& scene, scene::Id::Kind kind) {
  return static_cast<int>(
      std::count_if(scene.boxes.begin(), scene.boxes.end(), [&](const auto& b) { return b.id.kind == kind; }));
}

/// The left end of a label that is so wide.
inline float left_of(const scene::Label& l, float wide) {
  return l.at.x - (l.align == scene::Align::left ? 0 : l.align == scene::Align::center ? wide / 2 : wide);
}

}  // namespace lanescope::views
