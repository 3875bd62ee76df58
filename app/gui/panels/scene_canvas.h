#pragma once
// A scene on the screen: painted, zoomed at the cursor, panned, hit-tested. What was clicked becomes the one Selection;
// what is under the mouse is explained there. The right button opens the panel's menu.

#include <functional>
#include <string>

#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

class SceneCanvas {
 public:
  struct Options {
    bool zooms = true;          ///< by wheel; else the wheel scrolls
    bool shrink_to_fit = true;  ///< a scene higher than its room is shown whole, smaller
    bool centered = true;       ///< what is narrower than its room stands in its middle
    float least_fit = 0.62f;    ///< but not smaller than this: then it keeps its width and is panned
    /// What is dragged itself instead of the whole scene; empty: nothing is.
    std::function<bool(const scene::Id&)> grabs{};
    bool scrolls = false;  ///< a page: what is higher than its room goes up and down under the wheel
  };
  struct Result {
    bool hovered = false;
    scene::Point at;  ///< of the mouse, in the scene
    std::optional<scene::Id> hit, clicked;
    bool dragging = false;  ///< with the left button, started here
    bool double_clicked = false;
    float wheel = 0;                     ///< when the canvas does not zoom
    std::optional<scene::Id> grabbed{};  ///< of what Options::grabs names, while the button is down
    scene::Point moved;                  ///< how far it was dragged, in the scene
  };

  /// Remakes the scene when `stamp` differs from the last one. `make` gets the width there is, at scale 1.
  Result draw(App& app, Stage& stage, PanelId panel, Rectangle area, const std::string& stamp,
              const std::function<scene::Scene(float width)>& make, const Options& options);
  void fit() { zoom_ = 1, pan_ = {0, 0}; }
  /// A page goes there, as soon as it has a shape of this id, where that is out of sight.
  void reveal(const scene::Id& id) { revealed_ = id; }

 private:
  void navigate(App& app, const Stage& stage, PanelId panel, Rectangle area, float fit_scale, const Options& options,
                bool active, Result& result);
  static void point_at(const App& app, const Stage& stage, PanelId panel, const DrawnScene& drawn, const scene::Id& id,
                       bool may_say);
  void reveal_now(Rectangle area, float scale);
  void keep_page_in_place(const Stage& stage, Rectangle area, float scale);
  float spare(Rectangle area, float scale, const Options& options) const;

  scene::Scene scene_;
  std::string stamp_;
  float width_ = -1, zoom_ = 1;
  ImVec2 pan_{0, 0};
  bool panning_ = false;
  std::optional<scene::Id> grabbed_, revealed_;
  scene::Point grabbed_at_;
};

/// The theme of a view of memory: where the step on show is part of an error, nothing in it looks healthy.
views::Theme memory_theme(const App& app);
/// Above a view of memory: the error that its access is part of. Takes its room off the top of the area.
void draw_trouble(const App& app, const Stage& stage, Rectangle& area, const results::AccessInfo* access);

/// Everything that views read, in one string: equal stamps give equal scenes.
std::string scene_stamp(const App& app);
/// Hover and click as every panel with a scene means them.
void apply_pointer(App& app, PanelId panel, const SceneCanvas::Result& result);

}  // namespace lanescope::gui
