#pragma once
// Pictures of one moment of a run, in both looks, with what their shapes stand for.

#include <optional>
#include <string>
#include <vector>

#include "results/journey.h"
#include "results/moment.h"
#include "results/summary.h"
#include "viz/page/document.h"
#include "viz/views/base/selection.h"

namespace lanescope::handout {

/// What is drawn beside the moment itself.
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

/// Of a panel of the window, by its name: the three above, "assignment", "timeline", "lanes", "divergence", "ptx", "tree" (of a
/// moment with one), "movement" (of a moment with one, at `Selection::share`), "occupancy". nullopt: a panel that is no such picture, or that this kernel has no data for.
std::optional<page::Picture> picture_of(const std::string& panel, const results::Summary&, const results::Moment&,
                                        const views::Selection&, const PictureOptions&);

/// The strip of followed elements; a station is linked with its element in the other pictures, and with the line that put it there.
page::Picture journey_picture(const results::Summary&, const results::Journeys&, const views::Selection&,
                              const std::string& color_by);

/// The selection of a moment for itself.
views::Selection selection_of(const results::Moment& moment);

}  // namespace lanescope::handout
