#pragma once
// View options of the explorer as plain values, apart from its contents. A session file keeps them.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/enum_size.h"
#include "viz/views/base/panels.h"
#include "viz/views/memory/what_if.h"
#include "viz/views/registers/registers.h"

namespace lanescope::gui {

using views::Arrangement;
using views::PanelId;
inline constexpr int panel_count = enum_size<PanelId>;
inline constexpr auto all_panels = all_of<PanelId>;
/// "source", "registers", ...: its name in scripts and session files.
constexpr std::string_view panel_name(PanelId id) { return enum_name(id); }
/// "Source", "Global memory", ...
std::string_view panel_title(PanelId id);
constexpr std::optional<PanelId> panel_named(std::string_view name) { return enum_named<PanelId>(name); }
/// Panels about the layout under design: saving, undo and export apply to the layout there.
bool is_design_panel(PanelId id);
/// Has its own words about the shape under the mouse.
bool explains_itself(PanelId id);

inline constexpr int arrangement_count = enum_size<Arrangement>;
constexpr std::string_view arrangement_name(Arrangement a) { return entry_for(views::arrangement_names, a); }
constexpr std::optional<Arrangement> arrangement_named(std::string_view name) {
  return value_named<Arrangement>(views::arrangement_names, name);
}
/// Panels that an arrangement hides by default.
std::array<bool, panel_count> default_hidden(Arrangement arrangement);

/// Contents of the panel of global memory: the bytes or the transactions of one access, or transfers of each sector.
enum class GlobalMode : std::uint8_t { bytes, transactions, line_total, block_total };
inline constexpr int global_mode_count = enum_size<GlobalMode>;
/// "bytes", "transactions", "line total", "block total".
std::string_view global_mode_name(GlobalMode mode);
std::optional<GlobalMode> global_mode_named(std::string_view name);

/// With every number where it can be worked with: rows of 1..4096 words, pieces that are a power of two, ...
views::WhatIf bounded(views::WhatIf what_if);

/// Contents of the panel of the grid: the blocks of the shown launch, the threads of a block, or the tree of child
/// grids.
enum class GridMap : std::uint8_t { blocks, threads, launches };
constexpr std::string_view grid_map_name(GridMap map) { return enum_name(map); }
constexpr std::optional<GridMap> grid_map_named(std::string_view name) { return enum_named<GridMap>(name); }

inline constexpr float smallest_scale = 0.75f, largest_scale = 3.0f;
/// Presentation mode raises type and line weights by half.
inline constexpr float presentation_factor = 1.5f;

struct ViewOptions {
  std::string theme = "dark";
  float scale = 1;
  bool presentation = false;
  Arrangement arrangement = Arrangement::learn;
  std::array<bool, panel_count> hidden = default_hidden(Arrangement::learn);
  std::optional<PanelId> maximised;
  /// By arrangement: panels that were brought to the front of their tabs, at most one of each set. See arrangement.h.
  std::array<std::vector<PanelId>, arrangement_count> front{};
  bool low = false;          ///< of this window, not of the session: too low for four panels one above the other
  bool code_beside = false;  ///< PTX and machine code are beside the source, not in tabs of its place
  bool lesson_open = false;  ///< then they are among the pictures, so that they do not cover its page; not kept
  /// Shares of each splitter's first side, by arrangement; 0 is the arrangement's own. See arrangement.h.
  std::array<std::array<float, 8>, arrangement_count> shares{};

  std::string heat;  ///< the counter beside the source lines, by its name in views::heat_counters(), or "measured " and
                     ///< the hardware's name; "": none
  views::LabelMode label = views::LabelMode::element;
  std::string color_by;  ///< "" is the slowest axis that varies
  bool arrows = true;
  std::vector<std::string> families;  ///< names of the register families shown; empty: the one of the moment
  int warps_shown = 1;
  int buffer = -1;                   ///< global memory; -1: the one accessed
  int contents_buffer = -1;          ///< of the buffers panel; -1: the one that shows most, see engine::ContentsRequest
  std::uint64_t contents_first = 0;  ///< element
  GlobalMode global_mode = GlobalMode::bytes;
  GridMap grid_map = GridMap::blocks;
  views::WhatIf what_if;  ///< shared memory as it might be laid out
  /// Of the pictures of accesses: a name of engine::arch_names(), "": the GPU's of the occupancy panel, else the run's;
  /// and a path that access::load_path_of() has, "": each that moves other pieces than the rest.
  std::string memory_arch{}, load_path{};
  /// Of the comparison, by the hardware's names; absent: views::default_counters().
  std::optional<std::vector<std::string>> compare_counters{};
  std::vector<std::string> recent;  ///< files, newest first
  std::string export_folder;        ///< where a panel was saved last; of this session only

  float effective_scale() const { return presentation ? scale * presentation_factor : scale; }
};

}  // namespace lanescope::gui
