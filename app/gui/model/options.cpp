#include "app/gui/model/options.h"

#include <algorithm>
#include <bit>

#include "kernels/base/enum_size.h"

namespace lanescope::gui {
namespace {

struct PanelWords {
  std::string_view name, title;
};
constexpr PanelWords panel_words[] = {{"source", "Source"},
                                      {"assignment", "Assignment"},
                                      {"registers", "Registers"},
                                      {"global", "Global memory"},
                                      {"shared", "Shared memory"},
                                      {"inspector", "Inspector"},
                                      {"timeline", "Timeline"},
                                      {"ptx", "PTX"},
                                      {"divergence", "Divergence"},
                                      {"occupancy", "Occupancy"},
                                      {"calculator", "Access calculator"},
                                      {"metrics", "Metrics"},
                                      {"stalls", "Stalls"},
                                      {"compare", "Compare"},
                                      {"host_calls", "Host calls"},
                                      {"sass", "Machine code"},
                                      {"live", "Live"},
                                      {"buffers", "Buffers"},
                                      {"problems", "Problems"},
                                      {"grid", "Grid"},
                                      {"output", "Output"},
                                      {"options", "Options"},
                                      {"designer", "Designer"},
                                      {"plans", "Plans"},
                                      {"elements", "Elements"},
                                      {"code", "Generated code"},
                                      {"lanes", "Lanes"},
                                      {"tree", "Value tree"},
                                      {"journey", "Journey"},
                                      {"movement", "Movement"},
                                      {"lesson", "Lesson"},
                                      {"moments", "Moments"}};
constexpr std::string_view arrangement_words[] = {"Learn", "Debug", "Profile", "Design"};
constexpr std::string_view global_mode_words[] = {"bytes", "transactions", "line total", "block total"};
static_assert(panel_count == enum_size<PanelId> && arrangement_count == enum_size<Arrangement> &&
              global_mode_count == enum_size<GlobalMode>);
constexpr std::string_view grid_map_words[] = {"blocks", "threads", "launches"};

}  // namespace

std::string_view panel_name(PanelId id) { return entry_for(panel_words, id).name; }
std::string_view panel_title(PanelId id) { return entry_for(panel_words, id).title; }

std::optional<PanelId> panel_named(std::string_view name) {
  for (PanelId id : all_panels) {
    if (panel_name(id) == name) return id;
  }
  return std::nullopt;
}

std::string_view arrangement_name(Arrangement a) { return entry_for(arrangement_words, a); }

std::optional<Arrangement> arrangement_named(std::string_view name) {
  for (int i = 0; i < arrangement_count; ++i) {
    if (arrangement_words[i] == name) return static_cast<Arrangement>(i);
  }
  return std::nullopt;
}

bool is_design_panel(PanelId id) {
  return id == PanelId::designer || id == PanelId::plans || id == PanelId::elements || id == PanelId::code;
}

std::array<bool, panel_count> default_hidden(Arrangement arrangement) {
  std::array<bool, panel_count> hidden{};
  const auto hide = [&](std::initializer_list<PanelId> panels) {
    for (const PanelId id : panels) hidden[static_cast<int>(id)] = true;
  };
  switch (arrangement) {
    case Arrangement::learn:
      hide({PanelId::ptx, PanelId::divergence, PanelId::occupancy, PanelId::calculator, PanelId::metrics,
            PanelId::stalls, PanelId::compare, PanelId::host_calls, PanelId::sass, PanelId::live, PanelId::buffers,
            PanelId::options, PanelId::lanes, PanelId::tree, PanelId::journey});
      break;
    case Arrangement::debug:
      hide({PanelId::occupancy, PanelId::calculator, PanelId::metrics, PanelId::stalls, PanelId::compare,
            PanelId::host_calls, PanelId::sass, PanelId::live, PanelId::options, PanelId::journey});
      break;
    case Arrangement::profile:
      hide({PanelId::registers, PanelId::assignment, PanelId::compare, PanelId::host_calls, PanelId::sass,
            PanelId::live, PanelId::buffers, PanelId::options, PanelId::lanes, PanelId::tree, PanelId::journey,
            PanelId::movement});
      break;
    case Arrangement::design:
      break;
  }
  hide({PanelId::lesson, PanelId::moments});
  const bool design = arrangement == Arrangement::design;
  for (const PanelId id : all_panels)
    if (design || is_design_panel(id)) hidden[static_cast<int>(id)] = design != is_design_panel(id);
  return hidden;
}

views::WhatIf bounded(views::WhatIf w) {
  w.row_words = std::clamp(w.row_words, 1, 4096);
  w.padding_words = std::clamp(w.padding_words, 1, 32);
  w.unit_words = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::clamp(w.unit_words, 1, 32))));
  w.rows_per_step = std::clamp(w.rows_per_step, 1, 32);
  return w;
}

std::string_view grid_map_name(GridMap map) { return entry_for(grid_map_words, map); }

std::optional<GridMap> grid_map_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(grid_map_words); ++i) {
    if (grid_map_words[i] == name) return static_cast<GridMap>(i);
  }
  return std::nullopt;
}

std::string_view global_mode_name(GlobalMode mode) { return entry_for(global_mode_words, mode); }

std::optional<GlobalMode> global_mode_named(std::string_view name) {
  for (int i = 0; i < global_mode_count; ++i) {
    if (global_mode_words[i] == name) return static_cast<GlobalMode>(i);
  }
  return std::nullopt;
}

}  // namespace lanescope::gui
