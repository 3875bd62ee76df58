#pragma once
// Positions of a program that was compiled from several files of the user's.

#include "kernels/base/source_lines.h"
#include "kernels/ptx/program.h"

namespace lanescope::ptx {

/// Positions in one of the headers become positions in the first file, at their unit lines. Files of the program have
/// their plain names (kernels/base/plain_name.h).
void put_into_unit_lines(Module& module, const SourceLines& lines);

}  // namespace lanescope::ptx
