#pragma once
// The generation of memory and the path in pictures of accesses, chosen once for the panels of global memory and of the
// calculator.

#include <optional>
#include <string>
#include <vector>

#include "app/engine/summary/occupancy_info.h"
#include "app/gui/state/app.h"
#include "profiling/access/traffic.h"

namespace lanescope::gui {

/// The generation that was chosen; else the occupancy panel's GPU; else the run's architecture.
engine::ShownMemory memory_shown(const App& app);
/// Paths of loads of that generation; only the path to device memory for other accesses.
std::vector<access::LoadPath> paths_shown(const App& app, bool load);
/// The chosen one, where paths_shown() has it.
std::optional<access::LoadPath> path_shown(const App& app, bool load);
/// "sm_35 (Kepler)"
std::string generation_words(const std::string& arch);

/// "": follows the GPU. A name that the table does not have changes nothing.
void choose_generation(App& app, const std::string& arch);
void choose_path(App& app, std::optional<access::LoadPath> path);

}  // namespace lanescope::gui
