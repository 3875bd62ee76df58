#pragma once
// From a saved moment to a place in a run, and back.

#include <string_view>

#include "app/lessons/moment.h"
#include "kernels/base/diagnostic.h"
#include "results/summary.h"
#include "viz/views/base/selection.h"

namespace lanescope::lessons {

/// Where the line of a moment is in a text, from 1. `remark` says that it has moved, or that several lines could be meant.
struct LinePlace {
  int line = 0;
  std::string remark;
};
/// Error: no line of the text is the one that was saved.
Expected<LinePlace> line_of(const SavedMoment& moment, std::string_view text);

struct MomentPlace {
  views::Selection selection;  ///< with step, line, warp, block, share and pins
  Diagnostics remarks;         ///< warnings: the line has moved, the visit has fewer instructions than it had
};
/// In a run of this text that records the moment's block and launch. Error: what of it is not there.
Expected<MomentPlace> resolve(const SavedMoment& moment, std::string_view text, const results::Summary& summary);

/// What is selected, as a moment without name, words and look: resolve() gives the selection again. Error: there is no step,
/// its line is in a header or not known, or the part of the block that is recorded does not begin where the block does.
Expected<SavedMoment> bookmark(const views::Selection& selection, std::string_view text,
                               const results::Summary& summary);

/// "p[3]", ... of a summary's buffers.
std::string element_words(const results::Summary& summary, int buffer, std::uint64_t element);

}  // namespace lanescope::lessons
