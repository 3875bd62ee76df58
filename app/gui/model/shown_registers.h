#pragma once
// Which register arrays are shown where nobody chose any: those that the line reads and writes are always among them.

#include <vector>

#include "kernels/source/cxx/line_names.h"
#include "viz/views/base/selection.h"

namespace lanescope::gui {

struct ShownRegisters {
  std::vector<int> families;  ///< into Summary::families, each once: arrays before single variables
  int assignment = -1;        ///< of these, the one whose register assignment tells most; -1: none
};

/// Around the selected line: the array that the nearest claim names and the one made from it since (both ends of a move
/// are then in the picture), the one that was clicked, and every array of which the line's statement reads or writes a
/// register, in the kernel and in the function that the step has entered. `names`: of the text that ran.
ShownRegisters registers_to_show(const results::Summary& summary, const source::LineNames& names,
                                 const views::Selection& selection);

}  // namespace lanescope::gui
