#pragma once
// The register view: every datum of every lane, coloured by the element that it came from.

#include <string>

#include "viz/scene/scene.h"
#include "viz/views/base/panels.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct RegistersOptions {
  float width = 0;
  float height =
      0;  ///< the room there is: rows become lower or higher to fill it, as far as they can be read; 0: as usual
  LabelMode label = LabelMode::element;
  std::string color_by{};    ///< "j", "j3", "j1 j0 k3", "lane", "warp", "register"; "" is the slowest axis that varies
  std::string label_axes{};  ///< "j k": coordinates in the cells, at most three; "" is every axis that varies
  bool arrows = true;
  int most_arrows = 24;  ///< beyond that, bundles
};
/// The axis that decides the colours of that view if `color_by` is empty: one that varies in this moment.
std::string color_in_use(const Summary&, const Moment&, const std::string& color_by);
scene::Scene registers_view(const Summary&, const Moment&, const Selection&, const RegistersOptions&, const Theme&);

// The assignment view: the stated and the actual assignment of a register array, bit by bit.

struct AssignmentOptions {
  float width = 0;
  /// The room there is. Where stated and actual stand one below the other and do not fit, rows come closer and of the
  /// actual assignment only the rows that differ are drawn; 0: any.
  float height = 0;
};
scene::Scene assignment_view(const Summary&, const Moment&, const Selection&, const AssignmentOptions&, const Theme&);

}  // namespace lanescope::views
