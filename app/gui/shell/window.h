#pragma once
// One frame of the window: top bar, notices, panels, overlays.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/model/arrangement.h"
#include "app/gui/panels/panel.h"
#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

// Presentation mode: the current line between its neighbours, one picture as large as it goes, a caption and the step
// control. For a class that looks from the last row; everything else is one key away.

class Presentation {
 public:
  /// Draws `panel` as the picture of `area`.
  void draw(App& app, Stage& stage, Panel& panel, Rectangle area);

 private:
  void code(const App& app, const Stage& stage, Rectangle area) const;
  void control(App& app, Stage& stage, Rectangle area);
  void track(App& app, const Stage& stage, Rectangle area);
  void find_stops(const App& app);

  /// Steps of the warp at which a line ends, for this run and warp.
  std::vector<std::int64_t> stops_;
  std::uint64_t run_ = ~std::uint64_t{0};
  int warp_ = -1;
};

/// The lines of code around a line (from 1): the nearest before and after it that are neither blank nor a comment; 0:
/// none.
struct NeighbourLines {
  int before = 0, after = 0;
};
NeighbourLines neighbour_lines(std::string_view text, int line);

/// The effect of the step in the shown picture, in one sentence or two.
std::string presentation_caption(const App& app);

class Window {
 public:
  Window();
  /// Between ImGui::NewFrame and ImGui::Render.
  void draw(App& app, Stage& stage);
  bool typing(const App& app) const;
  Panel& panel(PanelId id) { return *panels_[static_cast<int>(id)]; }

 private:
  void draw_panel(App& app, Stage& stage, const PlacedPanel& placed);
  void draw_header(App& app, Stage& stage, Panel& panel, const PlacedPanel& placed, Rectangle bar);
  float draw_title(App& app, Stage& stage, const PlacedPanel& placed, Rectangle bar);
  float draw_tabs(App& app, Stage& stage, const PlacedPanel& placed, Rectangle bar);
  float draw_tab_list(App& app, Stage& stage, const PlacedPanel& placed, Rectangle bar);
  std::string tab_words(const App& app, const PlacedPanel& placed, PanelId tab);
  void draw_splitter(App& app, const Stage& stage, const Splitter& splitter);
  float draw_notices(App& app, const Stage& stage, float top, float width);
  void draw_status(const App& app, const Stage& stage);
  void front_memory(App& app);

  std::array<std::unique_ptr<Panel>, panel_count> panels_;
  Presentation presentation_;
  std::optional<PanelId> run_panel_;  ///< it reports the current run
  std::uint64_t access_seen_ = 0;     ///< Results::moment_version
};

// The top bar: the open file, the engine and the state of the run, and the number of problems.

void draw_top_bar(App& app, Stage& stage, Rectangle bar);

// The stage while a lesson or a kernel's moments are presented: title, picture, caption, question, and the position in
// the sequence. Notes for the presenter only on request.

/// Presentation mode is on, and a stop of a sequence is on show.
bool shows_lecture(const App& app);
/// In place of the top bar.
void draw_lecture_title(App& app, const Stage& stage, Rectangle bar);
/// A stop without a picture: a question by itself, or the text of a page. False: the stop has a picture.
bool draw_lecture_card(App& app, Stage& stage, Rectangle area);
/// Caption, question and notes below the picture of `area`.
float lecture_words_height(const App& app, const Stage& stage, Rectangle area);
void draw_lecture_words(const App& app, const Stage& stage, Rectangle area);
/// Back, a dot for each stop, next.
void draw_lecture_control(App& app, const Stage& stage, Rectangle bar);

}  // namespace lanescope::gui
