#pragma once
// What `lanescope plan` is asked, from options or from a file of designs.

#include <string>
#include <vector>

#include "app/cli/answers/options.h"
#include "kernels/base/diagnostic.h"
#include "kernels/convert/planner.h"

namespace lanescope::cli {

/// One design, as text.
struct Design {
  std::string name = "convert", type;
  std::vector<std::string> states;  ///< assignments, two or more
  std::string rename;               ///< "i0=j0 i1=j1": logical bits of the source that the others call otherwise
  convert::Freedom free;
  std::vector<std::string> from_axes, to_axes;  ///< in memory, the fastest last
  std::string element;                          ///< type in CUDA C++
  int plan = 0;                                 ///< which is written, from 1; 0: the recommended one
};

/// The designs of a file: keys at its top, or `[[plan]]` tables. Errors at line and column.
Expected<std::vector<Design>> read_designs(const std::string& path);
Expected<std::vector<Design>> design_of(const PlanOptions& options);

/// The design, planned. `file`: where it was read; empty: from options.
Expected<convert::Chain> planned(const Design& design, const std::string& file);

/// Words apart by spaces or commas.
std::vector<std::string> words_of(const std::string& text);

}  // namespace lanescope::cli
