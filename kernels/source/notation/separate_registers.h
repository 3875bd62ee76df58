#pragma once
// Registers with names of their own, one by one:
//
//   d0=C[row0,col0], d1=C[row0,col1], d2=C[row1,col0], d3=C[row1,col1]
//     where row0 = lane/4, row1 = row0 + 8, col0 = 2*(lane%4), col1 = col0 + 1
//   c0,c1: row = groupID, col = 2*tig + {0,1};  c2,c3: row = groupID + 8, col = 2*tig + {0,1}
//
// Names are those of a family, from number 0 on, without a gap.

#include <optional>
#include <string>
#include <vector>

#include "kernels/source/cxx/lexer.h"
#include "kernels/source/notation/index_formula.h"

namespace lanescope::source {

struct SeparateRegisters {
  struct Part {
    IndexFormula formula;
    int choice = 0;
  };
  std::vector<std::string> names;     ///< "d0", "d1", ...
  std::vector<std::string> axes;      ///< "row", "col"
  std::vector<std::vector<Part>> at;  ///< [register][axis]
  std::size_t lines = 1;              ///< that it takes up
  bool output = false;                ///< its words describe a result
};

/// The form that begins in line `i`; nullopt if it is another one.
std::optional<SeparateRegisters> separate_registers(const std::vector<CommentLine>& lines, std::size_t i);

}  // namespace lanescope::source
