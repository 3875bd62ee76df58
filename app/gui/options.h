#pragma once
// How the explorer looks: plain values, apart from what it shows. They are what a session file keeps of the window.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "viz/views/model.h"
#include "viz/views/views.h"

namespace lanescope::gui {

enum class PanelId : std::uint8_t { source, assignment, registers, global, shared, inspector, timeline };
inline constexpr int panel_count = 7;
inline constexpr std::array<PanelId, panel_count> all_panels{PanelId::source,  PanelId::assignment, PanelId::registers,
                                                             PanelId::global,  PanelId::shared,     PanelId::inspector,
                                                             PanelId::timeline};
/// "source", "registers", ...: what scripts and session files call it.
std::string_view panel_name(PanelId id);
/// "Source", "Global memory", ...
std::string_view panel_title(PanelId id);
std::optional<PanelId> panel_named(std::string_view name);

enum class Arrangement : std::uint8_t { learn, debug, profile };
inline constexpr int arrangement_count = 3;
std::string_view arrangement_name(Arrangement a);
std::optional<Arrangement> arrangement_named(std::string_view name);

/// What the numbers beside the source lines count.
enum class Heat : std::uint8_t { none, instructions, sectors, wavefronts };
inline constexpr int heat_count = 4;
std::string_view heat_name(Heat heat);

inline constexpr float smallest_scale = 0.75f, largest_scale = 3.0f;
/// Presentation mode raises type and line weights by half.
inline constexpr float presentation_factor = 1.5f;

struct ViewOptions {
  std::string theme = "dark";
  float scale = 1;
  bool presentation = false;
  Arrangement arrangement = Arrangement::learn;
  std::array<bool, panel_count> hidden{};
  std::optional<PanelId> maximised;
  /// Shares of each splitter's first side, by arrangement; 0 is the arrangement's own. See arrangement.h.
  std::array<std::array<float, 8>, arrangement_count> shares{};

  Heat heat = Heat::none;
  views::LabelMode label = views::LabelMode::element;
  std::string color_by;  ///< "" is the slowest axis that varies
  bool arrows = true;
  std::vector<std::string> families;  ///< names of the register families shown; empty: the one of the moment
  int warps_shown = 1;
  int buffer = -1;                  ///< global memory; -1: the one accessed
  std::vector<std::string> recent;  ///< files, newest first

  float effective_scale() const { return presentation ? scale * presentation_factor : scale; }
};

}  // namespace lanescope::gui
