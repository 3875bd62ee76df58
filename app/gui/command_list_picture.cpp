// Commands on the pictures in the panels.

#include "app/gui/app.h"
#include "app/gui/command_groups.h"

namespace lanescope::gui {
namespace {

void escape(App& app) {
  app.playing = false;
  if (app.overlay != Overlay::none) {
    app.overlay = Overlay::none;
  } else if (app.view.maximised) {
    app.view.maximised.reset();
  } else {
    app.selection.place.reset();
    app.selection.element.reset();
    app.selection.address.reset();
    app.selection.family = -1;
  }
}

}  // namespace

void add_picture_commands(std::vector<Command>& all) {
  const std::string g = "Picture";
  all.push_back({"picture.label",
                 g,
                 "Next label mode",
                 "Cells show their element, their value or their tag.",
                 chords({"L"}),
                 false,
                 [](App& a) { a.view.label = static_cast<views::LabelMode>((static_cast<int>(a.view.label) + 1) % 3); },
                 {}});
  all.push_back({"picture.arrows",
                 g,
                 "Arrows",
                 "Shows or hides where data moved in this step.",
                 chords({"A"}),
                 false,
                 [](App& a) { a.view.arrows = !a.view.arrows; },
                 {}});
  all.push_back({"picture.all_warps",
                 g,
                 "All warps or one",
                 "Registers of one warp, or of up to sixteen.",
                 chords({"W"}),
                 false,
                 [](App& a) { a.view.warps_shown = a.view.warps_shown > 1 ? 1 : 16; },
                 {}});
  all.push_back({"picture.heat",
                 g,
                 "Next heat column",
                 "Counts beside the source lines: none, instructions, sectors, wavefronts.",
                 chords({"H"}),
                 false,
                 [](App& a) { a.view.heat = static_cast<Heat>((static_cast<int>(a.view.heat) + 1) % heat_count); },
                 {}});
  all.push_back({"picture.fit",
                 g,
                 "Fit",
                 "Shows the whole picture of the active panel.",
                 chords({"0"}),
                 false,
                 [](App& a) { a.fit_request = true; },
                 {}});
  all.push_back({"picture.zoom_in",
                 g,
                 "Zoom in",
                 "Enlarges the picture of the active panel.",
                 chords({"+"}),
                 true,
                 [](App& a) { a.zoom_request = 1.25f; },
                 {}});
  all.push_back({"picture.zoom_out",
                 g,
                 "Zoom out",
                 "Shrinks the picture of the active panel.",
                 chords({"-"}),
                 true,
                 [](App& a) { a.zoom_request = 0.8f; },
                 {}});
  all.push_back({"picture.deselect",
                 g,
                 "Back out",
                 "Closes what is open, restores a maximised panel, or forgets the selected cell.",
                 chords({"Escape"}),
                 false,
                 escape,
                 {}});
}

}  // namespace lanescope::gui
