#pragma once
// The selection. Every view shows the same one; pointing at a shape in one view changes it (tooltips.h).

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "results/moment.h"
#include "results/summary.h"

namespace lanescope::views {

using namespace results;  // all views use these names

/// Every field is optional: -1 or nullopt is "nothing".
struct Selection {
  std::int64_t step = -1;
  /// Position between the state before the step and the state after it, 0 to 1.
  float share = 1;
  int line = -1;
  int family = -1;
  std::optional<PlaceRef> place;                         ///< register cell
  std::optional<std::pair<int, std::uint64_t>> element;  ///< (buffer, element)
  std::optional<std::pair<int, std::uint64_t>> address;  ///< (buffer or -1 for shared, byte offset)
  int warp = 0;
  std::uint32_t block = 0;
  /// Elements that are followed through the run: (buffer, element), in the order in which they were pinned.
  std::vector<std::pair<int, std::uint64_t>> pins{};
};

}  // namespace lanescope::views
