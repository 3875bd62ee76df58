#pragma once
// The welcome page: the first lesson, recent files, the catalogue with pictures, and buttons to open a file.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/model/options.h"
#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"
#include "viz/scene/scene.h"
#include "viz/views/base/theme.h"

namespace lanescope::gui {

/// Inside the overlay's window.
void draw_welcome(App& app, Stage& stage);

// The installed lessons for the welcome page: folders of assets/lessons with a lesson.md.

struct LessonTitle {
  std::string name;     ///< of the folder
  std::string title;    ///< the first heading
  std::string summary;  ///< the paragraph after it, without line breaks
  std::filesystem::path folder{};
};

/// In the order of their names; a folder without a title is left out.
std::vector<LessonTitle> lesson_titles(const std::filesystem::path& folder);
/// Those of the assets, read once.
const std::vector<LessonTitle>& installed_lessons();

// Over the panels: notes on the picture on screen. Any key or click ends it.

/// After the panels of the frame: it points at the scenes that they left in `stage`.
void draw_picture_notes(App& app, const Stage& stage);

// A small picture of a kernel of the catalogue, made from its text alone: nothing is compiled or run for it.
//
// Of a kernel with assignment comments: which element each lane and register holds, coloured by its index, as its first
// and its last comment claim it. Of others: how many threads a block has, warp by warp, and how many blocks there are.

inline constexpr float thumbnail_width = 156, thumbnail_height = 58;

/// Empty of shapes where the text cannot be read.
scene::Scene thumbnail(const std::string& file, const std::string& text, const views::Theme& theme);

// Meanings of the shapes of a panel, in a few words each: notes with leader lines to real shapes of the scene on
// screen.

/// How words are broken: their height at a width.
using HeightOf = float (*)(std::string_view words, float width, const void* context);

struct PictureNote {
  PanelId panel;
  scene::Id::Kind kind;  ///< of the shape that it is about
  std::string_view words;
};
std::span<const PictureNote> picture_notes();

/// A note on a panel of text, lists and fields, which has no shapes to point at.
struct PanelNote {
  PanelId panel;
  std::string_view words;
};
std::span<const PanelNote> panel_notes();
/// The place of such a panel's note: at the lower right of its body.
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
/// The notes of a panel whose shapes are in sight, placed one below the other without covering each other, within
/// `room`, or in a row over its upper edge where it is low. `to_room`: scale and origin of the scene in the room.
std::vector<PlacedNote> place_notes(PanelId panel, const scene::Scene& scene, scene::Point origin, float scale,
                                    scene::Rect room, float note_width, HeightOf height, const void* context);

}  // namespace lanescope::gui
