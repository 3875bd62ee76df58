#pragma once
// The plans of a design, of the whole and of each step, and the code that they make. A study may take a second for
// large designs: callers run it on a thread of its own.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/design/sheet.h"
#include "kernels/convert/cuda_text.h"
#include "profiling/access/access.h"

namespace lanescope::design {

/// The cost of one step alone, by its recommended plan.
struct StepCost {
  std::string words;  ///< "2 shuffles, 4 selects"; or why it cannot be done
  bool possible = false;
  double cycles = 0;  ///< of one SM for each warp
  std::string code;   ///< the function
};

/// One leg of a chain, by its recommended plan.
struct LegCost {
  std::string words;
  bool possible = false;
  convert::Counts counts;
  double cycles = 0;
  std::unique_ptr<convert::Planned> planned;
};
struct ChainCost {
  std::vector<LegCost> legs;
  std::string total;   ///< "3 shuffles, 8 selects, 12 cycles"; or which leg cannot be done
  std::string direct;  ///< from the first state to the last at once
};

struct Study {
  Design design;                              ///< the one that was planned
  std::unique_ptr<convert::Planned> planned;  ///< nullptr: see `wrong`
  Diagnostics wrong;
  std::vector<StepCost> steps;     ///< of Sheet::steps
  std::optional<ChainCost> chain;  ///< of a chain
  /// Name of the function of a leg: NAME, or NAME_1, NAME_2, ... of a chain.
  std::string function(std::size_t leg) const;
  double milliseconds = 0;  ///< of planning
  int recommended() const;  ///< index of a plan; -1 where there is none
};
/// The sheet need not be complete: then `wrong` names the missing parts.
Study study_of(const Sheet& sheet);

/// A header with the function of one plan, of a chain with those of all legs (the others by their recommended plans);
/// "" where there is no such plan.
std::string header_of(const Study& study, int plan);
/// A kernel file that runs it and checks every element; "" also where no buffer has such elements. Of a chain it is
/// that of the leg on show.
std::string kernel_of(const Study& study, int plan);
/// The kernel files of all functions of the header.
std::vector<std::string> kernels_of(const Study& study, int plan);

/// One access of a plan through shared memory, by the warp.
struct SharedAccess {
  access::Access access;
  int number = 0, count = 0;  ///< "store 2 of 4": from 1, of its kind
  access::Cost cost{};
};
/// Stores first; none where the plan needs no shared memory.
std::vector<SharedAccess> shared_accesses(const Study& study, int plan, int warp);

/// The assignments that a plan passes through, each with the operation before it: the source first, the destination
/// last.
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
