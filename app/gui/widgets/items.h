#pragma once
// Every widget of the last frame by label and place, as Dear ImGui's test hooks report them, for clicks of scripts.
// Recorded only while a script runs.

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lanescope::gui {

struct Item {
  unsigned id = 0;
  std::string label;
  float x = 0, y = 0, w = 0, h = 0;
};

/// Where Dear ImGui was built without its hooks, nothing is ever found.
void record_items(bool on);
void begin_items();  ///< forget the last frame's
std::span<const Item> items();
/// Words that were drawn outside of ImGui's widgets, while recording.
void note_text(std::string_view text);
std::span<const std::string> texts();
/// Words of which only the beginning fitted into their room, while recording.
void note_cut(std::string_view whole);
std::span<const std::string> cut_texts();
bool recording();
/// By label: all of it or its visible part, else the part after its "##". Of several, the last one drawn.
std::optional<Item> find_item(std::string_view label);

}  // namespace lanescope::gui
