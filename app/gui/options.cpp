#include "app/gui/options.h"

namespace lanescope::gui {
namespace {

struct PanelWords {
  std::string_view name, title;
};
constexpr std::array<PanelWords, panel_count> panel_words{{{"source", "Source"},
                                                           {"assignment", "Assignment"},
                                                           {"registers", "Registers"},
                                                           {"global", "Global memory"},
                                                           {"shared", "Shared memory"},
                                                           {"inspector", "Inspector"},
                                                           {"timeline", "Timeline"}}};
constexpr std::array<std::string_view, arrangement_count> arrangement_words{"Learn", "Debug", "Profile"};
constexpr std::array<std::string_view, heat_count> heat_words{"none", "instructions", "sectors", "wavefronts"};

}  // namespace

std::string_view panel_name(PanelId id) { return panel_words[static_cast<int>(id)].name; }
std::string_view panel_title(PanelId id) { return panel_words[static_cast<int>(id)].title; }

std::optional<PanelId> panel_named(std::string_view name) {
  for (PanelId id : all_panels) {
    if (panel_name(id) == name) return id;
  }
  return std::nullopt;
}

std::string_view arrangement_name(Arrangement a) { return arrangement_words[static_cast<int>(a)]; }

std::optional<Arrangement> arrangement_named(std::string_view name) {
  for (int i = 0; i < arrangement_count; ++i) {
    if (arrangement_words[i] == name) return static_cast<Arrangement>(i);
  }
  return std::nullopt;
}

std::string_view heat_name(Heat heat) { return heat_words[static_cast<int>(heat)]; }

}  // namespace lanescope::gui
