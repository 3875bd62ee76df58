#pragma once
// What ptxas refuses, at the user's line. It names lines of the PTX text; the `.loc` above such a line names the user's.
//
//   ptxas application ptx input, line 30; error   : Unknown modifier '.bar'
//   line 28   .loc 1 3 2                           -> k.cu line 3 column 2: the assembler refuses `foo.bar %r1, %r2`: ...
//   line 30   foo.bar %r1, %r2;

#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::compile {

struct AssemblerMistake {
  int ptx_line = 0;   ///< 0: it names none
  std::string words;  ///< "Unknown modifier '.bar'"
  Severity severity = Severity::error;
};

/// "ptxas ..." of a log; resources are none.
AssemblerMistake read_assembler_mistake(std::string_view line);

/// `ptx`: the text that was refused, with the file names as the compiler was given them; `file` is the user's among these.
/// Names in the result are the compiler's. Several words about one instruction become one diagnostic.
Diagnostics assembler_diagnostics(const std::vector<AssemblerMistake>& mistakes, std::string_view ptx,
                                  std::string_view file);

/// Of a mangled name; the name itself where it is none.
std::string demangled(const std::string& name);

}  // namespace lanescope::compile
