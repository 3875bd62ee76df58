// Commands on trees of values.

#include "app/gui/commands/groups.h"

namespace lanescope::gui {
namespace {

std::string needs_register(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return app.navigation.selection.place ? "" : "No register is selected. Click a cell of the registers first.";
}

std::string needs_address(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return app.navigation.selection.address ? ""
                                          : "No memory is selected. Click a word of shared or global memory first.";
}

}  // namespace

void add_tree_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Picture");
  group.add(
      "tree.register", "Tree of the selected register",
      "Draws the elements that the value in the selected lane was made of, and where they were combined.", {"Ctrl+T"},
      [](App& a) {
        a.tree.show_register(a.results, a.navigation.selection, false);
        a.shell.show_panel(PanelId::tree);
      },
      needs_register);
  group.add(
      "tree.warp", "Tree of the selected register in all lanes",
      "Draws how the values of the whole warp were made: a butterfly or a scan with every lane.", {"Ctrl+Alt+T"},
      [](App& a) {
        a.tree.show_register(a.results, a.navigation.selection, true);
        a.shell.show_panel(PanelId::tree);
      },
      needs_register);
  group.add(
      "tree.memory", "Tree of the selected memory",
      "Draws the elements that the selected word of shared memory, or the selected element of a buffer, was made of.",
      {},
      [](App& a) {
        a.tree.show_memory(a.results, a.navigation.selection);
        a.shell.show_panel(PanelId::tree);
      },
      needs_address);
  group.add(
      "tree.result", "Tree of the result",
      "Draws the stored element of the recorded block that depends on most elements.", {},
      [](App& a) {
        a.tree.show_best();
        a.shell.show_panel(PanelId::tree);
      },
      needs_results);
  group.add(
      "tree.back", "Whole tree", "Draws the whole tree again, after a part of it was unfolded.", {},
      [](App& a) { a.tree.unfold(-1); },
      [](const App& a) { return a.tree.root() >= 0 ? std::string() : "The whole tree is drawn."; });
}

}  // namespace lanescope::gui
