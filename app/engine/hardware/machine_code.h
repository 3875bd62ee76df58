#pragma once
// Machine code of the plain program and the source line of each instruction. Nothing runs, and no GPU is needed: NVRTC
// assembles, nvdisasm (CUDA Toolkit) prints.

#include <string>
#include <string_view>

#include "app/engine/requests/requests.h"
#include "kernels/base/source_lines.h"
#include "kernels/compile/compile.h"
#include "profiling/cupti/machine_code.h"
#include "results/measured.h"

namespace lanescope::engine {

/// A unit line of the source for a line of `file`, as the compiler names it; 0 for lines of other headers. Without
/// `user_file` lines are those of the PTX text.
int user_line(std::string_view user_file, const SourceLines& lines, const std::string& file, int line);
/// Of an instruction: its line, or the innermost call in the user's files of the inlined function.
int user_line(std::string_view user_file, const SourceLines& lines, const cupti::SassLine& instruction);

/// The plain program, with the settings that a run would have. Errors: bare PTX, a file that does not compile, no
/// NVRTC.
Expected<compile::Compiled> compile_plain(const RunRequest& request);

/// Each instruction of each kernel of the file, in the order of the machine code, not counted: Measured::sass and
/// ::opcodes without counts of executions, and no device. If nothing can be shown `refused` has the reason with its
/// remedy, and notes of available results.
results::Measured machine_code(const RunRequest& request);

}  // namespace lanescope::engine
