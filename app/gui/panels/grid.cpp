// Grid: every block of the launch on one map; a click records the block and shows it. Or the threads of the recorded block,
// as the kernel indexes them and in warps; a click selects the lane. Or the tree of grids that launch grids; a click shows
// that launch.

#include <algorithm>

#include "app/gui/panels/panel.h"
#include "kernels/base/numbers.h"
#include "viz/views/costs/grid.h"
#include "viz/views/launches/launch_tree.h"
#include "viz/views/registers/block.h"

namespace lanescope::gui {
namespace {

class GridPanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    if (!app.results.have) return {};
    const results::HistoryInfo& h = app.results.summary.history;
    std::string words = "block " + std::to_string(app.results.summary.recorded_block) + " is recorded";
    if (h.budget_bytes == 0) return words;
    words += " · " + spaced(h.checkpoints) + (h.checkpoints == 1 ? " checkpoint, " : " checkpoints, ") +
             spaced((h.used_bytes + 1023) >> 10) + " of " + spaced(h.budget_bytes >> 10) + " KiB";
    if (h.thinned > 0) words += ", " + spaced(h.thinned) + " thinned out";
    if (h.refused > 0) words += ", " + spaced(h.refused) + " did not fit";
    return words;
  }

  void choices(App& app, Stage& stage, HeaderRow& row) override {
    if (!app.results.have) return;
    choose_map(app, stage, row);
    if (map_of(app) == GridMap::launches) return;
    if (map_of(app) == GridMap::threads) return choose_label(app, stage, row);
    drop_down(row, stage, "Block heat", "heat", std::string(views::block_heat_name(heat_)),
              "Selects the counter by which blocks are coloured", [&] {
                for (int i = 0; i < views::block_heat_count; ++i) {
                  const auto heat = static_cast<views::BlockHeat>(i);
                  if (menu_entry(stage, std::string(views::block_heat_name(heat)).c_str(), heat == heat_)) heat_ = heat;
                }
              });
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    if (map_of(app) == GridMap::threads) return threads(app, stage, area);
    if (map_of(app) == GridMap::launches) return launches(app, stage, area);
    views::GridOptions o{.width = area.w / stage.scale, .height = area.h / stage.scale, .heat = heat_};
    const std::string stamp =
        scene_stamp(app) + std::to_string(static_cast<int>(heat_)) + "," + std::to_string(static_cast<int>(o.height));
    const auto make = [&](float width) {
      o.width = width;
      return views::grid_view(app.results.summary, app.results.problems, o, app.shell.theme());
    };
    SceneCanvas::Result result =
        canvas_.draw(app, stage, id(), area, stamp, make,
                     {.zooms = false, .shrink_to_fit = false, .centered = false, .least_fit = 1, .scrolls = true});
    if (result.clicked && result.clicked->kind == scene::Id::Kind::grid_block) {
      if (const auto block = static_cast<std::uint32_t>(result.clicked->a);
          block != app.results.summary.recorded_block) {
        app.requests.record_block(block);
        app.shell.show_status("Recording block " + std::to_string(block) + "…");
      }
      result.clicked.reset();
    }
    apply_pointer(app, id(), result);
  }

 private:
  /// The tree needs grids that launch grids.
  static GridMap map_of(const App& app) {
    const GridMap map = app.shell.view.grid_map;
    return map == GridMap::launches && app.results.summary.grids.empty() ? GridMap::blocks : map;
  }

  void choose_map(App& app, Stage& stage, HeaderRow& row) {
    drop_down(row, stage, "Map", "map", std::string(grid_map_name(map_of(app))),
              "Shows the blocks of the grid, the threads of one block, or the grids that grids launch", [&] {
                GridMap& map = app.shell.view.grid_map;
                if (menu_entry(stage, "blocks of the grid", map_of(app) == GridMap::blocks)) map = GridMap::blocks;
                if (menu_entry(stage, "threads of the block", map_of(app) == GridMap::threads)) map = GridMap::threads;
                if (!app.results.summary.grids.empty() &&
                    menu_entry(stage, "grids that launch grids", map_of(app) == GridMap::launches))
                  map = GridMap::launches;
              });
  }

  void choose_label(App&, Stage& stage, HeaderRow& row) {
    drop_down(row, stage, "Tile", "tiles of", tile_ == 0 ? "none" : std::to_string(tile_),
              "Marks tiles of cooperative groups, with so many threads", [&] {
                for (const int tile : {0, 2, 4, 8, 16, 32})
                  if (menu_entry(stage, tile == 0 ? "none" : std::to_string(tile).c_str(), tile == tile_)) tile_ = tile;
              });
    drop_down(row, stage, "Label", "written", std::string(views::block_label_name(label_)),
              "Selects what is written into the cells", [&] {
                for (int i = 0; i < views::block_label_count; ++i) {
                  const auto label = static_cast<views::BlockLabel>(i);
                  if (menu_entry(stage, std::string(views::block_label_name(label)).c_str(), label == label_))
                    label_ = label;
                }
              });
  }

  void threads(App& app, Stage& stage, Rectangle area) {
    const std::string stamp =
        scene_stamp(app) + "|" + std::to_string(static_cast<int>(label_)) + "," + std::to_string(tile_);
    const views::Selection shown = app.navigation.shown();
    const auto make = [&](float width) {
      return views::block_view(app.results.summary, app.results.moment, shown,
                               {.width = width, .label = label_, .tile = tile_}, app.shell.theme());
    };
    const SceneCanvas::Result result =
        threads_.draw(app, stage, id(), area, stamp, make,
                      {.zooms = false, .shrink_to_fit = false, .centered = false, .least_fit = 1, .scrolls = true});
    apply_pointer(app, id(), result);
  }

  void launches(App& app, Stage& stage, Rectangle area) {
    const auto make = [&](float width) {
      return views::launch_tree_view(app.results.summary, {.width = width}, app.shell.theme());
    };
    SceneCanvas::Result result =
        launches_.draw(app, stage, id(), area, scene_stamp(app), make, {.centered = false, .least_fit = 0.6f});
    const std::vector<results::GridInfo>& grids = app.results.summary.grids;
    if (result.clicked && result.clicked->kind == scene::Id::Kind::launched_grid) {
      const auto index = static_cast<std::size_t>(std::max(result.clicked->a, 0));
      if (index < grids.size()) record(app, grids[index]);
      result.clicked.reset();
    }
    apply_pointer(app, id(), result);
  }

  static void record(App& app, const results::GridInfo& grid) {
    if (grid.launch < 0)
      return app.shell.show_status("This grid ran with the one that launched it: it has no steps of its own");
    if (grid.launch == app.results.summary.recorded_launch) return;
    app.requests.record({0, grid.launch});
    app.shell.show_status("Recording launch " + std::to_string(grid.launch + 1) + "…");
  }

  SceneCanvas canvas_, threads_, launches_;
  views::BlockHeat heat_ = views::BlockHeat::instructions;
  views::BlockLabel label_ = views::BlockLabel::place;
  int tile_ = 0;
};

}  // namespace

std::unique_ptr<Panel> make_grid_panel() { return std::make_unique<GridPanel>(); }

}  // namespace lanescope::gui
