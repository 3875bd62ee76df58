#pragma once
// What the shapes of a panel mean, in a few words each: notes with leader lines to real shapes of the scene on screen.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/model/options.h"
#include "viz/scene/scene.h"

namespace lanescope::gui {

/// How words are broken: their height at a width.
using HeightOf = float (*)(std::string_view words, float width, const void* context);

struct PictureNote {
  PanelId panel;
  scene::Id::Kind kind;  ///< of the shape that it is about
  std::string_view words;
};
std::span<const PictureNote> picture_notes();

/// Panels of text, lists and fields, which have no shapes to point at: what stands there.
struct PanelNote {
  PanelId panel;
  std::string_view words;
};
std::span<const PanelNote> panel_notes();
/// Where the note of such a panel lies: at the lower right of its body.
/// Empty: it has no room.
scene::Rect place_panel_note(std::string_view words, scene::Rect body, float note_width, HeightOf height,
                             const void* context);

/// A note beside its shape; all in the units of the room.
struct PlacedNote {
  std::string_view words;
  scene::Rect box;    ///< of the words
  scene::Point from;  ///< end of the leader at the box
  scene::Point to;    ///< and at the shape
  scene::Rect shape;
};
/// The notes of a panel whose shapes are in sight, placed one below the other without covering each other, within `room`, or in a row
/// over its upper edge where it is low.
/// `to_room`: scale and origin of the scene in the room.
std::vector<PlacedNote> place_notes(PanelId panel, const scene::Scene& scene, scene::Point origin, float scale,
                                    scene::Rect room, float note_width, HeightOf height, const void* context);

}  // namespace lanescope::gui
