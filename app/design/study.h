#pragma once
// The plans of a design, of the whole and of each step, and the code that they make. A study may take a second for large
// designs: callers run it where nobody waits.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/design/sheet.h"
#include "kernels/convert/cuda_text.h"

namespace lanescope::design {

/// What one step costs when it is done alone, by its recommended plan.
struct StepCost {
  std::string words;  ///< "2 shuffles, 4 selects"; or why it cannot be done
  bool possible = false;
  double cycles = 0;  ///< of one SM for each warp
  std::string code;   ///< the function
};

struct Study {
  Design design;                              ///< the one that was planned
  std::unique_ptr<convert::Planned> planned;  ///< nullptr: see `wrong`
  Diagnostics wrong;
  std::vector<StepCost> steps;  ///< of Sheet::steps
  double milliseconds = 0;      ///< what planning took
  int recommended() const;      ///< index of a plan; -1 where there is none
};
/// The sheet need not be complete: then `wrong` says what is missing.
Study study_of(const Sheet& sheet);

/// A header with the function of one plan; "" where there is no such plan.
std::string header_of(const Study& study, int plan);
/// A kernel file that runs it and checks every element; "" also where no buffer has such elements.
std::string kernel_of(const Study& study, int plan);
/// The assignments that a plan passes through, with what led to each: the source first, the destination last.
struct State {
  std::string what;
  layout::Assignment assignment;
};
std::vector<State> states_of(const Study& study, int plan);

/// The bit matrix of the conversion: row n is physical bit n of a place in the destination, column m bit m of the place
/// in the source that holds the same element.
struct Matrix {
  std::vector<std::string> rows, columns;  ///< "r0", "t3"
  std::vector<std::vector<bool>> ones;     ///< [row][column]
  std::vector<std::string> remarks;        ///< of each row: "copy", "free", else empty
  std::uint64_t constant = 0;              ///< columns that are inverted
};
Matrix matrix_of(const convert::Planned& planned);

/// One line of a comparison of two texts.
struct DiffLine {
  enum class Kind : std::uint8_t { same, removed, added };
  Kind kind = Kind::same;
  std::string text;
};
/// Line by line, the fewest changes; texts above 4000 lines are shown as removed and added whole.
std::vector<DiffLine> difference(std::string_view before, std::string_view after);

}  // namespace lanescope::design
