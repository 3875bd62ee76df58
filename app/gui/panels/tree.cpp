// Value tree: which elements a value was made of, and in which lane and at which step they were combined.

#include "app/gui/panels/panel.h"
#include "viz/views/values/value_tree.h"

namespace lanescope::gui {
namespace {

class TreePanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    if (!app.results.have || !app.results.moment.tree || !app.results.moment.tree->refused.empty()) return {};
    const results::ValueTree& tree = *app.results.moment.tree;
    return tree.subject + (tree.most_level > 0
                               ? " · " + std::to_string(tree.most_level) + (tree.most_level == 1 ? " level" : " levels")
                               : "");
  }

  void choices(App& app, Stage& stage, HeaderRow& row) override {
    if (!app.results.have) return;
    drop_down(row, stage, "Value", "of", "value", "Selects the value that is taken apart", [&] {
      for (const char* id : {"tree.result", "tree.register", "tree.warp", "tree.memory"}) {
        const Command& command = *find_command(id);
        if (menu_entry(stage, command.title.c_str(), false, key_of(id), refusal_of(app, command))) run_command(app, id);
      }
    });
    if (app.tree.root() >= 0 && row.icon("Whole tree", Icon::left, hint_of("tree.back"))) run_command(app, "tree.back");
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    results::ValueTree none;  // until the answer to the first question is there
    none.refused = "the tree is being worked out";
    const results::ValueTree& tree = app.results.moment.tree ? *app.results.moment.tree : none;
    const views::Selection shown = app.navigation.shown();
    const float height = area.h / stage.scale;
    const std::string stamp =
        scene_stamp(app) + std::to_string(app.tree.version()) + "," + std::to_string(static_cast<int>(height));
    const auto make = [&](float width) {
      const views::ValueTreeOptions o{.width = width, .height = height - 4, .root = app.tree.root()};
      return views::value_tree_view(app.results.summary, tree, shown, o, app.shell.theme());
    };
    SceneCanvas::Result result =
        canvas_.draw(app, stage, id(), area, stamp, make, {.centered = false, .least_fit = 0.7f});
    if (result.clicked && result.clicked->kind == scene::Id::Kind::tree_node && result.clicked->b == 1) {
      app.tree.unfold(result.clicked->a);
      result.clicked.reset();
    }
    apply_pointer(app, id(), result);
  }

 private:
  SceneCanvas canvas_;
};

}  // namespace

std::unique_ptr<Panel> make_tree_panel() { return std::make_unique<TreePanel>(); }

}  // namespace lanescope::gui
