#pragma once
// Times of repeated launches as a histogram, with median, mean and outliers.

#include "results/measured.h"
#include "viz/scene/scene.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

inline constexpr float times_height = 96;
/// Into `area`, times_height high. Nothing where no single times are known. Returns where it ends.
float draw_times(scene::Scene& scene, const results::TimingInfo& timing, scene::Rect area, const Theme& theme);
/// "samples in a bin" of an id of time_bin; empty: there is none.
std::string time_tooltip(const results::TimingInfo& timing, const scene::Id& id);

}  // namespace lanescope::views
