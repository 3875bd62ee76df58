#include "app/gui/model/options.h"

#include <algorithm>
#include <bit>

namespace lanescope::gui {
namespace {

constexpr unsigned in_learn = 1, in_debug = 2, in_profile = 4, in_design = 8;  // a bit for each Arrangement
struct PanelRow {
  std::string_view title;
  unsigned shown = 0;  ///< in which arrangements, by default
  bool explains_itself = false;
};
constexpr PanelRow panel_rows[] = {{"Source", in_learn | in_debug | in_profile},
                                   {"Assignment", in_learn | in_debug},
                                   {"Registers", in_learn | in_debug},
                                   {"Global memory", in_learn | in_debug | in_profile},
                                   {"Shared memory", in_learn | in_debug | in_profile},
                                   {"Inspector", in_learn | in_debug | in_profile},
                                   {"Timeline", in_learn | in_debug | in_profile},
                                   {"PTX", in_debug | in_profile},
                                   {"Divergence", in_debug | in_profile},
                                   {"Occupancy", in_profile, true},
                                   {"Access calculator", in_profile, true},
                                   {"Metrics", in_profile, true},
                                   {"Stalls", in_profile, true},
                                   {"Compare", 0, true},
                                   {"Host calls", 0, true},
                                   {"Machine code", 0, true},
                                   {"Live", 0, true},
                                   {"Buffers", in_debug, true},
                                   {"Problems", in_learn | in_debug | in_profile},
                                   {"Grid", in_learn | in_debug | in_profile},
                                   {"Output", in_learn | in_debug | in_profile},
                                   {"Options", 0},
                                   {"Designer", in_design, true},
                                   {"Plans", in_design, true},
                                   {"Elements", in_design, true},
                                   {"Generated code", in_design, true},
                                   {"Lanes", in_debug},
                                   {"Value tree", in_debug},
                                   {"Journey", 0, true},
                                   {"Movement", in_learn | in_debug},
                                   {"Lesson", 0},
                                   {"Moments", 0},
                                   {"Barriers", 0},
                                   {"Claims", in_debug, true}};
constexpr std::string_view global_mode_words[] = {"bytes", "transactions", "line total", "block total"};

}  // namespace

std::string_view panel_title(PanelId id) { return entry_for(panel_rows, id).title; }
bool is_design_panel(PanelId id) { return entry_for(panel_rows, id).shown == in_design; }
bool explains_itself(PanelId id) { return entry_for(panel_rows, id).explains_itself; }

std::string_view global_mode_name(GlobalMode mode) { return entry_for(global_mode_words, mode); }
std::optional<GlobalMode> global_mode_named(std::string_view name) {
  return value_named<GlobalMode>(global_mode_words, name);
}

std::array<bool, panel_count> default_hidden(Arrangement arrangement) {
  std::array<bool, panel_count> hidden{};
  for (const PanelId id : all_panels)
    hidden[static_cast<std::size_t>(id)] =
        (entry_for(panel_rows, id).shown >> static_cast<unsigned>(arrangement) & 1) == 0;
  return hidden;
}

views::WhatIf bounded(views::WhatIf w) {
  w.row_words = std::clamp(w.row_words, 1, 4096);
  w.padding_words = std::clamp(w.padding_words, 1, 32);
  w.unit_words = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::clamp(w.unit_words, 1, 32))));
  w.rows_per_step = std::clamp(w.rows_per_step, 1, 32);
  return w;
}

}  // namespace lanescope::gui
