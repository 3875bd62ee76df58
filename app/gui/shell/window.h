#pragma once
// One frame of the window: top bar, notices, panels, overlays.

#include <array>
#include <memory>
#include <optional>

#include "app/gui/model/arrangement.h"
#include "app/gui/panels/panel.h"
#include "app/gui/shell/presentation.h"

namespace lanescope::gui {

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
  std::optional<PanelId> run_panel_;  ///< tells of the run under way
  std::uint64_t access_seen_ = 0;     ///< Results::moment_version
};

}  // namespace lanescope::gui
