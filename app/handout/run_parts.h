#pragma once
// Parts of the documents of runs and of lessons.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/remote/engine.h"
#include "results/journey.h"
#include "results/moment.h"
#include "results/summary.h"
#include "viz/page/document.h"
#include "viz/views/base/selection.h"

namespace lanescope::handout {

// Pictures of one moment of a run, in both looks, with the meaning of their shapes.

struct PictureOptions {
  std::string color_by{}, label{};  ///< of registers: "element", "value" or "tag"
  float width = 0, height = 0;      ///< height: of registers and shared memory; 0: the view's own
};

page::Picture registers_picture(const results::Summary&, const results::Moment&, const views::Selection&,
                                const PictureOptions&);
/// Of an access to global memory; `moment` has one.
page::Picture global_picture(const results::Summary&, const results::Moment&, const views::Selection&,
                             const PictureOptions&);
page::Picture shared_picture(const results::Summary&, const results::Moment&, const views::Selection&,
                             const PictureOptions&);

/// Of a panel of the window, by its name: the three above, "assignment", "timeline", "lanes", "divergence", "ptx",
/// "tree" (of a moment with one), "movement" (of a moment with one, at `Selection::share`), "occupancy". nullopt: a
/// panel that is no such picture, or that this kernel has no data for.
std::optional<page::Picture> picture_of(const std::string& panel, const results::Summary&, const results::Moment&,
                                        const views::Selection&, const PictureOptions&);

/// The strip of followed elements; a station is linked with its element in the other pictures, and with the line that
/// put it there.
page::Picture journey_picture(const results::Summary&, const results::Journeys&, const views::Selection&,
                              const std::string& color_by);

/// The selection of a moment for itself.
views::Selection selection_of(const results::Moment& moment);

/// Where stepping by lines stops, with the visit of the line that ends there.
struct Stop {
  std::int64_t step = -1;
  int line = 0, visit = 0;  ///< visit: from 0
};
std::vector<Stop> stops_of(const results::Summary& summary, int warp);

/// The file of a run, and its headers that one of the lines is in.
page::Source source_of(const results::Summary& summary, const std::string& text, const std::vector<int>& lines);
/// A line without the blanks around it.
std::string line_text(const page::Source& source, int line);

/// Register arrays that hold elements of a buffer at the end, the same ones in every step, so that rows stay where they
/// are: `first` (-1: none), those with claims, then the larger ones. Where none holds any, those that are written.
Expected<std::vector<int>> families_of_run(engine::Engine& engine, const results::Summary& summary, int warp,
                                           int first);

/// Many rows of registers become lower, so that a memory is seen below them on a laptop.
PictureOptions registers_look(const results::Moment& moment);
/// As wide as the registers of 32 lanes.
PictureOptions memory_look();

/// "lanescope 0.1.0, sm_90, NVRTC 13.0".
std::string made_by(const results::Summary* summary);

}  // namespace lanescope::handout
