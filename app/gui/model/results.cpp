#include "app/gui/model/results.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/numbers.h"

namespace lanescope::gui {

bool Results::extend_index(std::size_t most) {
  if (index_complete()) return false;
  index.extend(summary, most);
  ++version;
  return true;
}

std::string Results::run_words(double now) const {
  // Tenths of a second say nothing where minutes went by.
  const double seconds = std::max(now - run_started, 0.0);
  std::string words = stage.empty() ? "starting" : stage;
  words += seconds < 100 ? fmt::format(" {:.1f} s", seconds)
                         : fmt::format(" {} s", spaced(static_cast<std::uint64_t>(seconds)));
  if (run_steps > 0) words += ", " + counted(run_steps, "step");
  return words;
}

}  // namespace lanescope::gui
