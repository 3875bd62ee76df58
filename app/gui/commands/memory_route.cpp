#include "app/gui/commands/memory_route.h"

#include <algorithm>

#include "profiling/occupancy/gpu_table.h"

namespace lanescope::gui {

engine::ShownMemory memory_shown(const App& app) {
  const std::string& chosen = app.shell.view.memory_arch;
  return engine::shown_memory(app.results.summary.arch, chosen.empty() ? app.occupancy.choice.gpu : chosen);
}

std::vector<access::LoadPath> paths_shown(const App& app, bool load) {
  using access::LoadPath;
  if (!load) return {LoadPath::non_caching};
  std::vector<LoadPath> paths;
  const engine::ShownMemory shown = memory_shown(app);
  for (const LoadPath path : {LoadPath::caching, LoadPath::non_caching, LoadPath::read_only})
    if (access::exists(path, shown.memory)) paths.push_back(path);
  return paths;
}

std::optional<access::LoadPath> path_shown(const App& app, bool load) {
  const auto path = access::load_path_of(app.shell.view.load_path);
  const auto paths = paths_shown(app, load);
  return path && std::ranges::find(paths, *path) != paths.end() ? path : std::nullopt;
}

std::string generation_words(const std::string& arch) {
  const auto& table = occupancy::gpu_table();
  const auto found = table ? table->arch(arch) : Expected<occupancy::Arch>(tl::unexpected(Diagnostics{}));
  return found ? arch + " (" + found->generation + ")" : arch;
}

void choose_generation(App& app, const std::string& arch) {
  const auto names = engine::arch_names();
  if (arch.empty() || std::ranges::find(names, arch) != names.end()) app.shell.view.memory_arch = arch;
}

void choose_path(App& app, std::optional<access::LoadPath> path) {
  app.shell.view.load_path = path ? std::string(access::name_of(*path)) : std::string();
}

}  // namespace lanescope::gui
