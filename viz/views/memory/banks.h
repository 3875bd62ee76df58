#pragma once
// One access to shared memory, played wavefront by wavefront, as it is and as it would be under another layout: 32 banks
// across, rows down, words coloured by lane. A bank that delivers several words is outlined, with their number.

#include <string>

#include "results/journey.h"
#include "viz/scene/scene.h"
#include "viz/views/base/theme.h"
#include "viz/views/memory/what_if.h"

namespace lanescope::views {

struct SharedOptions {
  float width = 0;
  float height =
      0;  ///< the room there is: rows become lower until all that are accessed fit; 0: rows of the usual height
  int most_rows = 16;  ///< without a height
  std::string color_by{};
  int wavefront = -1;       ///< from 0: only what this wavefront serves is filled; -1: the whole access
  WhatIf what_if{};         ///< drawn beside the access as it is
  bool controlled = false;  ///< the wavefronts can be chosen elsewhere: no strip of them where the room is short
  std::string note{};       ///< as in GlobalOptions
  std::vector<results::PinnedPlace> pinned{};  ///< where followed elements lie
  SourceLines lines{};                         ///< of the run; shared_view takes the summary's
};
/// Ids: shared_word, bank_heading and wavefront/n as it is; what_if_word, bank_heading@1 and wavefront/n/1 beside it.
/// Below 620 px the two stand one below the other, unless a height is given: then they share the width, and where not
/// even so all rows fit, the rows around the played wavefront are shown.
scene::Scene banks_view(const AccessInfo& info, const Selection&, const SharedOptions&, const Theme&);

/// The shared memory view: 32 banks across, rows of 128 bytes down; contents, accessing lanes, and the banks that deliver
/// several rows. With a wavefront or a what-if: banks_view of the access.
scene::Scene shared_view(const Summary&, const Moment&, const Selection&, const SharedOptions&, const Theme&);

// --- parts, for both views -----------------------------------------------------------------------------

/// 32 banks side by side; `group` is that of their ids: 1 beside the access as it is.
struct BankColumns {
  float left = 0, pitch = 0;
  int group = 0;
  float x(int bank) const { return left + pitch * static_cast<float>(bank); }
};
void draw_bank_headings(scene::Scene&, const BankColumns&, float y, const Theme&, bool titled = true);
/// A frame around each bank that delivers several words, with their number below it; `counts_top` below 0: without.
void draw_bank_conflicts(scene::Scene&, const access::Cost&, const BankColumns&, float top, float bottom,
                         float counts_top, const Theme&);
/// "2 wavefronts, ideal 1", then the conflict in words below it, in as many lines as they need. Returns how much lower than
/// `at` the last one is; 20 where each takes one line.
float draw_wavefronts(scene::Scene&, scene::Point at, float room, const access::Cost&, bool atomic,
                      const std::string& more, const scene::Id&, const Theme&);

}  // namespace lanescope::views
